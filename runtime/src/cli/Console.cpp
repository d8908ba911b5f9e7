//===- Console.cpp - What the program tells its user ----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Console.h"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

#if __has_include(<boost/timer/progress_display.hpp>)
#include <boost/timer/progress_display.hpp>
#define AMPRT_HAS_PROGRESS 1
#endif

namespace amprt::cli {

/// Boost's bar, which counts up from 0; no bar where Boost was not there.
class Console::Bar {
public:
#ifdef AMPRT_HAS_PROGRESS
  explicit Bar(uint64_t total) : display(total, std::cerr, "", "", "") {}
  void moveTo(uint64_t now) {
    if (now > display.count() && now <= display.expected_count())
      display += now - display.count();
  }
  bool full() const { return display.count() >= display.expected_count(); }

private:
  boost::timer::progress_display display;
#else
  explicit Bar(uint64_t) {}
  void moveTo(uint64_t) {}
  bool full() const { return true; }
#endif
};

Console::Console(const Options &options)
    : program(options.program), quiet(options.quiet) {}
Console::~Console() = default;

void Console::print(const std::string &message) {
  std::lock_guard<std::mutex> lock(mutex);
  // One call, so that lines of several processes do not mix.
  std::string line = (bar && !bar->full() ? "\n" : "") + message + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void Console::error(const std::string &message) {
  print(program + ": " + message);
}

void Console::instanceError(uint64_t lineNumber, const std::string &message) {
  uint64_t number;
  {
    std::lock_guard<std::mutex> lock(mutex);
    number = ++instanceErrors;
  }
  if (number <= maxInstanceErrors)
    print(fmt::format("{}: line {}: {}", program, lineNumber, message));
  else if (number == maxInstanceErrors + 1)
    print(program + ": more instances failed; their errors are only counted");
}

void Console::note(const std::string &message) {
  if (!quiet)
    print(program + ": " + message);
}

void Console::startProgress(uint64_t total, bool outputIsTerminal) {
  if (!quiet && total != 0 && !outputIsTerminal && ::isatty(STDERR_FILENO))
    bar = std::make_unique<Bar>(total);
}

void Console::progress(uint64_t now) {
  if (!bar)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  bar->moveTo(now);
}

void Console::endProgress() {
  std::lock_guard<std::mutex> lock(mutex);
  if (bar && !bar->full())
    std::fputc('\n', stderr);
  bar.reset();
}

std::string joined(const std::vector<std::string> &names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace amprt::cli
