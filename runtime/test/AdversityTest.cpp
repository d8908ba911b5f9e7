//===- AdversityTest.cpp - Many instances, some of which end badly --------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thousand instances at a time: one in ten fails, some are cancelled at
// random, some have deadlines that pass at random. All others give what they
// give alone, to the bit, and all memory comes back.
//
//===----------------------------------------------------------------------===//

#include "Running.h"
#include "models/Rows.h"
#include "models/Tree.h"

#include <chrono>

using namespace amprt;
using namespace models;

namespace {

constexpr size_t count = 1000;

/// What must become of an instance that nobody cancels.
enum class Fate { good, badIndex, stepLimit };

Fate fateOf(size_t i) {
  if (i % 10 != 3)
    return Fate::good;
  return i % 20 == 3 ? Fate::badIndex : Fate::stepLimit;
}

constexpr int64_t stepLimit = 200;

/// Trees of integers, and chains of products with a matrix for each row.
struct Workload {
  const amprt_model_t &model;
  std::vector<Values> instances;
  std::vector<Values> expected; ///< Empty for those that fail.
};

Workload treeWorkload() {
  std::mt19937 random(21);
  Workload workload = {treeModel(), {}, {}};
  for (size_t i = 0; i < count; ++i) {
    bool isEndless = fateOf(i) == Fate::stepLimit;
    Tree tree = randomTree(random, isEndless ? 250 : 2 + int(random() % 20));
    if (fateOf(i) == Fate::badIndex) {
      size_t node = random() % tree.value.size();
      while (tree.left[node] < 0)
        node = (node + 1) % tree.value.size();
      tree.left[node] = int32_t(tree.value.size());
    }
    workload.instances.push_back(tree.fields());
  }
  return workload;
}

Workload productWorkload() {
  std::mt19937 random(22);
  Workload workload = {groupedModel(), {}, {}};
  for (size_t i = 0; i < count; ++i) {
    std::vector<float> x(24);
    for (float &value : x)
      value = float(random() % 2001) / 1000 - 1;
    bool isEndless = fateOf(i) == Fate::stepLimit;
    std::vector<int32_t> which(isEndless ? 300 : 1 + random() % 12);
    for (int32_t &group : which)
      group = int32_t(random() % uint32_t(groupCount));
    if (fateOf(i) == Fate::badIndex)
      which[random() % which.size()] = groupCount;
    workload.instances.push_back(groupedFields(x, which));
  }
  return workload;
}

void expectSame(const Values &got, const Values &expected, size_t number) {
  ASSERT_EQ(got.size(), expected.size()) << number;
  for (const auto &[name, tensor] : expected) {
    ASSERT_TRUE(got.count(name)) << number;
    ASSERT_EQ(got.at(name).byteCount(), tensor.byteCount()) << number;
    EXPECT_EQ(
        std::memcmp(got.at(name).data(), tensor.data(), tensor.byteCount()), 0)
        << name << " of instance " << number;
  }
}

/// How each instance does alone.
void runAlone(Workload &workload) {
  SessionOptions options;
  options.policy = Policy::none;
  options.maxInFlight = 1;
  options.stepLimit = stepLimit;
  auto session = startSession(workload.model, options);
  for (size_t i = 0; i < count; ++i) {
    Result result = session->submit(workload.instances[i]).get();
    ASSERT_EQ(result.status.ok(), fateOf(i) == Fate::good)
        << i << ": " << result.status.message();
    workload.expected.push_back(std::move(result.values));
  }
}

void expectFate(const Status &status, size_t number) {
  if (fateOf(number) == Fate::good)
    EXPECT_TRUE(status.ok()) << number << ": " << status.message();
  else if (fateOf(number) == Fate::badIndex)
    EXPECT_STATUS(status, StatusCode::outOfRange, "is outside [0, ");
  else
    EXPECT_STATUS(status, StatusCode::resourceExhausted, "its step limit");
}

class AdversityTest : public testing::TestWithParam<Manner> {
protected:
  void run(const Workload &workload) {
    SessionOptions options = GetParam().options();
    options.stepLimit = stepLimit;
    auto session = startSession(workload.model, options);
    std::mt19937 random(23);
    std::vector<Submission> submissions;
    std::vector<bool> mayEndEarly(count);
    for (size_t i = 0; i < count; ++i) {
      SubmitOptions submit;
      if (random() % 20 == 0) { // A quarter of them are late from the start.
        submit.deadline =
            std::chrono::steady_clock::now() +
            std::chrono::microseconds(int(random() % 4000) - 1000);
        mayEndEarly[i] = true;
      }
      submissions.push_back(session->submit(workload.instances[i], submit));
      if (random() % 8 == 0) { // One of those that may be open or wait.
        size_t other = i - random() % std::min(i + 1, size_t(100));
        submissions[other].cancel();
        mayEndEarly[other] = true;
      }
    }
    session->wait();
    size_t endedEarly = 0;
    for (size_t i = 0; i < count; ++i) {
      Result result = submissions[i].get();
      bool isEarly =
          result.status.code() == StatusCode::cancelled ||
          result.status.message().find("deadline") != std::string::npos;
      endedEarly += isEarly;
      if (isEarly)
        EXPECT_TRUE(mayEndEarly[i]) << i << ": " << result.status.message();
      else
        expectFate(result.status, i);
      if (result.status.ok())
        expectSame(result.values, workload.expected[i], i);
      else
        EXPECT_TRUE(result.values.empty());
    }
    EXPECT_GT(endedEarly, 0u);
    Stats stats = session->stats();
    // Not counted is what found no room before its deadline.
    EXPECT_LE(stats.instances, int64_t(count));
    EXPECT_GT(stats.instances, int64_t(count) * 9 / 10);
    EXPECT_EQ(stats.arenaBytes, 0);
  }
};

std::vector<Manner> manners() {
  std::vector<Manner> manners;
  for (Policy policy : allPolicies)
    for (int workers : {1, 2, 4})
      manners.push_back({policy, workers, 48, 32});
  for (int workers : {2, 4})
    manners.push_back({Policy::agenda, workers, 48, 32, PlacementMode::model});
  return manners;
}

INSTANTIATE_TEST_SUITE_P(All, AdversityTest, testing::ValuesIn(manners()),
                         testing::PrintToStringParamName());

TEST_P(AdversityTest, Trees) {
  static const Workload workload = [] {
    Workload made = treeWorkload();
    runAlone(made);
    return made;
  }();
  run(workload);
}

TEST_P(AdversityTest, Products) {
  static const Workload workload = [] {
    Workload made = productWorkload();
    runAlone(made);
    return made;
  }();
  run(workload);
}

} // namespace
