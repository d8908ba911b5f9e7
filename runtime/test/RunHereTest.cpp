//===- RunHereTest.cpp - Instances that the calling thread runs -----------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Running.h"
#include "models/Inside.h"
#include "models/Tree.h"

#include <thread>

using namespace amprt;
using namespace models;
using Clock = std::chrono::steady_clock;

namespace {

/// Posts itself for ever.
void spin(amprt_worker_t *worker, amprt_frame_t *frame, uint32_t depth) {
  amprt_post(worker, spin, frame, depth);
}
const Inside endless = [](amprt_worker_t *worker, amprt_frame_t *frame) {
  spin(worker, frame, 0);
};
const Inside brief = [](amprt_worker_t *, amprt_frame_t *) {};

/// Runs `fields` until it was on the calling thread, `ranHere` says: a worker
/// may have yet to fall asleep.
void runUntilHere(Session &session, const Values &fields,
                  const std::function<bool()> &ranHere) {
  auto end = Clock::now() + std::chrono::seconds(60);
  do
    ASSERT_TRUE(session.run(fields).status.ok());
  while (!ranHere() && Clock::now() < end);
  EXPECT_TRUE(ranHere());
}

TEST(RunHereTest, GivesWhatSubmitGives) {
  std::mt19937 random(1);
  for (Policy policy : allPolicies) {
    SessionOptions options;
    options.policy = policy;
    auto session = startSession(treeModel(), options);
    for (int i = 1; i <= 20; ++i) {
      Tree tree = randomTree(random, i);
      Values fields = tree.fields();
      EXPECT_EQ(integer(session->run(fields), "sum"), tree.expected());
      EXPECT_EQ(integer(session->submit(fields).get(), "sum"), tree.expected());
    }
    session->wait();
    EXPECT_EQ(session->stats().instances, 40);
    EXPECT_EQ(session->stats().arenaBytes, 0);
  }
}

TEST(RunHereTest, WakesNobody) {
  for (int workers : {1, 3}) {
    SessionOptions options;
    options.workers = workers;
    auto session = startSession(insideModel(), options);
    std::thread::id ranOn;
    Inside note = [&](amprt_worker_t *, amprt_frame_t *) {
      ranOn = std::this_thread::get_id();
    };
    runUntilHere(*session, insideFields(note),
                 [&] { return ranOn == std::this_thread::get_id(); });
  }
}

TEST(RunHereTest, LeavesToTheWorkerWhatOthersSubmitted) {
  auto session = startSession(insideModel());
  std::thread::id here = std::this_thread::get_id();
  Submission others[2];
  Inside submitOthers = [&](amprt_worker_t *, amprt_frame_t *) {
    if (std::this_thread::get_id() != here)
      return;
    others[0] = session->submit(insideFields(endless));
    others[1] = session->submit(insideFields(brief));
  };
  runUntilHere(*session, insideFields(submitOthers),
               [&] { return others[0].valid(); });
  others[0].cancel();
  EXPECT_STATUS(others[0].get().status, StatusCode::cancelled,
                "the instance was cancelled");
  EXPECT_TRUE(others[1].get().status.ok());
}

TEST(RunHereTest, ManyThreadsAtOnce) {
  for (int workers : {1, 2}) {
    SessionOptions options;
    options.workers = workers;
    options.maxInFlight = 4;
    options.maxWaiting = 2;
    auto session = startSession(treeModel(), options);
    std::vector<std::thread> threads;
    std::atomic<int> right{0};
    constexpr int threadCount = 4, each = 100;
    for (int k = 0; k < threadCount; ++k)
      threads.emplace_back([&, k] {
        std::mt19937 random(k);
        for (int i = 0; i < each; ++i) {
          Tree tree = randomTree(random, 1 + i % 7);
          Result result = (i + k) % 3 ? session->run(tree.fields())
                                      : session->submit(tree.fields()).get();
          right += integer(result, "sum") == tree.expected();
        }
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(right, threadCount * each);
    session->wait();
    EXPECT_EQ(session->stats().instances, threadCount * each);
    EXPECT_EQ(session->stats().failed, 0);
  }
}

TEST(RunHereTest, EndsInTime) {
  auto session = startSession(insideModel());
  for (int i = 0; i < 3; ++i) {
    SubmitOptions options;
    options.deadline = Clock::now() + std::chrono::milliseconds(5);
    EXPECT_STATUS(session->run(insideFields(endless), options).status,
                  StatusCode::resourceExhausted,
                  "the instance's deadline passed before it had ended");
    EXPECT_TRUE(session->run(insideFields(brief)).status.ok());
  }
}

TEST(RunHereTest, RefusesABadInstance) {
  auto session = startSession(insideModel());
  EXPECT_EQ(session->run({}).status.code(), StatusCode::invalidArgument);
  SubmitOptions training;
  training.entry = Entry::train;
  EXPECT_EQ(session->run(insideFields(brief), training).status.code(),
            StatusCode::failedPrecondition);
}

TEST(RunHereTest, WithModelPlacementWorkersDoIt) {
  SessionOptions options;
  options.workers = 2;
  options.placement = PlacementMode::model;
  auto session = startSession(treeModel(), options);
  std::mt19937 random(2);
  for (int i = 1; i <= 20; ++i) {
    Tree tree = randomTree(random, i);
    EXPECT_EQ(integer(session->run(tree.fields()), "sum"), tree.expected());
  }
}

} // namespace
