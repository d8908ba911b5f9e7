//===- LearnTest.cpp - Simulated runs and learned policies ----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/PolicyFile.h"
#include "learn/Learner.h"
#include "learn/QLearning.h"

#include <gtest/gtest.h>

#include <random>

using namespace amprt;
using namespace amprt::learn;

namespace {

enum TwoCells { second, first };

/// A chain of `length` activations of `first`, and one of `second` behind it.
RecordedInstance chainOf(uint32_t length) {
  RecordedInstance instance;
  for (uint32_t i = 0; i < length; ++i)
    instance.push_back({first, {}});
  instance.push_back({second, {}});
  for (uint32_t i = 1; i <= length; ++i)
    instance[i].inputs = {i - 1};
  return instance;
}

/// Where chains are of two lengths, the short one's `second` is ready too soon:
/// agenda runs it at once, since its depth is as good as that of the long one's
/// next `first`.
RecordedRun twoCells() {
  RecordedRun run;
  run.model = "two";
  run.cells = {{"second", 1, false}, {"first", 2, false}};
  for (int i = 0; i < 8; ++i)
    run.instances.push_back(chainOf(1 + uint32_t(i % 4)));
  return run;
}

int64_t totalBound(const Plan &plan, const Limits &limits) {
  LowerBound bound = plan.bound(limits.maxInFlight, limits.maxBatch);
  int64_t total = 0;
  for (size_t cell = 0; cell < plan.cellCount(); ++cell)
    total += bound.ofCell(cell, plan.activations()[cell]);
  return total;
}

TEST(LearnTest, LowerBound) {
  // Four at once, in batches of 8 at most, over two workers.
  LowerBound bound(2, 8, 2, 8);
  for (int64_t chain : {3, 1, 1, 1, 1, 1})
    bound.add(0, chain);
  EXPECT_EQ(bound.ofCell(0, 8), 3);  // The longest.
  EXPECT_EQ(bound.ofCell(0, 33), 5); // Batches are not larger.
  EXPECT_EQ(bound.ofCell(1, 0), 0);
  for (int i = 0; i < 8; ++i)
    bound.add(0, 1);
  EXPECT_EQ(bound.ofCell(0, 16), 4); // 16 over 4.
}

TEST(LearnTest, Plans) {
  // 0 (a) -> 1 (b) -> 2 (a); 3 (a); 4 (b) needs 2 and 3.
  RecordedRun run;
  run.cells = {{"a"}, {"b"}};
  run.instances = {{{0, {}}, {1, {0}}, {0, {1}}, {0, {}}, {1, {3, 2}}}};
  Plan plan(run);
  const InstancePlan &instance = plan.instances()[0];
  EXPECT_EQ(instance.depths, (std::vector<uint32_t>{1, 2, 3, 1, 4}));
  EXPECT_EQ(instance.missing, (std::vector<uint32_t>{0, 1, 1, 0, 2}));
  EXPECT_EQ(instance.kinMissing, (std::vector<uint32_t>{0, 0, 1, 0, 1}));
  EXPECT_EQ(instance.longest, (std::vector<uint32_t>{2, 2}));
  EXPECT_EQ(plan.activations(), (std::vector<int64_t>{3, 2}));
}

TEST(LearnTest, SimulatedPolicies) {
  Plan plan(twoCells());
  Limits limits = {8, 1024};
  EXPECT_EQ(totalBound(plan, limits), 5);
  EXPECT_EQ(simulate(plan, limits, Policy::none), 8 * 2 + 12);
  // One of each after each step.
  EXPECT_EQ(simulate(plan, limits, Policy::agenda), 8);
  EXPECT_EQ(simulate(plan, limits, Policy::phase), 5);
  EXPECT_EQ(simulate(plan, {8, 4}, Policy::phase), 2 + 2 + 1 + 1 + 2);
  // One instance after the other.
  EXPECT_EQ(simulate(plan, {1, 1024}, Policy::depth), 8 + 20);
}

TEST(LearnTest, FrontierCountsWhatIsNotReady) {
  RecordedRun run;
  run.cells = {{"a"}, {"b"}};
  run.instances = {{{0, {}}, {1, {0}}}, {{1, {}}, {1, {0}}}};
  Plan plan(run);
  class Watching final : public BatchPolicy {
  public:
    uint32_t keyMask() const override { return 0; }
    Bucket *pick(const std::vector<Bucket *> &buckets) override {
      seen.emplace_back(simulator->frontier(0), simulator->frontier(1));
      Bucket *picked = buckets.front();
      for (Bucket *bucket : buckets)
        if (bucket->cell < picked->cell)
          picked = bucket;
      return picked;
    }
    Simulator *simulator;
    std::vector<std::pair<int64_t, int64_t>> seen;
  } watching;
  Simulator simulator(plan, {2, 1024});
  watching.simulator = &simulator;
  EXPECT_EQ(simulator.run({0, 1}, watching), 3);
  using Seen = std::vector<std::pair<int64_t, int64_t>>;
  EXPECT_EQ(watching.seen, (Seen{{1, 2}, {0, 2}, {0, 1}}));
}

/// By Q-learning alone, and with single states improved.
TEST(LearnTest, ReachesTheBoundWhereAgendaDoesNot) {
  Plan plan(twoCells());
  for (StateEncoding encoding :
       {StateEncoding::set, StateEncoding::largest, StateEncoding::sorted})
    for (int trials : {0, 100}) {
      LearnerOptions options;
      options.limits = {8, 1024};
      options.encoding = encoding;
      options.trials = trials;
      Learned learned = learnPolicy(plan, options);
      EXPECT_EQ(learned.batches, totalBound(plan, options.limits));
      EXPECT_EQ(learned.table.encoding, encoding);
      EXPECT_EQ(simulate(plan, options.limits, Policy::learned, &learned.table),
                learned.batches);
    }
}

TEST(LearnTest, IsDeterministicAndNoWorseThanAgenda) {
  std::mt19937 random(3);
  RecordedRun run;
  run.cells = {{"a"}, {"b"}, {"c"}, {"d"}};
  for (int i = 0; i < 40; ++i) {
    RecordedInstance instance;
    for (uint32_t j = 0; j < 30; ++j) {
      instance.push_back({uint32_t(random() % 4), {}});
      if (j > 2)
        instance.back().inputs = {j - 1 - uint32_t(random() % 3)};
    }
    run.instances.push_back(instance);
  }
  Plan plan(run);
  LearnerOptions options;
  options.limits = {8, 16};
  options.episodes = 40;
  options.trials = 50;
  Learned first = learnPolicy(plan, options),
          again = learnPolicy(plan, options);
  EXPECT_EQ(first.table.cells, again.table.cells);
  EXPECT_LE(first.batches, simulate(plan, options.limits, Policy::agenda));
  EXPECT_GE(first.batches, totalBound(plan, options.limits));
}

TEST(LearnTest, NothingToLearnFrom) {
  RecordedRun run;
  run.cells = {{"a"}};
  EXPECT_EQ(learnPolicy(Plan(run), {}).batches, 0);
  run.instances = {{}, {}};
  EXPECT_EQ(learnPolicy(Plan(run), {}).batches, 0);
  run.instances = {{}, {}, {{0, {}}}};
  EXPECT_EQ(simulate(Plan(run), {1, 8}, Policy::agenda), 1);
}

} // namespace
