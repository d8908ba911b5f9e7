//===- PolicyTest.cpp - What each policy prefers, and that none starves ---===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Running.h"
#include "sched/PatientPolicy.h"
#include "sched/PolicyTable.h"

#include <array>

using namespace amprt;

namespace {

constexpr uint32_t cellCount = 4;
constexpr int64_t maxBatch = 8;

/// Ready activations of cells with priorities 3, 2, 2 and 1.
class PolicyTest : public testing::Test {
protected:
  PolicyTest() {
    for (uint32_t i = 0; i < cellCount; ++i)
      cells[i].priority = std::array<uint32_t, cellCount>{3, 2, 2, 1}[i];
    model.cells = cells;
    model.cell_count = cellCount;
  }

  void use(Policy which, const PolicyTable *table = nullptr) {
    policy = createBatchPolicy(which, model, maxBatch, table);
    ready = std::make_unique<ReadySet>(cellCount, *policy);
  }

  void push(uint32_t cell, int count, uint32_t depth = 1) {
    for (int i = 0; i < count; ++i)
      ready->push(cell, &frame, depth, 1);
  }

  /// The cell that runs next.
  uint32_t run() {
    Batch batch = ready->take(policy->pick(ready->buckets()),
                              policy->batchLimit(maxBatch));
    ready->release(batch);
    return batch.cell;
  }

  std::vector<uint32_t> runAll() {
    std::vector<uint32_t> order;
    while (!ready->empty())
      order.push_back(run());
    return order;
  }

  amprt_cell_desc_t cells[cellCount] = {};
  amprt_model_t model = {};
  amprt_frame_t frame = {};
  std::unique_ptr<BatchPolicy> policy;
  std::unique_ptr<ReadySet> ready;
};

uint64_t patienceOf(Policy policy, const PolicyTable &table) {
  return policy == Policy::learned ? table.patience
                                   : PatientPolicy::usualPatience;
}

using Cells = std::vector<uint32_t>;

TEST_F(PolicyTest, PhaseGoesByPriority) {
  use(Policy::phase);
  push(3, 7);
  push(2, 2);
  push(1, 2);
  push(0, 1, 100);
  EXPECT_EQ(runAll(), (Cells{0, 1, 2, 3}));
  push(1, 2);
  push(2, 3);
  EXPECT_EQ(runAll(), (Cells{2, 1})) << "the larger one of a priority";
}

TEST_F(PolicyTest, PhaseRunsFullBatchesFirst) {
  use(Policy::phase);
  push(0, 1);
  push(3, 17); // Two full ones and one more.
  EXPECT_EQ(runAll(), (Cells{3, 3, 0, 3}));
}

TEST_F(PolicyTest, GreedyGoesBySize) {
  use(Policy::greedy);
  push(0, 1);
  push(1, 3);
  push(2, 3);
  push(3, 5);
  EXPECT_EQ(runAll(), (Cells{3, 1, 2, 0}));
}

TEST_F(PolicyTest, LearnedFollowsItsTable) {
  PolicyTable table;
  table.encoding = StateEncoding::sorted;
  table.cells = {{{1, 0}, 0}, {{0, 1}, 1}};
  use(Policy::learned, &table);
  push(0, 1);
  push(1, 2);
  EXPECT_EQ(runAll(), (Cells{0, 1}));
  push(0, 2);
  push(1, 2); // Equally many: the lower number stands first.
  EXPECT_EQ(runAll(), (Cells{1, 0}));
}

TEST_F(PolicyTest, LearnedFallsBackToAgenda) {
  PolicyTable table;
  use(Policy::learned, &table);
  push(2, 3, 5);
  push(3, 1, 4);
  push(0, 1, 6);
  EXPECT_EQ(runAll(), (Cells{3, 2, 0}));
}

TEST_F(PolicyTest, Encodings) {
  use(Policy::greedy);
  push(2, 3);
  push(1, 5);
  push(3, 4);
  push(0, 3);
  auto keyOf = [&](StateEncoding encoding) {
    return StateEncoder(encoding).encode(ready->buckets());
  };
  EXPECT_EQ(keyOf(StateEncoding::set), (StateKey{0, 1, 2, 3}));
  EXPECT_EQ(keyOf(StateEncoding::largest), (StateKey{1, 0, 2, 3}));
  EXPECT_EQ(keyOf(StateEncoding::sorted), (StateKey{1, 3, 0, 2}));
}

/// One activation that the policy likes least, while what it likes best keeps
/// coming: it runs when its patience is over.
TEST_F(PolicyTest, NothingWaitsForEver) {
  PolicyTable table;
  table.encoding = StateEncoding::set;
  table.cells = {{{0, 3}, 0}, {{0, 1, 2, 3}, 0}};
  for (Policy which : {Policy::phase, Policy::greedy, Policy::learned}) {
    use(which, &table);
    push(3, 1);
    uint64_t batches = 1;
    for (push(0, 2); run() != 3; push(0, 2), ++batches)
      ASSERT_LE(batches, patienceOf(which, table)) << policyName(which);
    EXPECT_EQ(batches, patienceOf(which, table) + 1) << policyName(which);
  }
}

/// As PatientPolicy.h says: (n / maxBatch + 1) * (patience + cells) batches.
TEST_F(PolicyTest, WaitingIsBounded) {
  PolicyTable table;
  table.encoding = StateEncoding::set;
  table.cells = {{{0, 1, 2, 3}, 0}};
  for (Policy which : {Policy::phase, Policy::greedy, Policy::learned}) {
    use(which, &table);
    constexpr int ahead = 20;
    for (uint32_t cell : {1, 2, 3})
      push(cell, ahead + 1);
    uint64_t batches = 0;
    // All others stay non-empty, and cell 0 full.
    std::array<int, cellCount> ran = {};
    while (ran[1] <= ahead || ran[2] <= ahead || ran[3] <= ahead) {
      push(0, 2 * maxBatch);
      Batch batch = ready->take(policy->pick(ready->buckets()), maxBatch);
      ran[batch.cell] += int(batch.count);
      ready->release(batch);
      ++batches;
      ASSERT_LE(batches, (ahead / maxBatch + 1) *
                             (patienceOf(which, table) + cellCount));
    }
  }
}

} // namespace
