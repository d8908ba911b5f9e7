//===- Scratch.h - Memory of one call of a cell -----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CORE_SCRATCH_H
#define AMPRT_SRC_CORE_SCRATCH_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace amprt {

/// Handed out during a compute function and taken back after it. What one call
/// needed in several blocks the next one finds in a single block, so a steady
/// state allocates nothing. One a worker; not thread-safe.
class Scratch {
public:
  Scratch() = default;
  ~Scratch();
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  /// Aligned to 64 bytes. Null only for a negative size or one that no address
  /// space holds.
  void *allocate(int64_t bytes) {
    size_t rounded = (size_t(bytes) + 63) & ~size_t(63);
    if (__builtin_expect(rounded > size_t(end - cursor) || bytes < 0, 0))
      return allocateSlow(bytes);
    void *memory = cursor;
    cursor += rounded;
    return memory;
  }

  void reset() {
    if (__builtin_expect(blocks.size() > 1, 0))
      merge();
    cursor = start;
  }

private:
  struct Block {
    void *memory;
    size_t bytes;
  };
  void *allocateSlow(int64_t bytes);
  bool addBlock(size_t bytes);
  void merge();

  char *start = nullptr, *cursor = nullptr, *end = nullptr;
  std::vector<Block> blocks; ///< The last one is in use.
};

} // namespace amprt

#endif // AMPRT_SRC_CORE_SCRATCH_H
