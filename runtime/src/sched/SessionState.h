//===- SessionState.h - What the workers of a session share -----*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_SCHED_SESSIONSTATE_H
#define AMPRT_SRC_SCHED_SESSIONSTATE_H

#include "amprt/amprt.hpp"
#include "core/PreparedWeights.h"
#include "msg/DecisionLog.h"
#include "place/Placement.h"
#include "sched/Meeting.h"
#include "sched/PolicyTable.h"
#include "sched/SubmissionQueue.h"
#include "train/Gradients.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

namespace amprt {

/// See SessionOptions::maxWaiting.
inline size_t mostWaiting(const SessionOptions &options) {
  return size_t(options.maxWaiting.value_or(
      std::max<int64_t>(2 * options.maxInFlight, 64)));
}

/// All but the queue is constant while instances run. A trainer changes
/// weights, products and panels when none does.
struct SessionState {
  SessionState(Model model, const SessionOptions &options)
      : model(std::move(model)), options(options),
        localWorkers(options.remotes.empty() ? options.workers : 1),
        queue(mostWaiting(options), size_t(localWorkers),
              options.placement == PlacementMode::model) {}

  const amprt_model_t &descriptor() const { return model.descriptor(); }
  bool timesBatches() const { return options.timeCells || options.observer; }
  bool timesInstances() const {
    return options.timeInstances || options.observer;
  }

  const Model model;
  const SessionOptions options;
  int localWorkers; ///< Those of them that are in this process.
  /// Of the weights: one, but in training that has several. Workers are teams
  /// of the same size, in their order, and each team has its replica.
  std::vector<PreparedWeights> replicas;
  int teamSize() const { return options.workers / int(replicas.size()); }
  PreparedWeights &replicaOf(int worker) {
    return replicas[size_t(worker / teamSize())];
  }
  std::unique_ptr<const PolicyTable> policyTable; ///< Of Policy::learned.
  std::vector<Gradients *> gradients; ///< One a worker; empty: none wanted.

  /// One a worker, or none: what they decide, or shall decide again.
  std::vector<std::unique_ptr<DecisionLog>> logs;
  int logsToRepeat = 0;                 ///< Those that are not empty.
  std::atomic<int> repeatedLogs{0};     ///< To the end.
  std::atomic<bool> hasDiverted{false}; ///< This is not the run of the logs.

  /// One a worker, or none; told of the instances that run `hookedEntry`.
  std::vector<OwnerHooks *> hooks;
  const amprt_entry_t *hookedEntry = nullptr;

  /// Null unless there are several replicas, or cuts are wanted. It counts
  /// those instances, too.
  std::unique_ptr<Meeting> meeting;

  /// How results reach the host frame: see HostFrame.
  std::vector<amprt_handler_t> resultHandlers;
  std::vector<uint32_t> resultOffsets;
  amprt_site_t resultSite = {};

  /// With model placement; else it has no owners. Those are numbers within each
  /// team.
  Placement placement;
  bool isPlaced() const { return !placement.owners.empty(); }
  /// Of a session that ends: workers that have no instance any more. Until all
  /// are, the others may have something of theirs.
  std::atomic<int> quietWorkers{0};

  SubmissionQueue queue;
};

} // namespace amprt

#endif // AMPRT_SRC_SCHED_SESSIONSTATE_H
