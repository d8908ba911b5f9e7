//===- ChunkPool.cpp - Memory that arenas are made of ---------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/ChunkPool.h"

#include <cstdlib>
#include <new>

// Under the address sanitizer, a chunk that nobody holds may not be touched.
#if defined(__SANITIZE_ADDRESS__)
#define AMPRT_POISON_CHUNKS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define AMPRT_POISON_CHUNKS 1
#endif
#endif
#ifdef AMPRT_POISON_CHUNKS
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(start, bytes) ((void)0)
#define ASAN_UNPOISON_MEMORY_REGION(start, bytes) ((void)0)
#endif

namespace amprt {

int ChunkPool::classOf(size_t bytes) {
  if (bytes <= size_t(1) << minLog)
    return 0;
  return 64 - __builtin_clzll(bytes - 1) - minLog;
}

ChunkPool::~ChunkPool() {
  for (Chunk *&list : unused)
    while (Chunk *chunk = list) {
      list = chunk->next;
      ASAN_UNPOISON_MEMORY_REGION(chunk->begin(), chunk->payload);
      std::free(chunk);
    }
}

Chunk *ChunkPool::take(size_t payload) {
  if (payload > size_t(1) << (minLog + classCount - 2))
    return nullptr;
  int sizeClass = classOf(payload + sizeof(Chunk));
  Chunk *chunk = unused[sizeClass];
  if (chunk) {
    unused[sizeClass] = chunk->next;
    cached -= chunk->payload;
    ASAN_UNPOISON_MEMORY_REGION(chunk->begin(), chunk->payload);
  } else {
    size_t bytes = size_t(1) << (sizeClass + minLog);
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
    std::free(chunk);
    return;
  }
  int sizeClass = classOf(chunk->payload + sizeof(Chunk));
  chunk->next = unused[sizeClass];
  unused[sizeClass] = chunk;
  cached += chunk->payload;
  ASAN_POISON_MEMORY_REGION(chunk->begin(), chunk->payload);
}

} // namespace amprt
