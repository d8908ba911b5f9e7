//===- Plan.h - Recorded instances, ready to be simulated -------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_LEARN_PLAN_H
#define AMPRT_SRC_LEARN_PLAN_H

#include "io/GraphFile.h"
#include "sched/LowerBound.h"

#include <cstdint>
#include <string>
#include <vector>

namespace amprt::learn {

/// Lists of numbers, one after the other.
struct Lists {
  std::vector<uint32_t> starts = {0}, items;

  const uint32_t *begin(size_t i) const { return items.data() + starts[i]; }
  const uint32_t *end(size_t i) const { return items.data() + starts[i + 1]; }
};

/// An instance, as far as batches go.
struct InstancePlan {
  std::vector<uint32_t> cells;   ///< Of each activation.
  std::vector<uint32_t> depths;  ///< Of each, from 1.
  std::vector<uint32_t> missing; ///< Inputs of each.
  Lists users;                   ///< Activations that need each.
  /// The same among the activations of one cell: those that must come before
  /// another one of the cell, directly or through activations of other cells.
  std::vector<uint32_t> kinMissing;
  Lists kinUsers;
  std::vector<uint32_t> longest; ///< Each cell's longest chain.
};

/// What can be simulated, and a model's descriptor for the policies.
class Plan {
public:
  explicit Plan(const RecordedRun &run);

  const std::string &name() const { return run.model; }
  const amprt_model_t &model() const { return descriptor; }
  size_t cellCount() const { return run.cells.size(); }
  const std::vector<InstancePlan> &instances() const { return plans; }
  /// Activations of each cell, over all instances.
  const std::vector<int64_t> &activations() const { return counts; }

  /// Of all instances, in one worker.
  LowerBound bound(int64_t maxInFlight, int64_t maxBatch) const;

private:
  const RecordedRun run;
  std::vector<amprt_cell_desc_t> cells;
  amprt_model_t descriptor = {};
  std::vector<InstancePlan> plans;
  std::vector<int64_t> counts;
};

} // namespace amprt::learn

#endif // AMPRT_SRC_LEARN_PLAN_H
