//===- AdamStep.h - The loop of Adam and AdamW ------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_ADAMSTEP_H
#define AMPRT_SRC_TRAIN_ADAMSTEP_H

#include "train/Optimiser.h"

#include <cmath>

namespace amprt {

/// values: rate / correction1, decay (adamw: 1 - rate * decay),
/// 1 - beta1, beta2, 1 / sqrt(correction2), epsilon.
inline Coefficients adamCoefficients(const OptimiserOptions &options,
                                     int64_t step, double rate) {
  double correction1 = 1 - std::pow(options.beta1, double(step));
  double correction2 = 1 - std::pow(options.beta2, double(step));
  return {{},
          {float(rate / correction1), float(options.decay()),
           float(1 - options.beta1), float(options.beta2),
           float(1 / std::sqrt(correction2)), float(options.smallest())}};
}

template <bool decoupled> struct AdamLoop {
  AMPRT_ALWAYS_INLINE void operator()(const Coefficients *c, float rest2,
                                      const Elements *elements) const {
    const GradientScale scale = c->scale;
    const float size = c->values[0], decay = c->values[1];
    const float rest1 = c->values[2], beta2 = c->values[3];
    const float root = c->values[4], epsilon = c->values[5];
    float *__restrict w = elements->weights;
    const float *__restrict g = elements->gradient;
    float *__restrict m = elements->state[0];
    float *__restrict v = elements->state[1];
    for (int64_t i = 0; i < elements->count; ++i) {
      float gradient = scale(g[i]);
      float weight = w[i];
      if (decoupled)
        weight *= decay;
      else
        gradient += decay * weight;
      m[i] += (gradient - m[i]) * rest1;
      v[i] = v[i] * beta2 + gradient * gradient * rest2;
      w[i] = weight - size * (m[i] / (std::sqrt(v[i]) * root + epsilon));
    }
  }
};

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_ADAMSTEP_H
