//===- LocalUpdates.cpp - Updates that an owner makes by itself -----------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/LocalUpdates.h"

#include "train/Schedule.h"
#include "train/UpdateLoops.h"

#include <algorithm>
#include <cmath>

namespace amprt {

LocalUpdates::LocalUpdates(const amprt_model_t &model, PreparedWeights &weights,
                           Gradients &gradients,
                           std::vector<TrainedParam> &params,
                           const Optimiser &optimiser, const Settings &settings,
                           std::vector<uint32_t> theOwned)
    : model(model), weights(weights), gradients(gradients), params(params),
      settings(settings), steps(params, optimiser, settings.lazy) {
  for (uint32_t param : theOwned) {
    Owned &each = owned.emplace_back();
    each.param = param;
    std::vector<bool> isChanged(params.size());
    isChanged[param] = true;
    planPacking(model, isChanged, each.packs);
  }
}

void LocalUpdates::Staleness::add(int64_t updates) {
  size_t bin = updates <= 1
                   ? size_t(updates)
                   : 65 - size_t(__builtin_clzll(uint64_t(updates) - 1));
  ++counts[std::min(bin, size - 1)];
  total += updates;
  greatest = std::max(greatest, updates);
}

void LocalUpdates::begin(OwnerNotes &notes) {
  notes.clear();
  for (const Owned &each : owned)
    notes.push_back(each.updates);
}

void LocalUpdates::end(const OwnerNotes &notes) {
  ++ended;
  for (size_t i = 0; i < owned.size(); ++i) {
    Owned &each = owned[i];
    each.staleness.add(int64_t(each.updates - notes[i]));
    countEnd(each);
  }
}

void LocalUpdates::countEnd(Owned &each) {
  int64_t given = gradients[each.param].given;
  if (given == 0)
    return;
  ++each.instances;
  if (given >= settings.frequency[each.param])
    update(each);
}

void LocalUpdates::resume(const std::vector<Counts> &counts) {
  int64_t late = 0;
  ended = 0;
  for (size_t i = 0; i < owned.size(); ++i) {
    owned[i].instances = counts[i].instances;
    ended = std::max(ended, counts[i].ended);
    late = std::max(late, counts[i].late);
  }
  for (int64_t n = 0; n < late; ++n) {
    ++ended;
    for (size_t i = 0; i < owned.size(); ++i)
      if (n < counts[i].late)
        countEnd(owned[i]);
  }
}

void LocalUpdates::update(Owned &each) {
  Gradient &gradient = gradients[each.param];
  if (!gradient.values)
    return;
  gradients.beforeChange(each.param);
  gradients.flush(each.param);
  GradientScale scale = {settings.isMean ? 1 / float(each.instances) : 1,
                         settings.clipValue, 1};
  if (settings.clipNorm != HUGE_VAL) {
    double squares = 0;
    forEachTouched(gradient, [&](int64_t begin, int64_t end) {
      squares += sumOfSquares(scale, gradient.values + begin, end - begin);
    });
    double norm = std::sqrt(squares);
    scale.factor = float(std::min(1.0, settings.clipNorm / (norm + 1e-6)));
  }
  double rate =
      settings.rate *
      scheduledFactor(settings.schedule,
                      (ended - 1) * settings.replicas / settings.scheduleBatch);
  tasks.clear();
  bool isChanged = steps.plan(each.param, gradient, rate, tasks);
  steps.setScale(each.param, scale);
  for (const StepTask &task : tasks)
    steps.run(task, gradient);
  each.rows += gradient.given;
  gradients.forgetTouched(each.param);
  if (isChanged)
    for (const PackTask &task : each.packs)
      pack(model, weights, task);
  each.instances = 0;
  ++each.updates;
}

} // namespace amprt
