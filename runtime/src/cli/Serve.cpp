//===- Serve.cpp - The command serve: cells of another process's session --===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Loading.h"

#include <csignal>

namespace amprt::cli {

int serveCommand(const Options &options, const Model &model) {
  Console console(options);
  // Of the terminal's it is for the session's process to decide what to do:
  // its end is the end of this one.
  std::signal(SIGINT, SIG_IGN);
  Expected<Weights> weights = loadWeights(options, model, console);
  if (!weights) {
    console.error(weights.status().message());
    return exitUnusable;
  }
  Status status =
      serveCells(model, std::move(*weights), options.session, options.socket);
  if (status.ok())
    return exitOk;
  console.error(status.message());
  return exitUnusable;
}

} // namespace amprt::cli
