//===- QLearning.cpp - Learning which cell to run -------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "learn/QLearning.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace amprt::learn {

// How fast the mean reward follows, after the first steps.
static constexpr double leastMeanRate = 1e-3;

QLearning::QLearning(const Plan &plan, const Limits &limits,
                     const QLearningOptions &options)
    : limits(limits), options(options), simulator(plan, limits),
      worth(plan.cellCount()), order(plan.instances().size()),
      random(options.seed), encoder(options.encoding) {
  LowerBound bound = plan.bound(limits.maxInFlight, limits.maxBatch);
  for (size_t cell = 0; cell < worth.size(); ++cell)
    if (int64_t count = plan.activations()[cell])
      worth[cell] = double(bound.ofCell(cell, count)) / double(count);
  std::iota(order.begin(), order.end(), 0);
}

double QLearning::reward(const Bucket &bucket) const {
  double taken = double(std::min(bucket.size(), limits.maxBatch));
  double most =
      double(std::min(simulator.frontier(bucket.cell), limits.maxBatch));
  return worth[bucket.cell] * taken + options.shaping * taken / most;
}

QLearning::Choice &QLearning::best(State &state) {
  return *std::max_element(
      state.begin(), state.end(),
      [](const Choice &a, const Choice &b) { return a.value < b.value; });
}

QLearning::Choice &QLearning::choose(State &state) {
  std::uniform_real_distribution<double> share;
  if (state.size() > 1 && share(random) < exploration)
    return state[random() % state.size()];
  return best(state);
}

Bucket *QLearning::pick(const std::vector<Bucket *> &buckets) {
  State &state = states[encoder.encode(buckets)];
  if (state.empty()) // In the key's order, which does not depend on chance.
    for (char16_t cell : encoder.encode(buckets))
      state.push_back({cell, 0, 0});
  if (last) {
    double target = lastReward - mean + best(state).value;
    double rate =
        std::max(options.leastRate, 1 / std::pow(double(++last->visits), 0.7));
    double error = target - last->value;
    last->value += rate * error;
    mean += std::max(leastMeanRate, 1 / double(++steps)) * (lastReward - mean);
  }
  last = &choose(state);
  Bucket *picked = *std::find_if(
      buckets.begin(), buckets.end(),
      [this](const Bucket *bucket) { return bucket->cell == last->cell; });
  lastReward = reward(*picked);
  return picked;
}

void QLearning::episode(double progress) {
  exploration =
      options.firstExploration *
      std::pow(options.lastExploration / options.firstExploration, progress);
  std::shuffle(order.begin(), order.end(), random);
  // What `last` says of the episode before stays: they follow each other, so
  // that a long one gains nothing by being long.
  simulator.run(order, *this);
}

PolicyTable QLearning::table() const {
  PolicyTable table;
  table.encoding = options.encoding;
  for (const auto &[key, state] : states)
    if (key.size() > 1) { // Else there is no choice.
      State copy = state;
      table.cells[key] = best(copy).cell;
    }
  return table;
}

} // namespace amprt::learn
