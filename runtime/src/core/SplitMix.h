//===- SplitMix.h - A generator of random numbers ---------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CORE_SPLITMIX_H
#define AMPRT_SRC_CORE_SPLITMIX_H

#include <cstdint>

namespace amprt {

/// splitmix64: number i of the sequence that starts at `start` is
/// mixBits(start + (i + 1) * goldenRatio). All arithmetic wraps.
constexpr uint64_t goldenRatio = 0x9e3779b97f4a7c15u;

constexpr uint64_t mixBits(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

} // namespace amprt

#endif // AMPRT_SRC_CORE_SPLITMIX_H
