//===- TrainState.h - Where a run of training is ----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CLI_TRAINSTATE_H
#define AMPRT_SRC_CLI_TRAINSTATE_H

#include "Options.h"

#include <map>
#include <string>

namespace amprt::cli {

/// Sums over some updates.
struct LossCounts {
  double loss = 0; ///< Sum over instances.
  int64_t instances = 0, updates = 0;

  void add(const UpdateResult &result) {
    loss += result.lossSum;
    instances += result.instances;
    ++updates;
  }
  double mean() const {
    return instances ? loss / static_cast<double>(instances) : 0;
  }
};

/// All of a run but the trainer: what a checkpoint must know so that the run
/// goes on as if nothing had been.
struct TrainState {
  using Notes = std::map<std::string, std::string>;

  int64_t epoch = 0;    ///< That runs, from 0.
  int64_t position = 0; ///< Instances of it that are done.
  LossCounts inEpoch, inGroup;
  double bestDev = 0; ///< If there was any.
  int64_t bestUpdate = -1;
  int64_t sinceBest = 0;                   ///< Epochs without a better one.
  int64_t metricsBytes = 0, lossBytes = 0; ///< Of those files.

  void write(Notes &notes) const;
  /// Statuses: invalidArgument (something is missing).
  Status read(const Notes &notes);
};

/// What a run may not change when it resumes.
TrainState::Notes settingsOf(const Options &options,
                             const ScheduleOptions &schedule, size_t instances,
                             uint64_t checksum);

/// Statuses: failedPrecondition, with the setting that differs.
Status compareSettings(const TrainState::Notes &settings,
                       const TrainState::Notes &notes, const std::string &path);

} // namespace amprt::cli

#endif // AMPRT_SRC_CLI_TRAINSTATE_H
