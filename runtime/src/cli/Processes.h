//===- Processes.h - Processes of this program that run cells ---*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CLI_PROCESSES_H
#define AMPRT_SRC_CLI_PROCESSES_H

#include "Options.h"

#include <sys/types.h>
#include <vector>

namespace amprt::cli {

/// What --processes starts: for each worker but the first this program once
/// more, with the command serve. Must outlive the session.
class Processes {
public:
  Processes() = default;
  /// Waits until all have ended, which they do with their session.
  ~Processes();
  Processes(const Processes &) = delete;
  Processes &operator=(const Processes &) = delete;

  /// Starts them, if the options want some, for one session more. Statuses:
  /// resourceExhausted (no process).
  Status start(const Options &options, SessionOptions &session);

private:
  std::vector<pid_t> children;
};

} // namespace amprt::cli

#endif // AMPRT_SRC_CLI_PROCESSES_H
