//===- DecisionLog.h - What a worker did, to do it again --------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_MSG_DECISIONLOG_H
#define AMPRT_SRC_MSG_DECISIONLOG_H

#include <cstdint>
#include <vector>

namespace amprt {

/// What a worker did next. All else that it does follows from these and from
/// what it was sent, so workers that decide the same do the same, to the bit.
struct Decision {
  enum class Kind : uint32_t {
    receive, ///< `count` messages from worker `from`.
    open,    ///< `count` instances, from number `from` on.
    batch,   ///< The policy's, of `count` activations of cell `from`.
    meet,    ///< All workers, for meeting number `from`.
  } kind;
  uint64_t from;
  uint64_t count;
};

/// The decisions of one worker, in their order. Used by its thread alone while
/// it runs.
class DecisionLog {
public:
  DecisionLog() = default;
  /// To be repeated.
  explicit DecisionLog(std::vector<Decision> decisions)
      : isReplay(true), decisions(std::move(decisions)) {}

  void record(Decision::Kind kind, uint64_t from, uint64_t count) {
    decisions.push_back({kind, from, count});
  }

  /// The next one to repeat; null: there is none left.
  const Decision *next() const {
    return position < decisions.size() ? &decisions[position] : nullptr;
  }
  void advance() { ++position; }

  const std::vector<Decision> &all() const { return decisions; }

  const bool isReplay = false;

private:
  std::vector<Decision> decisions;
  size_t position = 0;
};

} // namespace amprt

#endif // AMPRT_SRC_MSG_DECISIONLOG_H
