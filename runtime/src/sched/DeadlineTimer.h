//===- DeadlineTimer.h - Ringing when a deadline passes ---------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_SCHED_DEADLINETIMER_H
#define AMPRT_SRC_SCHED_DEADLINETIMER_H

#include "sched/Attention.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace amprt {

/// Rings the bell soon after each deadline. A thread of its own does so, which
/// begins with the first deadline: workers read no clock for deadlines, and an
/// instance whose events never end is noticed as well as any other.
/// Thread-safe.
class DeadlineTimer {
public:
  using Clock = std::chrono::steady_clock;

  explicit DeadlineTimer(AttentionBell &bell) : bell(bell) {}
  ~DeadlineTimer();

  /// To be called before add. False: the system has no thread for it.
  [[nodiscard]] bool start();

  void add(Clock::time_point deadline);

private:
  void work();

  AttentionBell &bell;
  std::mutex mutex;
  std::condition_variable changed;
  std::priority_queue<Clock::time_point, std::vector<Clock::time_point>,
                      std::greater<>>
      deadlines; ///< Under `mutex`; the next one on top.
  bool stopped = false;
  std::thread thread;
};

} // namespace amprt

#endif // AMPRT_SRC_SCHED_DEADLINETIMER_H
