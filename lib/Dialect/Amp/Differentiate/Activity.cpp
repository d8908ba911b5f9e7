//===- Activity.cpp - Which values have gradients -------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Activity.h"

#include "amp/Dialect/Amp/IR/Values.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;

/// Whether gradients can go through values of this type.
static bool carries(Type type) {
  if (auto list = dyn_cast<ListType>(type))
    return carries(list.getElement());
  if (auto collector = dyn_cast<CollectorType>(type))
    return carries(collector.getRow());
  return isa<FloatType>(getElementTypeOrSelf(type));
}

Activity::Activity(ArrayRef<GraphOp> graphs, Value loss,
                   const StandIns &standIns)
    : standIns(standIns) {
  for (GraphOp graph : graphs)
    byName[graph.getSymNameAttr()] = graph;
  for (GraphOp graph : graphs)
    graph.walk([&](Operation *op) { collect(op); });
  for (GraphOp graph : graphs)
    graph.walk([&](GetOp get) { reach(get.getValue(), forward, varied); });
  reach(loss, backward, useful);
}

void Activity::flow(Value from, Value to) {
  if (!carries(from.getType()) || !carries(to.getType()))
    return;
  // Rows go into a collector, wherever its token comes from.
  if (isa<CollectorType>(from.getType()) && isa<CollectorType>(to.getType()))
    std::swap(from, to);
  forward[from].push_back(to);
  backward[to].push_back(from);
}

void Activity::flow(ValueRange from, ValueRange to) {
  for (auto [a, b] : llvm::zip(from, to))
    flow(a, b);
}

void Activity::collect(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](CallOp op) {
        // One that is not differentiated leads nowhere.
        GraphOp callee = byName.lookup(op.getCalleeAttr().getAttr());
        if (!callee)
          return;
        flow(op.getInputs(), callee.getBody().getArguments());
        flow(callee.getBody().front().getTerminator()->getOperands(),
             op.getResults());
      })
      .Case([&](LoopOp op) {
        NextOp next = op.getNext();
        flow(op.getInit(), op.getCarriedArgs());
        flow(next.getCarried(), op.getCarriedArgs());
        if (op.hasRange()) {
          flow(next.getCarried(), op.getLast());
          flow(op.getInit(), op.getLast());
        } else {
          flow(next.getExit(), op.getLast());
        }
        flow(next.getStacked(), op.getStacked());
      })
      .Case<MapOp, FlatmapOp>([&](auto op) {
        flow(op.getBody().front().getTerminator()->getOperands(),
             op.getResults());
      })
      .Case([&](EmitOp op) { flow(op.getRow(), op.getCollector()); })
      .Case<GraphOp, ReturnOp, NextOp, YieldOp>([](Operation *) {})
      .Default([&](Operation *op) {
        for (Value value : valuesReadBy(op))
          for (Value result : op->getResults())
            flow(value, result);
      });
}

void Activity::reach(Value from, const Flow &flow,
                     llvm::DenseSet<Value> &reached) {
  SmallVector<Value> work{from};
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!reached.insert(value).second)
      continue;
    if (auto next = flow.find(value); next != flow.end())
      llvm::append_range(work, next->second);
  }
}
