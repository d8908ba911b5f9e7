//===- PolicyFile.h - Finite-state policies in files ------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_IO_POLICYFILE_H
#define AMPRT_SRC_IO_POLICYFILE_H

#include "amprt/abi.h"
#include "amprt/status.h"
#include "sched/PolicyTable.h"

#include <string>
#include <utility>
#include <vector>

namespace amprt {

/// A table and the model that it was made for. In a file it is JSON:
///   {"format":"amprt-policy","version":1,"model":..,"cells":[names],
///    "encoding":"set"|"largest"|"sorted","patience":number,"training":{..},
///    "states":[{"ready":[cells],"run":cell}, ..]}
/// with cells by number. Members that are not known are for people.
struct PolicyFile {
  std::string model;
  std::vector<std::string> cells;
  PolicyTable table;
  /// Where it comes from: names and numbers, for people.
  std::vector<std::pair<std::string, double>> training;
};

/// The file's text. The same policy always has the same.
std::string policyText(const PolicyFile &file);

/// `name`: of the file, for messages. Statuses: invalidArgument.
Expected<PolicyFile> parsePolicyFile(const std::string &text,
                                     const std::string &name);

/// The table of a file that was made for this model. Statuses: as readFile's
/// and parsePolicyFile's; failedPrecondition (of another model).
Expected<PolicyTable> loadPolicyTable(const std::string &path,
                                      const amprt_model_t &model);

} // namespace amprt

#endif // AMPRT_SRC_IO_POLICYFILE_H
