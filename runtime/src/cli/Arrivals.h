//===- Arrivals.h - Requests that come over time ----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CLI_ARRIVALS_H
#define AMPRT_SRC_CLI_ARRIVALS_H

#include "Options.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace amprt::cli {

/// Each call: when the next request arrives, in seconds from the start of the
/// run; they never descend. Nothing: there are no more times.
using Arrivals = std::function<std::optional<double>()>;

/// As --arrivals, --time-scale and --seed say. A file is read and checked as a
/// whole. Statuses: notFound, invalidArgument (with the line's number).
Expected<Arrivals> openArrivals(const Options &options);

/// Durations, in bounded memory: percentiles are at most 1 % too large, the
/// mean and the greatest are exact.
class Durations {
public:
  void add(double seconds);

  uint64_t count() const { return theCount; }
  double mean() const; ///< NaN if there are none, as are the others.
  /// What a share of `share` of them does not exceed (nearest rank).
  double percentile(double share) const;
  double max() const;

private:
  // Nanoseconds, exact below 256; then 128 buckets for each doubling.
  static size_t bucketOf(uint64_t nanoseconds);
  static uint64_t greatestIn(size_t bucket);

  std::array<uint64_t, 57 * 128 + 128> buckets = {};
  uint64_t theCount = 0, greatest = 0;
  double sum = 0; ///< Seconds.
};

/// What became of requests that arrived over time.
struct ArrivalCounts {
  Durations latencies;    ///< From the arrival to the end; of those that went
                          ///< well.
  double openSeconds = 0; ///< From being opened to the end, in sum.
  double waitingSeconds = 0; ///< From the arrival to being opened.

  void add(InstanceTimes::Clock::time_point arrival, const InstanceTimes &times,
           bool isOk);
};

} // namespace amprt::cli

#endif // AMPRT_SRC_CLI_ARRIVALS_H
