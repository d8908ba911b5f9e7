//===- Report.h - Statistics, for people and for programs -------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CLI_REPORT_H
#define AMPRT_SRC_CLI_REPORT_H

#include "Options.h"
#include "sched/LowerBound.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace amprt::cli {

/// Time outside of cells for each activation, in ns; NaN without activations or
/// where cells were not timed.
double outsideNsPerActivation(const Stats &stats);

/// Batches by size over all cells: [0] holds size 1, [i] sizes in
/// (2^(i-1), 2^i].
std::vector<int64_t> totalHistogram(const Stats &stats);

/// {"batch": batches}, for the sizes that occur: "1", "2", "3-4", "5-8", ...
nlohmann::ordered_json histogramJson(const std::vector<int64_t> &histogram);

/// The options that matter for speed: policy, workers, limits.
void addSettings(nlohmann::ordered_json &json, const Options &options,
                 const amprt_model_t &model);

/// What Stats has, with derived figures; times only where cells were timed.
void addStats(nlohmann::ordered_json &json, const Stats &stats,
              const amprt_model_t &model);

/// A worker's, number `number`: shares of its time, its messages and those that
/// waited for it.
nlohmann::ordered_json workerJson(const WorkerStats &worker, size_t number);
/// A line for each worker.
std::string workersText(const Stats &stats);

/// Batches that `stats` needed at least, over all cells.
int64_t totalBound(const LowerBound &bound, const Stats &stats);

/// The bound, and what was launched over it, to what addStats has written.
void addLowerBound(nlohmann::ordered_json &json, const LowerBound &bound,
                   const Stats &stats);

/// A line.
std::string lowerBoundText(const LowerBound &bound, const Stats &stats);

/// The text; what is not UTF-8 is replaced. `indent` -1: one line.
std::string dumpJson(const nlohmann::ordered_json &json, int indent = -1);

/// Columns padded to their widest text; those of `left` to the left, the others
/// to the right. The first row is the head.
std::string table(const std::vector<std::vector<std::string>> &rows,
                  size_t left);

/// 1234567.8 as "1,234,568".
std::string grouped(double number);
/// A number of bytes: "17 KiB".
std::string bytesText(double bytes);

/// The table of cells, the batch sizes and the like.
std::string statsText(const Stats &stats);

/// What the largest instance took: its arena, and its rows alone. One line,
/// without its end.
std::string memoryText(const Stats &stats);

} // namespace amprt::cli

#endif // AMPRT_SRC_CLI_REPORT_H
