//===- Averaging.h - Replicas become the same again -------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_AVERAGING_H
#define AMPRT_SRC_TRAIN_AVERAGING_H

#include "core/PreparedWeights.h"
#include "train/Barrier.h"
#include "train/Packing.h"
#include "train/ParamSteps.h"

#include <atomic>
#include <vector>

namespace amprt {

/// Replaces the replicas of each parameter that was updated since the last time
/// by their arithmetic mean, and the optimiser's state likewise; the number of
/// its steps becomes the greatest (Gaunt et al. 2017, "AMPNet", section 5: data
/// parallelism, infrequent averaging). All workers take part, and what comes
/// out does not depend on who does what.
class Averaging {
public:
  /// All must outlive it; `prepared`: of each replica.
  Averaging(const amprt_model_t &model, std::vector<PreparedWeights> &prepared,
            std::vector<Replica> &replicas, int workers);

  /// Each worker calls it, all at the same time; nobody may read weights until
  /// all have returned.
  void run();

  /// The replicas have been made the same by someone else.
  void noteSteps();

  int64_t count() const { return times; } ///< How often; while all is quiet.

private:
  void plan();
  bool isChanged(uint32_t param) const;
  void joinProgress(uint32_t param);
  void average(const StepTask &task);

  const amprt_model_t &model;
  std::vector<PreparedWeights> &prepared;
  std::vector<Replica> &replicas;
  Barrier barrier;
  std::vector<int64_t> steps; ///< Of each parameter, the last time.
  int64_t times = 0;

  // Of the time that runs.
  std::vector<StepTask> tasks;
  std::vector<PackTask> packs; ///< For each replica.
  std::atomic<size_t> nextTask{0}, nextPack{0};
};

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_AVERAGING_H
