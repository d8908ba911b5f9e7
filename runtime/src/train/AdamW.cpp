//===- AdamW.cpp - Adam with decoupled weight decay -----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/AdamStep.h"

namespace amprt {

namespace {
class AdamW final : public Optimiser {
public:
  explicit AdamW(const OptimiserOptions &options) : options(options) {}

  std::vector<const char *> states() const override {
    return {"mean", "square"};
  }
  bool ignoresZero() const override { return false; }
  bool startsInert() const override { return options.decay() == 0; }
  Coefficients coefficients(int64_t step, double rate) const override {
    Coefficients made = adamCoefficients(options, step, rate);
    made.values[1] = float(1 - rate * options.decay());
    return made;
  }
  void update(const Coefficients &coefficients,
              const Elements &elements) const override {
    vectorised<AdamLoop<true>>(&coefficients, float(1 - options.beta2),
                               &elements);
  }

private:
  const OptimiserOptions options;
};
} // namespace

std::unique_ptr<Optimiser> createAdamW(const OptimiserOptions &options) {
  return std::make_unique<AdamW>(options);
}

} // namespace amprt
