//===- Learner.h - From a recorded run to a policy --------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_LEARN_LEARNER_H
#define AMPRT_SRC_LEARN_LEARNER_H

#include "learn/Simulator.h"
#include "sched/PolicyTable.h"

#include <optional>

namespace amprt::learn {

struct LearnerOptions {
  Limits limits;
  std::optional<StateEncoding> encoding; ///< Else the best of all.
  int episodes = 200; ///< Runs of all instances, for each encoding.
  int trials = 2000;  ///< Runs to improve the best table with.
  uint64_t seed = 1;
};

struct Learned {
  PolicyTable table;
  int64_t batches; ///< Of all recorded instances, in the recorded order.
};

/// The table that needs fewest batches among those that Q-learning comes by,
/// improved by changing single states as long as that helps.
Learned learnPolicy(const Plan &plan, const LearnerOptions &options);

/// Batches that a policy makes of all recorded instances, in their order.
int64_t simulate(const Plan &plan, const Limits &limits, Policy policy,
                 const PolicyTable *table = nullptr);

} // namespace amprt::learn

#endif // AMPRT_SRC_LEARN_LEARNER_H
