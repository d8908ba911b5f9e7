//===- Counters.h - What workers count --------------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CORE_COUNTERS_H
#define AMPRT_SRC_CORE_COUNTERS_H

#include "amprt/amprt.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

namespace amprt {

inline int64_t nanosecondsBetween(std::chrono::steady_clock::time_point from,
                                  std::chrono::steady_clock::time_point to) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(to - from)
      .count();
}

/// A number that one thread changes and any thread reads. Costs what a plain
/// number costs: no read-modify-write is atomic here.
class Counter {
public:
  void add(int64_t n) { set(get() + n); }
  void set(int64_t n) { value.store(n, std::memory_order_relaxed); }
  int64_t get() const { return value.load(std::memory_order_relaxed); }

private:
  std::atomic<int64_t> value{0};
};

struct CellCounters {
  static constexpr int histogramSize = 32;
  Counter batches, activations, rows, nanoseconds;
  Counter histogram[histogramSize]; ///< As CellStats::histogram.
};

struct WorkerCounters {
  explicit WorkerCounters(size_t cellCount) : cells(cellCount) {}

  Counter instances, failed, frames, nanoseconds, messages;
  Counter peakArenaBytes, peakRowBytes;
  Counter waitingNanoseconds;            ///< As WorkerStats has them.
  Counter looks, received, mostReceived; ///< The same.
  Counter meetings, meetingNanoseconds, longestMeeting; ///< The same.
  std::vector<CellCounters> cells;

  void countReceived(int64_t messages) {
    looks.add(1);
    received.add(messages);
    if (messages > mostReceived.get())
      mostReceived.set(messages);
  }

  void countMeeting(int64_t nanoseconds) {
    meetings.add(1);
    meetingNanoseconds.add(nanoseconds);
    if (nanoseconds > longestMeeting.get())
      longestMeeting.set(nanoseconds);
  }

  void countBatch(uint32_t cell, int64_t activations, int64_t rows,
                  int64_t nanoseconds) {
    CellCounters &counters = cells[cell];
    counters.batches.add(1);
    counters.activations.add(activations);
    counters.rows.add(rows);
    counters.nanoseconds.add(nanoseconds);
    int size =
        activations <= 1 ? 0 : 64 - __builtin_clzll(uint64_t(activations) - 1);
    counters
        .histogram[size < CellCounters::histogramSize
                       ? size
                       : CellCounters::histogramSize - 1]
        .add(1);
  }
};

/// Adds a worker's counts to `stats`, whose cells must be there.
void addTo(Stats &stats, const WorkerCounters &counters);

/// Takes `earlier` away, but for the peaks.
void subtractFrom(Stats &stats, const Stats &earlier);

/// No counts, but every cell with its name.
Stats emptyStats(const amprt_model_t &model);

} // namespace amprt

#endif // AMPRT_SRC_CORE_COUNTERS_H
