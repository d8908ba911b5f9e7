//===- PlacementFile.h - Placements in JSON ---------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_IO_PLACEMENTFILE_H
#define AMPRT_SRC_IO_PLACEMENTFILE_H

#include "amprt/abi.h"
#include "amprt/status.h"
#include "place/Placement.h"

#include <string>

namespace amprt {

// A placement is JSON:
//   {"format":"amprt-placement","version":1,"model":..,
//    "cells":{name: number of a worker, or "home", ..}}
// with every cell of the model. Members that are not known are for people.

/// The file's text, a cell a line.
std::string placementText(const amprt_model_t &model,
                          const Placement &placement);

/// `name`: of the file, for messages. Whether there are such workers is not
/// looked at. Statuses: invalidArgument; failedPrecondition (of another model).
Expected<Placement> parsePlacement(const std::string &text,
                                   const std::string &name,
                                   const amprt_model_t &model);

/// Statuses: as readFile's and parsePlacement's.
Expected<Placement> loadPlacement(const std::string &path,
                                  const amprt_model_t &model);

/// The placement of the file; or, if `path` is empty, what balances the
/// estimated work. Statuses: as loadPlacement's and checkPlacement's.
Expected<Placement> choosePlacement(const amprt_model_t &model,
                                    const std::string &path,
                                    const PlaceOptions &options);

} // namespace amprt

#endif // AMPRT_SRC_IO_PLACEMENTFILE_H
