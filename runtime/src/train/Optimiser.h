//===- Optimiser.h - What optimisers have in common -------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_OPTIMISER_H
#define AMPRT_SRC_TRAIN_OPTIMISER_H

#include "amprt/train.hpp"
#include "cpu/Vectorised.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

namespace amprt {

/// What happens to an element of a gradient before an optimiser sees it:
/// g * scale, within +-limit, times factor.
struct GradientScale {
  float scale = 1;
  float limit = HUGE_VALF;
  float factor = 1;

  AMPRT_ALWAYS_INLINE float operator()(float g) const {
    // NaN must stay NaN.
    g *= scale;
    g = g > limit ? limit : g;
    g = g < -limit ? -limit : g;
    return g * factor;
  }
};

/// Numbers that are the same for all elements of a parameter in an update; what
/// they mean is the optimiser's.
struct Coefficients {
  GradientScale scale;
  float values[6] = {};
};

/// The elements of a parameter that are updated together.
struct Elements {
  float *weights;
  const float *gradient;
  float *state[2]; ///< As many as the optimiser has.
  int64_t count;
};

/// How weights follow from gradients, element by element. Immutable;
/// thread-safe.
class Optimiser {
public:
  virtual ~Optimiser() = default;

  /// A name for each array of state that it keeps for a parameter, two at most.
  virtual std::vector<const char *> states() const = 0;

  /// Whether a gradient of zero changes nothing, in any state.
  virtual bool ignoresZero() const = 0;
  /// Whether it changes nothing as long as all state is zero.
  virtual bool startsInert() const = 0;

  /// `step`: updates of the parameter with this one, from 1. `rate`: as the
  /// schedule has it.
  virtual Coefficients coefficients(int64_t step, double rate) const = 0;

  virtual void update(const Coefficients &coefficients,
                      const Elements &elements) const = 0;
};

/// Statuses: invalidArgument (an option out of range).
Expected<std::unique_ptr<Optimiser>>
createOptimiser(const OptimiserOptions &options);

// Options have been checked.
std::unique_ptr<Optimiser> createSgd(const OptimiserOptions &options);
std::unique_ptr<Optimiser> createMomentum(const OptimiserOptions &options);
std::unique_ptr<Optimiser> createAdam(const OptimiserOptions &options);
std::unique_ptr<Optimiser> createAdamW(const OptimiserOptions &options);
std::unique_ptr<Optimiser> createAdagrad(const OptimiserOptions &options);

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_OPTIMISER_H
