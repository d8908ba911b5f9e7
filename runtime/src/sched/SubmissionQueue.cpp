//===- SubmissionQueue.cpp - Instances that wait to be opened -------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sched/SubmissionQueue.h"

#include <algorithm>
#include <iterator>

namespace amprt {

static Status stoppedStatus() {
  return {StatusCode::cancelled, "the session has ended"};
}

/// To wake a thread for each instance that is opened would cost more than many
/// an instance does: it is woken for many.
bool SubmissionQueue::countRequests() {
  size_t count = requests.size();
  size.store(count, std::memory_order_relaxed);
  bool wasFull = isFull;
  isFull = isFull ? 2 * count > capacity : count >= capacity;
  return wasFull && !isFull;
}

Status SubmissionQueue::push(Request &request) {
  bool wakesAll;
  {
    std::unique_lock<std::mutex> lock(mutex);
    auto mayGoOn = [&] { return !isFull || isStopped(); };
    auto deadline = request.control->deadline;
    if (deadline == SubmissionControl::never)
      hasRoom.wait(lock, mayGoOn);
    else if (!hasRoom.wait_until(lock, deadline, mayGoOn))
      return request.control->verdict();
    if (isStopped())
      return stoppedStatus();
    unended.fetch_add(1, std::memory_order_relaxed);
    request.number = nextNumber++;
    requests.push_back(std::move(request));
    countRequests();
    wakesAll = mayBeFull || lentCount > 0; // One that is lent sleeps on.
  }
  wakesAll ? hasRequest.notify_all() : hasRequest.notify_one();
  return {};
}

Status SubmissionQueue::pushAll(std::vector<Request> &added) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (isStopped())
      return stoppedStatus();
    unended.fetch_add(int64_t(added.size()), std::memory_order_relaxed);
    for (Request &request : added)
      request.number = nextNumber++;
    requests.insert(requests.end(), std::make_move_iterator(added.begin()),
                    std::make_move_iterator(added.end()));
    countRequests();
  }
  hasRequest.notify_all();
  return {};
}

void SubmissionQueue::take(size_t most, std::vector<Request> &taken) {
  bool hasRoomNow;
  {
    std::lock_guard<std::mutex> lock(mutex);
    size_t share = (requests.size() + workerCount - 1) / workerCount;
    auto last = requests.begin() + ptrdiff_t(std::min(most, share));
    taken.insert(taken.end(), std::make_move_iterator(requests.begin()),
                 std::make_move_iterator(last));
    requests.erase(requests.begin(), last);
    hasRoomNow = countRequests();
  }
  if (hasRoomNow)
    hasRoom.notify_all();
}

bool SubmissionQueue::takeExactly(uint64_t first, size_t count,
                                  std::vector<Request> &taken) {
  bool hasRoomNow;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (requests.size() < count || requests.front().number != first)
      return false;
    auto last = requests.begin() + ptrdiff_t(count);
    taken.insert(taken.end(), std::make_move_iterator(requests.begin()),
                 std::make_move_iterator(last));
    requests.erase(requests.begin(), last);
    hasRoomNow = countRequests();
  }
  if (hasRoomNow)
    hasRoom.notify_all();
  return true;
}

std::vector<Request> SubmissionQueue::takeUnwanted() {
  std::vector<Request> unwanted;
  bool hasRoomNow;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto kept = requests.begin();
    for (Request &request : requests)
      if (!verdictOf(request.control.get()).ok())
        unwanted.push_back(std::move(request));
      else if (&*kept++ != &request)
        kept[-1] = std::move(request);
    requests.erase(kept, requests.end());
    hasRoomNow = countRequests();
  }
  if (hasRoomNow)
    hasRoom.notify_all();
  return unwanted;
}

SubmissionQueue::Call
SubmissionQueue::waitForCall(size_t number, uint64_t &jobsSeen, bool canOpen,
                             const std::function<bool()> &hasMail) {
  std::unique_lock<std::mutex> lock(mutex);
  Seat &seat = seats[number];
  seat = hasMail ? Seat::working : Seat::waiting;
  auto hasOther = [&] { return hasMail ? hasMail() : seat == Seat::recalled; };
  hasRequest.wait(lock, [&] {
    return seat != Seat::lent &&
           ((canOpen && !requests.empty()) || jobsSeen != jobNumber ||
            isStopped() || hasOther());
  });
  bool isCalled = hasOther();
  seat = Seat::working;
  if (isStopped())
    return Call::stop;
  if (isCalled)
    return Call::mail;
  if (jobsSeen == jobNumber)
    return Call::request;
  jobsSeen = jobNumber;
  return Call::job;
}

std::optional<size_t> SubmissionQueue::lendWorker(Request &request) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = std::find(seats.begin(), seats.end(), Seat::waiting);
  if (found == seats.end() || !requests.empty() || isStopped())
    return std::nullopt;
  *found = Seat::lent;
  ++lentCount;
  unended.fetch_add(1, std::memory_order_relaxed);
  request.number = nextNumber++;
  return size_t(found - seats.begin());
}

void SubmissionQueue::takeBack(size_t number, bool isQuiet) {
  std::lock_guard<std::mutex> lock(mutex);
  seats[number] = isQuiet ? Seat::waiting : Seat::recalled;
  --lentCount;
  if (!isQuiet || !requests.empty() || isStopped())
    hasRequest.notify_all();
}

SubmissionQueue::Call SubmissionQueue::pollCall(uint64_t &jobsSeen) {
  std::lock_guard<std::mutex> lock(mutex);
  if (isStopped())
    return Call::stop;
  if (jobsSeen == jobNumber)
    return Call::mail;
  jobsSeen = jobNumber;
  return Call::job;
}

void SubmissionQueue::wake() {
  // With the lock: who is about to wait has looked before, or will after.
  std::lock_guard<std::mutex> lock(mutex);
  hasRequest.notify_all();
}

void SubmissionQueue::runJob(int number) {
  const std::function<void(int)> *called;
  {
    std::lock_guard<std::mutex> lock(mutex);
    called = job;
  }
  (*called)(number);
  std::lock_guard<std::mutex> lock(mutex);
  if (--jobsLeft == 0)
    jobDone.notify_all();
}

bool SubmissionQueue::runOnWorkers(const std::function<void(int)> &asked,
                                   size_t count) {
  std::unique_lock<std::mutex> lock(mutex);
  if (isStopped())
    return false;
  job = &asked;
  ++jobNumber;
  jobsLeft = count;
  hasRequest.notify_all();
  jobDone.wait(lock, [&] { return jobsLeft == 0; });
  job = nullptr;
  return true;
}

void SubmissionQueue::ended() {
  // Release, so that whoever has waited sees all that the worker did before.
  if (unended.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  allEnded.notify_all();
}

void SubmissionQueue::waitUntilAllEnded(const std::function<bool()> &orElse) {
  std::unique_lock<std::mutex> lock(mutex);
  allEnded.wait(lock, [&] {
    return unended.load(std::memory_order_acquire) == 0 || (orElse && orElse());
  });
}

void SubmissionQueue::tell() {
  std::lock_guard<std::mutex> lock(mutex);
  allEnded.notify_all();
}

std::vector<Request> SubmissionQueue::stop() {
  std::vector<Request> left;
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopped.store(true, std::memory_order_release);
    left.assign(std::make_move_iterator(requests.begin()),
                std::make_move_iterator(requests.end()));
    requests.clear();
    size.store(0, std::memory_order_relaxed);
  }
  hasRequest.notify_all();
  hasRoom.notify_all();
  return left;
}

} // namespace amprt
