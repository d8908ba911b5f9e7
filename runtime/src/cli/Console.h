//===- Console.h - What the program tells its user --------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CLI_CONSOLE_H
#define AMPRT_SRC_CLI_CONSOLE_H

#include "Options.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace amprt::cli {

/// Writes messages to standard error, one whole line at a time. Thread-safe.
class Console {
public:
  explicit Console(const Options &options);
  ~Console();

  /// "program: message": why the program cannot do what it was asked to.
  void error(const std::string &message);
  /// The same for one instance. After maxInstanceErrors of them they are only
  /// counted.
  void instanceError(uint64_t lineNumber, const std::string &message);
  static constexpr uint64_t maxInstanceErrors = 20;
  /// Something good to know; nothing with --quiet.
  void note(const std::string &message);

  /// Shows progress from 0 to `total` on standard error; nothing with --quiet,
  /// where that is no terminal, or the output goes to the same terminal.
  void startProgress(uint64_t total, bool outputIsTerminal);
  void progress(uint64_t now);
  void endProgress();

private:
  class Bar;
  void print(const std::string &message);

  std::mutex mutex;
  std::string program;
  bool quiet;
  uint64_t instanceErrors = 0;
  std::unique_ptr<Bar> bar;
};

/// "a, b, c".
std::string joined(const std::vector<std::string> &names);

} // namespace amprt::cli

#endif // AMPRT_SRC_CLI_CONSOLE_H
