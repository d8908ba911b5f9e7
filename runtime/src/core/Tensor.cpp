//===- Tensor.cpp - Values that go in and out -----------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amprt/tensor.h"

#include "core/HalfFloat.h"
#include "core/Types.h"

#include <cassert>
#include <cstring>

namespace amprt {

Tensor::Tensor(amprt_dtype_t dtype, std::vector<int64_t> dims)
    : theDtype(dtype), theDims(std::move(dims)) {
  size_t size = 0;
  [[maybe_unused]] bool fits =
      byteSize(theDims.data(), theDims.size(), elementBytes(dtype), size);
  assert(fits && "a dimension is negative, or the tensor too large");
  bytes.resize(size);
}

int64_t Tensor::elementCount() const {
  return int64_t(bytes.size() / elementBytes(theDtype));
}

template <typename T> static T bitsAt(const unsigned char *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

double Tensor::at(int64_t i) const {
  assert(i >= 0 && i < elementCount() && "no such element");
  const unsigned char *from = bytes.data() + size_t(i) * elementBytes(theDtype);
  switch (theDtype) {
  case AMPRT_F32:
    return double(bitsAt<float>(from));
  case AMPRT_F64:
    return bitsAt<double>(from);
  case AMPRT_I32:
    return double(bitsAt<int32_t>(from));
  case AMPRT_I64:
  case AMPRT_INDEX:
    return double(bitsAt<int64_t>(from));
  case AMPRT_I1:
    return *from ? 1 : 0;
  case AMPRT_BF16:
    return double(floatOfBF16(bitsAt<uint16_t>(from)));
  case AMPRT_F16:
    return double(floatOfF16(bitsAt<uint16_t>(from)));
  }
  return 0;
}

} // namespace amprt
