//===- OptionParts.h - Parts of the command line ----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CLI_OPTIONPARTS_H
#define AMPRT_SRC_CLI_OPTIONPARTS_H

#include "Options.h"

#include <CLI/CLI.hpp>

namespace amprt::cli {

/// A check that does not write its bounds into the help.
template <typename T> CLI::Validator between(T least, T most) {
  return CLI::Range(least, most).description("");
}

/// Options of train alone.
void addTrainOptions(CLI::App &command, Options &options);

/// How weights are updated: of train, and of bench with `needed`.
void addUpdateOptions(CLI::App &command, TrainingOptions &training,
                      CLI::Option *needed = nullptr);

/// "constant", "step:N:FACTOR", "exponential:N:FACTOR", "cosine[:N[:LEAST]]".
/// Statuses: invalidArgument.
Expected<ScheduleText> parseSchedule(const std::string &text);

} // namespace amprt::cli

#endif // AMPRT_SRC_CLI_OPTIONPARTS_H
