//===- RecordTest.cpp - What a run depends on, found by running -----------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainCounter.h"
#include "GraphRecorder.h"
#include "Running.h"
#include "learn/Learner.h"
#include "models/Control.h"
#include "models/Rows.h"
#include "models/Tree.h"

#include <algorithm>
#include <random>

using namespace amprt;
using namespace amprt::cli;
using namespace models;

namespace {

std::vector<Tree> randomTrees(size_t count) {
  std::mt19937 random(31);
  std::vector<Tree> trees;
  for (size_t i = 0; i < count; ++i)
    trees.push_back(randomTree(random, 1 + int(random() % 25)));
  return trees;
}

std::vector<Values> fieldsOf(const std::vector<Tree> &trees) {
  std::vector<Values> instances;
  for (const Tree &tree : trees)
    instances.push_back(tree.fields());
  return instances;
}

RecordedRun recordAll(const amprt_model_t &descriptor,
                      const std::vector<Values> &instances) {
  auto model = Model::linked(descriptor);
  auto weights = Weights::load(*model, "", {});
  auto recorder = GraphRecorder::create(*model, *weights, {});
  EXPECT_TRUE(recorder.ok());
  auto graphs = (*recorder)->record(instances);
  EXPECT_TRUE(graphs.ok()) << graphs.status().message();
  RecordedRun run = recordedModel(descriptor);
  if (graphs)
    run.instances = std::move(*graphs);
  return run;
}

/// A number that tells trees apart, from a recorded one.
uint64_t shapeOf(const RecordedInstance &instance, uint32_t node) {
  std::vector<uint64_t> inputs;
  for (uint32_t input : instance[node].inputs)
    inputs.push_back(shapeOf(instance, input));
  std::sort(inputs.begin(), inputs.end());
  uint64_t shape = instance[node].cell + 1;
  for (uint64_t input : inputs)
    shape = shape * 0x9e3779b97f4a7c15u + (input ^ input >> 29);
  return shape;
}

uint64_t shapeOf(const Tree &tree, size_t node) {
  std::vector<uint64_t> inputs;
  for (const std::vector<int32_t> *children : {&tree.left, &tree.right})
    if ((*children)[node] >= 0)
      inputs.push_back(shapeOf(tree, size_t((*children)[node])));
  std::sort(inputs.begin(), inputs.end());
  TreeCell cell = inputs.empty()       ? leafCell
                  : inputs.size() == 1 ? unaryCell
                                       : innerCell;
  uint64_t shape = uint64_t(cell) + 1;
  for (uint64_t input : inputs)
    shape = shape * 0x9e3779b97f4a7c15u + (input ^ input >> 29);
  return shape;
}

TEST(RecordTest, TreesAreFoundAsTheyAre) {
  std::vector<Tree> trees = randomTrees(100);
  RecordedRun run = recordAll(treeModel(), fieldsOf(trees));
  ASSERT_EQ(run.instances.size(), trees.size());
  for (size_t i = 0; i < trees.size(); ++i) {
    const RecordedInstance &instance = run.instances[i];
    ASSERT_EQ(instance.size(), trees[i].value.size());
    EXPECT_EQ(shapeOf(instance, uint32_t(instance.size()) - 1),
              shapeOf(trees[i], 0));
  }
}

TEST(RecordTest, ChainsAndMaps) {
  RecordedRun loop = recordAll(loopModel(), {loopFields({1, 2, 3, 4})});
  ASSERT_EQ(loop.instances[0].size(), 4u);
  for (uint32_t i = 1; i < 4; ++i)
    EXPECT_EQ(loop.instances[0][i].inputs, (std::vector<uint32_t>{i - 1}));
  RecordedRun map = recordAll(mapModel(), {mapFields(5), mapFields(0)});
  ASSERT_EQ(map.instances[0].size(), 5u);
  for (const RecordedActivation &activation : map.instances[0])
    EXPECT_TRUE(activation.inputs.empty());
  EXPECT_TRUE(map.instances[1].empty());
}

TEST(RecordTest, FailuresAreTold) {
  auto model = Model::linked(mapModel());
  auto weights = Weights::load(*model, "", {});
  auto recorder = GraphRecorder::create(*model, *weights, {});
  auto graphs = (*recorder)->record({mapFields(3, Collecting::oneOutside)});
  ASSERT_FALSE(graphs.ok());
  EXPECT_STATUS(graphs.status(), StatusCode::outOfRange, "index 3");
}

TEST(RecordTest, InputsOfInputsAreLeftOut) {
  RecordedInstance instance = {
      {0, {}}, {0, {0}}, {0, {0, 1}}, {0, {}}, {0, {0, 3, 2, 1}}};
  reduce(instance);
  EXPECT_TRUE(instance[0].inputs.empty());
  EXPECT_EQ(instance[2].inputs, (std::vector<uint32_t>{1}));
  EXPECT_EQ(instance[4].inputs, (std::vector<uint32_t>{3, 2}));
}

/// The chains that are counted while the model runs are those of what was
/// recorded, whatever is in flight.
TEST(RecordTest, ChainsOfTheModelAndOfTheRecord) {
  std::vector<Values> instances = fieldsOf(randomTrees(80));
  auto model = Model::linked(treeModel());
  auto weights = Weights::load(*model, "", {});
  learn::Plan plan(recordAll(treeModel(), instances));
  for (int64_t inFlight : {1, 16, 200}) {
    SessionOptions options;
    options.maxInFlight = inFlight;
    options.maxBatch = 100;
    auto counter = ChainCounter::create(*model, *weights, options);
    ASSERT_TRUE(counter.ok());
    for (const Values &instance : instances)
      (*counter)->add(instance);
    const LowerBound &counted = (*counter)->finish();
    LowerBound recorded = plan.bound(inFlight, 100);
    for (size_t cell = 0; cell < 3; ++cell)
      EXPECT_EQ(counted.ofCell(cell, 0), recorded.ofCell(cell, 0));
  }
}

TEST(RecordTest, FailedInstancesCountNothing) {
  auto model = Model::linked(mapModel());
  auto weights = Weights::load(*model, "", {});
  auto counter = ChainCounter::create(*model, *weights, {});
  (*counter)->add(Values()); // Refused.
  (*counter)->add(mapFields(7));
  (*counter)->add(mapFields(3, Collecting::oneTwice));
  EXPECT_EQ((*counter)->finish().ofCell(0, 0), 1);
}

/// Instances that come together in one worker: the simulation makes the batches
/// that the session makes.
TEST(RecordTest, SimulationAgreesWithSessions) {
  std::vector<Values> instances = fieldsOf(randomTrees(200));
  learn::Plan plan(recordAll(treeModel(), instances));
  for (Policy policy : {Policy::none, Policy::depth, Policy::agenda,
                        Policy::phase, Policy::greedy})
    for (auto [inFlight, maxBatch] : {std::pair(64, 1024), {16, 20}, {1, 8}}) {
      SessionOptions options;
      options.policy = policy;
      options.maxInFlight = inFlight;
      options.maxBatch = maxBatch;
      auto session = startSession(treeModel(), options);
      for (const Result &result : runAll(*session, instances))
        ASSERT_TRUE(result.status.ok());
      session->wait();
      // The order within a bucket may differ, and with it the depths of what
      // comes later.
      double batches = double(session->stats().batches);
      EXPECT_NEAR(double(learn::simulate(plan, {inFlight, maxBatch}, policy)),
                  batches, 0.02 * batches)
          << policyName(policy) << ", " << inFlight << " in flight";
    }
}

} // namespace
