//===- Plan.cpp - Recorded instances, ready to be simulated ---------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "learn/Plan.h"

#include <algorithm>

namespace amprt::learn {

/// The converse of lists of inputs.
static Lists usersOf(const std::vector<std::vector<uint32_t>> &inputs) {
  Lists users;
  users.starts.assign(inputs.size() + 1, 0);
  for (const std::vector<uint32_t> &each : inputs)
    for (uint32_t input : each)
      ++users.starts[input + 1];
  for (size_t i = 0; i < inputs.size(); ++i)
    users.starts[i + 1] += users.starts[i];
  users.items.resize(users.starts.back());
  std::vector<uint32_t> next(users.starts.begin(), users.starts.end() - 1);
  for (size_t i = 0; i < inputs.size(); ++i)
    for (uint32_t input : inputs[i])
      users.items[next[input]++] = static_cast<uint32_t>(i);
  return users;
}

static std::vector<uint32_t>
countsOf(const std::vector<std::vector<uint32_t>> &lists) {
  std::vector<uint32_t> counts;
  for (const std::vector<uint32_t> &each : lists)
    counts.push_back(static_cast<uint32_t>(each.size()));
  return counts;
}

/// For each activation the nearest ones of its cell that it needs: upwards
/// through those of other cells.
static std::vector<std::vector<uint32_t>>
kinOf(const RecordedInstance &instance) {
  std::vector<std::vector<uint32_t>> kin(instance.size());
  std::vector<uint32_t> seen(instance.size(), UINT32_MAX), stack;
  for (uint32_t i = 0; i < instance.size(); ++i) {
    stack = instance[i].inputs;
    while (!stack.empty()) {
      uint32_t at = stack.back();
      stack.pop_back();
      if (seen[at] == i)
        continue;
      seen[at] = i;
      if (instance[at].cell == instance[i].cell)
        kin[i].push_back(at);
      else
        stack.insert(stack.end(), instance[at].inputs.begin(),
                     instance[at].inputs.end());
    }
  }
  return kin;
}

static InstancePlan planOf(const RecordedInstance &instance, size_t cellCount) {
  InstancePlan plan;
  std::vector<std::vector<uint32_t>> inputs, kin = kinOf(instance);
  std::vector<uint32_t> chains(instance.size());
  plan.longest.resize(cellCount);
  for (size_t i = 0; i < instance.size(); ++i) {
    const RecordedActivation &activation = instance[i];
    uint32_t depth = 0, chain = 0;
    for (uint32_t input : activation.inputs)
      depth = std::max(depth, plan.depths[input]);
    for (uint32_t input : kin[i])
      chain = std::max(chain, chains[input]);
    chains[i] = chain + 1;
    plan.longest[activation.cell] =
        std::max(plan.longest[activation.cell], chain + 1);
    plan.cells.push_back(activation.cell);
    plan.depths.push_back(depth + 1);
    inputs.push_back(activation.inputs);
  }
  plan.missing = countsOf(inputs);
  plan.users = usersOf(inputs);
  plan.kinMissing = countsOf(kin);
  plan.kinUsers = usersOf(kin);
  return plan;
}

Plan::Plan(const RecordedRun &recorded)
    : run(recorded), counts(recorded.cells.size()) {
  for (const RecordedCell &cell : run.cells) {
    amprt_cell_desc_t made = {};
    made.name = cell.name.c_str();
    made.priority = cell.priority;
    made.flags = cell.hasProduct ? uint32_t(AMPRT_CELL_HAS_PRODUCT) : 0;
    cells.push_back(made);
  }
  descriptor.name = run.model.c_str();
  descriptor.cells = cells.data();
  descriptor.cell_count = static_cast<uint32_t>(cells.size());
  for (const RecordedInstance &instance : run.instances) {
    plans.push_back(planOf(instance, cells.size()));
    for (uint32_t cell : plans.back().cells)
      ++counts[cell];
  }
}

LowerBound Plan::bound(int64_t maxInFlight, int64_t maxBatch) const {
  LowerBound bound(cells.size(), maxInFlight, /*workers=*/1, maxBatch);
  for (const InstancePlan &plan : plans)
    for (size_t cell = 0; cell < cells.size(); ++cell)
      bound.add(cell, plan.longest[cell]);
  return bound;
}

} // namespace amprt::learn
