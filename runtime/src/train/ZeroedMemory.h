//===- ZeroedMemory.h - Zeroed arrays that live together --------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_ZEROEDMEMORY_H
#define AMPRT_SRC_TRAIN_ZEROEDMEMORY_H

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace amprt {

/// Arrays of zeros that are freed together. Large ones come from pages that the
/// system gives only when they are touched.
class ZeroedMemory {
public:
  /// `count` elements, aligned to 64 bytes. Throws std::bad_alloc.
  template <typename T> T *allocate(int64_t count) {
    size_t bytes;
    if (count < 0 || __builtin_mul_overflow(size_t(count), sizeof(T), &bytes) ||
        bytes > SIZE_MAX / 2)
      throw std::bad_alloc();
    blocks.emplace_back(std::calloc(bytes + 64, 1), &std::free);
    if (!blocks.back())
      throw std::bad_alloc();
    auto address = reinterpret_cast<uintptr_t>(blocks.back().get());
    return reinterpret_cast<T *>((address + 63) & ~uintptr_t(63));
  }

private:
  std::vector<std::unique_ptr<void, void (*)(void *)>> blocks;
};

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_ZEROEDMEMORY_H
