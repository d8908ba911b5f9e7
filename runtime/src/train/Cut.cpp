//===- Cut.cpp - Training as it was at one moment -------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/Cut.h"

#include <cstring>

namespace amprt {

static void copyBytes(const Tensor &from, Tensor &to) {
  if (from.byteCount())
    std::memcpy(to.data(), from.data(), from.byteCount());
}

OwnedCopy::OwnedCopy(std::vector<TrainedParam> &params, Gradients &gradients,
                     LocalUpdates &local, bool hasWeights)
    : CopyFirst(params.size()), params(params), gradients(gradients),
      local(local), hasWeights(hasWeights), byParam(params.size()) {}

void OwnedCopy::allocate() {
  parts.clear();
  for (const LocalUpdates::Owned &each : local.parameters()) {
    const TrainedParam &param = params[each.param];
    auto made = std::make_unique<Part>();
    made->gradient = gradients.makePending(each.param);
    if (hasWeights) {
      made->tensor = *param.tensor;
      made->param.tensor = &made->tensor;
      made->param.master = param.master;
      made->param.state = param.state;
    }
    byParam[each.param] = made.get();
    parts.push_back(std::move(made));
  }
}

void OwnedCopy::begin() {
  for (size_t i = 0; i < parts.size(); ++i) {
    const LocalUpdates::Owned &each = local.parameters()[i];
    parts[i]->counts = local.countsOf(each);
    mark(each.param);
  }
}

void OwnedCopy::finish() {
  for (const LocalUpdates::Owned &each : local.parameters())
    settle(each.param);
}

void OwnedCopy::copy(uint32_t number) {
  Part &part = *byParam[number];
  gradients.copyPending(number, part.gradient);
  if (!hasWeights)
    return;
  const TrainedParam &param = params[number];
  part.param.step = param.step;
  copyBytes(*param.tensor, part.tensor);
  copyBytes(param.master, part.param.master);
  for (size_t i = 0; i < param.state.size(); ++i)
    copyBytes(param.state[i], part.param.state[i]);
}

void Cut::allocate() {
  if (hasRoom)
    return;
  for (std::unique_ptr<OwnedCopy> &each : owned)
    each->allocate();
  hasRoom = true;
}

void Cut::watch(const std::vector<Outcome> *outcomes) {
  pass = outcomes;
  noted.resize(pass ? pass->size() : 0);
}

/// All workers wait for this, so it is a flag and a number for each.
void Cut::noteProgress() {
  for (size_t i = 0; i < noted.states.size(); ++i) {
    const Outcome &outcome = (*pass)[i];
    if (!outcome.hasEnded)
      continue;
    noted.states[i] =
        outcome.status.ok() ? PassProgress::ended : PassProgress::failed;
    noted.losses[i] = outcome.loss;
  }
}

void Cut::attend(int worker) {
  owned[size_t(worker)]->begin();
  barrier.wait([&] {
    noteProgress();
    taken.store(true, std::memory_order_release);
  });
  if (worker == 0)
    queue.tell();
}

void Cut::takeQuiet() {
  for (std::unique_ptr<OwnedCopy> &each : owned)
    each->begin();
  taken.store(true, std::memory_order_release);
}

void Cut::finish() {
  for (std::unique_ptr<OwnedCopy> &each : owned)
    each->finish();
}

TrainedParam *Cut::copyOf(uint32_t param) const {
  for (int worker = 0; worker < teamSize; ++worker) {
    OwnedCopy &copy = *owned[size_t(worker)];
    for (size_t i = 0; i < copy.updates().parameters().size(); ++i)
      if (copy.updates().parameters()[i].param == param)
        return &copy.part(i).param;
  }
  return nullptr;
}

int64_t Cut::updates() const {
  int64_t updates = 0;
  for (const std::unique_ptr<OwnedCopy> &each : owned)
    for (size_t i = 0; i < each->updates().parameters().size(); ++i)
      updates += each->part(i).counts.updates;
  return updates;
}

} // namespace amprt
