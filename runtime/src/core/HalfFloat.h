//===- HalfFloat.h - Floats of two bytes ------------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CORE_HALFFLOAT_H
#define AMPRT_SRC_CORE_HALFFLOAT_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>

namespace amprt {

/// The value of a bf16. Exact, as every bf16 is an f32.
inline float floatOfBF16(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

/// The value of an f16. Exact, as every f16 is an f32.
inline float floatOfF16(uint16_t bits) {
  int exponent = (bits >> 10) & 31;
  int mantissa = bits & 1023;
  float magnitude;
  if (exponent == 31)
    magnitude = mantissa ? std::nanf("") : HUGE_VALF;
  else if (exponent == 0)
    magnitude = std::ldexp(float(mantissa), -24);
  else
    magnitude = std::ldexp(float(mantissa + 1024), exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

/// The nearest number of a format of 16 bits with `mantissa` stored bits and
/// exponents from 1 - `bias` to `bias`, ties to even; none if it is too large.
inline std::optional<uint16_t> halfOf(double value, int mantissa, int bias) {
  unsigned sign = std::signbit(value) ? 0x8000 : 0;
  double magnitude = std::fabs(value);
  if (magnitude == 0)
    return uint16_t(sign);
  int exponent = std::max(std::ilogb(magnitude), 1 - bias);
  double units = std::nearbyint(std::ldexp(magnitude, mantissa - exponent));
  double one = std::ldexp(1.0, mantissa); // The implicit leading bit.
  if (units >= 2 * one) {                 // Rounding carried.
    units /= 2;
    ++exponent;
  }
  if (exponent > bias)
    return std::nullopt;
  unsigned bits = static_cast<unsigned>(units); // Subnormal unless >= one.
  if (units >= one)
    bits += static_cast<unsigned>(exponent + bias - 1) << mantissa;
  return uint16_t(sign | bits);
}

inline std::optional<uint16_t> bf16Of(double value) {
  return halfOf(value, 7, 127);
}
inline std::optional<uint16_t> f16Of(double value) {
  return halfOf(value, 10, 15);
}

} // namespace amprt

#endif // AMPRT_SRC_CORE_HALFFLOAT_H
