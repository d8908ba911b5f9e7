//===- Arena.h - Memory of one instance -------------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CORE_ARENA_H
#define AMPRT_SRC_CORE_ARENA_H

#include "amprt/abi.h"
#include "core/ChunkPool.h"
#include "core/FreeRows.h"

#include <algorithm>

namespace amprt {

/// Everything that an instance allocates: frames, rows, collectors. All of it
/// goes back to the pool when the instance ends. Rows may be given back before;
/// they are handed out again where the current chunk has no room, so that
/// whoever gives none back pays nothing for it.
///
/// Frames and what else is small lie together, apart from the rows: scheduling
/// reads frames alone, and so meets few pages. The bounds of the frames' free
/// space are in the part that generated code may read.
/// Not thread-safe.
class Arena : public amprt_instance {
public:
  Arena() : amprt_instance{nullptr, nullptr, 0, 0} {}
  ~Arena() { releaseAll(); }
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  /// Must be empty. `limit` bounds bytesHeld(), but the first chunk is there
  /// whatever it says. False: there is no memory for it.
  [[nodiscard]] bool open(ChunkPool &from, size_t limit);

  /// Aligned to 16 bytes; null if the limit or the memory is exhausted.
  void *allocate(size_t bytes) {
    void *memory = allocateFast(bytes);
    return memory ? memory : allocateSlow(bytes, /*isRows=*/false);
  }

  /// Aligned to 64 bytes, so that a vector load never crosses a cache line.
  void *allocateRows(size_t bytes) {
    void *memory = allocateRowsFast(bytes);
    return memory ? memory : allocateSlow(bytes, /*isRows=*/true);
  }

  /// The same, but null unless there is room at hand.
  void *allocateFast(size_t bytes) {
    if (__builtin_expect(bytes > size_t(end - cursor), 0))
      return nullptr;
    void *memory = cursor;
    cursor += roundUp(bytes, 16); // Chunks end at multiples of 64.
    return memory;
  }
  void *allocateRowsFast(size_t bytes) {
    if (__builtin_expect(bytes > size_t(rowsEnd - rowsCursor), 0))
      return nullptr;
    void *memory = rowsCursor;
    rowsCursor += roundUp(bytes, 64);
    return memory;
  }

  /// Of allocateRows, with the same `bytes`. Nobody may touch them any more.
  void releaseRows(void *rows, size_t bytes) {
    // Smaller ones lie between the frames.
    if (bytes < 64)
      return;
    notePeak();
    freeRows.give(rows, roundUp(bytes, 64));
  }

  /// The instance has failed, for whatever reason: from now on it gets little
  /// more, so that a handler that opens frame upon frame does not fill memory.
  void markFailed();

  /// What is handed out twice is so for one use only: whoever looks at an event
  /// of a failed instance must find a frame, if not the right one.
  enum class Use { frame, rows, list };

  /// For an instance that has failed and whose code must still get memory, as
  /// its handler has no way back: never null, but may be handed out twice, and
  /// a size beyond reason yields too little (see amprt_rows_new).
  void *allocateAnyhow(size_t bytes, Use use);

  void releaseAll();

  size_t bytesHeld() const { return held; }

  /// Bytes of its chunks, with what the pool has rounded up.
  size_t bytesReserved() const { return reserved; }

  /// The greatest number of bytes of rows that were handed out and not given
  /// back, each rounded up to 64.
  size_t peakRowBytes() {
    notePeak();
    return mostRows;
  }

private:
  static size_t roundUp(size_t bytes, size_t alignment) {
    return (bytes + alignment - 1) & ~(alignment - 1);
  }
  void *allocateSlow(size_t bytes, bool isRows);
  void *allocateFromChunk(size_t bytes, bool isRows);
  Chunk *addChunk(size_t payload);
  /// It only grows between two releases, so it is enough to look there.
  void notePeak() {
    size_t now = taken[1] - size_t(rowsEnd - rowsCursor) - freeRows.bytes();
    mostRows = std::max(mostRows, now);
  }

  char *rowsCursor = nullptr, *rowsEnd = nullptr;
  ChunkPool *pool = nullptr;
  Chunk *chunks = nullptr;
  Chunk *spares[3] = {}; ///< By Use.
  size_t held = 0, reserved = 0, limit = 0;
  size_t taken[2] = {}; ///< Bytes of chunks of frames, of rows.
  size_t mostRows = 0;
  FreeRows freeRows;
};

} // namespace amprt

#endif // AMPRT_SRC_CORE_ARENA_H
