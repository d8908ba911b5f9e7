//===- Worker.cpp - One thread and its instances --------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sched/Worker.h"

#include "core/Marshal.h"
#include "cpu/OneThread.h"

#include <algorithm>
#include <cstring>

namespace amprt {

using Clock = std::chrono::steady_clock;

// Unused chunks that a worker keeps.
static constexpr size_t chunkCacheBytes = size_t(256) << 20;

// The entry depth grows with the worker's age; before it could wrap around, the
// worker lets its instances end and begins again.
static constexpr uint32_t highDepth = uint32_t(1) << 30;

/// Nothing of the instance is in flight.
static int64_t bytesReservedBy(const Instance &instance) {
  size_t bytes = instance.bytesReserved();
  // Where it was not, a worker may still look at an earlier one's part.
  if (instance.elsewhere)
    for (size_t i = 0; i < instance.elsewhere->wasAt.size(); ++i)
      if (instance.elsewhere->wasAt[i])
        bytes += instance.elsewhere->parts[i].bytesReserved();
  return int64_t(bytes);
}

Worker::ReadyCells::ReadyCells(SessionState &session)
    : policy(createBatchPolicy(session.options.policy, session.descriptor(),
                               session.options.maxBatch,
                               session.policyTable.get())),
      ready(session.descriptor().cell_count, *policy, session.options.probe) {}

Worker::Worker(SessionState &session, int number, size_t maxOpen)
    : amprt_worker{session.replicaOf(number).params.data(),
                   session.replicaOf(number).panels.data()},
      session(session), number(number), maxOpen(maxOpen),
      linears(*session.replicaOf(number).linears), forward(session),
      backward(session.isPlaced() ? new ReadyCells(session) : nullptr),
      log(session.logs.empty() ? nullptr : session.logs[size_t(number)].get()),
      gradients(session.gradients.empty() ? nullptr
                                          : session.gradients[size_t(number)]),
      pool(chunkCacheBytes), counts(session.descriptor().cell_count) {
  int firstOfTeam = number - number % session.teamSize();
  for (int32_t owner : session.placement.owners)
    owners.push_back(owner == Placement::home ? owner : firstOfTeam + owner);
}

Worker::~Worker() { delete[] postedStart; }

Worker::Step Worker::advance() {
  if (!drainPosted())
    return Step::ended;
  if (!idleInstances.empty()) {
    settleIdle();
    return Step::done; // It may have failed some of them.
  }
  if (exchange) {
    counts.messages.add(exchange->flush());
    if (isCalledToMeet()) {
      meet();
      return Step::done;
    }
    if (receive())
      return Step::done;
  }
  if (openInstances.size() < maxOpen && !session.queue.seemsEmpty() &&
      (currentDepth < highDepth || openInstances.empty())) {
    admit();
    return Step::done;
  }
  ReadyCells *cells = readyToRun();
  if (!cells)
    return Step::none;
  Batch ran = runBatch(*cells);
  if (log && !log->isReplay)
    log->record(Decision::Kind::batch, ran.cell, uint64_t(ran.count));
  return Step::done;
}

void Worker::run() {
  OneOpenMPThread alone;
  countedUntil = Clock::now();
  if (log && log->isReplay && runReplay())
    return;
  std::function<bool()> hasMail;
  if (exchange)
    hasMail = [this] { return hasCall(); };
  for (;;) {
    Step step = advance();
    if (step == Step::done)
      continue;
    if (step == Step::ended) {
      if (exchange)
        serveUntilQuiet();
      return;
    }
    // Nothing is ready here, so no instance has anything pending but at other
    // workers.
    countBusyTime();
    if (exchange && waitForMail()) {
      countTime(counts.waitingNanoseconds);
      continue;
    }
    SubmissionQueue::Call call = session.queue.waitForCall(
        size_t(number), jobsSeen, openInstances.size() < maxOpen, hasMail);
    countTime(counts.waitingNanoseconds);
    if (exchange)
      exchange->sleeper.isAsleep.store(false, std::memory_order_relaxed);
    if (call == SubmissionQueue::Call::stop)
      attention.store(true, std::memory_order_relaxed);
    if (call == SubmissionQueue::Call::job)
      session.queue.runJob(number);
  }
}

bool Worker::runLent(Request request, const std::future<Result> &result) {
  countTime(counts.waitingNanoseconds);
  currentDepth = 0; // It had nothing open.
  open(std::move(request));
  auto hasEnded = [&result] {
    return result.wait_for(std::chrono::seconds(0)) ==
           std::future_status::ready;
  };
  while (!hasEnded() && advance() == Step::done)
    ;
  countBusyTime();
  return openInstances.empty();
}

/// Calls handlers until none is left; false if the session has ended.
bool Worker::drainPosted() {
  for (;;) {
    if (__builtin_expect(attention.load(std::memory_order_relaxed), 0) &&
        !attend())
      return false;
    if (postedEnd == postedStart)
      return true;
    Posted event = *--postedEnd;
    event.handler(this, event.frame, event.depth);
  }
}

/// No event is posted: what has no activation has ended, well or badly.
void Worker::settleIdle() {
  for (Instance *instance : idleInstances)
    if (instance->pending == 0)
      settle(*instance);
  idleInstances.clear();
}

void Worker::postSlow(amprt_handler_t handler, amprt_frame_t *frame,
                      uint32_t depth) {
  size_t count = size_t(postedEnd - postedStart);
  size_t capacity = std::max<size_t>(256, 2 * count);
  auto *grown = new Posted[capacity];
  std::copy(postedStart, postedEnd, grown);
  delete[] postedStart;
  postedStart = grown;
  postedEnd = grown + count;
  postedLimit = grown + capacity;
  *postedEnd++ = {handler, frame, depth};
}

/// Completes part of a batch and returns its rows.
int64_t Worker::complete(const amprt_cell_desc_t &cell,
                         const amprt_activation_t *items, int64_t count) {
  cell.complete(this, items, count);
  int64_t rows = 0;
  for (int64_t i = 0; i < count; ++i) {
    rows += items[i].rows;
    // Only now: until here, each of them kept its instance open.
    auto &instance = static_cast<Instance &>(*items[i].frame->instance);
    if (--instance.pending == 0)
      idleInstances.push_back(&instance);
  }
  return rows;
}

Batch Worker::runBatch(ReadyCells &cells) {
  Bucket *bucket = cells.policy->pick(cells.ready.buckets());
  const Batch taken = cells.ready.take(
      bucket, cells.policy->batchLimit(session.options.maxBatch));
  const Batch batch = exchange ? withoutFailed(taken) : taken;
  if (batch.count == 0) {
    cells.ready.release(taken);
    return batch;
  }
  const amprt_cell_desc_t &cell = session.descriptor().cells[batch.cell];
  currentDepth = batch.items[0].depth;
  Clock::time_point begin, end;
  if (session.timesBatches()) {
    begin = Clock::now();
    cell.compute(this, batch.items, batch.count);
    end = Clock::now();
  } else {
    cell.compute(this, batch.items, batch.count);
  }
  scratch.reset();
  int64_t rows = 0;
  if (exchange)
    rows = completePlaced(batch);
  for (int64_t done = exchange ? batch.count : 0; done < batch.count;
       done += completedTogether)
    rows += complete(cell, batch.items + done,
                     std::min(completedTogether, batch.count - done));
  counts.countBatch(batch.cell, batch.count, rows,
                    nanosecondsBetween(begin, end));
  if (session.options.observer)
    tell(batch, begin, end, rows);
  cells.ready.release(taken);
  return batch;
}

void Worker::tell(const Batch &batch, Clock::time_point begin,
                  Clock::time_point end, int64_t rows) {
  auto [least, greatest] =
      std::minmax_element(batch.items, batch.items + batch.count,
                          [](auto &a, auto &b) { return a.depth < b.depth; });
  session.options.observer->onBatch({number, batch.cell, begin, end,
                                     batch.count, rows, least->depth,
                                     greatest->depth});
}

void Worker::admit() {
  if (openInstances.empty())
    currentDepth = 0;
  session.queue.take(maxOpen - openInstances.size(), admitted);
  if (log && !log->isReplay && !admitted.empty())
    log->record(Decision::Kind::open, admitted.front().number, admitted.size());
  openAdmitted();
}

void Worker::openAdmitted() {
  for (Request &request : admitted)
    open(std::move(request));
  admitted.clear();
}

void Worker::open(Request request) {
  Instance *instance;
  if (closedInstances.empty()) {
    instances.push_back(std::make_unique<Instance>());
    instance = instances.back().get();
  } else {
    instance = closedInstances.back();
    closedInstances.pop_back();
  }
  instance->pending = 0;
  instance->stepsLeft = session.options.stepLimit;
  instance->entry = request.entry;
  instance->seed = request.seed;
  instance->host = nullptr;
  instance->collectors = nullptr;
  instance->status = Status();
  instance->promise = std::move(request.promise);
  instance->outcome = request.outcome;
  instance->number = request.number;
  instance->times.submitted = request.submitted;
  if (session.timesInstances())
    instance->times.opened = Clock::now();
  // Not from 0: an instance that comes while others are deep in theirs would
  // otherwise go first at every step, in batches of its own, and a stream of
  // such instances could hold up a deep one for ever.
  instance->baseDepth = currentDepth;
  instance->home = this;
  if (exchange && !instance->elsewhere)
    instance->elsewhere =
        std::make_unique<InstanceElsewhere>(size_t(session.options.workers));
  if (!session.hooks.empty())
    noteBegin(*instance);
  instance->openIndex = openInstances.size();
  openInstances.push_back(instance);
  instance->control = std::move(request.control);
  bool hasMemory = instance->open(pool, size_t(session.options.memoryLimit));
  Status verdict = verdictOf(instance->control.get());
  if (verdict.ok() && request.outcome)
    verdict = checkFields(*request.entry, request.fields());
  if (!verdict.ok())
    fail(*instance, verdict.code(), verdict.message());
  else if (!hasMemory || !fillEntryFrame(*instance, request.fields()))
    fail(*instance, StatusCode::resourceExhausted,
         "the instance's fields exceed the memory limit of " +
             std::to_string(session.options.memoryLimit) + " bytes");
  if (session.hasDiverted.load(std::memory_order_relaxed))
    failDiverted(*instance);
}

bool Worker::fillEntryFrame(Instance &instance, const Values &values) {
  const amprt_entry_t &how = *instance.entry;
  auto *host = static_cast<HostFrame *>(instance.allocate(
      sizeof(HostFrame) + how.result_words * sizeof(uint64_t)));
  auto *entry =
      static_cast<amprt_frame_t *>(instance.allocate(size_t(how.entry_bytes)));
  if (!host || !entry)
    return false;
  std::memset(static_cast<void *>(host), 0,
              sizeof(HostFrame) + how.result_words * sizeof(uint64_t));
  host->instance = &instance;
  host->eventsLeft = how.result_events;
  instance.host = host;

  instance.first = entry;
  std::memset(static_cast<void *>(entry), 0, size_t(how.entry_bytes));
  entry->instance = &instance;
  entry->parent = host;
  entry->site = &session.resultSite;
  if (how.arrived_words)
    std::memcpy(entry + 1, how.arrived, how.arrived_words * sizeof(uint64_t));
  --instance.stepsLeft;
  if (!writeFields(how, values, instance, reinterpret_cast<char *>(entry)))
    return false;
  post(how.start, entry, instance.baseDepth);
  idleInstances.push_back(&instance);
  return true;
}

void Worker::finish(Instance &instance) {
  Result result;
  if (instance.outcome) {
    const amprt_entry_t &entry = *instance.entry;
    instance.outcome->loss =
        readScalar(entry.results[entry.loss], instance.host->words());
    close(instance, std::move(result));
    return;
  }
  try {
    Expected<Values> values =
        readResults(*instance.entry, instance.host->words());
    if (values)
      result.values = std::move(*values);
    else
      result.status = values.status();
  } catch (const std::exception &) {
    result.status = Status(StatusCode::resourceExhausted,
                           "no memory for the instance's results");
  }
  close(instance, std::move(result));
}

void Worker::close(Instance &instance, Result result) {
  counts.instances.add(1);
  counts.failed.add(!result.status.ok());
  counts.frames.add(session.options.stepLimit - instance.stepsLeft);
  counts.peakArenaBytes.set(
      std::max(counts.peakArenaBytes.get(), bytesReservedBy(instance)));
  counts.peakRowBytes.set(
      std::max(counts.peakRowBytes.get(), int64_t(instance.peakRowBytes())));
  instance.releaseAll();
  if (exchange)
    sayEnded(instance);
  instance.control.reset();
  openInstances.back()->openIndex = instance.openIndex;
  openInstances[instance.openIndex] = openInstances.back();
  openInstances.pop_back();
  closedInstances.push_back(&instance);
  if (openInstances.empty())
    countBusyTime();
  if (session.timesInstances()) {
    instance.times.ended = Clock::now();
    result.times = instance.times;
  }
  if (session.options.observer)
    session.options.observer->onInstance(
        {number, instance.number, instance.times, result.status});
  // Last, so that whoever gets the result finds the counts and the memory as
  // they are without the instance.
  if (instance.outcome) {
    instance.outcome->status = std::move(result.status);
    instance.outcome->hasEnded = true;
  } else
    instance.promise->set_value(std::move(result));
  session.queue.ended();
}

/// Adds the time since the last call.
void Worker::countTime(Counter &to) {
  Clock::time_point now = Clock::now();
  to.add(nanosecondsBetween(countedUntil, now));
  countedUntil = now;
}

} // namespace amprt
