//===- observer.h - Looking on while a session runs -------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_OBSERVER_H
#define AMPRT_OBSERVER_H

#include "amprt/status.h"

#include <chrono>
#include <cstdint>

namespace amprt {

/// When an instance came by; the steady clock's epoch where it did not, or
/// where nobody asked for times.
struct InstanceTimes {
  using Clock = std::chrono::steady_clock;
  Clock::time_point submitted, ///< submit was called: before it may block.
      opened,                  ///< A worker took it up.
      ended;                   ///< Its result is there.
};

/// A batch that has run.
struct BatchEvent {
  int worker;    ///< From 0.
  uint32_t cell; ///< Its number in the model.
  std::chrono::steady_clock::time_point begin,
      end; ///< Of its compute function.
  int64_t activations, rows;
  uint32_t depthMin, depthMax; ///< Of the activations.
};

/// An instance that was opened and has ended.
struct InstanceEvent {
  int worker;      ///< From 0.
  uint64_t number; ///< In the order of submission, from 0.
  InstanceTimes times;
  const Status &status;
};

/// Is told what a session does: traces, metrics. Called on the workers'
/// threads, several at a time, and holds them up for as long as it takes.
/// Exceptions may not leave it. After Session::wait() all that has ended has
/// been told.
class SessionObserver {
public:
  virtual ~SessionObserver() = default;
  virtual void onBatch(const BatchEvent &event) = 0;
  virtual void onInstance(const InstanceEvent &event) = 0;
};

} // namespace amprt

#endif // AMPRT_OBSERVER_H
