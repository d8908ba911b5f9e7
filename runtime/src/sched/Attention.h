//===- Attention.h - Having all workers look up -----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_SCHED_ATTENTION_H
#define AMPRT_SRC_SCHED_ATTENTION_H

#include <functional>
#include <mutex>

namespace amprt {

/// Rung when something has changed that workers must look at between two events
/// or batches. Who rings may hold it for longer than there are workers.
/// Thread-safe.
class AttentionBell {
public:
  void ring() {
    std::lock_guard<std::mutex> lock(mutex);
    if (answer)
      answer();
  }

  /// What is done when it rings; null: nothing. When this returns, the one
  /// before is not called any more.
  void connect(std::function<void()> newAnswer) {
    std::lock_guard<std::mutex> lock(mutex);
    answer = std::move(newAnswer);
  }

private:
  std::mutex mutex;
  std::function<void()> answer; ///< Under `mutex`.
};

} // namespace amprt

#endif // AMPRT_SRC_SCHED_ATTENTION_H
