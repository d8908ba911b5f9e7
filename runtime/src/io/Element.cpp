//===- Element.cpp - Numbers as elements of a tensor ----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Element.h"

#include <algorithm>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <system_error>

namespace amprt {

template <typename T> static bool put(T value, unsigned char *to) {
  std::memcpy(to, &value, sizeof value);
  return true;
}

bool isFloatDtype(amprt_dtype_t dtype) {
  switch (dtype) {
  case AMPRT_F32:
  case AMPRT_F64:
  case AMPRT_BF16:
  case AMPRT_F16:
    return true;
  case AMPRT_I32:
  case AMPRT_I64:
  case AMPRT_I1:
  case AMPRT_INDEX:
    return false;
  }
  return false;
}

/// Stores a binary format of 16 bits with `mantissa` stored bits and exponents
/// from 1 - `bias` to `bias`.
static bool putHalf(double value, int mantissa, int bias, unsigned char *to) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  double magnitude = std::fabs(value);
  if (magnitude == 0)
    return put(sign, to);
  int exponent = std::max(std::ilogb(magnitude), 1 - bias);
  double units = std::nearbyint(std::ldexp(magnitude, mantissa - exponent));
  double one = std::ldexp(1.0, mantissa); // The implicit leading bit.
  if (units >= 2 * one) {                 // Rounding carried.
    units /= 2;
    ++exponent;
  }
  if (exponent > bias)
    return false;
  unsigned bits = static_cast<unsigned>(units); // Subnormal unless >= one.
  if (units >= one)
    bits += static_cast<unsigned>(exponent + bias - 1) << mantissa;
  return put(static_cast<uint16_t>(sign | bits), to);
}

/// Rounds to f32 as if from the text. Going by way of f64 is wrong only where
/// the f64 lies exactly between two f32 (or the f32 is subnormal): then the
/// text is read again.
static bool putFloat(double value, std::string_view token, unsigned char *to) {
  constexpr uint64_t dropped = (uint64_t(1) << 29) - 1;
  constexpr uint64_t halfway = uint64_t(1) << 28;
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  float rounded = static_cast<float>(value);
  if ((bits & dropped) == halfway || std::fabs(value) < double(FLT_MIN)) {
    float again = 0;
    auto [end, error] =
        std::from_chars(token.data(), token.data() + token.size(), again);
    if (error == std::errc() && end == token.data() + token.size())
      rounded = again;
  }
  return std::isfinite(rounded) && put(rounded, to);
}

bool storeInteger(amprt_dtype_t dtype, int64_t value, unsigned char *to) {
  switch (dtype) {
  case AMPRT_F32:
    return put(static_cast<float>(value), to);
  case AMPRT_F64:
    return put(static_cast<double>(value), to);
  case AMPRT_BF16:
  case AMPRT_F16:
    return storeFloat(dtype, static_cast<double>(value), {}, to);
  case AMPRT_I32:
    return value >= std::numeric_limits<int32_t>::min() &&
           value <= std::numeric_limits<int32_t>::max() &&
           put(static_cast<int32_t>(value), to);
  case AMPRT_I64:
  case AMPRT_INDEX:
    return put(value, to);
  case AMPRT_I1:
    return (value == 0 || value == 1) &&
           put(static_cast<unsigned char>(value), to);
  }
  return false;
}

bool storeFloat(amprt_dtype_t dtype, double value, std::string_view token,
                unsigned char *to) {
  switch (dtype) {
  case AMPRT_F32:
    return putFloat(value, token, to);
  case AMPRT_F64:
    return put(value, to);
  case AMPRT_BF16:
    return putHalf(value, 7, 127, to);
  case AMPRT_F16:
    return putHalf(value, 10, 15, to);
  case AMPRT_I32:
  case AMPRT_I64:
  case AMPRT_I1:
  case AMPRT_INDEX:
    return false;
  }
  return false;
}

} // namespace amprt
