//===- BatchingTest.cpp - Which batches the policies make -----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Running.h"
#include "models/Control.h"
#include "models/Rows.h"
#include "models/Tree.h"

using namespace amprt;
using namespace models;

static Stats statsOf(const std::vector<Tree> &trees, SessionOptions options) {
  auto session = startSession(treeModel(), options);
  std::vector<Values> instances;
  for (const Tree &tree : trees)
    instances.push_back(tree.fields());
  runAll(*session, std::move(instances));
  session->wait();
  return session->stats();
}

static std::vector<int64_t> batchesOf(const std::vector<Tree> &trees,
                                      Policy policy, int64_t maxBatch = 1024) {
  SessionOptions options;
  options.policy = policy;
  options.maxBatch = maxBatch;
  Stats stats = statsOf(trees, options);
  return {stats.cells[leafCell].batches, stats.cells[innerCell].batches,
          stats.cells[unaryCell].batches};
}

using Counts = std::vector<int64_t>;

/// ((a b) (c (d e)))
static Tree fiveLeaves() {
  Tree tree;
  tree.value = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  tree.left = {1, 3, 5, -1, -1, -1, 7, -1, -1};
  tree.right = {2, 4, 6, -1, -1, -1, 8, -1, -1};
  return tree;
}

/// (((u a) b) (c d)), u unary.
static Tree withUnary() {
  Tree tree;
  tree.value = {0, 1, 2, 3, 4, 5, 6, 7};
  tree.left = {1, 3, 5, 7, -1, -1, -1, -1};
  tree.right = {2, 4, 6, -1, -1, -1, -1, -1};
  return tree;
}

TEST(BatchingTest, NoneRunsOneAtATime) {
  EXPECT_EQ(batchesOf({fiveLeaves()}, Policy::none), (Counts{5, 4, 0}));
}

// Leaves at depth 1; (a b) and (d e) at 2, (c ..) at 3, the root at 4.
TEST(BatchingTest, OneTree) {
  EXPECT_EQ(batchesOf({fiveLeaves()}, Policy::depth), (Counts{1, 3, 0}));
  EXPECT_EQ(batchesOf({fiveLeaves()}, Policy::agenda), (Counts{1, 3, 0}));
}

// Depth: leaves; at 2 the inner (c d) and the unary node, which is of another
// cell; at 3 (u b); at 4 the root. Agenda: after the leaves, both cells have
// the average 2, and the one with a product waits; then (u b) at 3 and (c d) at
// 2 are ready together.
TEST(BatchingTest, PoliciesDiffer) {
  EXPECT_EQ(batchesOf({withUnary()}, Policy::depth), (Counts{1, 3, 1}));
  EXPECT_EQ(batchesOf({withUnary()}, Policy::agenda), (Counts{1, 2, 1}));
}

// Two trees that come together: depth by depth they share all they can.
TEST(BatchingTest, TwoTrees) {
  std::vector<Tree> both = {fiveLeaves(), withUnary()};
  EXPECT_EQ(batchesOf(both, Policy::depth), (Counts{1, 3, 1}));
  // Leaves; inner {2, 2, 2} and unary {2}: the unary one goes; inner {2, 2, 2,
  // 3}; both roots' other children are done: (c ..) at 3 and the root at 4; the
  // root.
  EXPECT_EQ(batchesOf(both, Policy::agenda), (Counts{1, 3, 1}));
}

TEST(BatchingTest, BatchesAreLimited) {
  // Leaves 2 + 2 + 1, the inner nodes as before.
  EXPECT_EQ(batchesOf({fiveLeaves()}, Policy::agenda, 2), (Counts{3, 3, 0}));
  EXPECT_EQ(batchesOf({fiveLeaves()}, Policy::depth, 2), (Counts{3, 3, 0}));
}

TEST(BatchingTest, HistogramCountsBySize) {
  std::vector<Tree> trees(3, fiveLeaves()); // 15 leaves; inner 6, 3, 3.
  Stats stats = statsOf(trees, {});
  const CellStats &leaf = stats.cells[leafCell];
  const CellStats &inner = stats.cells[innerCell];
  EXPECT_EQ(leaf.name, "leaf");
  EXPECT_EQ(leaf.histogram[4], 1);  // 9 to 16.
  EXPECT_EQ(inner.histogram[3], 1); // 5 to 8.
  EXPECT_EQ(inner.histogram[2], 2); // 3 to 4.
  EXPECT_EQ(inner.activations, 12);
  EXPECT_EQ(stats.batches, 4);
}

TEST(BatchingTest, OneWorkerIsDeterministic) {
  std::mt19937 random(19);
  std::vector<Tree> trees;
  for (int i = 0; i < 300; ++i)
    trees.push_back(randomTree(random, 1 + int(random() % 25)));
  for (Policy policy : allPolicies) {
    SessionOptions options;
    options.policy = policy;
    options.maxInFlight = 16;
    Stats first = statsOf(trees, options), second = statsOf(trees, options);
    EXPECT_EQ(first.batches, second.batches);
    EXPECT_EQ(first.peakArenaBytes, second.peakArenaBytes);
    for (size_t i = 0; i < first.cells.size(); ++i)
      EXPECT_EQ(first.cells[i].histogram, second.cells[i].histogram);
  }
}

TEST(BatchingTest, RowsAreCounted) {
  auto session = startSession(misuseModel());
  session->submit(misuseFields(Misuse::deliversEarly)).get();
  session->wait();
  EXPECT_EQ(session->stats().cells[0].activations, 1);
  EXPECT_EQ(session->stats().cells[0].rows, 5);
}

TEST(BatchingTest, TimesAndResets) {
  SessionOptions options;
  options.timeCells = true;
  auto session = startSession(treeModel(), options);
  runAll(*session, {fiveLeaves().fields()});
  session->wait();
  Stats stats = session->stats();
  EXPECT_GT(stats.cellSeconds, 0);
  EXPECT_GE(stats.workerSeconds, stats.cellSeconds);
  EXPECT_GT(stats.peakArenaBytes, 0);
  session->resetStats();
  stats = session->stats();
  EXPECT_EQ(stats.instances, 0);
  EXPECT_EQ(stats.activations, 0);
  EXPECT_EQ(stats.cells[leafCell].batches, 0);
  EXPECT_EQ(stats.peakArenaBytes, 0);
}
