//===- TraceWriter.h - A run as a picture -----------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CLI_TRACEWRITER_H
#define AMPRT_SRC_CLI_TRACEWRITER_H

#include "amprt/amprt.hpp"
#include "io/File.h"

#include <mutex>
#include <string>
#include <vector>

namespace amprt::cli {

/// Writes what a session does as a trace that Perfetto and Chrome open: JSON,
/// "Trace Event Format". Each worker is a thread (numbered from 1) with its
/// batches as spans, named by their cells; each instance is an asynchronous
/// span from when it was opened to its end.
///
/// Workers write text into memory of their own, which goes to the file whenever
/// there is some amount of it: memory is bounded.
class TraceWriter final : public SessionObserver {
public:
  /// `workers`: as the session's options say.
  TraceWriter(const amprt_model_t &model, int workers);

  /// To be called before anything is submitted. Statuses: as
  /// OutputFile::create.
  Status open(const std::string &path);

  void onBatch(const BatchEvent &event) override;
  void onInstance(const InstanceEvent &event) override;

  /// Once the session is quiet; whether all was written.
  Status finish();

private:
  double microseconds(InstanceTimes::Clock::time_point time) const;
  void flushIfLarge(std::string &text);

  const InstanceTimes::Clock::time_point start; ///< The trace's time 0.
  std::string process;                          ///< Its name, as JSON.
  std::vector<std::string> cells;               ///< The same.

  /// A worker's text is on cache lines of its own.
  struct alignas(64) Buffer {
    std::string text;
  };
  std::vector<Buffer> buffers;
  std::mutex mutex;
  OutputFile file; ///< Under `mutex` while the session runs.
};

} // namespace amprt::cli

#endif // AMPRT_SRC_CLI_TRACEWRITER_H
