//===- Sleeper.h - A worker that may have to be woken -----------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_MSG_SLEEPER_H
#define AMPRT_SRC_MSG_SLEEPER_H

#include <atomic>
#include <functional>

namespace amprt {

/// Whether a worker sleeps, and how it is woken. Shared by all that may send it
/// something.
struct Sleeper {
  alignas(64) std::atomic<bool> isAsleep{false};
  std::function<void()> wake; ///< Thread-safe.

  /// For who has just made something visible to it. Either this sees that it
  /// has fallen asleep, or it, which looks once more before it does, sees that.
  void wakeIfAsleep() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (isAsleep.load(std::memory_order_relaxed))
      wake();
  }
};

} // namespace amprt

#endif // AMPRT_SRC_MSG_SLEEPER_H
