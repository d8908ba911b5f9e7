//===- QLearning.h - Learning which cell to run -----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_LEARN_QLEARNING_H
#define AMPRT_SRC_LEARN_QLEARNING_H

#include "learn/Simulator.h"
#include "sched/PolicyTable.h"

#include <random>
#include <unordered_map>
#include <vector>

namespace amprt::learn {

struct QLearningOptions {
  StateEncoding encoding = StateEncoding::sorted;
  uint64_t seed = 1;
  /// The reward for taking all activations of a cell that could be taken if
  /// everything else had run before.
  double shaping = 0.5;
  double firstExploration = 0.3, lastExploration = 0.01;
  double leastRate = 0.01;
};

/// Tabular Q-learning after Chen et al. 2023, "ED-Batch", on the simulator. A
/// step is a batch. Its reward has two parts:
///  * the share of the lower bound that it achieves: an activation of cell c is
///    worth bound(c) / activations(c), so that a run's total is the same for
///    all policies and its mean is bound / batches;
///  * the paper's shaping: activations taken over the cell's frontier, those
///    that wait for none of their own cell. Where that is 1, nothing can be
///    gained by waiting.
/// Runs are long and instances come and go, so that what counts is the mean:
/// the values are those of average-reward learning, relative to it.
class QLearning final : public BatchPolicy {
public:
  QLearning(const Plan &plan, const Limits &limits,
            const QLearningOptions &options);

  /// Runs all instances once, in an order at random. `progress` is in [0, 1].
  void episode(double progress);

  /// What was found to be best in each state that was met.
  PolicyTable table() const;

private:
  struct Choice {
    uint32_t cell;
    double value;
    int64_t visits;
  };
  using State = std::vector<Choice>;

  uint32_t keyMask() const override { return 0; }
  Bucket *pick(const std::vector<Bucket *> &buckets) override;
  double reward(const Bucket &bucket) const;
  static Choice &best(State &state);
  Choice &choose(State &state);

  const Limits limits;
  const QLearningOptions options;
  Simulator simulator;
  std::vector<double> worth; ///< Of an activation, by cell.
  std::vector<uint32_t> order;
  std::mt19937_64 random;
  StateEncoder encoder;
  std::unordered_map<StateKey, State> states;
  double mean = 0; ///< Reward of a step.
  int64_t steps = 0;
  double exploration = 0;
  Choice *last = nullptr; ///< What the step before was, and what it gave.
  double lastReward = 0;
};

} // namespace amprt::learn

#endif // AMPRT_SRC_LEARN_QLEARNING_H
