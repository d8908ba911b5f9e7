//===- Packing.cpp - Packed weights that follow the weights ---------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/Packing.h"

#include "train/ParamSteps.h"

#include <algorithm>

namespace amprt {

void planPacking(const amprt_model_t &model, const std::vector<bool> &isChanged,
                 std::vector<PackTask> &tasks) {
  for (uint32_t i = 0; i < model.panel_count; ++i) {
    const amprt_panel_desc_t &panel = model.panels[i];
    if (std::none_of(panel.parts, panel.parts + panel.part_count,
                     [&](auto &part) { return isChanged[part.param]; }))
      continue;
    int64_t groups = Panels::groupCount(panel);
    int64_t elements = panel.k * panel.part_count * panel.lanes * panel.unroll;
    int64_t together = std::max<int64_t>(1, taskElements / elements);
    for (int64_t begin = 0; begin < groups; begin += together)
      tasks.push_back({true, i, begin, std::min(groups, begin + together)});
  }
  for (uint32_t i = 0; i < model.linear_count; ++i)
    if (isChanged[model.linears[i].param])
      for (int64_t group = 0; group < model.linears[i].groups; ++group)
        tasks.push_back({false, i, group, group + 1});
}

void pack(const amprt_model_t &model, PreparedWeights &weights,
          const PackTask &task) {
  if (task.isPanel)
    weights.panels.repack(model, weights.weights.tensors(), task.number,
                          task.begin, task.end);
  else
    weights.linears->repack(task.number, task.begin);
}

} // namespace amprt
