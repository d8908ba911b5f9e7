//===- Options.h - The command line of a compiled model ---------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CLI_OPTIONS_H
#define AMPRT_SRC_CLI_OPTIONS_H

#include "amprt/amprt.hpp"

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

enum class Command { run, bench, info };

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
  SessionOptions session;
  Entry entry = Entry::predict; ///< What instances run: predict or evaluate.

  // run
  std::string output = "-";
  std::string stats;    ///< Empty: none.
  std::string arrivals; ///< Empty: all instances are there at once.
  double timeScale = 1; ///< What arrival times are divided by.

  // bench
  int repeats = 3;
  int warmup = 1;
  bool latency = false;
  std::string recordGraph; ///< Empty: none.

  // bench and info
  bool json = false;
};

/// Reads the command line. Where the program has nothing more to do (help,
/// version, an error: all are printed), the exit status it shall end with.
std::optional<int> parseOptions(int argc, char **argv,
                                const amprt_model_t &model, Options &options);

} // namespace amprt::cli

#endif // AMPRT_SRC_CLI_OPTIONS_H
