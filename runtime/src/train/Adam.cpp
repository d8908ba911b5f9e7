//===- Adam.cpp - Adam ----------------------------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/AdamStep.h"

namespace amprt {

namespace {
class Adam final : public Optimiser {
public:
  explicit Adam(const OptimiserOptions &options) : options(options) {}

  std::vector<const char *> states() const override {
    return {"mean", "square"};
  }
  bool ignoresZero() const override { return false; }
  bool startsInert() const override { return options.decay() == 0; }
  Coefficients coefficients(int64_t step, double rate) const override {
    return adamCoefficients(options, step, rate);
  }
  void update(const Coefficients &coefficients,
              const Elements &elements) const override {
    vectorised<AdamLoop<false>>(&coefficients, float(1 - options.beta2),
                                &elements);
  }

private:
  const OptimiserOptions options;
};
} // namespace

std::unique_ptr<Optimiser> createAdam(const OptimiserOptions &options) {
  return std::make_unique<Adam>(options);
}

} // namespace amprt
