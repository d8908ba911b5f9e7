//===- TrainLog.h - What train tells on the way -----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CLI_TRAINLOG_H
#define AMPRT_SRC_CLI_TRAINLOG_H

#include "Console.h"
#include "TrainState.h"
#include "io/File.h"

#include <optional>

namespace amprt::cli {

/// Writes --metrics and --output, and the notes for people. A run that resumes
/// goes on behind what was written up to its checkpoint, so that the files are
/// those of a run that was never interrupted, but for times.
class TrainLog {
public:
  TrainLog(const Options &theOptions, Console &theConsole)
      : options(theOptions), console(theConsole) {}

  /// Statuses: invalidArgument (a file cannot be written).
  Status open(const TrainState &state, bool isResumed);

  /// After an update: `state` has it in its sums. Ends a group if it is full.
  void update(const UpdateResult &result, int64_t number, TrainState &state);

  /// After an epoch; `dev`: its loss, if there is any.
  void epoch(const Trainer &trainer, const TrainState &state,
             const std::optional<EvaluateResult> &dev, bool isBest);

  /// At the end of asynchronous training: updates and staleness of each
  /// parameter; what each worker did with its time, and the messages that
  /// waited for it.
  void parameters(const Trainer &trainer);
  void workers(const Stats &stats);

  /// Forces out what was written, and notes how much that is.
  Status flush(TrainState &state);
  Status close();

private:
  void writeMetrics(const std::string &line);

  const Options &options;
  Console &console;
  OutputFile metrics, losses;
  int64_t metricsBytes = 0, lossBytes = 0;
  bool hasMetrics = false, hasLosses = false;
  double groupSeconds = 0, epochSeconds = 0; ///< In updates, of this process.
  int64_t groupInstances = 0, epochInstances = 0; ///< In those seconds.
};

} // namespace amprt::cli

#endif // AMPRT_SRC_CLI_TRAINLOG_H
