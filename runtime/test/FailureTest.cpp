//===- FailureTest.cpp - Instances that end badly -------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Running.h"
#include "models/Control.h"
#include "models/Inside.h"
#include "models/Rows.h"
#include "models/Tree.h"

using namespace amprt;
using namespace models;

/// Runs the instance between two good ones, which must not notice.
static Status statusOf(Misuse what, SessionOptions options = {}) {
  auto session = startSession(misuseModel(), options);
  std::vector<Result> results =
      runAll(*session, {misuseFields(Misuse::nothing), misuseFields(what),
                        misuseFields(Misuse::nothing)});
  EXPECT_EQ(integer(results[0], "value"), 7);
  EXPECT_EQ(integer(results[2], "value"), 7);
  session->wait();
  EXPECT_EQ(session->stats().arenaBytes, 0);
  return results[1].status;
}

TEST(FailureTest, StalledInstance) {
  EXPECT_STATUS(statusOf(Misuse::neverDelivers), StatusCode::internal,
                "stalled: 1 of its results were never delivered");
}

TEST(FailureTest, ResultDeliveredTwice) {
  EXPECT_STATUS(statusOf(Misuse::deliversTwice), StatusCode::internal,
                "a result was delivered twice");
}

TEST(FailureTest, SizesBeyondReason) {
  EXPECT_STATUS(statusOf(Misuse::negativeSize), StatusCode::internal,
                "-1 bytes");
  EXPECT_STATUS(statusOf(Misuse::hugeSize), StatusCode::resourceExhausted,
                "more memory than its limit");
}

TEST(FailureTest, MemoryLimit) {
  SessionOptions options;
  options.memoryLimit = 5 << 20;
  EXPECT_STATUS(statusOf(Misuse::takesMemory, options),
                StatusCode::resourceExhausted, "its limit of 5242880 bytes");
  EXPECT_STATUS(statusOf(Misuse::takesFrames, options),
                StatusCode::resourceExhausted, "its limit of 5242880 bytes");
  options.memoryLimit = 200 << 20;
  EXPECT_TRUE(statusOf(Misuse::takesMemory, options).ok());
}

/// Memory that is handed out twice may not hold up the end of the instance:
/// its events are dropped, whatever was written over its frames' neighbours.
TEST(FailureTest, GoesOnAfterTheLimit) {
  Inside call = [](amprt_worker_t *worker, amprt_frame_t *frame) {
    amprt_instance_t *instance = frame->instance;
    std::memset(amprt_rows_new(worker, instance, -1), 0xff, 4096);
    for (int i = 0; i < 50000; ++i) { // 400 MB; 64 are allowed.
      amprt_frame_t *opened = amprt_frame_new(worker, instance, 4096);
      std::memset(static_cast<void *>(opened), 0xff, 4096);
      opened->instance = instance;
      amprt_post(worker, nullptr, opened, 0);
      std::memset(amprt_rows_new(worker, instance, 4096), 0xff, 4096);
      std::memset(amprt_list_push(worker, instance, nullptr, 4096) + 1, 0xff,
                  4096);
    }
    amprt_collector_t *collector = amprt_collector_new(
        worker, frame, nullptr, 1000, 1 << 20, "inside.mlir:1:1");
    amprt_collector_put(worker, frame, collector, 0, frame, 1, "");
  };
  auto session = startSession(insideModel());
  std::vector<Result> results = runAll(
      *session, {insideFields(call), insideFields(call), insideFields(call)});
  for (const Result &result : results)
    EXPECT_STATUS(result.status, StatusCode::internal, "-1 bytes");
  session->wait();
  EXPECT_EQ(session->stats().arenaBytes, 0);
}

TEST(FailureTest, MemoryLimitBelowTheFields) {
  SessionOptions options;
  options.memoryLimit = 20000;
  auto session = startSession(loopModel(), options);
  std::vector<int32_t> large(100000), small = {1, 2};
  std::vector<Result> results =
      runAll(*session, {loopFields(small), loopFields(large)});
  EXPECT_EQ(integer(results[0], "last"), 5);
  EXPECT_STATUS(results[1].status, StatusCode::resourceExhausted,
                "fields exceed the memory limit");
}

TEST(FailureTest, StepLimit) {
  SessionOptions options;
  options.stepLimit = 1000;
  auto session = startSession(recursionModel(), options);
  std::vector<Result> results = runAll(*session, {{{"n", scalarOf(999)}},
                                                  {{"n", scalarOf(1000)}},
                                                  {{"n", scalarOf(-1)}},
                                                  {{"n", scalarOf(5)}}});
  EXPECT_EQ(integer(results[0], "depth"), 999); // 1000 frames with the entry.
  EXPECT_STATUS(results[1].status, StatusCode::resourceExhausted,
                "more than 1000 frames");
  EXPECT_STATUS(results[2].status, StatusCode::resourceExhausted,
                "its step limit");
  EXPECT_EQ(integer(results[3], "depth"), 5);
}

TEST(FailureTest, FirstMessageCounts) {
  Status status = statusOf(Misuse::failsInCompute);
  EXPECT_STATUS(status, StatusCode::invalidArgument,
                "misuse.mlir:1:1: not a number");
}

TEST(FailureTest, EndsOnlyWhenNothingIsInFlight) {
  auto session = startSession(misuseModel());
  Result result = session->submit(misuseFields(Misuse::deliversEarly)).get();
  EXPECT_EQ(integer(result, "value"), 7);
  session->wait();
  EXPECT_EQ(session->stats().activations, 1); // It did run.
}

TEST(FailureTest, Collectors) {
  auto statusOf = [](Collecting what) {
    auto session = startSession(mapModel());
    std::vector<Result> results =
        runAll(*session, {mapFields(100), mapFields(18, what), mapFields(100)});
    EXPECT_TRUE(results[0].status.ok());
    EXPECT_TRUE(results[2].status.ok());
    session->wait();
    EXPECT_EQ(session->stats().arenaBytes, 0);
    return results[1].status;
  };
  EXPECT_STATUS(statusOf(Collecting::oneMissing), StatusCode::internal,
                "stalled: 1 of 18 rows are missing at map.mlir:2:8");
  EXPECT_STATUS(statusOf(Collecting::oneTwice), StatusCode::invalidArgument,
                "map.mlir:3:5: row 0 is given twice");
  EXPECT_STATUS(statusOf(Collecting::oneOutside), StatusCode::outOfRange,
                "map.mlir:3:5: index 18 is outside [0, 18)");
  EXPECT_STATUS(statusOf(Collecting::negative), StatusCode::outOfRange,
                "map.mlir:2:8: cannot collect -1 rows");
}

TEST(FailureTest, NotAGoodSession) {
  auto model = Model::linked(treeModel());
  auto weights = Weights::load(*model, "", {});
  auto statusWith = [&](void (*change)(SessionOptions &)) {
    SessionOptions options;
    change(options);
    auto session = Session::create(*model, *weights, options);
    EXPECT_FALSE(session.ok());
    return session.ok() ? Status() : session.status();
  };
  EXPECT_STATUS(statusWith([](SessionOptions &o) { o.workers = 0; }),
                StatusCode::invalidArgument, "workers is 0");
  EXPECT_STATUS(statusWith([](SessionOptions &o) { o.maxInFlight = -3; }),
                StatusCode::invalidArgument, "maxInFlight is -3");
  EXPECT_STATUS(statusWith([](SessionOptions &o) { o.maxWaiting = 0; }),
                StatusCode::invalidArgument, "maxWaiting is 0");
  EXPECT_STATUS(statusWith([](SessionOptions &o) { o.maxBatch = 0; }),
                StatusCode::invalidArgument, "maxBatch is 0");
  EXPECT_STATUS(statusWith([](SessionOptions &o) { o.stepLimit = 0; }),
                StatusCode::invalidArgument, "stepLimit is 0");
  EXPECT_STATUS(statusWith([](SessionOptions &o) { o.memoryLimit = 0; }),
                StatusCode::invalidArgument, "memoryLimit is 0");
  EXPECT_STATUS(statusWith([](SessionOptions &o) { o.policy = Policy(9); }),
                StatusCode::invalidArgument, "unknown policy");
}
