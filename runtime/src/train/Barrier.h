//===- Barrier.h - Where workers wait for each other ------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_BARRIER_H
#define AMPRT_SRC_TRAIN_BARRIER_H

#include "core/Pause.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace amprt {

/// Lets `count` threads go on when all have come. May be used again and again.
/// Thread-safe.
class Barrier {
public:
  /// Who waits looks so often for the others before it sleeps: worth it where
  /// all are awake and near.
  explicit Barrier(size_t count, int looks = 0)
      : count(count), looks(looks), left(count) {}

  /// The last thread to come calls `then` before any goes on.
  template <typename Then> void wait(Then then) {
    uint64_t mine;
    {
      std::lock_guard<std::mutex> lock(mutex);
      mine = round.load(std::memory_order_relaxed);
      if (--left == 0) {
        then();
        left = count;
        round.store(mine + 1, std::memory_order_release);
        allHere.notify_all();
        return;
      }
    }
    for (int i = 0; i < looks; ++i) {
      if (round.load(std::memory_order_acquire) != mine)
        return;
      pauseBriefly();
    }
    std::unique_lock<std::mutex> lock(mutex);
    allHere.wait(lock, [&] { return round != mine; });
  }
  void wait() {
    wait([] {});
  }

private:
  const size_t count;
  const int looks;
  std::mutex mutex;
  std::condition_variable allHere;
  size_t left;                    ///< Under `mutex`.
  std::atomic<uint64_t> round{0}; ///< How often all have come; changed under
                                  ///< `mutex`.
};

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_BARRIER_H
