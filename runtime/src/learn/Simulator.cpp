//===- Simulator.cpp - A worker without cells -----------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "learn/Simulator.h"

#include <algorithm>

namespace amprt::learn {

/// Stands for an activation in the ready set, which only hands it on.
struct Simulator::Frame : amprt_frame {
  Open *open;
  uint32_t node;
};

struct Simulator::Open {
  const InstancePlan *plan;
  uint32_t base; ///< Depth.
  size_t left;   ///< Activations that have not run.
  std::vector<uint32_t> missing, kinMissing;
  std::vector<Frame> frames;
};

Simulator::Simulator(const Plan &plan, const Limits &limits)
    : plan(plan), limits(limits), frontiers(plan.cellCount()) {}

Simulator::~Simulator() = default;

void Simulator::open(const InstancePlan &instance, ReadySet &ready) {
  size_t count = instance.cells.size();
  if (count == 0)
    return; // It has ended.
  if (unused.empty()) {
    instances.push_back(std::make_unique<Open>());
    unused.push_back(instances.back().get());
  }
  Open &open = *unused.back();
  unused.pop_back();
  ++openCount;
  open.plan = &instance;
  open.base = currentDepth;
  open.left = count;
  open.missing = instance.missing;
  open.kinMissing = instance.kinMissing;
  if (open.frames.size() < count)
    open.frames.resize(count);
  for (uint32_t node = 0; node < count; ++node) {
    open.frames[node].open = &open;
    open.frames[node].node = node;
    frontiers[instance.cells[node]] += instance.kinMissing[node] == 0;
    if (instance.missing[node] == 0)
      ready.push(instance.cells[node], &open.frames[node], open.base + 1, 1);
  }
}

void Simulator::complete(const Batch &batch, ReadySet &ready) {
  // A worker's events come last in, first out.
  for (int64_t i = batch.count; i-- > 0;) {
    auto *frame = static_cast<Frame *>(batch.items[i].frame);
    Open &open = *frame->open;
    const InstancePlan &instance = *open.plan;
    uint32_t node = frame->node;
    --frontiers[batch.cell];
    for (const uint32_t *it = instance.kinUsers.begin(node);
         it != instance.kinUsers.end(node); ++it)
      frontiers[batch.cell] += --open.kinMissing[*it] == 0;
    for (const uint32_t *it = instance.users.begin(node);
         it != instance.users.end(node); ++it)
      if (--open.missing[*it] == 0)
        ready.push(instance.cells[*it], &open.frames[*it],
                   open.base + instance.depths[*it], 1);
    if (--open.left == 0) {
      unused.push_back(&open);
      --openCount;
    }
  }
}

int64_t Simulator::run(const std::vector<uint32_t> &order,
                       BatchPolicy &policy) {
  ReadySet ready(static_cast<uint32_t>(plan.cellCount()), policy);
  size_t next = 0;
  int64_t batches = 0;
  currentDepth = 0;
  for (;;) {
    if (openCount == 0)
      currentDepth = 0;
    size_t end =
        std::min(next + size_t(limits.maxInFlight) - openCount, order.size());
    for (size_t i = end; i-- > next;)
      open(plan.instances()[order[i]], ready);
    next = end;
    if (ready.empty()) {
      if (next == order.size())
        return batches;
      continue; // Those that were opened had nothing to run.
    }
    Batch batch = ready.take(policy.pick(ready.buckets()),
                             policy.batchLimit(limits.maxBatch));
    currentDepth = batch.items[0].depth;
    ++batches;
    complete(batch, ready);
    ready.release(batch);
  }
}

} // namespace amprt::learn
