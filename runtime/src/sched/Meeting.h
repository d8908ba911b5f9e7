//===- Meeting.h - What all workers do together -----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_SCHED_MEETING_H
#define AMPRT_SRC_SCHED_MEETING_H

#include "sched/SubmissionQueue.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>

namespace amprt {

/// Brings all workers together between two batches, while instances are under
/// way, for something that none may do alone. A worker that has come waits for
/// those that are in a batch, and no longer. Meetings are numbered from 0, and
/// each worker comes to all of them, in their order. Thread-safe.
class Meeting {
public:
  /// The queue outlives it. `every`: so many ends of instances call a meeting;
  /// `cutEvery`: so many call one that is a cut as well. 0: none does.
  Meeting(SubmissionQueue &queue, int workers, int64_t every,
          int64_t cutEvery = 0)
      : every(every), cutEvery(cutEvery), queue(queue), workers(workers) {}

  const int64_t every, cutEvery;

  /// What each worker does there, all at the same time; it returns when all
  /// have done their part. Set before any meeting is called.
  std::function<void(int worker)> purpose;

  /// Calls all workers to another meeting, which is unended work until it is
  /// over.
  void call(bool toCut = false);

  /// An instance has ended, and its end has yet to be told to the queue.
  void countEnd() {
    if (!every && !cutEvery)
      return;
    int64_t count = ends.fetch_add(1, std::memory_order_relaxed) + 1;
    bool toCut = cutEvery && count % cutEvery == 0 && !isCutting.exchange(true);
    if (toCut || (every && count % every == 0))
      call(toCut);
  }

  /// Whether the meeting that has begun is a cut; for who is there. There is no
  /// other cut until the last one is done with.
  bool isCut() const { return cuts; }
  void doneWithCut() { isCutting.store(false); }

  /// Whether meeting `number` has been called.
  bool isCalled(uint64_t number) const {
    return called.load(std::memory_order_acquire) > number;
  }

  /// A worker is there for the next meeting that it was not at.
  void arrive();

  /// Whether all are there for meeting `number`, and it has been called.
  bool hasBegun(uint64_t number) const {
    return begun.load(std::memory_order_acquire) > number;
  }

  /// For each worker, when it has begun.
  void attend(int worker);

  /// There will be no further meeting: workers have no more decisions to
  /// repeat, so that not all would come. False: meeting `number` has begun, so
  /// the worker must attend it first.
  bool abandon(uint64_t number);

private:
  void beginIfDue();

  SubmissionQueue &queue;
  const int workers;
  std::atomic<int64_t> ends{0};
  std::atomic<bool> isCutting{false};
  std::mutex mutex;
  std::atomic<uint64_t> called{0}, begun{0}; ///< Changed under `mutex`.
  int present = 0;                           ///< Under `mutex`.
  int done = 0;                              ///< The same.
  bool isAbandoned = false;                  ///< The same.
  std::deque<bool> toCome; ///< The same: of those called, which are cuts.
  bool cuts = false;       ///< Changed when a meeting begins.
};

} // namespace amprt

#endif // AMPRT_SRC_SCHED_MEETING_H
