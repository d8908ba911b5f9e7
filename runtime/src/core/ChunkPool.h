//===- ChunkPool.h - Memory that arenas are made of -------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CORE_CHUNKPOOL_H
#define AMPRT_SRC_CORE_CHUNKPOOL_H

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace amprt {

/// A block of memory; this head lies at its start, the rest is payload. Both
/// ends of the payload are multiples of 64.
struct alignas(64) Chunk {
  Chunk *next = nullptr;
  size_t payload = 0; ///< Bytes.

  char *begin() { return reinterpret_cast<char *>(this) + sizeof(Chunk); }
  char *end() { return begin() + payload; }
};

/// Chunks by size, used again and again, so that instances that come and go
/// cause no call of the allocator. One a worker. Sizes come in eighths of the
/// powers of two, so that a chunk is at most an eighth larger than asked for.
/// Not thread-safe, but for outstandingBytes.
class ChunkPool {
public:
  /// `cacheLimit`: bytes of unused chunks that are kept.
  explicit ChunkPool(size_t cacheLimit) : cacheLimit(cacheLimit) {}
  ~ChunkPool();
  ChunkPool(const ChunkPool &) = delete;
  ChunkPool &operator=(const ChunkPool &) = delete;

  /// A chunk with at least `payload` bytes; null if there is no memory.
  Chunk *take(size_t payload);

  void give(Chunk *chunk);

  /// Payload bytes of the chunks that are taken; any thread may ask.
  int64_t outstandingBytes() const {
    return outstanding.load(std::memory_order_relaxed);
  }

private:
  // Class 0 is of 2^minLog bytes, and 2^stepLog equal steps
  // lead from each power of two to the next.
  static constexpr int minLog = 12, maxLog = 47, stepLog = 3;
  static constexpr int classCount = 1 + ((maxLog - minLog) << stepLog);
  static int classOf(size_t bytes);
  static size_t bytesOf(int sizeClass);

  Chunk *unused[classCount] = {};
  size_t cacheLimit, cached = 0;
  std::atomic<int64_t> outstanding{0};
};

} // namespace amprt

#endif // AMPRT_SRC_CORE_CHUNKPOOL_H
