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
#include <deque>
#include <iterator>
#include <map>
#include <random>
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

/// What is given back is handed out again, and only once, in pieces as well. An
/// instance has few sizes of rows.
TEST(ArenaTest, ReleasedRows) {
  static constexpr size_t sizes[] = {64, 200, 512, 1000, 2048, 6100, 20000};
  ChunkPool pool(1 << 20);
  Arena arena;
  ASSERT_TRUE(arena.open(pool, 1 << 30));
  std::map<char *, size_t> taken;
  auto take = [&](size_t bytes) {
    auto *rows = static_cast<char *>(arena.allocateRows(bytes));
    ASSERT_TRUE(isAligned(rows, 64));
    std::memset(rows, 1, bytes);
    // Nothing that is in use begins in it, or reaches into it.
    auto next = taken.lower_bound(rows);
    ASSERT_TRUE(next == taken.end() || next->first >= rows + bytes);
    ASSERT_TRUE(next == taken.begin() ||
                std::prev(next)->first + std::prev(next)->second <= rows);
    taken[rows] = bytes;
  };
  std::mt19937 random(1);
  size_t now = 0, most = 0;
  auto rounded = [](size_t bytes) { return (bytes + 63) / 64 * 64; };
  for (int i = 0; i < 20000; ++i) {
    if (random() % 2 || taken.empty()) {
      size_t bytes = sizes[random() % std::size(sizes)];
      take(bytes);
      most = std::max(most, now += rounded(bytes));
    } else {
      auto gone = std::next(taken.begin(), ptrdiff_t(random() % taken.size()));
      now -= rounded(gone->second);
      arena.releaseRows(gone->first, gone->second);
      taken.erase(gone);
    }
  }
  EXPECT_EQ(arena.peakRowBytes(), most);
  // Neighbours are not joined, so what was cut up stays so.
  EXPECT_LT(arena.bytesReserved(), 3 * most);
  arena.releaseAll();
  EXPECT_EQ(pool.outstandingBytes(), 0);
}

/// A long chain of rows of which few are needed at a time takes what these do.
TEST(ArenaTest, ReleasedRowsKeepItSmall) {
  ChunkPool pool(1 << 20);
  Arena arena;
  ASSERT_TRUE(arena.open(pool, 1 << 30));
  std::deque<void *> chain;
  for (int i = 0; i < 100000; ++i) {
    chain.push_back(arena.allocateRows(200));
    if (chain.size() < 100)
      continue;
    arena.releaseRows(chain.front(), 200);
    chain.pop_front();
  }
  EXPECT_EQ(arena.peakRowBytes(), 100u * 256);
  EXPECT_LT(arena.bytesReserved(), size_t(64) << 10);
}

/// An instance wastes an eighth of its rows at most, and a little at the start.
TEST(ArenaTest, ChunksFitWhatIsInThem) {
  ChunkPool pool(1 << 20);
  for (size_t rows : {100u, 1000u, 5000u, 30000u}) {
    Arena arena;
    ASSERT_TRUE(arena.open(pool, 1 << 30));
    for (size_t i = 0; i < rows; ++i)
      arena.allocateRows(256);
    EXPECT_LE(arena.bytesReserved(), 256 * rows + 256 * rows / 4 + (40 << 10));
    EXPECT_EQ(arena.peakRowBytes(), 256 * rows);
  }
}

TEST(ChunkPoolTest, ChunksAreLittleLarger) {
  ChunkPool pool(0);
  for (size_t payload = 1; payload < size_t(50) << 20;
       payload += 1 + payload / 7) {
    Chunk *chunk = pool.take(payload);
    ASSERT_NE(chunk, nullptr);
    EXPECT_GE(chunk->payload, payload);
    EXPECT_LE(chunk->payload, std::max<size_t>(4096, payload + payload / 8 + 64));
    EXPECT_EQ(chunk->payload % 64, 0u);
    pool.give(chunk);
  }
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
