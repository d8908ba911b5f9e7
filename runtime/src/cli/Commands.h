//===- Commands.h - The commands of a compiled model ------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each prints what it has to say and returns the program's exit status.
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CLI_COMMANDS_H
#define AMPRT_SRC_CLI_COMMANDS_H

#include "Options.h"

namespace amprt::cli {

int runCommand(const Options &options, const Model &model);
int trainCommand(const Options &options, const Model &model);
int benchTrainCommand(const Options &options, const Model &model);
int benchCommand(const Options &options, const Model &model);
int serveCommand(const Options &options, const Model &model);
int infoCommand(const Options &options, const Model &model);

} // namespace amprt::cli

#endif // AMPRT_SRC_CLI_COMMANDS_H
