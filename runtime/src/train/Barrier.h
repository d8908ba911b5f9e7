//===- Barrier.h - Where workers wait for each other ------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_BARRIER_H
#define AMPRT_SRC_TRAIN_BARRIER_H

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace amprt {

/// Lets `count` threads go on when all have come. May be used again and again.
/// Thread-safe.
class Barrier {
public:
  explicit Barrier(size_t count) : count(count), left(count) {}

  /// The last thread to come calls `then` before any goes on.
  template <typename Then> void wait(Then then) {
    std::unique_lock<std::mutex> lock(mutex);
    if (--left == 0) {
      then();
      left = count;
      ++round;
      allHere.notify_all();
      return;
    }
    uint64_t mine = round;
    allHere.wait(lock, [&] { return round != mine; });
  }
  void wait() {
    wait([] {});
  }

private:
  const size_t count;
  std::mutex mutex;
  std::condition_variable allHere;
  size_t left;        ///< Under `mutex`, as all below.
  uint64_t round = 0; ///< How often all have come.
};

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_BARRIER_H
