//===- ChunkPool.cpp - Memory that arenas are made of ---------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/ChunkPool.h"

#include "core/Poison.h"

#include <cstdlib>
#include <new>

namespace amprt {

int ChunkPool::classOf(size_t bytes) {
  if (bytes <= size_t(1) << minLog)
    return 0;
  int log = 63 - __builtin_clzll(bytes - 1);
  size_t above = (bytes - 1) - (size_t(1) << log);
  return 1 + ((log - minLog) << stepLog) + int(above >> (log - stepLog));
}

size_t ChunkPool::bytesOf(int sizeClass) {
  if (sizeClass == 0)
    return size_t(1) << minLog;
  int log = minLog + ((sizeClass - 1) >> stepLog);
  size_t steps = size_t(sizeClass - 1) % (size_t(1) << stepLog) + 1;
  return (size_t(1) << log) + (steps << (log - stepLog));
}

ChunkPool::~ChunkPool() {
  for (Chunk *&list : unused)
    while (Chunk *chunk = list) {
      list = chunk->next;
      AMPRT_UNPOISON(chunk->begin(), chunk->payload);
      std::free(chunk);
    }
}

Chunk *ChunkPool::take(size_t payload) {
  if (payload > (size_t(1) << maxLog) - sizeof(Chunk))
    return nullptr;
  int sizeClass = classOf(payload + sizeof(Chunk));
  Chunk *chunk = unused[sizeClass];
  if (chunk) {
    unused[sizeClass] = chunk->next;
    cached -= chunk->payload;
    AMPRT_UNPOISON(chunk->begin(), chunk->payload);
  } else {
    size_t bytes = bytesOf(sizeClass);
    void *memory = std::aligned_alloc(alignof(Chunk), bytes);
    if (!memory)
      return nullptr;
    chunk = new (memory) Chunk;
    chunk->payload = bytes - sizeof(Chunk);
  }
  chunk->next = nullptr;
  outstanding.store(outstandingBytes() + int64_t(chunk->payload),
                    std::memory_order_relaxed);
  return chunk;
}

void ChunkPool::give(Chunk *chunk) {
  outstanding.store(outstandingBytes() - int64_t(chunk->payload),
                    std::memory_order_relaxed);
  if (cached + chunk->payload > cacheLimit) {
    AMPRT_UNPOISON(chunk->begin(), chunk->payload);
    std::free(chunk);
    return;
  }
  int sizeClass = classOf(chunk->payload + sizeof(Chunk));
  chunk->next = unused[sizeClass];
  unused[sizeClass] = chunk;
  cached += chunk->payload;
  AMPRT_POISON(chunk->begin(), chunk->payload);
}

} // namespace amprt
