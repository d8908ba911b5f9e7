//===- TrainerImpl.h - The parts of a trainer -------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_TRAINERIMPL_H
#define AMPRT_SRC_TRAIN_TRAINERIMPL_H

#include "amprt/train.hpp"
#include "core/Counters.h"
#include "core/Engine.h"
#include "core/WeightsData.h"
#include "train/Averaging.h"
#include "train/Cut.h"
#include "train/Gradients.h"
#include "train/LocalUpdates.h"
#include "train/Optimiser.h"
#include "train/TrainedParams.h"
#include "train/Updater.h"

namespace amprt {

/// With the instance's line or number.
Status describeFailure(const std::vector<Example> &examples,
                       const ExampleFailure &failure);

class Trainer::Impl {
public:
  Impl(Model model, const TrainOptions &options)
      : model(std::move(model)), options(options) {}

  /// May throw std::bad_alloc.
  Status prepare(const Weights &from);

  /// Runs all examples and adds up their losses, in their order, whatever order
  /// they end in. Those that fail are in result.failures; then no gradient is
  /// left.
  void run(Entry entry, const std::vector<Example> &examples,
           EvaluateResult &result);

  /// The same, and again without those that fail, if that is wanted.
  Status runAll(Entry entry, const std::vector<Example> &examples,
                EvaluateResult &result);

  /// Whether the loss is a number; if not, no gradient is left.
  Status checkLoss(const EvaluateResult &result, const std::string &when);
  std::string nextUpdate() const {
    return "update " + std::to_string(updates + 1);
  }

  /// The replicas of all that is trained, their number and when they are
  /// averaged.
  Status prepareReplicas(const Weights &from, const SessionOptions &session,
                         TrainingParts &training);

  /// Gives each worker the updates of the parameters that its cells have.
  Status prepareAsync();
  Status checkFrequencies(LocalUpdates::Settings &settings) const;
  Status checkReadByControl(const std::vector<int32_t> &owners) const;

  /// Sees to it that cuts can be made.
  void prepareCuts();

  /// Returns when the instances have ended, and hands on the cuts that are made
  /// on the way.
  void waitAndCheckpoint();

  Status save(const std::string &path,
              const std::map<std::string, std::string> &notes,
              int64_t updatesSoFar);

  /// All replicas hold their average; all is quiet.
  void averageReplicas();

  /// What gradients are multiplied by.
  float scaleFor(int64_t instances) const {
    return options.reduction == Reduction::mean ? 1 / float(instances) : 1;
  }

  const Model model;
  const TrainOptions options;
  std::unique_ptr<Optimiser> optimiser;
  std::vector<Replica> replicas; ///< One, unless asynchronous.
  std::vector<TrainedParam> &params() { return replicas.front().params; }
  WeightsAccess::Data &weights() { return *replicas.front().weights; }
  std::vector<std::unique_ptr<Gradients>> gradients; ///< One a worker.
  std::unique_ptr<Engine> engine;
  std::unique_ptr<Updater> updater;
  std::vector<std::unique_ptr<LocalUpdates>> local; ///< One a worker, if async.
  std::unique_ptr<Averaging> averaging;             ///< With several replicas.
  std::unique_ptr<Cut> cut;                         ///< If asynchronous.
  PassProgress resumed; ///< Of the pass that goes on, if it has instances.
  const Trainer *trainer = nullptr;
  int64_t checkpoints = 0; ///< Amid passes.
  Status checkpointStatus; ///< Of the first that failed, in a pass.
  int64_t updates = 0;
  uint64_t instances = 0; ///< That went into them.
  Stats baseline;         ///< What was counted before the last reset.
};

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_TRAINERIMPL_H
