//===- DeadlineTimer.cpp - Ringing when a deadline passes -----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sched/DeadlineTimer.h"

#include <system_error>

namespace amprt {

// Workers look through all their instances when it rings, so it does so no more
// often than this, however many deadlines there are.
static constexpr std::chrono::microseconds leastInterval(500);

DeadlineTimer::~DeadlineTimer() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopped = true;
  }
  changed.notify_all();
  if (thread.joinable())
    thread.join();
}

bool DeadlineTimer::start() {
  std::lock_guard<std::mutex> lock(mutex);
  if (thread.joinable())
    return true;
  try {
    thread = std::thread([this] { work(); });
    return true;
  } catch (const std::system_error &) {
    return false;
  }
}

void DeadlineTimer::add(Clock::time_point deadline) {
  std::lock_guard<std::mutex> lock(mutex);
  bool isNext = deadlines.empty() || deadline < deadlines.top();
  deadlines.push(deadline);
  if (isNext)
    changed.notify_all();
}

void DeadlineTimer::work() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!stopped) {
    if (deadlines.empty()) {
      changed.wait(lock);
      continue;
    }
    Clock::time_point next = deadlines.top(), now = Clock::now();
    if (now < next) {
      changed.wait_until(lock, next);
      continue;
    }
    while (!deadlines.empty() && deadlines.top() <= now)
      deadlines.pop();
    lock.unlock();
    bell.ring();
    lock.lock();
    changed.wait_for(lock, leastInterval, [this] { return stopped; });
  }
}

} // namespace amprt
