//===- WorkerReplay.cpp - A worker that repeats decisions -----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sched/Worker.h"

#include <thread>

namespace amprt {

// So long nothing may happen while something is open, before the run counts as
// another one than was recorded.
static constexpr std::chrono::seconds patience{20};

/// Makes the next decision if what it needs is there.
bool Worker::repeatNext() {
  const Decision *next = log->next();
  if (!next)
    return false;
  switch (next->kind) {
  case Decision::Kind::receive:
    if (exchange->waiting(next->from) < next->count)
      return false;
    exchange->receiveFrom(next->from, next->count,
                          [this](size_t, const Message *messages,
                                 size_t count) { take(messages, count); });
    break;
  case Decision::Kind::open:
    if (!session.queue.takeExactly(next->from, next->count, admitted))
      return false;
    if (openInstances.empty())
      currentDepth = 0;
    openAdmitted();
    break;
  case Decision::Kind::batch: {
    ReadyCells *cells = readyToRun();
    Batch ran = cells ? runBatch(*cells) : Batch{};
    if (ran.cell != next->from || uint64_t(ran.count) != next->count)
      session.hasDiverted.store(true, std::memory_order_relaxed);
    break;
  }
  case Decision::Kind::meet:
    if (!repeatMeeting())
      return false;
    break;
  }
  log->advance();
  if (!log->next())
    session.repeatedLogs.fetch_add(1, std::memory_order_relaxed);
  return true;
}

/// Without waiting, as the others may never come.
bool Worker::repeatMeeting() {
  if (!session.meeting) {
    session.hasDiverted.store(true, std::memory_order_relaxed);
    return false;
  }
  if (!waitsToMeet)
    session.meeting->arrive();
  waitsToMeet = !session.meeting->hasBegun(meetingsAttended);
  if (!waitsToMeet)
    attendMeeting();
  return !waitsToMeet;
}

/// Whether it turns out that this is another run.
bool Worker::hasDiverted(std::chrono::steady_clock::time_point lastStep) {
  bool isLate = std::chrono::steady_clock::now() - lastStep > patience;
  bool isMore = session.repeatedLogs.load(std::memory_order_relaxed) ==
                    session.logsToRepeat &&
                !session.queue.seemsEmpty();
  if (isLate || isMore)
    session.hasDiverted.store(true, std::memory_order_relaxed);
  return session.hasDiverted.load(std::memory_order_relaxed);
}

void Worker::failDiverted(Instance &instance) {
  fail(instance, StatusCode::failedPrecondition,
       "the recorded run was another one: other instances, weights or "
       "options");
}

/// As run, but what to do is known. True: the session has ended; false: this is
/// another run, whose instances fail.
bool Worker::runReplay() {
  auto lastStep = std::chrono::steady_clock::now();
  for (;;) {
    if (!drainPosted()) {
      serveUntilQuiet();
      return true;
    }
    if (!idleInstances.empty()) {
      settleIdle();
      continue;
    }
    counts.messages.add(exchange->flush());
    if (hasDiverted(lastStep)) {
      while (session.meeting && !session.meeting->abandon(meetingsAttended))
        attendMeeting();
      for (Instance *instance : openInstances)
        failDiverted(*instance);
      return false;
    }
    if (repeatNext()) {
      lastStep = std::chrono::steady_clock::now();
      continue;
    }
    switch (session.queue.pollCall(jobsSeen)) {
    case SubmissionQueue::Call::stop:
      attention.store(true, std::memory_order_relaxed);
      break;
    case SubmissionQueue::Call::job:
      session.queue.runJob(number);
      break;
    default:
      std::this_thread::sleep_for(std::chrono::microseconds(5));
    }
    bool mustWait =
        openInstances.empty() &&
        (!log->next() || (session.queue.seemsEmpty() && !isCalledToMeet()));
    if (mustWait)
      lastStep = std::chrono::steady_clock::now();
  }
}

} // namespace amprt
