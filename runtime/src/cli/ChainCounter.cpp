//===- ChainCounter.cpp - The longest chain of each cell ------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainCounter.h"

#include <algorithm>

namespace amprt::cli {

ChainCounter::ChainCounter(const Model &model, const SessionOptions &options)
    : cellCount(model.descriptor().cell_count),
      bound(cellCount, options.maxInFlight, options.workers, options.maxBatch) {
}

Expected<std::unique_ptr<ChainCounter>>
ChainCounter::create(const Model &model, const Weights &weights,
                     const SessionOptions &options) {
  std::unique_ptr<ChainCounter> counter(new ChainCounter(model, options));
  SessionOptions own = options;
  own.policy = Policy::greedy; // Any that does well without true depths.
  own.workers = 1;             // Nothing here is locked.
  own.timeCells = own.timeInstances = false;
  own.observer = counter.get();
  own.placement = PlacementMode::instance;
  own.probe = counter.get();
  Expected<std::unique_ptr<Session>> session =
      Session::create(model, weights, own);
  if (!session)
    return session.status();
  counter->session = std::move(*session);
  return counter;
}

void ChainCounter::add(const Values &instance) {
  // What submit refuses has no number; that is all or none of these.
  for (uint32_t cell = 0; cell < cellCount; ++cell)
    (void)session->submit(instance);
}

uint32_t ChainCounter::onReady(const ReadyEvent &event) {
  if (event.instance % cellCount != event.cell)
    return event.depth - 1;
  int64_t &chain = longest[event.instance];
  chain = std::max(chain, int64_t(event.depth) - int64_t(event.base));
  return event.depth;
}

void ChainCounter::onInstance(const InstanceEvent &event) {
  auto found = longest.find(event.number);
  if (found == longest.end())
    return;
  if (event.status.ok())
    bound.add(event.number % cellCount, found->second);
  longest.erase(found);
}

const LowerBound &ChainCounter::finish() {
  session->wait();
  return bound;
}

} // namespace amprt::cli
