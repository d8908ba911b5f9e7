//===- Interrupt.h - Stopping a run from outside ----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CLI_INTERRUPT_H
#define AMPRT_SRC_CLI_INTERRUPT_H

#include <atomic>
#include <chrono>
#include <csignal>

namespace amprt::cli {

/// While one exists, the first SIGINT or SIGTERM makes its descriptor readable
/// and the next one ends the process as usual; and writing to a closed pipe is
/// an error, not a signal. At most one at a time.
class Interrupt {
public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt &) = delete;
  Interrupt &operator=(const Interrupt &) = delete;

  /// -1 where the system had none left: then nothing is caught.
  int descriptor() const { return pipeEnds[0]; }
  /// Makes the descriptor readable without a signal.
  void stop();
  /// Whether the descriptor is readable.
  bool stopped() const;
  /// Sleeps until then, not a moment less; false as soon as it is stopped.
  bool sleepUntil(std::chrono::steady_clock::time_point time) const;
  /// The signal that came, or 0.
  int signal() const;

private:
  std::atomic<bool> stopAsked{false};
  int pipeEnds[2] = {-1, -1};
  struct sigaction before[3] = {}; ///< Of SIGINT, SIGTERM, SIGPIPE.
};

} // namespace amprt::cli

#endif // AMPRT_SRC_CLI_INTERRUPT_H
