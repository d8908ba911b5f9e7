//===- WorkerFailures.cpp - Instances that end badly ----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sched/Worker.h"

#include <algorithm>

namespace amprt {

void Worker::fail(Instance &instance, StatusCode code, std::string message) {
  if (instance.home != this)
    return failElsewhere(instance, code, std::move(message));
  if (instance.failed)
    return;
  instance.status = Status(code, std::move(message));
  instance.markFailed();
  failedInstances.push_back(&instance);
  attention.store(true, std::memory_order_relaxed);
}

void *Worker::newFrameSlow(Instance &instance, int64_t bytes, void *memory) {
  if (--instance.stepsLeft < 0)
    fail(instance, StatusCode::resourceExhausted,
         "the instance opened more than " +
             std::to_string(session.options.stepLimit) +
             " frames, its step limit");
  if (!memory)
    memory = instance.allocate(size_t(bytes));
  return memory ? memory
                : memoryOfFailed(instance, instance, bytes, Arena::Use::frame);
}

void *Worker::newRowsSlow(Instance &instance, int64_t bytes) {
  void *memory = bytes >= 64 ? instance.allocateRows(size_t(bytes))
                             : instance.allocate(size_t(bytes));
  return memory ? memory
                : memoryOfFailed(instance, instance, bytes, Arena::Use::rows);
}

void *Worker::memoryOfFailed(Instance &instance, Arena &arena, int64_t bytes,
                             Arena::Use use) {
  if (bytes < 0)
    fail(instance, StatusCode::internal,
         "the instance asked for " + std::to_string(bytes) +
             " bytes: a size is negative");
  else
    fail(instance, StatusCode::resourceExhausted,
         "the instance needs more memory than its limit of " +
             std::to_string(session.options.memoryLimit) + " bytes (" +
             std::to_string(arena.bytesHeld()) + " held, " +
             std::to_string(bytes) + " more asked for)");
  return arena.allocateAnyhow(size_t(bytes), use);
}

/// What of the backward pass has not happened in an instance that has given its
/// results; empty: it has ended, as far as can be seen.
static std::string describeMissingEnds(const amprt_entry_t &entry,
                                       const amprt_frame_t &frame) {
  if (!entry.ended)
    return "";
  auto *arrived = reinterpret_cast<const uint64_t *>(&frame + 1);
  std::string names;
  size_t number = 0;
  for (uint32_t word = 0; word < entry.arrived_words; ++word)
    for (uint64_t bits = entry.ended[word]; bits; bits &= bits - 1, ++number)
      if (!(arrived[word] & bits & -bits))
        names += (names.empty() ? "" : ", ") +
                 std::string(entry.ended_names[number]);
  return names.empty() ? names
                       : "its backward pass has not come to: " + names;
}

/// Nothing of the instance is in flight.
void Worker::settle(Instance &instance) {
  std::string missing;
  if (instance.host->eventsLeft != 0)
    missing = std::to_string(instance.host->eventsLeft) +
              " of its results were never delivered";
  else
    missing = describeMissingEnds(*instance.entry, *instance.first);
  if (missing.empty()) {
    finish(instance);
    return;
  }
  // Where rows are missing, all else follows from that.
  if (std::string rows = describeMissingRows(
          static_cast<const Collector *>(instance.collectors));
      !rows.empty())
    missing = std::move(rows);
  fail(instance, StatusCode::internal, "stalled: " + missing);
}

/// No handler runs, no batch is out. False if the session has ended.
bool Worker::attend() {
  // Before looking, so that what happens meanwhile is seen next time; and what
  // has happened before it was set is seen now.
  attention.exchange(false, std::memory_order_acq_rel);
  if (session.queue.isStopped()) {
    cancelAll();
    return false;
  }
  if (rung.exchange(false, std::memory_order_relaxed))
    endUnwanted();
  removeFailed();
  return true;
}

/// Fails what was cancelled or is late, here and in the queue.
void Worker::endUnwanted() {
  for (Instance *instance : openInstances)
    if (Status verdict = verdictOf(instance->control.get()); !verdict.ok())
      fail(*instance, verdict.code(), verdict.message());
  for (Request &request : session.queue.takeUnwanted()) {
    counts.instances.add(1);
    counts.failed.add(1);
    refuse(request, request.control->verdict());
    session.queue.ended();
  }
}

void Worker::removeFailed() {
  if (failedInstances.empty())
    return;
  postedEnd = std::remove_if(postedStart, postedEnd, [](const Posted &event) {
    return event.frame->instance->failed != 0;
  });
  forward.ready.removeFailed(this);
  if (backward)
    backward->ready.removeFailed(this);
  idleInstances.erase(
      std::remove_if(idleInstances.begin(), idleInstances.end(),
                     [](const Instance *instance) { return instance->failed; }),
      idleInstances.end());
  std::vector<Instance *> gone;
  gone.swap(failedInstances);
  for (Instance *instance : gone)
    if (exchange && instance->elsewhere->activations > 0)
      instance->elsewhere->isWithdrawn = true; // Closed with the last answer.
    else
      close(*instance, {std::move(instance->status), {}, {}});
}

void Worker::cancelAll() {
  for (Instance *instance : openInstances)
    fail(*instance, StatusCode::cancelled,
         "the session ended before the instance did");
  removeFailed();
  countBusyTime();
}

} // namespace amprt
