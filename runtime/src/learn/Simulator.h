//===- Simulator.h - A worker without cells ---------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_LEARN_SIMULATOR_H
#define AMPRT_SRC_LEARN_SIMULATOR_H

#include "learn/Plan.h"
#include "sched/BatchPolicy.h"

#include <memory>
#include <vector>

namespace amprt::learn {

struct Limits {
  int64_t maxInFlight = 64, maxBatch = 1024;
};

/// Runs recorded instances as a worker would, with its ready set and its
/// policies, but computes nothing: what is left is which batches are made. Many
/// thousand times as fast as the model. Instances wait in line, and each is
/// opened as soon as there is room.
class Simulator {
public:
  Simulator(const Plan &plan, const Limits &limits);
  ~Simulator();

  /// The number of batches, for instances in this order.
  int64_t run(const std::vector<uint32_t> &order, BatchPolicy &policy);

  /// Within run(), between two batches: activations of the cell that wait for
  /// no other one of it in open instances, whether or not they are ready.
  int64_t frontier(uint32_t cell) const { return frontiers[cell]; }

private:
  struct Frame;
  struct Open;

  void open(const InstancePlan &instance, ReadySet &ready);
  void complete(const Batch &batch, ReadySet &ready);

  const Plan &plan;
  const Limits limits;
  std::vector<int64_t> frontiers;               ///< By cell.
  std::vector<std::unique_ptr<Open>> instances; ///< All there ever were.
  std::vector<Open *> unused;
  size_t openCount = 0;
  uint32_t currentDepth = 0; ///< Of the last batch, as in Worker.
};

} // namespace amprt::learn

#endif // AMPRT_SRC_LEARN_SIMULATOR_H
