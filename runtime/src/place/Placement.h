//===- Placement.h - Which worker owns which cell ---------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_PLACE_PLACEMENT_H
#define AMPRT_SRC_PLACE_PLACEMENT_H

#include "amprt/abi.h"
#include "amprt/status.h"

#include <cstdint>
#include <vector>

namespace amprt {

/// Which worker runs a cell, by cell. `home`: whoever has the instance.
struct Placement {
  static constexpr int32_t home = -1;
  std::vector<int32_t> owners;
};

/// Cells that must stay together, as they use the same parameters: the number
/// of each cell's group, from 0 in the order of first appearance, or -1 for a
/// cell without parameters.
struct CellGroups {
  std::vector<int32_t> of;
  int32_t count = 0;
};
CellGroups groupCells(const amprt_model_t &model);

/// What a run of each cell costs, in any unit, on the whole: what was measured,
/// or an estimate.
using CellCosts = std::vector<double>;
CellCosts estimateCosts(const amprt_model_t &model);

struct PlaceOptions {
  int workers = 1;
  /// Parameters change: each belongs to one worker. Otherwise a cell that costs
  /// less than the messages about it runs at home.
  bool isTrained = false;
};

/// Balances the groups' costs over the workers: the dearest first, each to the
/// worker that has least (Graham 1969), then single groups are moved and
/// exchanged as long as the greatest load falls. Where instances are at home
/// does not depend on cells, so the number of messages is that of the
/// activations placed elsewhere, whatever their owners are: what it can be
/// lowered by is cells that run at home.
Placement placeCells(const amprt_model_t &model, const CellCosts &costs,
                     const PlaceOptions &options);

/// Whether the placement is one for the model. Statuses: invalidArgument (a
/// worker that there is not; cells that share a parameter, but not a worker,
/// though it is trained).
Status checkPlacement(const amprt_model_t &model, const Placement &placement,
                      const PlaceOptions &options);

} // namespace amprt

#endif // AMPRT_SRC_PLACE_PLACEMENT_H
