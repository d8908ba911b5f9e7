//===- Counters.cpp - What workers count ----------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Counters.h"

#include <algorithm>

namespace amprt {

static constexpr double secondsOf(int64_t nanoseconds) {
  return double(nanoseconds) * 1e-9;
}

Stats emptyStats(const amprt_model_t &model) {
  Stats stats;
  stats.cells.resize(model.cell_count);
  for (uint32_t i = 0; i < model.cell_count; ++i) {
    stats.cells[i].name = model.cells[i].name;
    stats.cells[i].histogram.resize(CellCounters::histogramSize);
  }
  return stats;
}

void addTo(Stats &stats, const WorkerCounters &counters) {
  stats.instances += counters.instances.get();
  stats.failed += counters.failed.get();
  stats.frames += counters.frames.get();
  stats.workerSeconds += secondsOf(counters.nanoseconds.get());
  stats.peakArenaBytes =
      std::max(stats.peakArenaBytes, counters.peakArenaBytes.get());
  stats.peakRowBytes =
      std::max(stats.peakRowBytes, counters.peakRowBytes.get());
  stats.messages += counters.messages.get();
  WorkerStats &worker = stats.workers.emplace_back();
  worker.messages = counters.messages.get();
  worker.seconds = secondsOf(counters.nanoseconds.get());
  worker.waitingSeconds = secondsOf(counters.waitingNanoseconds.get());
  worker.looks = counters.looks.get();
  worker.received = counters.received.get();
  worker.mostReceived = counters.mostReceived.get();
  worker.meetings = counters.meetings.get();
  worker.meetingSeconds = secondsOf(counters.meetingNanoseconds.get());
  worker.longestMeetingSeconds = secondsOf(counters.longestMeeting.get());
  for (size_t i = 0; i < counters.cells.size(); ++i) {
    const CellCounters &from = counters.cells[i];
    CellStats &to = stats.cells[i];
    to.batches += from.batches.get();
    to.activations += from.activations.get();
    to.rows += from.rows.get();
    to.seconds += secondsOf(from.nanoseconds.get());
    for (size_t size = 0; size < to.histogram.size(); ++size)
      to.histogram[size] += from.histogram[size].get();
    worker.batches += from.batches.get();
    worker.activations += from.activations.get();
    worker.cellSeconds += secondsOf(from.nanoseconds.get());
    stats.batches += from.batches.get();
    stats.activations += from.activations.get();
    stats.cellSeconds += secondsOf(from.nanoseconds.get());
  }
}

void subtractFrom(Stats &stats, const Stats &earlier) {
  stats.instances -= earlier.instances;
  stats.failed -= earlier.failed;
  stats.frames -= earlier.frames;
  stats.batches -= earlier.batches;
  stats.activations -= earlier.activations;
  stats.workerSeconds -= earlier.workerSeconds;
  stats.cellSeconds -= earlier.cellSeconds;
  stats.messages -= earlier.messages;
  for (size_t i = 0; i < earlier.workers.size(); ++i) {
    WorkerStats &worker = stats.workers[i];
    worker.batches -= earlier.workers[i].batches;
    worker.activations -= earlier.workers[i].activations;
    worker.messages -= earlier.workers[i].messages;
    worker.seconds -= earlier.workers[i].seconds;
    worker.cellSeconds -= earlier.workers[i].cellSeconds;
    worker.waitingSeconds -= earlier.workers[i].waitingSeconds;
    worker.looks -= earlier.workers[i].looks;
    worker.received -= earlier.workers[i].received;
    worker.meetings -= earlier.workers[i].meetings;
    worker.meetingSeconds -= earlier.workers[i].meetingSeconds;
  }
  for (size_t i = 0; i < stats.cells.size(); ++i) {
    CellStats &cell = stats.cells[i];
    const CellStats &before = earlier.cells[i];
    cell.batches -= before.batches;
    cell.activations -= before.activations;
    cell.rows -= before.rows;
    cell.seconds -= before.seconds;
    for (size_t size = 0; size < cell.histogram.size(); ++size)
      cell.histogram[size] -= before.histogram[size];
  }
}

} // namespace amprt
