//===- Updater.h - From gradients to new weights ----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_UPDATER_H
#define AMPRT_SRC_TRAIN_UPDATER_H

#include "core/Engine.h"
#include "train/Barrier.h"
#include "train/Packing.h"
#include "train/ParamSteps.h"

#include <atomic>
#include <memory>
#include <vector>

namespace amprt {

/// Makes an update of what the workers have added up, on the workers' threads:
/// deferred products, the sum over workers and its norm, the optimiser, and
/// what is packed of the weights. Each step is a list of tasks that whoever is
/// free takes; what a task computes does not depend on who does it. Not
/// thread-safe.
class Updater {
public:
  struct Settings {
    float clipValue = HUGE_VALF;
    double clipNorm = HUGE_VAL;
    bool measureNorm = false;
    bool lazy = false;
  };

  /// All must outlive it. `gradients`: one a worker.
  Updater(Engine &engine, std::vector<std::unique_ptr<Gradients>> &gradients,
          std::vector<TrainedParam> &params, const Optimiser &optimiser,
          const Settings &settings);

  /// Gradients are multiplied by `scale`. Leaves them cleared, for the next
  /// update. `norm` is set if it is needed. False, and nothing has changed: it
  /// is not finite.
  bool update(float scale, double rate, double &norm);

  /// Adds everything up in the first worker's gradients, for someone to read.
  void sum();

  /// Packs again what depends on any parameter, for all replicas.
  void repackAll();

  void discard();

private:
  Gradient &sumOf(uint32_t param) { return (*gradients[0])[param]; }
  void mergeTouched();
  void planSums();
  void planSteps(float scale, double rate);
  void run(int worker);
  double sumTask(const StepTask &task);
  void finishNorm();
  void forgetTouched();
  template <typename Do> void takeTasks(size_t count, Do run);

  Engine &engine;
  std::vector<std::unique_ptr<Gradients>> &gradients;
  std::vector<TrainedParam> &params;
  const Settings settings;
  ParamSteps paramSteps;
  Barrier barrier;

  // Of the update that runs.
  std::vector<StepTask> sums, steps;
  std::vector<PackTask> packs;
  std::vector<double> squares; ///< Of each task of `sums`.
  std::atomic<size_t> nextTask{0};
  GradientScale scale;
  bool isRefused = false;
  double norm = 0;
};

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_UPDATER_H
