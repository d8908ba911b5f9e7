//===- HalfFloat.h - Floats of two bytes ------------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CORE_HALFFLOAT_H
#define AMPRT_SRC_CORE_HALFFLOAT_H

#include "amprt/abi.h"

#include <cmath>
#include <cstdint>
#include <cstring>

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

/// Rounded to nearest, ties to even; too large becomes infinite, NaN stays NaN.
inline uint16_t bf16OfFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return uint16_t(bits >> 16 | 0x40);
  return uint16_t((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

/// The same for f16.
inline uint16_t f16OfFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return uint16_t(sign | 0x7e00u);
  if (magnitude >= 0x47800000u) // 65536: beyond every f16.
    return uint16_t(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {
    // Below 2^-14, where all steps are 2^-24: adding 0.5 puts them last in f32.
    float shifted;
    std::memcpy(&shifted, &magnitude, sizeof shifted);
    shifted += 0.5f;
    std::memcpy(&magnitude, &shifted, sizeof shifted);
    return uint16_t(sign | (magnitude - 0x3f000000u));
  }
  magnitude += 0xfffu + (magnitude >> 13 & 1);
  return uint16_t(sign | ((magnitude - 0x38000000u) >> 13));
}

/// Element `i` of f32, bf16 or f16 elements.
inline float floatAt(const void *elements, amprt_dtype_t dtype, int64_t i) {
  switch (dtype) {
  case AMPRT_BF16:
    return floatOfBF16(static_cast<const uint16_t *>(elements)[i]);
  case AMPRT_F16:
    return floatOfF16(static_cast<const uint16_t *>(elements)[i]);
  default:
    return static_cast<const float *>(elements)[i];
  }
}

} // namespace amprt

#endif // AMPRT_SRC_CORE_HALFFLOAT_H
