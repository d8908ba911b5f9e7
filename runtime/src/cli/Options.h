//===- Options.h - The command line of a compiled model ---------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CLI_OPTIONS_H
#define AMPRT_SRC_CLI_OPTIONS_H

#include "amprt/train.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace amprt::cli {

/// How the program ends. An interrupted run ends with 128 + the signal.
enum ExitStatus : int {
  exitOk = 0,
  exitInstancesFailed = 1, ///< Some instances had errors; the others are fine.
  exitUnusable =
      2, ///< Options, weights or files: nothing, or not all, was done.
};

enum class Command { run, train, bench, serve, info };

/// A schedule as it was written: numbers of updates may be given in epochs, and
/// are known when the data is.
struct ScheduleText {
  ScheduleOptions::Kind kind = ScheduleOptions::Kind::constant;
  double period = 0; ///< 0: all of the run.
  bool inEpochs = false;
  double factor = 1, least = 0;
};

/// What only train and bench --train read.
struct TrainingOptions {
  std::string data, dev;
  std::optional<int64_t> epochs; ///< 1, if there are no `updates` either.
  std::optional<int64_t> updates;
  int64_t batch = 32;
  bool shuffle = true;
  std::string mode = "sync"; ///< Or "async".
  AsyncOptions async;        ///< All but scheduleBatch, which is `batch`.
  bool hasUpdateFrequency = false; ///< --min-update-frequency was given.
  TrainOptions trainer;      ///< All but its session, its schedule and `async`.

  bool isAsync() const { return mode == "async"; }
  ScheduleText schedule;
  int64_t warmup = 0;
  std::string losses, metrics, saveWeights; ///< Files; empty: none.
  int64_t logEvery = 50;                    ///< Updates.
  std::string checkpoint;                   ///< A folder; empty: none.
  int64_t checkpointEvery = 0;              ///< Updates; 0: after each epoch.
  int keep = 3;
  bool resume = false;
  int64_t patience = 0; ///< 0: never stop early.
};

/// What the user asked for; each command reads what concerns it.
struct Options {
  std::string program; ///< The program's name, for messages.
  Command command = Command::run;

  // run and bench
  std::string input = "-";
  std::string weights; ///< Empty: all parameters from the seed.
  uint64_t seed = 1;
  int64_t skip = 0;
  int64_t limit = std::numeric_limits<int64_t>::max();
  bool strict = false;
  bool quiet = false;
  std::string trace; ///< Empty: none.
  bool lowerBound = false;
  SessionOptions session;       ///< All but `record` and `replay`.
  Entry entry = Entry::predict; ///< What instances run: predict or evaluate.

  bool processes = false; ///< Workers but the first are processes.

  // serve
  int socket = -1;

  // run and train
  std::string record, replay; ///< Files; empty: none.

  // info
  int placedWorkers = 0; ///< 0: say nothing of placement.

  // run
  std::string output = "-";
  std::string stats;    ///< Empty: none.
  std::string arrivals; ///< Empty: all instances are there at once.
  double timeScale = 1; ///< What arrival times are divided by.

  // bench
  int repeats = 3;
  int warmup = 1;
  bool latency = false;
  std::string recordGraph;     ///< Empty: none.
  std::string placementOutput; ///< Empty: none.

  // train, and bench --train
  bool benchTrain = false;
  TrainingOptions training;

  // bench and info
  bool json = false;
};

/// Reads the command line. Where the program has nothing more to do (help,
/// version, an error: all are printed), the exit status it shall end with.
std::optional<int> parseOptions(int argc, char **argv,
                                const amprt_model_t &model, Options &options);

} // namespace amprt::cli

#endif // AMPRT_SRC_CLI_OPTIONS_H
