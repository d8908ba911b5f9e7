//===- Worker.h - One thread and its instances ------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_SCHED_WORKER_H
#define AMPRT_SRC_SCHED_WORKER_H

#include "core/Collector.h"
#include "core/Counters.h"
#include "core/Scratch.h"
#include "msg/DecisionLog.h"
#include "msg/Exchange.h"
#include "sched/BatchPolicy.h"
#include "sched/ReadySet.h"
#include "sched/SessionState.h"

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace amprt {

/// Owns whole instances from their admission to their end, and runs them:
/// events that were posted first, then new instances, then a batch. Everything
/// but lookUp, counters and arenaBytes happens on the thread that calls run, or
/// runLent while that one waits.
class Worker final : public amprt_worker {
public:
  /// `number` is from 0; `maxOpen`: its part of maxInFlight.
  Worker(SessionState &session, int number, size_t maxOpen);
  ~Worker();

  /// Returns when the queue is stopped; what was open has been cancelled.
  void run();

  /// For who was lent this worker: opens the instance, and does what there is
  /// to do until it has ended, which `result` tells, or another worker may do
  /// the rest. True if nothing is left to do.
  bool runLent(Request request, const std::future<Result> &result);

  /// Any thread: see whether the queue was stopped, or an instance is no longer
  /// wanted, before the next event or batch.
  void lookUp() {
    rung.store(true, std::memory_order_relaxed);
    attention.store(true, std::memory_order_release);
  }

  const WorkerCounters &counters() const { return counts; } ///< Any thread.
  void resetPeaks() {                                       ///< Any thread.
    counts.peakArenaBytes.set(0);
    counts.peakRowBytes.set(0);
    counts.mostReceived.set(0);
    counts.longestMeeting.set(0);
  }
  int64_t arenaBytes() const {
    return pool.outstandingBytes();
  } ///< Any thread.

  // What generated code calls; inline, for Abi.cpp. What is rare is done by a
  // function in tail position, so that the common path needs no stack frame.

  void enqueue(uint32_t cell, amprt_frame_t *frame, uint32_t depth,
               uint32_t rows) {
    ++static_cast<Instance *>(frame->instance)->pending;
    if (__builtin_expect(exchange != nullptr, 0))
      return enqueuePlaced(cell, frame, depth, rows);
    forward.ready.push(cell, frame, depth, rows);
  }

  void post(amprt_handler_t handler, amprt_frame_t *frame, uint32_t depth) {
    if (__builtin_expect(postedEnd == postedLimit, 0))
      return postSlow(handler, frame, depth);
    *postedEnd++ = {handler, frame, depth};
  }

  void *newFrame(Instance &instance, int64_t bytes) {
    void *memory = instance.allocateFast(size_t(bytes));
    if (__builtin_expect(!memory || instance.stepsLeft <= 0, 0))
      return newFrameSlow(instance, bytes, memory);
    --instance.stepsLeft;
    return memory;
  }

  void *newRows(Instance &instance, int64_t bytes) {
    if (__builtin_expect(instance.home != this, 0))
      return newRowsElsewhere(instance, bytes);
    void *memory = bytes >= 64 ? instance.allocateRowsFast(size_t(bytes))
                               : instance.allocateFast(size_t(bytes));
    if (__builtin_expect(!memory, 0))
      return newRowsSlow(instance, bytes);
    return memory;
  }

  /// Elsewhere, rows may be another worker's: with model placement all are kept.
  void releaseRows(Instance &instance, void *rows, int64_t bytes) {
    if (__builtin_expect(exchange != nullptr || instance.failed, 0))
      return;
    instance.releaseRows(rows, size_t(bytes));
  }

  void *newScratch(int64_t bytes) { return scratch.allocate(bytes); }

  void multiply(uint32_t linear, const float *x, float *y, int64_t rows) {
    linears.run(linear, x, y, rows, scratch);
  }

  void multiplyGrouped(uint32_t linear, const float *x, float *y, int64_t rows,
                       const int32_t *which) {
    linears.runGrouped(linear, x, y, rows, which, scratch);
  }

  /// Where gradients go; null if nobody wants them.
  Gradients *gradientsOrNull() const { return gradients; }

  /// Remembers the first failure of an instance; the rest is done at the next
  /// point where no handler runs. Not at its home, it sends word there.
  void fail(Instance &instance, StatusCode code, std::string message);

  /// Model placement: its links to the others. Before run.
  void connect(std::unique_ptr<Exchange> links) { exchange = std::move(links); }

  ChunkPool &memory() { return pool; } ///< For its own thread.

  /// After all workers have ended: what its instances hold of their memory.
  void releaseParts();

private:
  struct Posted {
    amprt_handler_t handler;
    amprt_frame_t *frame;
    uint32_t depth;
  };
  // A large batch is completed in parts, so that frames are still in the first
  // cache when its activations are counted as done.
  static constexpr int64_t completedTogether = 32;
  struct ReadyCells {
    explicit ReadyCells(SessionState &session);
    std::unique_ptr<BatchPolicy> policy;
    ReadySet ready;
  };

  /// Does the next thing there is to do.
  enum class Step { done, none, ended };
  Step advance();
  bool drainPosted();
  void settleIdle();
  bool attend();
  void admit();
  void openAdmitted();
  void open(Request request);
  bool fillEntryFrame(Instance &instance, const Values &values);
  /// Returns what was run; the activations are gone.
  Batch runBatch(ReadyCells &cells);
  ReadyCells *readyToRun() {
    if (backward && !backward->ready.empty())
      return backward.get();
    return forward.ready.empty() ? nullptr : &forward;
  }
  void tell(const Batch &batch, std::chrono::steady_clock::time_point begin,
            std::chrono::steady_clock::time_point end, int64_t rows);
  int64_t complete(const amprt_cell_desc_t &cell,
                   const amprt_activation_t *items, int64_t count);
  void settle(Instance &instance);
  void finish(Instance &instance);
  void endUnwanted();
  void removeFailed();
  void cancelAll();
  void close(Instance &instance, Result result);
  void postSlow(amprt_handler_t handler, amprt_frame_t *frame, uint32_t depth);
  void countBusyTime() { countTime(counts.nanoseconds); }
  void countTime(Counter &to);
  void *newFrameSlow(Instance &instance, int64_t bytes, void *memory);
  void *newRowsSlow(Instance &instance, int64_t bytes);
  void *memoryOfFailed(Instance &instance, Arena &arena, int64_t bytes,
                       Arena::Use use);

  // Model placement (WorkerMessages.cpp).
  ReadyCells &readyCells(uint32_t cell);
  void noteBegin(Instance &instance);
  void noteEnd(InstancePart &part);
  void enqueuePlaced(uint32_t cell, amprt_frame_t *frame, uint32_t depth,
                     uint32_t rows);
  bool receive();
  void take(const Message *messages, size_t count);
  void takeDone(const Message *messages, size_t count);
  void answered(Instance &instance);
  int64_t completePlaced(const Batch &batch);
  Batch withoutFailed(const Batch &batch);
  void sendBack(Message::Kind kind, uint32_t cell,
                const amprt_activation_t &activation);
  bool hasCall() const { return exchange->hasMail() || isCalledToMeet(); }
  bool waitForMail();
  bool isCalledToMeet() const {
    return session.meeting && session.meeting->isCalled(meetingsAttended);
  }
  void meet();
  void attendMeeting();
  void sayEnded(Instance &instance);
  void *newRowsElsewhere(Instance &instance, int64_t bytes);
  void failElsewhere(Instance &instance, StatusCode code, std::string message);
  void dropForeign();
  void serveUntilQuiet();

  // Replay (WorkerReplay.cpp).
  bool runReplay();
  bool repeatNext();
  bool repeatMeeting();
  bool hasDiverted(std::chrono::steady_clock::time_point lastStep);
  void failDiverted(Instance &instance);

  SessionState &session;
  const int number;
  const size_t maxOpen;
  const LinearProvider &linears; ///< Of its replica of the weights.
  ReadyCells forward;
  /// Model placement: cells that work on gradients, which go first.
  std::unique_ptr<ReadyCells> backward;
  std::unique_ptr<Exchange> exchange;
  std::vector<int32_t> owners; ///< Of cells, in its team; Placement::home.
  uint64_t meetingsAttended = 0;
  bool waitsToMeet = false; ///< Repeating a run: it has arrived.
  DecisionLog *const log;   ///< Of what it does, or is to do; null: none.
  std::vector<amprt_activation_t> kept; ///< Of a batch; see withoutFailed.
  Posted *postedStart = nullptr, *postedEnd = nullptr, *postedLimit = nullptr;
  /// Something has failed, an instance is no longer wanted, or the queue was
  /// stopped; looked at between events and between batches, so that neither
  /// costs anything else.
  std::atomic<bool> attention{false};
  std::atomic<bool> rung{false}; ///< It is not only for a failure.
  Scratch scratch;
  Gradients *const gradients;
  ChunkPool pool;
  std::vector<std::unique_ptr<Instance>> instances; ///< All there ever were.
  std::vector<Instance *> openInstances, closedInstances, failedInstances;
  /// Those without an activation, perhaps only until the posted events are
  /// dealt with.
  std::vector<Instance *> idleInstances;
  std::vector<Request> admitted;
  uint32_t currentDepth = 0; ///< Of the last batch; see open().
  uint64_t jobsSeen = 0;     ///< See SubmissionQueue::waitForCall.
  std::chrono::steady_clock::time_point countedUntil; ///< See countTime.
  WorkerCounters counts;
};

} // namespace amprt

#endif // AMPRT_SRC_SCHED_WORKER_H
