//===- CopyFirst.h - Copies what is about to change -------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_COPYFIRST_H
#define AMPRT_SRC_TRAIN_COPYFIRST_H

#include "core/Pause.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace amprt {

/// Parameters of one worker that must be copied as they are now, but not at
/// once: by the worker before it changes one, or by another thread that has the
/// time. So a cut costs the worker no more than the copies of what it changes
/// next. Marked by the worker, or while all is quiet; else thread-safe.
class CopyFirst {
public:
  explicit CopyFirst(size_t params) : states(params) {}
  virtual ~CopyFirst() = default;

  /// The worker, before it changes the parameter, its optimiser's state or its
  /// gradient.
  void beforeChange(uint32_t param) {
    if (__builtin_expect(
            states[param].load(std::memory_order_acquire) != State::none, 0))
      settle(param);
  }

  /// Returns when the parameter is copied, if it was marked.
  void settle(uint32_t param) {
    State found = State::wanted;
    if (states[param].compare_exchange_strong(found, State::copying,
                                              std::memory_order_acq_rel)) {
      copy(param);
      states[param].store(State::none, std::memory_order_release);
      return;
    }
    while (states[param].load(std::memory_order_acquire) == State::copying)
      pauseBriefly();
  }

protected:
  void mark(uint32_t param) {
    states[param].store(State::wanted, std::memory_order_release);
  }

private:
  virtual void copy(uint32_t param) = 0;

  enum class State : uint8_t { none, wanted, copying };
  std::vector<std::atomic<State>> states; ///< By parameter.
};

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_COPYFIRST_H
