//===- ChainCounter.h - The longest chain of each cell ----------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CLI_CHAINCOUNTER_H
#define AMPRT_SRC_CLI_CHAINCOUNTER_H

#include "amprt/amprt.hpp"
#include "sched/LowerBound.h"

#include <memory>
#include <unordered_map>

namespace amprt::cli {

/// Finds out how long the longest chain of each cell is in each instance, and
/// so how many batches they need. Runs each instance once for each cell, in a
/// session of its own, with depths that count this cell's activations alone: so
/// it is exact whatever the model does, and costs other runs nothing.
class ChainCounter final : DepthProbe, SessionObserver {
public:
  /// `options`: of the run whose batches are to be judged.
  static Expected<std::unique_ptr<ChainCounter>>
  create(const Model &model, const Weights &weights,
         const SessionOptions &options);

  /// Blocks while many wait. Instances that fail count nothing.
  void add(const Values &instance);

  /// Waits for all of them.
  const LowerBound &finish();

private:
  ChainCounter(const Model &model, const SessionOptions &options);
  uint32_t onReady(const ReadyEvent &event) override;
  void onBatch(const BatchEvent &) override {}
  void onInstance(const InstanceEvent &event) override;

  /// Each instance is submitted for each of them in turn.
  const uint32_t cellCount;
  // The worker's until the session is quiet:
  LowerBound bound;
  std::unordered_map<uint64_t, int64_t> longest; ///< By number; the open ones.
  std::unique_ptr<Session> session; ///< Last, so that it ends first.
};

} // namespace amprt::cli

#endif // AMPRT_SRC_CLI_CHAINCOUNTER_H
