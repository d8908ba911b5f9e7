//===- Adagrad.cpp - Adagrad ----------------------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/Optimiser.h"

#include <cmath>

namespace amprt {

namespace {
struct AdagradLoop {
  AMPRT_ALWAYS_INLINE void operator()(const Coefficients *c,
                                      const Elements *elements) const {
    const GradientScale scale = c->scale;
    const float rate = c->values[0], decay = c->values[1];
    const float epsilon = c->values[2];
    float *__restrict w = elements->weights;
    const float *__restrict g = elements->gradient;
    float *__restrict sum = elements->state[0];
    for (int64_t i = 0; i < elements->count; ++i) {
      float gradient = scale(g[i]) + decay * w[i];
      sum[i] += gradient * gradient;
      w[i] -= rate * (gradient / (std::sqrt(sum[i]) + epsilon));
    }
  }
};

class Adagrad final : public Optimiser {
public:
  explicit Adagrad(const OptimiserOptions &options) : options(options) {}

  std::vector<const char *> states() const override { return {"sum"}; }
  bool ignoresZero() const override { return options.decay() == 0; }
  bool startsInert() const override { return options.decay() == 0; }
  Coefficients coefficients(int64_t step, double rate) const override {
    double decayed = rate / (1 + double(step - 1) * options.learningRateDecay);
    return {
        {},
        {float(decayed), float(options.decay()), float(options.smallest())}};
  }
  void update(const Coefficients &coefficients,
              const Elements &elements) const override {
    vectorised<AdagradLoop>(&coefficients, &elements);
  }

private:
  const OptimiserOptions options;
};
} // namespace

std::unique_ptr<Optimiser> createAdagrad(const OptimiserOptions &options) {
  return std::make_unique<Adagrad>(options);
}

} // namespace amprt
