//===- ResultWriter.h - Results in the order of their instances -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CLI_RESULTWRITER_H
#define AMPRT_SRC_CLI_RESULTWRITER_H

#include "Arrivals.h"
#include "Console.h"
#include "amprt/amprt.hpp"
#include "io/File.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace amprt::cli {

/// An instance that has been read: it failed already, or will have a result.
struct Pending {
  uint64_t line = 0;      ///< Of the input.
  uint64_t bytesRead = 0; ///< Of the input, up to the end of the line.
  Status status;
  std::future<Result> result; ///< Valid if `status` is ok.
  std::optional<InstanceTimes::Clock::time_point> arrival; ///< If it has one.
};

/// What became of the instances.
struct WriterCounts {
  uint64_t written = 0, failed = 0;
  uint64_t notFinite = 0; ///< Instances with elements that JSON cannot hold.
  uint64_t firstNotFiniteLine = 0;
  std::string firstNotFiniteName;
  ArrivalCounts arrivals; ///< Of those with an arrival.
};

/// Waits for results and writes them, on a thread of its own, in the order in
/// which they were pushed: one line for each, also where the instance failed.
/// It writes out what it has whenever it must wait, so a reader at the other
/// end of a pipe sees each result as soon as it is there.
class ResultWriter {
public:
  /// At most `capacity` instances are held: push() blocks beyond that.
  /// `onFailure` is called, on the writer's thread, when output fails; from
  /// then on everything is dropped.
  ResultWriter(OutputFile file, const amprt_entry_t &entry, Console &console,
               size_t capacity, std::function<void()> onFailure);
  ~ResultWriter();

  void push(Pending pending);
  /// Waits until all is written; the status of the output.
  Status finish();
  /// After finish().
  const WriterCounts &counts() const { return theCounts; }

private:
  void work();
  bool pop(Pending &pending);
  void write(Pending &pending);
  void check(const Status &status);

  OutputFile file;
  const amprt_entry_t &entry;
  Console &console;
  size_t capacity;
  std::function<void()> onFailure;

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Pending> queue;
  bool closed = false;

  // The thread's own.
  Status outputStatus;
  WriterCounts theCounts;
  std::string line;
  std::thread thread;
};

} // namespace amprt::cli

#endif // AMPRT_SRC_CLI_RESULTWRITER_H
