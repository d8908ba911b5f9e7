//===- Instance.h - An instance that is open --------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CORE_INSTANCE_H
#define AMPRT_SRC_CORE_INSTANCE_H

#include "amprt/amprt.hpp"
#include "core/Arena.h"
#include "sched/Attention.h"
#include "sched/OwnerHooks.h"

#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <vector>

namespace amprt {

/// What may end a submitted instance from outside. Thread-safe.
struct SubmissionControl {
  using Clock = InstanceTimes::Clock;
  static constexpr Clock::time_point never = Clock::time_point::max();

  SubmissionControl(Clock::time_point deadline,
                    std::shared_ptr<AttentionBell> bell)
      : deadline(deadline), bell(std::move(bell)) {}

  const Clock::time_point deadline;
  const std::shared_ptr<AttentionBell> bell; ///< Of the session.
  std::atomic<bool> cancelled{false};

  bool isLate() const { return deadline != never && Clock::now() >= deadline; }
  /// Why the instance must end now, or ok. Once it is not, it stays so.
  Status verdict() const;
};

/// Why the instance must end now, or ok. Null: nothing may end it.
inline Status verdictOf(const SubmissionControl *control) {
  return control ? control->verdict() : Status();
}

/// All that a trainer wants to know of an instance.
struct Outcome {
  bool hasEnded = false;
  bool wasBefore = false; ///< Not in this process: a pass that was resumed.
  double loss = 0;
  Status status;
};

/// What waits to be opened.
struct Request {
  Values values;
  /// Instead of `values`: must live until the instance has ended.
  const Values *borrowed = nullptr;
  const amprt_entry_t *entry = nullptr;        ///< How it is run.
  uint64_t seed = 0;                           ///< As amprt_instance_t has it.
  std::optional<std::promise<Result>> promise; ///< Unless there is an outcome.
  /// A trainer's: must live until the instance has ended. Its fields are
  /// checked when it is opened.
  Outcome *outcome = nullptr;
  std::shared_ptr<SubmissionControl> control; ///< Null: see verdictOf.
  uint64_t number = 0; ///< In the order of submission; the queue's to give.
  InstanceTimes::Clock::time_point submitted; ///< If instances are timed.

  const Values &fields() const { return borrowed ? *borrowed : values; }
};

/// Ends a request that no worker gets.
void refuse(Request &request, Status status);

/// The frame above the entry frame: it receives the results.
struct HostFrame : amprt_frame {
  int64_t eventsLeft; ///< Of result_events.
  uint64_t *words() { return reinterpret_cast<uint64_t *>(this + 1); }
};

struct Collector;
class Worker;

/// What one worker has of an instance, with model placement. It is that
/// worker's own until the instance has ended and the worker was told so.
struct InstancePart : Arena { ///< Rows that it made, if it is not the home.
  bool isNoted = false;       ///< OwnerHooks::begin was called.
  OwnerNotes notes;
};

/// What other workers do for an instance. Only with model placement.
struct InstanceElsewhere {
  explicit InstanceElsewhere(size_t workers)
      : parts(new InstancePart[workers]), wasAt(workers) {}

  const std::unique_ptr<InstancePart[]> parts;
  std::vector<uint8_t> wasAt; ///< Workers that got an activation.
  int64_t activations = 0;    ///< Out there, to be answered.
  bool isWithdrawn = false;   ///< Failed, and nothing of it is left at home.
};

/// An instance from its admission to its end. Belongs to one worker, its home.
struct Instance : Arena {
  /// Activations that wait for their cell or are in the batch that runs. If
  /// there are none while no event is posted, the instance is done, or can
  /// never be. Events are not counted: all are dealt with before a batch
  /// begins.
  int64_t pending = 0;
  int64_t stepsLeft = 0;
  const amprt_entry_t *entry = nullptr;
  HostFrame *host = nullptr;
  const amprt_frame_t *first = nullptr; ///< The entry frame.
  Collector *collectors = nullptr; ///< All of its collectors, newest first.
  uint32_t baseDepth = 0;          ///< The depth of its fields.
  size_t openIndex = 0;            ///< Its place in the worker's list.
  uint64_t number = 0;             ///< Of its request.
  InstanceTimes times;             ///< If instances are timed.
  Status status;                   ///< Why it failed, the first time.
  std::optional<std::promise<Result>> promise; ///< As Request has it.
  Outcome *outcome = nullptr;                  ///< The same.
  std::shared_ptr<SubmissionControl> control;  ///< The same.
  Worker *home = nullptr;
  std::unique_ptr<InstanceElsewhere> elsewhere; ///< Null unless needed.

  /// Any thread that has an activation of it.
  bool hasFailed() const { return __atomic_load_n(&failed, __ATOMIC_RELAXED); }
};

} // namespace amprt

#endif // AMPRT_SRC_CORE_INSTANCE_H
