//===- CancelTest.cpp - Cancelling and deadlines --------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Running.h"
#include "models/Control.h"
#include "models/Inside.h"

#include <thread>

using namespace amprt;
using namespace models;
using Clock = std::chrono::steady_clock;

namespace {

/// Posts itself for ever: no cell runs, and no frame is opened.
void spin(amprt_worker_t *worker, amprt_frame_t *frame, uint32_t depth) {
  amprt_post(worker, spin, frame, depth);
}
const Inside endless = [](amprt_worker_t *worker, amprt_frame_t *frame) {
  spin(worker, frame, 0);
};
const Inside brief = [](amprt_worker_t *, amprt_frame_t *) {};

SessionOptions oneAtATime() {
  SessionOptions options;
  options.maxInFlight = 1;
  options.maxWaiting = 2;
  return options;
}

SubmitOptions within(Clock::duration duration) {
  SubmitOptions options;
  options.deadline = Clock::now() + duration;
  return options;
}

bool isReady(const Submission &submission) {
  return submission.wait_for(std::chrono::seconds(0)) ==
         std::future_status::ready;
}

void expectCancelled(Submission &submission) {
  EXPECT_STATUS(submission.get().status, StatusCode::cancelled,
                "the instance was cancelled");
}

void expectLate(Submission &submission) {
  EXPECT_STATUS(submission.get().status, StatusCode::resourceExhausted,
                "the instance's deadline passed before it had ended");
}

TEST(CancelTest, EndsWhatWouldNeverEnd) {
  auto session = startSession(insideModel());
  Submission first = session->submit(insideFields(endless));
  first.cancel();
  expectCancelled(first);
  Submission second = session->submit(insideFields(endless));
  std::this_thread::sleep_for(std::chrono::milliseconds(5)); // It runs.
  EXPECT_FALSE(isReady(second));
  second.cancel();
  second.cancel();
  expectCancelled(second);
  EXPECT_TRUE(session->submit(insideFields(brief)).get().status.ok());
  session->wait();
  Stats stats = session->stats();
  EXPECT_EQ(stats.instances, 3);
  EXPECT_EQ(stats.failed, 2);
  EXPECT_EQ(stats.arenaBytes, 0);
}

TEST(CancelTest, EndsWhatWaits) {
  auto session = startSession(insideModel(), oneAtATime());
  Submission runs = session->submit(insideFields(endless));
  Submission waits = session->submit(insideFields(brief));
  Submission waitsToo = session->submit(insideFields(brief));
  waits.cancel();
  expectCancelled(waits);
  EXPECT_FALSE(isReady(runs));
  EXPECT_FALSE(isReady(waitsToo));
  runs.cancel();
  expectCancelled(runs);
  EXPECT_TRUE(waitsToo.get().status.ok());
  session->wait();
  EXPECT_EQ(session->stats().instances, 3);
}

TEST(CancelTest, TooLateDoesNothing) {
  auto session = startSession(insideModel());
  Submission submission = session->submit(insideFields(brief));
  submission.wait();
  submission.cancel();
  EXPECT_TRUE(submission.get().status.ok());
  submission.cancel();
  Submission refused = session->submit({});
  refused.cancel();
  EXPECT_STATUS(refused.get().status, StatusCode::invalidArgument, "call");
  Submission cut = session->submit(insideFields(endless));
  session.reset();
  EXPECT_STATUS(cut.get().status, StatusCode::cancelled, "the session ended");
  cut.cancel();
  Submission none;
  none.cancel();
}

TEST(CancelTest, IsAPlainFutureForWhoWantsOne) {
  auto session = startSession(recursionModel());
  std::future<Result> future = session->submit({{"n", scalarOf(5)}});
  EXPECT_EQ(integer(future.get(), "depth"), 5);
}

/// Against each other and against the session's end, from several threads.
TEST(CancelTest, AnyThread) {
  for (int round = 0; round < 20; ++round) {
    SessionOptions options;
    options.workers = 2;
    auto session = startSession(insideModel(), options);
    std::vector<Submission> submissions;
    for (int i = 0; i < 20; ++i)
      submissions.push_back(
          session->submit(insideFields(i % 3 ? brief : endless)));
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 3; ++thread)
      threads.emplace_back([&] {
        for (Submission &submission : submissions)
          submission.cancel();
      });
    session.reset();
    for (std::thread &thread : threads)
      thread.join();
    for (Submission &submission : submissions) {
      Status status = submission.get().status;
      EXPECT_TRUE(status.ok() || status.code() == StatusCode::cancelled);
    }
  }
}

TEST(DeadlineTest, EndsWhatWouldNeverEnd) {
  auto session = startSession(insideModel());
  auto options = within(std::chrono::milliseconds(10));
  Submission submission = session->submit(insideFields(endless), options);
  expectLate(submission);
  EXPECT_GE(Clock::now(), options.deadline);
  // It is the instance's alone.
  EXPECT_TRUE(session->submit(insideFields(brief)).get().status.ok());
  session->wait();
  EXPECT_EQ(session->stats().failed, 1);
  EXPECT_EQ(session->stats().arenaBytes, 0);
}

TEST(DeadlineTest, InTimeOrLongAgo) {
  auto session = startSession(insideModel());
  Submission inTime =
      session->submit(insideFields(brief), within(std::chrono::hours(1000)));
  EXPECT_TRUE(inTime.get().status.ok());
  Submission late =
      session->submit(insideFields(brief), within(std::chrono::hours(-1)));
  expectLate(late);
  for (Submission &submission :
       session->submitAll({insideFields(brief), insideFields(brief)},
                          within(std::chrono::hours(-1))))
    expectLate(submission);
}

TEST(DeadlineTest, EndsWhatWaits) {
  auto session = startSession(insideModel(), oneAtATime());
  Submission runs = session->submit(insideFields(endless));
  Submission waits = session->submit(insideFields(brief),
                                     within(std::chrono::milliseconds(10)));
  expectLate(waits);
  EXPECT_FALSE(isReady(runs));
  runs.cancel();
  expectCancelled(runs);
}

/// Back-pressure does not hold up submit beyond the deadline.
TEST(DeadlineTest, EndsWhatFindsNoRoom) {
  auto session = startSession(insideModel(), oneAtATime());
  std::vector<Submission> full;
  for (int i = 0; i < 3; ++i)
    full.push_back(session->submit(insideFields(endless)));
  // Three do not fit into the queue, so the first one is open by now, and the
  // others fill it.
  Submission fourth = session->submit(insideFields(endless),
                                      within(std::chrono::milliseconds(20)));
  Submission fifth = session->submit(insideFields(endless),
                                     within(std::chrono::milliseconds(20)));
  expectLate(fourth);
  expectLate(fifth);
  for (Submission &submission : full)
    submission.cancel();
  for (Submission &submission : full)
    expectCancelled(submission);
}

TEST(DeadlineTest, ManyAtOnce) {
  SessionOptions options;
  options.workers = 2;
  auto session = startSession(insideModel(), options);
  std::vector<Submission> submissions;
  for (int i = 0; i < 300; ++i)
    submissions.push_back(
        session->submit(insideFields(i % 10 ? brief : endless),
                        within(std::chrono::milliseconds(1 + i % 7))));
  for (size_t i = 0; i < submissions.size(); ++i) {
    Status status = submissions[i].get().status;
    if (i % 10 == 0 || !status.ok())
      EXPECT_STATUS(status, StatusCode::resourceExhausted, "deadline");
  }
  session->wait();
  EXPECT_EQ(session->stats().arenaBytes, 0);
}

} // namespace
