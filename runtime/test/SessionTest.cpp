//===- SessionTest.cpp - Submitting, waiting, ending ----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Running.h"
#include "models/Control.h"
#include "models/Tree.h"

#include <chrono>
#include <thread>

using namespace amprt;
using namespace models;

static Values echoFields() {
  Values values;
  values["s32"] = scalarOf(-5, AMPRT_I32);
  values["s64"] = scalarOf(int64_t(1) << 40, AMPRT_I64);
  values["f"] = Tensor(AMPRT_F32, {});
  *static_cast<float *>(values["f"].data()) = 1.5f;
  values["b"] = Tensor(AMPRT_I1, {});
  *static_cast<char *>(values["b"].data()) = 1;
  values["t"] = Tensor(AMPRT_F32, {4, 2});
  for (int i = 0; i < 8; ++i)
    static_cast<float *>(values["t"].data())[i] = float(i);
  values["u"] = Tensor(AMPRT_I64, {3, 5});
  for (int i = 0; i < 15; ++i)
    static_cast<int64_t *>(values["u"].data())[i] = i * i;
  return values;
}

TEST(SessionTest, FieldsOfAllKinds) {
  Values values = echoFields();
  values["unknown"] = scalarOf(1);
  Result result = runOne(echoModel(), values);
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  EXPECT_EQ(result.values.size(), 6u);
  for (const auto &[name, tensor] : result.values) {
    EXPECT_EQ(tensor.dtype(), values[name].dtype()) << name;
    EXPECT_EQ(tensor.dims(), values[name].dims()) << name;
    EXPECT_EQ(
        std::memcmp(tensor.data(), values[name].data(), tensor.byteCount()), 0)
        << name;
  }
}

TEST(SessionTest, EmptyTensors) {
  Values values = echoFields();
  values["t"] = Tensor(AMPRT_F32, {0, 2});
  values["u"] = Tensor(AMPRT_I64, {3, 0});
  Result result = runOne(echoModel(), values);
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  EXPECT_EQ(result.values["t"].dims(), (std::vector<int64_t>{0, 2}));
  EXPECT_EQ(result.values["u"].dims(), (std::vector<int64_t>{3, 0}));
}

TEST(SessionTest, WrongFields) {
  auto session = startSession(echoModel());
  auto statusWith = [&](void (*change)(Values &)) {
    Values values = echoFields();
    change(values);
    std::future<Result> future = session->submit(std::move(values));
    bool atOnce =
        future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    Status status = future.get().status;
    EXPECT_TRUE(atOnce || status.ok());
    return status;
  };
  auto wrong = StatusCode::invalidArgument;
  EXPECT_STATUS(statusWith([](Values &v) { v.erase("t"); }), wrong,
                "field 't' (tensor<?x2xf32>) is missing");
  EXPECT_STATUS(
      statusWith([](Values &v) { v["t"] = Tensor(AMPRT_F64, {4, 2}); }), wrong,
      "field 't' must be tensor<?x2xf32>, but is tensor<4x2xf64>");
  EXPECT_STATUS(
      statusWith([](Values &v) { v["u"] = Tensor(AMPRT_I64, {2, 5}); }), wrong,
      "field 'u' must be tensor<3x?xi64>");
  EXPECT_STATUS(statusWith([](Values &v) { v["t"] = Tensor(AMPRT_F32, {8}); }),
                wrong, "but is tensor<8xf32>");
  EXPECT_STATUS(
      statusWith([](Values &v) { v["s32"] = scalarOf(5, AMPRT_I64); }), wrong,
      "field 's32' must be i32, but is i64");
  EXPECT_STATUS(
      statusWith([](Values &v) { *static_cast<char *>(v["b"].data()) = 2; }),
      wrong, "field 'b': element 0 is 2, not 0 or 1");
  EXPECT_STATUS(statusWith([](Values &v) { v["f"] = Tensor(); }), wrong,
                "field 'f'");
  // index and i64 are one.
  EXPECT_TRUE(statusWith([](Values &v) { v["s64"] = scalarOf(5); }).ok());
}

TEST(SessionTest, WrongFieldsAmongGoodOnes) {
  auto session = startSession(loopModel());
  std::vector<Result> results =
      runAll(*session, {loopFields({1}), Values(), loopFields({2})});
  EXPECT_EQ(integer(results[0], "last"), 1);
  EXPECT_STATUS(results[1].status, StatusCode::invalidArgument, "'input'");
  EXPECT_EQ(integer(results[2], "last"), 2);
}

TEST(SessionTest, DeepRecursionWithoutCells) {
  for (int64_t n : {0, 1, 100000})
    EXPECT_EQ(integer(runOne(recursionModel(), {{"n", scalarOf(n)}}), "depth"),
              n);
}

TEST(SessionTest, ManyThreadsSubmit) {
  SessionOptions options;
  options.workers = 2;
  options.maxInFlight = 3; // So that submitters have to wait.
  auto session = startSession(treeModel(), options);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      for (int i = 0; i < 100; ++i) {
        Tree tree = randomTree(random, 1 + int(random() % 10));
        Result result = session->submit(tree.fields()).get();
        wrong += !result.status.ok() ||
                 int64_t(result.values["sum"].at(0)) != tree.expected();
      }
    });
  while (session->stats().instances < 200) // Meanwhile, approximate.
    std::this_thread::yield();
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  session->wait();
  EXPECT_EQ(session->stats().instances, 400);
}

TEST(SessionTest, FewInstancesSpreadOverWorkers) {
  SessionOptions options;
  options.workers = 4;
  options.maxInFlight = 2; // Two of the workers may open nothing.
  auto session = startSession(loopModel(), options);
  std::vector<Values> instances(20, loopFields({1, 2, 3}));
  for (const Result &result : runAll(*session, instances))
    EXPECT_EQ(integer(result, "last"), 18);
}

TEST(SessionTest, WaitsForNothing) {
  auto session = startSession(loopModel());
  session->wait();
  EXPECT_TRUE(session->submitAll({}).empty());
  session->wait();
}

TEST(SessionTest, DestructionCancels) {
  for (int workers : {1, 2}) {
    std::vector<Submission> futures;
    {
      SessionOptions options;
      options.workers = workers;
      options.maxInFlight = 4;
      auto session = startSession(recursionModel(), options);
      std::vector<Values> instances(
          50, Values{{"n", scalarOf(-1)}}); // They would never end.
      futures = session->submitAll(std::move(instances));
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    for (std::future<Result> &future : futures)
      EXPECT_STATUS(future.get().status, StatusCode::cancelled,
                    "the session ended");
  }
}

TEST(SessionTest, DestructionWithWorkOfAllKinds) {
  std::mt19937 random(23);
  for (int round = 0; round < 20; ++round) {
    std::vector<Submission> futures;
    std::vector<Tree> trees;
    {
      SessionOptions options;
      options.workers = 1 + round % 3;
      auto session = startSession(treeModel(), options);
      std::vector<Values> instances;
      for (int i = 0; i < 200; ++i) {
        trees.push_back(randomTree(random, 20));
        instances.push_back(trees.back().fields());
      }
      futures = session->submitAll(std::move(instances));
      futures[size_t(round * 10)].wait();
    }
    for (size_t i = 0; i < futures.size(); ++i) {
      Result result = futures[i].get();
      if (result.status.ok())
        EXPECT_EQ(integer(result, "sum"), trees[i].expected());
      else
        EXPECT_EQ(int(result.status.code()), int(StatusCode::cancelled));
    }
  }
}

TEST(SessionTest, PoliciesByName) {
  for (Policy policy : allPolicies) {
    auto parsed = parsePolicy(policyName(policy));
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(*parsed, policy);
  }
  EXPECT_STATUS(parsePolicy("best").status(), StatusCode::invalidArgument,
                "unknown policy 'best': there are none, depth, agenda, phase, "
                "greedy, learned");
}

TEST(SessionTest, PoliciesFromText) {
  SessionOptions options;
  ASSERT_TRUE(setPolicy(options, "learned:a:b").ok());
  EXPECT_EQ(options.policy, Policy::learned);
  EXPECT_EQ(options.policyFile, "a:b");
  auto wrong = StatusCode::invalidArgument;
  EXPECT_STATUS(setPolicy(options, "learned"), wrong, "learned:FILE");
  EXPECT_STATUS(setPolicy(options, "learned:"), wrong, "learned:FILE");
  EXPECT_STATUS(setPolicy(options, "depth:x"), wrong, "'depth' takes no file");
  EXPECT_STATUS(setPolicy(options, ""), wrong, "unknown policy ''");
  EXPECT_EQ(options.policyFile, "a:b") << "as it was";
  ASSERT_TRUE(setPolicy(options, "phase").ok());
  EXPECT_EQ(options.policy, Policy::phase);
  EXPECT_EQ(options.policyFile, "");
}

TEST(SessionTest, PolicyFilesThatDoNotFit) {
  auto model = Model::linked(treeModel());
  auto weights = Weights::load(*model, "", {});
  SessionOptions options;
  options.policy = Policy::learned;
  auto statusOf = [&] {
    auto session = Session::create(*model, *weights, options);
    return session ? Status() : session.status();
  };
  EXPECT_STATUS(statusOf(), StatusCode::invalidArgument, "needs a policyFile");
  options.policyFile = "/nowhere/p.json";
  EXPECT_STATUS(statusOf(), StatusCode::notFound, "/nowhere/p.json");
  options.policyFile = randomPolicyFile(loopModel());
  EXPECT_STATUS(statusOf(), StatusCode::failedPrecondition,
                "it was trained for 'loop', this is 'tree'");
  ::unlink(options.policyFile.c_str());
}
