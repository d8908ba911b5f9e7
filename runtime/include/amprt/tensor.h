//===- tensor.h - Values that go in and out ---------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_TENSOR_H
#define AMPRT_TENSOR_H

#include "amprt/abi.h"

#include <cstdint>
#include <functional>
#include <map>
#include <new>
#include <string>
#include <vector>

namespace amprt {

/// Bytes of one element as it lies in a tensor's memory.
size_t elementBytes(amprt_dtype_t dtype);

/// "f32", "i32", ...: the spelling of the IR.
const char *dtypeName(amprt_dtype_t dtype);

/// Memory that starts with a cache line. Not by aligned operator new: C
/// libraries cut such memory from larger blocks and join them again later,
/// which costs several times what small memory costs.
template <typename T> struct LineAllocator {
  using value_type = T;
  static constexpr size_t alignment = 64;
  LineAllocator() = default;
  template <typename U> LineAllocator(const LineAllocator<U> &) {}
  T *allocate(size_t count) {
    if (count > (SIZE_MAX - alignment) / sizeof(T))
      throw std::bad_array_new_length();
    void *block = ::operator new(count * sizeof(T) + alignment);
    // At least a pointer behind the block's begin, where that is noted.
    uintptr_t line = (reinterpret_cast<uintptr_t>(block) + alignment) &
                     ~uintptr_t(alignment - 1);
    reinterpret_cast<void **>(line)[-1] = block;
    return reinterpret_cast<T *>(line);
  }
  void deallocate(T *memory, size_t) {
    ::operator delete(reinterpret_cast<void **>(memory)[-1]);
  }
  bool operator==(const LineAllocator &) const { return true; }
  bool operator!=(const LineAllocator &) const { return false; }
};

/// A dense row-major tensor, or a scalar (no dimensions), that owns its bytes,
/// aligned to 64.
/// Thread-compatible.
class Tensor {
public:
  Tensor() = default;
  /// Zeroed; every dimension must be >= 0 and the size must fit in memory.
  Tensor(amprt_dtype_t dtype, std::vector<int64_t> dims);

  amprt_dtype_t dtype() const { return theDtype; }
  const std::vector<int64_t> &dims() const { return theDims; }
  int64_t elementCount() const;
  size_t byteCount() const { return bytes.size(); }
  void *data() { return bytes.data(); }
  const void *data() const { return bytes.data(); }

  /// Element `i` in row-major order, converted; for tests and printing.
  double at(int64_t i) const;

private:
  amprt_dtype_t theDtype = AMPRT_F32;
  std::vector<int64_t> theDims;
  std::vector<unsigned char, LineAllocator<unsigned char>> bytes;
};

/// The fields of one instance, or of its result, by name.
using Values = std::map<std::string, Tensor, std::less<>>;

} // namespace amprt

#endif // AMPRT_TENSOR_H
