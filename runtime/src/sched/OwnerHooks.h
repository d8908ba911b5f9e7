//===- OwnerHooks.h - Who owns parameters is told of instances --*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_SCHED_OWNERHOOKS_H
#define AMPRT_SRC_SCHED_OWNERHOOKS_H

#include <atomic>
#include <cstdint>
#include <vector>

namespace amprt {

/// What the hooks remember of an instance, at one worker.
using OwnerNotes = std::vector<uint32_t>;

/// Is told by a worker, on its thread and between two batches, which instances
/// come and go there. One a worker.
class OwnerHooks {
public:
  virtual ~OwnerHooks() = default;

  /// An instance is new here: it was opened, or its first activation has come.
  virtual void begin(OwnerNotes &notes) = 0;

  /// It has ended, and nothing of it will come any more.
  virtual void end(const OwnerNotes &notes) = 0;

  /// Instances that have ended at their homes, of which the word is on its way.
  /// Exact while all workers meet.
  std::atomic<int64_t> endsUnderWay{0};
};

} // namespace amprt

#endif // AMPRT_SRC_SCHED_OWNERHOOKS_H
