//===- Placement.cpp - Which worker owns which cell -----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "place/Placement.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace amprt {

// What an activation costs that is sent and answered, in floating-point
// operations: some 150 ns each way.
static constexpr double messageWork = 6000;

CellGroups groupCells(const amprt_model_t &model) {
  std::vector<uint32_t> firstCell(model.param_count, UINT32_MAX);
  std::vector<uint32_t> parent(model.cell_count);
  std::iota(parent.begin(), parent.end(), 0u);
  auto find = [&](uint32_t cell) {
    while (parent[cell] != cell)
      cell = parent[cell] = parent[parent[cell]];
    return cell;
  };
  for (uint32_t cell = 0; cell < model.cell_count; ++cell)
    for (uint32_t i = 0; i < model.cells[cell].param_count; ++i) {
      uint32_t &first = firstCell[model.cells[cell].params[i]];
      if (first == UINT32_MAX)
        first = cell;
      uint32_t a = find(first), b = find(cell);
      parent[std::max(a, b)] = std::min(a, b);
    }
  CellGroups groups;
  groups.of.assign(model.cell_count, -1);
  for (uint32_t cell = 0; cell < model.cell_count; ++cell) {
    if (!model.cells[cell].param_count)
      continue;
    int32_t &number = groups.of[find(cell)]; // The least one of the group.
    if (number < 0)
      number = groups.count++;
    groups.of[cell] = number;
  }
  return groups;
}

CellCosts estimateCosts(const amprt_model_t &model) {
  CellCosts costs;
  for (uint32_t cell = 0; cell < model.cell_count; ++cell)
    costs.push_back(double(model.cells[cell].work) + 200);
  return costs;
}

namespace {
/// Loads of workers, and which groups make them.
class Balance {
public:
  Balance(std::vector<double> costs, int workers)
      : costs(std::move(costs)), owners(this->costs.size()),
        loads(size_t(workers)) {}

  void run() {
    std::vector<size_t> order(costs.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return costs[a] > costs[b]; });
    for (size_t group : order) {
      owners[group] =
          size_t(std::min_element(loads.begin(), loads.end()) - loads.begin());
      loads[owners[group]] += costs[group];
    }
    while (improve())
      ;
  }

  std::vector<double> costs; ///< By group.
  std::vector<size_t> owners;

private:
  /// Whether moving `given` away from the fullest worker for `taken` helps.
  bool tryExchange(size_t full, size_t other, double given, double taken) {
    double before = loads[full];
    double after =
        std::max(loads[full] - given + taken, loads[other] + given - taken);
    if (after >= before * (1 - 1e-9))
      return false;
    loads[full] += taken - given;
    loads[other] += given - taken;
    return true;
  }

  bool improve() {
    size_t full =
        size_t(std::max_element(loads.begin(), loads.end()) - loads.begin());
    for (size_t a = 0; a < costs.size(); ++a) {
      if (owners[a] != full)
        continue;
      for (size_t other = 0; other < loads.size(); ++other)
        if (other != full && tryExchange(full, other, costs[a], 0)) {
          owners[a] = other;
          return true;
        }
      for (size_t b = 0; b < costs.size(); ++b)
        if (owners[b] != full &&
            tryExchange(full, owners[b], costs[a], costs[b])) {
          std::swap(owners[a], owners[b]);
          return true;
        }
    }
    return false;
  }

  std::vector<double> loads;
};
} // namespace

Placement placeCells(const amprt_model_t &model, const CellCosts &costs,
                     const PlaceOptions &options) {
  CellGroups groups = groupCells(model);
  auto staysHome = [&](uint32_t cell) {
    return groups.of[cell] < 0 ||
           (!options.isTrained && model.cells[cell].work < messageWork);
  };
  std::vector<double> groupCosts(size_t(groups.count));
  for (uint32_t cell = 0; cell < model.cell_count; ++cell)
    if (!staysHome(cell))
      groupCosts[size_t(groups.of[cell])] += costs[cell];
  Balance balance(std::move(groupCosts), options.workers);
  balance.run();
  Placement placement;
  for (uint32_t cell = 0; cell < model.cell_count; ++cell)
    placement.owners.push_back(
        staysHome(cell) ? Placement::home
                        : int32_t(balance.owners[size_t(groups.of[cell])]));
  return placement;
}

Status checkPlacement(const amprt_model_t &model, const Placement &placement,
                      const PlaceOptions &options) {
  if (placement.owners.size() != model.cell_count)
    return {StatusCode::invalidArgument,
            "the placement has " + std::to_string(placement.owners.size()) +
                " cells, the model " + std::to_string(model.cell_count)};
  std::vector<uint32_t> user(model.param_count, UINT32_MAX);
  for (uint32_t cell = 0; cell < model.cell_count; ++cell) {
    const amprt_cell_desc_t &desc = model.cells[cell];
    int32_t owner = placement.owners[cell];
    if (owner != Placement::home && (owner < 0 || owner >= options.workers))
      return {StatusCode::invalidArgument,
              "cell '" + std::string(desc.name) + "' is placed on worker " +
                  std::to_string(owner) + ", but there are " +
                  std::to_string(options.workers)};
    if (!options.isTrained)
      continue;
    for (uint32_t i = 0; i < desc.param_count; ++i) {
      uint32_t param = desc.params[i];
      if (user[param] == UINT32_MAX)
        user[param] = cell;
      if (owner == Placement::home || owner != placement.owners[user[param]])
        return {StatusCode::invalidArgument,
                "parameter '" + std::string(model.params[param].name) +
                    "' is trained, so its cells belong to one worker; '" +
                    model.cells[user[param]].name + "' and '" + desc.name +
                    "' do not"};
    }
  }
  return {};
}

} // namespace amprt
