//===- Learner.cpp - From a recorded run to a policy ----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "learn/Learner.h"

#include "learn/QLearning.h"

#include <algorithm>
#include <numeric>

namespace amprt::learn {

// What is tried.
static constexpr uint32_t patiences[] = {4, 8, 16, 32, 64, 256};

// How often a table is taken from the learner, over all episodes.
static constexpr int tablesTaken = 20;

/// Recorded instances over and over, in their order.
static int64_t batchesOf(const Plan &plan, const Limits &limits,
                         BatchPolicy &policy) {
  std::vector<uint32_t> order(plan.instances().size());
  std::iota(order.begin(), order.end(), 0);
  return Simulator(plan, limits).run(order, policy);
}

int64_t simulate(const Plan &plan, const Limits &limits, Policy policy,
                 const PolicyTable *table) {
  auto made = createBatchPolicy(policy, plan.model(), limits.maxBatch, table);
  return batchesOf(plan, limits, *made);
}

namespace {
/// Counts in which states a table was asked.
class Visits final : public BatchPolicy {
public:
  Visits(const Plan &plan, const Limits &limits, const PolicyTable &table)
      : policy(createBatchPolicy(Policy::learned, plan.model(), limits.maxBatch,
                                 &table)),
        encoder(table.encoding) {}

  uint32_t keyMask() const override { return 0; }
  void opened(Bucket *bucket) override { policy->opened(bucket); }
  Bucket *pick(const std::vector<Bucket *> &buckets) override {
    if (buckets.size() > 1)
      ++counts[encoder.encode(buckets)];
    return policy->pick(buckets);
  }

  std::unordered_map<StateKey, int64_t> counts;

private:
  std::unique_ptr<BatchPolicy> policy;
  StateEncoder encoder;
};
} // namespace

/// The states that the table meets, those that it meets most often first.
static std::vector<StateKey> statesMet(const Plan &plan, const Limits &limits,
                                       const PolicyTable &table) {
  Visits visits(plan, limits, table);
  (void)batchesOf(plan, limits, visits);
  std::vector<std::pair<int64_t, StateKey>> counted;
  for (const auto &[key, count] : visits.counts)
    counted.emplace_back(-count, key);
  std::sort(counted.begin(), counted.end());
  std::vector<StateKey> keys;
  for (auto &[count, key] : counted)
    keys.push_back(std::move(key));
  return keys;
}

/// Tries the other cells in each state, and other patiences, as long as there
/// are trials left and some change helps.
static void improve(const Plan &plan, const Limits &limits, int trials,
                    Learned &best) {
  auto attempt = [&](PolicyTable changed) {
    if (trials-- <= 0)
      return false;
    int64_t batches = simulate(plan, limits, Policy::learned, &changed);
    if (batches >= best.batches)
      return false;
    best = {std::move(changed), batches};
    return true;
  };
  for (bool hasImproved = true; hasImproved && trials > 0;) {
    hasImproved = false;
    for (uint32_t patience : patiences) {
      PolicyTable changed = best.table;
      changed.patience = patience;
      hasImproved |= attempt(std::move(changed));
    }
    for (const StateKey &key : statesMet(plan, limits, best.table))
      for (char16_t cell : key) {
        PolicyTable changed = best.table;
        uint32_t &run = changed.cells.emplace(key, UINT32_MAX).first->second;
        if (run == cell)
          continue;
        run = cell;
        hasImproved |= attempt(std::move(changed));
      }
  }
}

static void learnWith(StateEncoding encoding, const Plan &plan,
                      const LearnerOptions &options, Learned &best) {
  QLearningOptions own;
  own.encoding = encoding;
  own.seed = options.seed;
  QLearning learning(plan, options.limits, own);
  int between = std::max(1, options.episodes / tablesTaken);
  for (int i = 0; i < options.episodes; ++i) {
    learning.episode(double(i) / double(options.episodes));
    if ((i + 1) % between != 0)
      continue;
    PolicyTable table = learning.table();
    for (uint32_t patience : patiences) {
      table.patience = patience;
      int64_t batches = simulate(plan, options.limits, Policy::learned, &table);
      if (batches < best.batches)
        best = {table, batches};
    }
  }
}

/// Only what is used, so that the file is small; the rest was met while
/// exploring, and agenda does there as well.
static void prune(const Plan &plan, const Limits &limits, PolicyTable &table) {
  PolicyTable pruned;
  pruned.encoding = table.encoding;
  pruned.patience = table.patience;
  for (const StateKey &key : statesMet(plan, limits, table))
    if (auto known = table.cells.find(key); known != table.cells.end())
      pruned.cells.insert(*known);
  table = std::move(pruned);
}

Learned learnPolicy(const Plan &plan, const LearnerOptions &options) {
  // An empty table is agenda.
  Learned best = {{}, simulate(plan, options.limits, Policy::agenda)};
  for (StateEncoding encoding :
       {StateEncoding::set, StateEncoding::largest, StateEncoding::sorted})
    if (!options.encoding || *options.encoding == encoding) {
      if (best.table.cells.empty())
        best.table.encoding = encoding;
      learnWith(encoding, plan, options, best);
    }
  improve(plan, options.limits, options.trials, best);
  prune(plan, options.limits, best.table);
  best.batches = simulate(plan, options.limits, Policy::learned, &best.table);
  return best;
}

} // namespace amprt::learn
