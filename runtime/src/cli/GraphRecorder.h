//===- GraphRecorder.h - Which activations need which -----------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CLI_GRAPHRECORDER_H
#define AMPRT_SRC_CLI_GRAPHRECORDER_H

#include "amprt/amprt.hpp"
#include "io/GraphFile.h"

#include <memory>
#include <random>
#include <unordered_set>
#include <vector>

namespace amprt::cli {

/// Finds out which activations of an instance need which. A depth is handed on
/// as the greatest of those that come together; so where each activation hands
/// on a number of its own instead, the one behind it sees one of its inputs:
/// that with the greatest number. The same instances are run again and again
/// with other numbers, until some runs in a row have shown no new input.
///
/// Everything is recorded that a model does, joins in its control flow
/// included; what is recorded is true; it is complete unless an input was
/// outranked in all runs, which the order of the numbers makes unlikely: mostly
/// those come first of which nothing new was seen for longest, so that the
/// inputs of an activation take turns.
class GraphRecorder final : DepthProbe {
public:
  /// `options`: limits; the rest is the recorder's affair.
  static Expected<std::unique_ptr<GraphRecorder>>
  create(const Model &model, const Weights &weights,
         const SessionOptions &options);

  /// Statuses: those of an instance that failed; internal (the runs differ).
  Expected<std::vector<RecordedInstance>>
  record(const std::vector<Values> &instances);

  int64_t runs() const { return runCount; }

private:
  struct Node {
    uint64_t instance; ///< Of those that run together.
    uint32_t cell;
    std::vector<uint32_t> inputs;
    int64_t lastNews = 0; ///< The run that last showed a use of it.
  };

  GraphRecorder() = default;
  uint32_t onReady(const ReadyEvent &event) override;
  Status run(const std::vector<Values> &instances);
  void renumber(int round);
  std::vector<RecordedInstance> graphs(size_t count) const;

  int64_t runCount = 0;
  std::minstd_rand random;
  std::vector<Node> nodes;        ///< In the order in which they became ready.
  std::vector<uint32_t> numbers;  ///< Of each node, from 1.
  std::vector<uint32_t> numbered; ///< The converse.
  // Of the run that is under way:
  size_t readyCount = 0;
  int64_t found = 0;                       ///< New inputs.
  bool differs = false;                    ///< From the run before.
  uint64_t submitted = 0, firstNumber = 0; ///< Instances, of all runs.
  std::unordered_set<uint64_t> known;      ///< Pairs of nodes.
  std::unique_ptr<Session> session;        ///< Last, so that it ends first.
};

/// Without inputs that another input needs as well.
void reduce(RecordedInstance &instance);

} // namespace amprt::cli

#endif // AMPRT_SRC_CLI_GRAPHRECORDER_H
