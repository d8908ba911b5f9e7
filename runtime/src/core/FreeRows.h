//===- FreeRows.h - Rows of an instance that were given back ----*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CORE_FREEROWS_H
#define AMPRT_SRC_CORE_FREEROWS_H

#include <cstddef>
#include <cstdint>

namespace amprt {

/// Blocks of memory by size, each a multiple of 64 bytes and so aligned. What is
/// asked for comes out of the smallest bin that has enough, in constant time;
/// the rest of a larger block stays. Neighbours are not joined: instances are
/// short, and ask for the same few sizes again and again. Its lists lie in the
/// blocks. Not thread-safe.
class FreeRows {
public:
  static constexpr size_t unit = 64;

  /// `bytes` is a multiple of `unit`, and not 0.
  void give(void *memory, size_t bytes);

  /// Null if no block is known to have so much. `bytes`: as above.
  void *take(size_t bytes);

  size_t bytes() const { return total; } ///< Of all blocks.

  /// The memory of the blocks belongs to somebody else again.
  void forget();

private:
  struct Block {
    Block *next;
    size_t bytes;
  };

  // Up to 1 KiB each size has a bin, then four an octave; the last one has all
  // that is larger.
  static constexpr int exact = 16, binCount = 64;
  static int binOf(size_t bytes);
  void *takeFrom(int bin, size_t bytes);

  Block *bins[binCount] = {};
  uint64_t filled = 0; ///< A bit for each bin.
  size_t total = 0;
};

} // namespace amprt

#endif // AMPRT_SRC_CORE_FREEROWS_H
