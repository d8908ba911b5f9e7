//===- Optimisers.cpp - The optimisers there are --------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/Optimiser.h"

#include <cmath>
#include <string>
#include <utility>

namespace amprt {

static constexpr std::pair<OptimiserKind, const char *> names[] = {
    {OptimiserKind::sgd, "sgd"},
    {OptimiserKind::momentum, "momentum"},
    {OptimiserKind::adam, "adam"},
    {OptimiserKind::adamw, "adamw"},
    {OptimiserKind::adagrad, "adagrad"}};

Expected<OptimiserKind> parseOptimiser(std::string_view name) {
  std::string known;
  for (auto [kind, each] : names) {
    if (name == each)
      return kind;
    known += std::string(known.empty() ? "" : ", ") + each;
  }
  return Status(StatusCode::invalidArgument, "unknown optimiser '" +
                                                 std::string(name) +
                                                 "'; there are: " + known);
}

const char *optimiserName(OptimiserKind kind) {
  for (auto [each, name] : names)
    if (each == kind)
      return name;
  return "?";
}

double OptimiserOptions::rate() const {
  return learningRate.value_or(kind == OptimiserKind::adagrad ? 0.01 : 0.001);
}
double OptimiserOptions::decay() const {
  return weightDecay.value_or(kind == OptimiserKind::adamw ? 0.01 : 0);
}
double OptimiserOptions::smallest() const {
  return epsilon.value_or(kind == OptimiserKind::adagrad ? 1e-10 : 1e-8);
}

static Status check(const OptimiserOptions &options) {
  auto atLeastZero = [](const char *name, double value) -> Status {
    if (value >= 0 && std::isfinite(value))
      return {};
    return {StatusCode::invalidArgument,
            std::string(name) + " is " + std::to_string(value) +
                ", but must be a number that is not negative"};
  };
  auto share = [](const char *name, double value) -> Status {
    if (value >= 0 && value < 1)
      return {};
    return {StatusCode::invalidArgument,
            std::string(name) + " is " + std::to_string(value) +
                ", but must be at least 0 and less than 1"};
  };
  for (Status status :
       {atLeastZero("the learning rate", options.rate()),
        atLeastZero("the weight decay", options.decay()),
        atLeastZero("epsilon", options.smallest()),
        atLeastZero("the learning rate's decay", options.learningRateDecay),
        atLeastZero("momentum", options.momentum),
        share("beta1", options.beta1), share("beta2", options.beta2)})
    if (!status.ok())
      return status;
  return {};
}

Expected<std::unique_ptr<Optimiser>>
createOptimiser(const OptimiserOptions &options) {
  if (Status status = check(options); !status.ok())
    return status;
  switch (options.kind) {
  case OptimiserKind::sgd:
    return createSgd(options);
  case OptimiserKind::momentum:
    return createMomentum(options);
  case OptimiserKind::adam:
    return createAdam(options);
  case OptimiserKind::adamw:
    return createAdamW(options);
  case OptimiserKind::adagrad:
    return createAdagrad(options);
  }
  return Status(StatusCode::invalidArgument, "no such optimiser");
}

} // namespace amprt
