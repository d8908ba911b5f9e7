//===- MemoryTest.cpp - Chunks, arenas, scratch memory --------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Arena.h"
#include "core/Scratch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

using namespace amprt;

static bool isAligned(const void *memory, size_t alignment) {
  return reinterpret_cast<uintptr_t>(memory) % alignment == 0;
}

TEST(ArenaTest, AlignmentAndContents) {
  ChunkPool pool(1 << 20);
  Arena arena;
  ASSERT_TRUE(arena.open(pool, 1 << 30));
  struct Piece {
    unsigned char *memory;
    size_t bytes;
  };
  std::vector<Piece> pieces;
  for (size_t i = 0; i < 5000; ++i) {
    size_t bytes = i * 7919 % 700;
    bool isRows = i % 2;
    void *memory = isRows ? arena.allocateRows(bytes) : arena.allocate(bytes);
    ASSERT_NE(memory, nullptr);
    EXPECT_TRUE(isAligned(memory, isRows ? 64 : 16));
    EXPECT_TRUE(isAligned(arena.cursor, 16));
    std::memset(memory, int(i), bytes);
    pieces.push_back({static_cast<unsigned char *>(memory), bytes});
  }
  for (size_t i = 0; i < pieces.size(); ++i)
    for (size_t j = 0; j < pieces[i].bytes; ++j)
      ASSERT_EQ(pieces[i].memory[j], static_cast<unsigned char>(i));
  arena.releaseAll();
  EXPECT_EQ(pool.outstandingBytes(), 0);
}

TEST(ArenaTest, ChunksAreUsedAgain) {
  ChunkPool pool(1 << 20);
  Arena arena;
  ASSERT_TRUE(arena.open(pool, 1 << 20));
  void *first = arena.allocate(100);
  arena.releaseAll();
  ASSERT_TRUE(arena.open(pool, 1 << 20));
  EXPECT_EQ(arena.allocate(100), first);
}

TEST(ArenaTest, LargeOnesGetTheirOwnChunk) {
  ChunkPool pool(1 << 20);
  Arena arena;
  ASSERT_TRUE(arena.open(pool, 1 << 30));
  auto *small = static_cast<char *>(arena.allocate(16));
  void *large = arena.allocateRows(3 << 20);
  ASSERT_NE(large, nullptr);
  EXPECT_TRUE(isAligned(large, 64));
  std::memset(large, 1, 3 << 20);
  // The small ones go on where they were.
  EXPECT_EQ(arena.allocate(16), small + 16);
}

TEST(ArenaTest, Limit) {
  ChunkPool pool(1 << 20);
  Arena arena;
  ASSERT_TRUE(arena.open(pool, 100000));
  size_t taken = 0;
  while (void *memory = arena.allocate(1000)) {
    std::memset(memory, 1, 1000);
    taken += 1000;
  }
  EXPECT_GT(taken, 80000u); // Most of the limit can be used.
  EXPECT_LE(arena.bytesHeld(), 100000u);
  EXPECT_EQ(arena.allocate(size_t(-1)), nullptr);
  EXPECT_EQ(arena.allocate(size_t(-64)), nullptr);

  arena.markFailed();
  EXPECT_NE(arena.failed, 0);
  for (int i = 0; i < 200000; ++i) // 200 MB, but not all of it is new.
    std::memset(arena.allocateAnyhow(1000, Arena::Use::rows), 1, 1000);
  EXPECT_LT(arena.bytesHeld(), size_t(70) << 20);
  void *large = arena.allocateAnyhow(size_t(100) << 20, Arena::Use::rows);
  std::memset(static_cast<char *>(large) + (size_t(99) << 20), 1, 1 << 20);
  EXPECT_NE(arena.allocateAnyhow(size_t(-1), Arena::Use::rows), nullptr);
}

/// What is handed out twice lies over nothing that is in use.
TEST(ArenaTest, SpareMemory) {
  ChunkPool pool(1 << 20);
  Arena arena;
  ASSERT_TRUE(arena.open(pool, 1 << 16));
  auto *live = static_cast<char *>(arena.allocate(64));
  std::memset(live, 7, 64);
  arena.markFailed();
  std::set<void *> places;
  for (Arena::Use use :
       {Arena::Use::frame, Arena::Use::rows, Arena::Use::list}) {
    void *first = arena.allocateAnyhow(size_t(-8), use);
    std::memset(first, 1, 64 << 10);
    EXPECT_EQ(arena.allocateAnyhow(size_t(-16), use), first);
    places.insert(first);
  }
  EXPECT_EQ(places.size(), 3u);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(live[i], 7);
}

/// The last chunk before the limit is what is left, not one for each request.
TEST(ArenaTest, FewChunksNearTheLimit) {
  ChunkPool pool(1 << 20);
  Arena arena;
  constexpr size_t limit = 10 << 20;
  ASSERT_TRUE(arena.open(pool, limit));
  size_t taken = 0;
  while (arena.allocate(32))
    taken += 32;
  EXPECT_GT(taken, limit - (64 << 10));
  EXPECT_LE(arena.bytesHeld(), limit);
  EXPECT_LT(pool.outstandingBytes(), int64_t(2 * limit));
}

TEST(ChunkPoolTest, KeepsNoMoreThanItsCache) {
  ChunkPool pool(100000);
  Chunk *chunks[20];
  for (Chunk *&chunk : chunks) {
    chunk = pool.take(16000);
    ASSERT_NE(chunk, nullptr);
    EXPECT_GE(chunk->payload, 16000u);
    std::memset(chunk->begin(), 1, chunk->payload);
  }
  EXPECT_GE(pool.outstandingBytes(), 20 * 16000);
  for (Chunk *chunk : chunks)
    pool.give(chunk);
  EXPECT_EQ(pool.outstandingBytes(), 0);
  EXPECT_EQ(pool.take(size_t(1) << 60), nullptr);
}

TEST(ScratchTest, GrowsAndKeeps) {
  Scratch scratch;
  scratch.reset();
  for (int round = 0; round < 4; ++round) {
    char *last = nullptr;
    for (int i = 0; i < 50; ++i) {
      auto *memory = static_cast<char *>(scratch.allocate(100000 + i));
      ASSERT_NE(memory, nullptr);
      EXPECT_TRUE(isAligned(memory, 64));
      std::memset(memory, i, size_t(100000 + i));
      if (round > 0 && last) { // One block by now: one after the other.
        EXPECT_EQ(memory, last + (100000 + i - 1 + 63) / 64 * 64);
      }
      last = memory;
    }
    scratch.reset();
  }
  EXPECT_NE(scratch.allocate(0), nullptr);
  EXPECT_EQ(scratch.allocate(-1), nullptr);
  EXPECT_EQ(scratch.allocate(INT64_MAX), nullptr);
}
