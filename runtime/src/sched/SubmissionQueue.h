//===- SubmissionQueue.h - Instances that wait to be opened -----*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_SCHED_SUBMISSIONQUEUE_H
#define AMPRT_SRC_SCHED_SUBMISSIONQUEUE_H

#include "core/Instance.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace amprt {

/// Between the threads that submit and the workers, and the only place where
/// they meet. Also knows how many instances have not ended.
/// Thread-safe.
class SubmissionQueue {
public:
  /// `mayBeFull`: a worker may wait that has no room, so that all must be told
  /// of a request.
  SubmissionQueue(size_t capacity, size_t workerCount, bool mayBeFull)
      : capacity(capacity), workerCount(workerCount), mayBeFull(mayBeFull),
        seats(workerCount, Seat::working) {}

  /// Blocks while the queue is full: from the time when `capacity` requests
  /// wait until half of them do. If it was stopped, or the request's deadline
  /// passes first, the request is still the caller's.
  /// Statuses: cancelled, resourceExhausted.
  Status push(Request &request);

  /// All of them at once, and without waiting for room. Statuses: cancelled.
  Status pushAll(std::vector<Request> &requests);

  /// Whether take may find something; needs no lock.
  bool seemsEmpty() const { return size.load(std::memory_order_relaxed) == 0; }

  /// Adds to `taken` up to `most` requests, but no more than a worker's share
  /// of what waits, so that few instances spread over all workers.
  void take(size_t most, std::vector<Request> &taken);

  /// The requests that were cancelled or are late.
  std::vector<Request> takeUnwanted();

  /// What a worker without work is to do.
  enum class Call { request, job, stop, mail };
  /// Worker `number` waits until there is something. `jobsSeen`: its own count,
  /// from 0. `canOpen`: whether requests are of interest. `hasMail`: whether
  /// there is something else for the worker, which ends the wait, too; empty:
  /// never, and meanwhile it may be lent to another thread.
  Call waitForCall(size_t number, uint64_t &jobsSeen, bool canOpen,
                   const std::function<bool()> &hasMail);

  /// For a thread that will do a worker's work on `request`, which gets its
  /// number: a worker that waits, and that will until takeBack; none if there
  /// is no such worker, if others' requests wait, or the queue was stopped.
  std::optional<size_t> lendWorker(Request &request);
  /// Unless it `isQuiet`, the worker goes on itself.
  void takeBack(size_t number, bool isQuiet);

  /// The same without waiting; `mail` where there is nothing.
  Call pollCall(uint64_t &jobsSeen);
  /// Lets workers look at their mail again.
  void wake();

  /// Takes the requests of these numbers, from `first` on, if they are those
  /// that wait at the front; else none.
  bool takeExactly(uint64_t first, size_t count, std::vector<Request> &taken);
  /// The job of the last call, for worker `number`.
  void runJob(int number);

  /// Runs `job` once on each of the first `count` workers, which must be all,
  /// and returns when all have. Nothing may be unended or submitted meanwhile,
  /// and no other job asked for. False if the queue was stopped before.
  bool runOnWorkers(const std::function<void(int)> &job, size_t count);

  /// One of the requests has ended: its promise is kept.
  void ended();
  /// So many more things must end before all has.
  void expect(int64_t count) {
    unended.fetch_add(count, std::memory_order_relaxed);
  }

  /// Or until `orElse`, if there is one: who makes it true calls tell.
  void waitUntilAllEnded(const std::function<bool()> &orElse = {});
  void tell();

  /// Lets all waiting threads go, for good; what is left in the queue is the
  /// caller's to end.
  std::vector<Request> stop();
  bool isStopped() const { return stopped.load(std::memory_order_acquire); }

private:
  enum class Seat {
    working,
    waiting,
    lent,
    recalled ///< It waits still, but shall go on.
  };

  /// `requests` has changed. Under `mutex`; true: to be told to who waits for
  /// room.
  bool countRequests();

  const size_t capacity, workerCount;
  const bool mayBeFull;
  std::mutex mutex;
  std::condition_variable hasRoom, hasRequest, allEnded, jobDone;
  std::deque<Request> requests;                  ///< Under `mutex`.
  bool isFull = false;                           ///< Under `mutex`.
  uint64_t nextNumber = 0;                       ///< Under `mutex`.
  const std::function<void(int)> *job = nullptr; ///< Under `mutex`.
  uint64_t jobNumber = 0;                        ///< Under `mutex`: of `job`.
  std::vector<Seat> seats;                       ///< Under `mutex`: of workers.
  size_t lentCount = 0;                          ///< Under `mutex`.
  size_t jobsLeft = 0;         ///< Under `mutex`: workers that have yet to end.
  std::atomic<size_t> size{0}; ///< Changed under `mutex`.
  std::atomic<bool> stopped{false};
  std::atomic<int64_t> unended{0};
};

} // namespace amprt

#endif // AMPRT_SRC_SCHED_SUBMISSIONQUEUE_H
