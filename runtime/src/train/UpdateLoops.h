//===- UpdateLoops.h - Loops over gradients ---------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_UPDATELOOPS_H
#define AMPRT_SRC_TRAIN_UPDATELOOPS_H

#include "train/Optimiser.h"

#include <algorithm>

namespace amprt {

/// to += from; from = 0.
struct MoveAndAdd {
  AMPRT_ALWAYS_INLINE void operator()(float *__restrict from, int64_t count,
                                      float *__restrict to) const {
    for (int64_t i = 0; i < count; ++i) {
      to[i] += from[i];
      from[i] = 0;
    }
  }
};

/// Adds squares to 16 sums, which the compiler keeps in vectors.
struct SumSquares {
  static constexpr int64_t lanes = 16;
  AMPRT_ALWAYS_INLINE void operator()(const GradientScale *scale,
                                      const float *__restrict values,
                                      int64_t count,
                                      float *__restrict sums) const {
    const GradientScale by = *scale;
    float lane[lanes] = {};
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes)
      for (int64_t j = 0; j < lanes; ++j) {
        float value = by(values[i + j]);
        lane[j] += value * value;
      }
    for (int64_t j = 0; i + j < count; ++j) {
      float value = by(values[i + j]);
      lane[j] += value * value;
    }
    for (int64_t j = 0; j < lanes; ++j)
      sums[j] = lane[j];
  }
};

/// Of what an optimiser would see, but for the factor.
inline double sumOfSquares(const GradientScale &scale, const float *values,
                           int64_t count) {
  // In f32 only so far, as sums of many lose digits.
  constexpr int64_t together = 4096;
  double total = 0;
  for (int64_t begin = 0; begin < count; begin += together) {
    float sums[SumSquares::lanes];
    vectorised<SumSquares>(&scale, values + begin,
                           std::min(together, count - begin), +sums);
    for (float each : sums)
      total += double(each);
  }
  return total;
}

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_UPDATELOOPS_H
