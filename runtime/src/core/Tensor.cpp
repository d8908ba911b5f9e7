//===- Tensor.cpp - Values that go in and out -----------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amprt/tensor.h"

#include "core/Types.h"

#include <cassert>
#include <cmath>
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

template <typename T> static double load(const unsigned char *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return double(value);
}

static double fromBits32(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return double(value);
}

static double halfToDouble(uint16_t half) {
  int exponent = (half >> 10) & 31;
  int mantissa = half & 1023;
  double sign = half & 0x8000 ? -1.0 : 1.0;
  if (exponent == 31)
    return mantissa ? std::nan("") : sign * HUGE_VAL;
  if (exponent == 0)
    return sign * std::ldexp(double(mantissa), -24);
  return sign * std::ldexp(double(mantissa + 1024), exponent - 25);
}

double Tensor::at(int64_t i) const {
  assert(i >= 0 && i < elementCount() && "no such element");
  const unsigned char *from = bytes.data() + size_t(i) * elementBytes(theDtype);
  switch (theDtype) {
  case AMPRT_F32:
    return load<float>(from);
  case AMPRT_F64:
    return load<double>(from);
  case AMPRT_I32:
    return load<int32_t>(from);
  case AMPRT_I64:
  case AMPRT_INDEX:
    return load<int64_t>(from);
  case AMPRT_I1:
    return *from ? 1 : 0;
  case AMPRT_BF16: {
    uint16_t bits;
    std::memcpy(&bits, from, sizeof bits);
    return fromBits32(uint32_t(bits) << 16);
  }
  case AMPRT_F16: {
    uint16_t bits;
    std::memcpy(&bits, from, sizeof bits);
    return halfToDouble(bits);
  }
  }
  return 0;
}

} // namespace amprt
