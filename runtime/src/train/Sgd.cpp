//===- Sgd.cpp - Stochastic gradient descent ------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/Optimiser.h"

namespace amprt {

namespace {
struct SgdLoop {
  AMPRT_ALWAYS_INLINE void operator()(const Coefficients *c,
                                      const Elements *elements) const {
    const GradientScale scale = c->scale;
    const float rate = c->values[0], decay = c->values[1];
    float *__restrict w = elements->weights;
    const float *__restrict g = elements->gradient;
    for (int64_t i = 0; i < elements->count; ++i)
      w[i] -= rate * (scale(g[i]) + decay * w[i]);
  }
};

class Sgd final : public Optimiser {
public:
  explicit Sgd(const OptimiserOptions &options) : options(options) {}

  std::vector<const char *> states() const override { return {}; }
  bool ignoresZero() const override { return options.decay() == 0; }
  bool startsInert() const override { return options.decay() == 0; }
  Coefficients coefficients(int64_t, double rate) const override {
    return {{}, {float(rate), float(options.decay())}};
  }
  void update(const Coefficients &coefficients,
              const Elements &elements) const override {
    vectorised<SgdLoop>(&coefficients, &elements);
  }

private:
  const OptimiserOptions options;
};
} // namespace

std::unique_ptr<Optimiser> createSgd(const OptimiserOptions &options) {
  return std::make_unique<Sgd>(options);
}

} // namespace amprt
