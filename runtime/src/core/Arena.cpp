//===- Arena.cpp - Memory of one instance ---------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Arena.h"

#include <algorithm>

namespace amprt {

// Each chunk is an eighth of those before it, so that an instance wastes no more
// at its end, and one of n bytes takes O(log n) chunks; from 1 MiB on they no
// longer grow. What is larger than half a chunk gets its own, and the current
// one stays in use.
static constexpr size_t payloadOf(size_t bytes) {
  return bytes - sizeof(Chunk);
}
static constexpr size_t firstFrames = 8 << 10, firstRows = 16 << 10;
static constexpr size_t largestChunk = 1 << 20;

// What a failed instance may still take until its handler returns.
static constexpr size_t allowanceAfterFailure = 64 << 20;

// After that, the same memory is handed out again: at least so much.
static constexpr size_t leastSpare = 64 << 10;

// Above this no allocation is tried.
static constexpr size_t reasonableBytes = size_t(1) << 40;

bool Arena::open(ChunkPool &from, size_t theLimit) {
  pool = &from;
  limit = theLimit;
  failed = 0;
  Chunk *first = addChunk(payloadOf(firstFrames));
  if (!first)
    return false;
  taken[0] = first->payload;
  cursor = first->begin();
  end = first->end();
  rowsCursor = rowsEnd = end; // No room, but an address for empty rows.
  return true;
}

Chunk *Arena::addChunk(size_t payload) {
  Chunk *chunk = pool->take(payload);
  if (!chunk)
    return nullptr;
  held += payload; // What was asked for; a pool may round up.
  reserved += sizeof(Chunk) + chunk->payload;
  chunk->next = chunks;
  chunks = chunk;
  return chunk;
}

void *Arena::allocateSlow(size_t bytes, bool isRows) {
  if (bytes > reasonableBytes)
    return nullptr;
  bytes = roundUp(bytes, 64);
  if (isRows && bytes)
    if (void *memory = freeRows.take(bytes))
      return memory;
  return allocateFromChunk(bytes, isRows);
}

void *Arena::allocateFromChunk(size_t bytes, bool isRows) {
  size_t next = std::clamp(taken[isRows] / 8,
                           payloadOf(isRows ? firstRows : 2 * firstFrames),
                           payloadOf(largestChunk)) &
                ~size_t(63);
  size_t left = limit > held ? (limit - held) & ~size_t(63) : 0;
  if (bytes > left)
    return nullptr;
  bool own = bytes > next / 2;
  // Near the limit, the last chunk is what is left of it.
  Chunk *chunk = addChunk(own ? bytes : std::min(next, left));
  if (!chunk)
    return nullptr;
  // All of it is used, but for what the pool adds to a block that has its own.
  taken[isRows] += own ? bytes : chunk->payload;
  if (own)
    return chunk->begin();
  if (isRows && rowsEnd != rowsCursor)
    freeRows.give(rowsCursor, size_t(rowsEnd - rowsCursor));
  (isRows ? rowsCursor : cursor) = chunk->begin() + bytes;
  (isRows ? rowsEnd : end) = chunk->end();
  return chunk->begin();
}

void Arena::markFailed() {
  // Other workers look at it, too.
  __atomic_store_n(&failed, int64_t(1), __ATOMIC_RELAXED);
  limit = std::min(limit, held) + allowanceAfterFailure;
}

void *Arena::allocateAnyhow(size_t bytes, Use use) {
  if (void *memory = allocateRows(bytes))
    return memory;
  Chunk *&spare = spares[int(use)];
  // Memory that is never touched costs nothing, so even a large request is met.
  // The pool rounds up, so that growing ones take few chunks.
  bool isLarger = spare && bytes > spare->payload && bytes < reasonableBytes;
  if (!spare || isLarger)
    if (Chunk *chunk = addChunk(
            bytes < reasonableBytes ? std::max(bytes, leastSpare) : leastSpare))
      spare = chunk;
  return spare ? spare->begin() : chunks->begin();
}

void Arena::releaseAll() {
  while (Chunk *chunk = chunks) {
    chunks = chunk->next;
    pool->give(chunk);
  }
  for (Chunk *&spare : spares)
    spare = nullptr;
  freeRows.forget();
  held = reserved = taken[0] = taken[1] = mostRows = 0;
  cursor = end = rowsCursor = rowsEnd = nullptr;
}

} // namespace amprt
