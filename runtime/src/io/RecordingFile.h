//===- RecordingFile.h - Recorded runs in JSON ------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_IO_RECORDINGFILE_H
#define AMPRT_SRC_IO_RECORDINGFILE_H

#include "amprt/amprt.hpp"
#include "msg/DecisionLog.h"
#include "place/Placement.h"

#include <string>
#include <vector>

namespace amprt {

/// What workers decided, and what must be the same so that they can decide it
/// again. In a file it is JSON:
///   {"format":"amprt-recording","version":2,"model":..,"policy":..,
///    "max_batch":..,"max_in_flight":..,"replicas":..,"meet_every":..,
///    "owners":[worker of its team or -1, by cell],
///    "decisions":[[kind,from,count, kind,from,count, ..], by worker]}
/// with kinds by number, as in Decision::Kind.
struct Recording::Data {
  std::string model, policy;
  int64_t maxBatch = 0, maxInFlight = 0;
  int64_t replicas = 1, meetEvery = 0; ///< See Meeting.
  Placement placement;
  std::vector<std::vector<Decision>> decisions; ///< By worker.
};

std::string recordingText(const Recording::Data &data);

/// `name`: of the file, for messages. Statuses: invalidArgument.
Expected<Recording::Data> parseRecording(const std::string &text,
                                         const std::string &name);

} // namespace amprt

#endif // AMPRT_SRC_IO_RECORDINGFILE_H
