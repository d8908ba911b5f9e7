//===- Dropout.h - The random bits of dropout -------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bits for an element from the instance's seed, the op, the keys and the
// element's place: the state is mixed as in splitmix64 (Steele et al. 2014), an
// element's bits as at the end of MurmurHash3 (Appleby), which vectorises.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_DROPOUT_H
#define AMP_DIALECT_AMP_IR_DROPOUT_H

#include <cstdint>

namespace amp {

inline constexpr uint64_t kDropoutGamma = 0x9e3779b97f4a7c15;
inline constexpr uint64_t kDropoutMix1 = 0xbf58476d1ce4e5b9;
inline constexpr uint64_t kDropoutMix2 = 0x94d049bb133111eb;
inline constexpr uint32_t kDropoutPlace = 0x9e3779b1;
inline constexpr uint32_t kDropoutBits1 = 0x85ebca6b;
inline constexpr uint32_t kDropoutBits2 = 0xc2b2ae35;

/// The state with one number more.
inline uint64_t dropoutNext(uint64_t state, uint64_t number) {
  uint64_t z = state + kDropoutGamma + number;
  z = (z ^ (z >> 30)) * kDropoutMix1;
  z = (z ^ (z >> 27)) * kDropoutMix2;
  return z ^ (z >> 31);
}

inline uint64_t dropoutStart(uint64_t seed, uint64_t salt) {
  return dropoutNext(dropoutNext(0, seed), salt);
}

/// Of element `place`; `state` is the upper half of the state.
inline uint32_t dropoutBits(uint32_t state, uint32_t place) {
  uint32_t x = place * kDropoutPlace + state;
  x = (x ^ (x >> 16)) * kDropoutBits1;
  x = (x ^ (x >> 13)) * kDropoutBits2;
  return x ^ (x >> 16);
}

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_DROPOUT_H
