//===- MannersTest.cpp - Results depend on no way of running --------------===//
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

namespace {
class MannersTest : public testing::TestWithParam<Manner> {};

INSTANTIATE_TEST_SUITE_P(All, MannersTest, testing::ValuesIn(allManners()),
                         testing::PrintToStringParamName());
} // namespace

TEST_P(MannersTest, Trees) {
  std::mt19937 random(7);
  std::vector<Tree> trees;
  for (int i = 0; i < 120; ++i)
    trees.push_back(randomTree(random, 1 + int(random() % 30)));
  auto session = startSession(treeModel(), GetParam().options());
  std::vector<std::future<Result>> futures;
  for (const Tree &tree : trees)
    futures.push_back(session->submit(tree.fields()));
  for (size_t i = 0; i < trees.size(); ++i) {
    Result result = futures[i].get();
    EXPECT_EQ(integer(result, "sum"), trees[i].expected());
    EXPECT_EQ(integer(result, "row"), trees[i].expected());
  }
  session->wait();
  Stats stats = session->stats();
  EXPECT_EQ(stats.instances, 120);
  EXPECT_EQ(stats.failed, 0);
  EXPECT_EQ(stats.arenaBytes, 0);
  int64_t nodes = 0;
  for (const Tree &tree : trees)
    nodes += int64_t(tree.value.size());
  EXPECT_EQ(stats.activations, nodes);
  EXPECT_EQ(stats.frames, nodes + 120); // And an entry frame each.
}

TEST_P(MannersTest, LoopsOfDifferentLengths) {
  std::mt19937 random(3);
  std::vector<std::vector<int32_t>> inputs;
  std::vector<Values> instances;
  for (int i = 0; i < 60; ++i) {
    std::vector<int32_t> input(random() % 90);
    for (int32_t &value : input)
      value = int32_t(random() % 1000);
    instances.push_back(loopFields(input));
    inputs.push_back(std::move(input));
  }
  auto session = startSession(loopModel(), GetParam().options());
  std::vector<Result> results = runAll(*session, std::move(instances));
  for (size_t i = 0; i < inputs.size(); ++i)
    EXPECT_EQ(integer(results[i], "last"), loopExpected(inputs[i]));
}

TEST_P(MannersTest, Maps) {
  std::vector<Values> instances;
  for (int64_t n = 0; n < 40; ++n)
    instances.push_back(mapFields(n * 3));
  auto session = startSession(mapModel(), GetParam().options());
  std::vector<Result> results = runAll(*session, std::move(instances));
  for (int64_t n = 0; n < 40; ++n) {
    ASSERT_TRUE(results[size_t(n)].status.ok());
    const Tensor &squares = results[size_t(n)].values.at("squares");
    ASSERT_EQ(squares.dims(), (std::vector<int64_t>{n * 3, 2}));
    for (int64_t i = 0; i < n * 3; ++i) {
      EXPECT_EQ(squares.at(2 * i), double(i));
      EXPECT_EQ(squares.at(2 * i + 1), double(i * i));
    }
  }
}

/// Bit for bit: the products' rows meet in ever other numbers.
TEST_P(MannersTest, Products) {
  static std::vector<std::vector<float>> expected; // The first manner's.
  std::mt19937 random(5);
  std::vector<Values> instances;
  for (int i = 0; i < 50; ++i) {
    std::vector<float> x(24);
    for (float &value : x)
      value = float(random() % 2001) / 1000 - 1;
    instances.push_back(productFields(x, int64_t(random() % 6)));
  }
  std::vector<std::vector<float>> got;
  auto session = startSession(closedProductModel(), GetParam().options());
  for (const Result &result : runAll(*session, instances)) {
    ASSERT_TRUE(result.status.ok());
    const Tensor &x = result.values.at("x");
    auto *from = static_cast<const float *>(x.data());
    got.emplace_back(from, from + x.elementCount());
  }
  if (expected.empty()) {
    // One at a time, so that every product has a single row.
    SessionOptions alone;
    alone.policy = Policy::none;
    auto reference = startSession(closedProductModel(), alone);
    for (const Result &result : runAll(*reference, instances)) {
      auto *from = static_cast<const float *>(result.values.at("x").data());
      expected.emplace_back(from, from + 24);
    }
  }
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_EQ(std::memcmp(got[i].data(), expected[i].data(), 24 * 4), 0) << i;
}

/// Bit for bit, as each row is alone.
TEST_P(MannersTest, GroupedProducts) {
  static std::vector<std::vector<float>> expected; // The first manner's.
  std::mt19937 random(6);
  std::vector<Values> instances;
  for (int i = 0; i < 60; ++i) {
    std::vector<float> x(24);
    for (float &value : x)
      value = float(random() % 2001) / 1000 - 1;
    std::vector<int32_t> which(random() % 8);
    for (int32_t &group : which)
      group = int32_t(random() % uint32_t(groupCount));
    if (i % 20 == 7)
      which.push_back(groupCount);
    instances.push_back(groupedFields(x, which));
  }
  auto resultsWith = [&](const SessionOptions &options) {
    std::vector<std::vector<float>> got;
    auto session = startSession(groupedModel(), options);
    for (const Result &result : runAll(*session, instances)) {
      if (got.size() % 20 == 7) {
        EXPECT_STATUS(result.status, StatusCode::outOfRange,
                      "grouped.mlir:4:5: matrix 5 is outside [0, 5)");
        got.emplace_back(24);
        continue;
      }
      EXPECT_TRUE(result.status.ok()) << result.status.message();
      auto *from = static_cast<const float *>(result.values.at("x").data());
      got.emplace_back(from, from + 24);
    }
    return got;
  };
  if (expected.empty()) {
    SessionOptions alone; // Every product has a single row.
    alone.policy = Policy::none;
    expected = resultsWith(alone);
  }
  std::vector<std::vector<float>> got = resultsWith(GetParam().options());
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_EQ(std::memcmp(got[i].data(), expected[i].data(), 24 * 4), 0) << i;
}

/// One in ten fails; the others are as they would be without it.
TEST_P(MannersTest, FailuresTouchNoOtherInstance) {
  std::mt19937 random(11);
  std::vector<Tree> trees;
  std::vector<Values> instances;
  for (int i = 0; i < 200; ++i) {
    Tree tree = randomTree(random, 2 + int(random() % 20));
    if (i % 10 == 3) { // Somewhere in the tree, an inner node is wrong.
      size_t node = random() % tree.value.size();
      while (tree.left[node] < 0)
        node = (node + 1) % tree.value.size();
      tree.left[node] = 1000 + i;
    }
    instances.push_back(tree.fields());
    trees.push_back(std::move(tree));
  }
  auto session = startSession(treeModel(), GetParam().options());
  std::vector<Result> results = runAll(*session, std::move(instances));
  for (size_t i = 0; i < results.size(); ++i)
    if (i % 10 == 3) {
      EXPECT_STATUS(results[i].status, StatusCode::outOfRange,
                    "tree.mlir:3:7: index " + std::to_string(1000 + i) +
                        " is outside [0, " +
                        std::to_string(trees[i].value.size()) + ")");
      EXPECT_TRUE(results[i].values.empty());
    } else {
      EXPECT_EQ(integer(results[i], "sum"), trees[i].expected());
    }
  session->wait();
  Stats stats = session->stats();
  EXPECT_EQ(stats.instances, 200);
  EXPECT_EQ(stats.failed, 20);
  EXPECT_EQ(stats.arenaBytes, 0);
}
