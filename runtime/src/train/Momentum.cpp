//===- Momentum.cpp - Gradient descent with momentum ----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/Optimiser.h"

namespace amprt {

namespace {
template <bool nesterov> struct MomentumLoop {
  AMPRT_ALWAYS_INLINE void operator()(const Coefficients *c,
                                      const Elements *elements) const {
    const GradientScale scale = c->scale;
    const float rate = c->values[0], decay = c->values[1];
    const float momentum = c->values[2];
    float *__restrict w = elements->weights;
    const float *__restrict g = elements->gradient;
    float *__restrict b = elements->state[0];
    for (int64_t i = 0; i < elements->count; ++i) {
      float gradient = scale(g[i]) + decay * w[i];
      // From zero, the first step makes it the gradient, as it should be.
      b[i] = momentum * b[i] + gradient;
      w[i] -= rate * (nesterov ? gradient + momentum * b[i] : b[i]);
    }
  }
};

class Momentum final : public Optimiser {
public:
  explicit Momentum(const OptimiserOptions &options) : options(options) {}

  std::vector<const char *> states() const override { return {"momentum"}; }
  bool ignoresZero() const override { return false; }
  bool startsInert() const override { return options.decay() == 0; }
  Coefficients coefficients(int64_t, double rate) const override {
    return {{}, {float(rate), float(options.decay()), float(options.momentum)}};
  }
  void update(const Coefficients &coefficients,
              const Elements &elements) const override {
    if (options.nesterov)
      vectorised<MomentumLoop<true>>(&coefficients, &elements);
    else
      vectorised<MomentumLoop<false>>(&coefficients, &elements);
  }

private:
  const OptimiserOptions options;
};
} // namespace

std::unique_ptr<Optimiser> createMomentum(const OptimiserOptions &options) {
  return std::make_unique<Momentum>(options);
}

} // namespace amprt
