//===- GraphFile.h - Which activations needed which -------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_IO_GRAPHFILE_H
#define AMPRT_SRC_IO_GRAPHFILE_H

#include "amprt/abi.h"
#include "amprt/status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace amprt {

/// One activation: what ran, and which earlier ones of its instance it needed,
/// without those that others of them needed already.
struct RecordedActivation {
  uint32_t cell;
  std::vector<uint32_t> inputs;
};

/// An instance's activations; each comes after those that it needed.
using RecordedInstance = std::vector<RecordedActivation>;

struct RecordedCell {
  std::string name;
  uint32_t priority = 0;
  bool hasProduct = false;
};

/// What of a run decides about batches. In a file it is JSON Lines: one object
///   {"format":"amprt-graph","version":1,"model":..,"cells":[
///     {"name":..,"priority":..,"product":..}, ..]}
/// and then for each instance an array with an array for each activation: its
/// cell's number and the numbers of its inputs.
struct RecordedRun {
  std::string model;
  std::vector<RecordedCell> cells;
  std::vector<RecordedInstance> instances;
};

/// Without instances.
RecordedRun recordedModel(const amprt_model_t &model);

/// Statuses: as OutputFile's.
Status writeGraphFile(const std::string &path, const RecordedRun &run);

/// `name`: of the file, for messages. Statuses: invalidArgument with the line.
Expected<RecordedRun> parseGraphFile(std::string_view text,
                                     const std::string &name);

/// Statuses: as readFile's and parseGraphFile's.
Expected<RecordedRun> readGraphFile(const std::string &path);

} // namespace amprt

#endif // AMPRT_SRC_IO_GRAPHFILE_H
