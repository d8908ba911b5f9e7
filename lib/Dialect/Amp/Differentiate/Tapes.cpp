//===- Tapes.cpp - Makes graphs ready to be differentiated ----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tapes.h"

#include "Captures.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace amp;

static SmallVector<int64_t> activeNumbers(const Activity &activity,
                                          ValueRange values) {
  SmallVector<int64_t> numbers;
  for (auto [i, value] : llvm::enumerate(values))
    if (activity.isActive(value) && hasGradient(value.getType()))
      numbers.push_back(i);
  return numbers;
}

Adjoints::Adjoints(const Activity &activity, GraphOp graph)
    : results(activeNumbers(
          activity, graph.getBody().front().getTerminator()->getOperands())),
      arguments(activeNumbers(activity, graph.getBody().getArguments())) {
  for (BlockArgument argument : graph.getBody().getArguments())
    if (isa<CollectorType>(argument.getType()) && activity.isActive(argument))
      collectors.push_back(argument.getArgNumber());
}

//===----------------------------------------------------------------------===//
// Tapes
//===----------------------------------------------------------------------===//

static void addTape(CallOp op) {
  OpBuilder b(op);
  SmallVector<Type> types(op.getResultTypes());
  types.push_back(TapeType::get(op.getContext()));
  auto call = CallOp::create(b, op.getLoc(), types, op.getCalleeAttr(),
                             op.getInputs(), op.getAfter());
  op.replaceAllUsesWith(call.getForwardResults());
  op.erase();
}

static void addTape(LoopOp op, const Activity &activity) {
  SmallVector<int64_t> carried, exit, stacked;
  for (unsigned i = 0; i < op.getInit().size(); ++i)
    if (hasGradient(op.getInit()[i].getType()) &&
        (activity.isActive(op.getCarriedArgs()[i]) ||
         (op.hasRange() && activity.isActive(op.getLast()[i]))))
      carried.push_back(i);
  if (!op.hasRange())
    for (auto [i, value] : llvm::enumerate(op.getNext().getExit()))
      if (hasGradient(value.getType()) &&
          (activity.isActive(op.getLast()[i]) ||
           collectorOf(value, activity.getStandIns())))
        exit.push_back(i);
  stacked = activeNumbers(activity, op.getStacked());
  if (carried.empty() && exit.empty() && stacked.empty())
    return;
  OpBuilder b(op);
  auto loop = LoopOp::create(
      b, op.getLoc(), op.getLast().getTypes(), op.getStacked().getTypes(),
      TapeType::get(op.getContext()), op.getLower(), op.getUpper(),
      op.getStep(), op.getInit(), op.getAfter(), op.getReverse(),
      b.getDenseI64ArrayAttr(carried), b.getDenseI64ArrayAttr(exit),
      b.getDenseI64ArrayAttr(stacked));
  loop.getBody().takeBody(op.getBody());
  NextOp next = loop.getNext();
  auto addArguments = [&](ArrayRef<int64_t> numbers, ValueRange values) {
    for (int64_t i : numbers)
      loop.getBody().addArgument(values[i].getType(), op.getLoc());
  };
  addArguments(carried, next.getCarried());
  addArguments(exit, next.getExit());
  addArguments(stacked, next.getStacked());
  op.replaceAllUsesWith(loop->getResults().drop_back());
  op.erase();
}

static void addTape(MapOp op, const Activity &activity) {
  SmallVector<int64_t> stacked = activeNumbers(activity, op.getResults());
  if (stacked.empty())
    return;
  OpBuilder b(op);
  SmallVector<Type> types(op.getResultTypes());
  types.push_back(TapeType::get(op.getContext()));
  auto map = MapOp::create(b, op.getLoc(), types, op.getCount(),
                           b.getDenseI64ArrayAttr(stacked));
  map.getBody().takeBody(op.getBody());
  ValueRange yielded = map.getBody().front().getTerminator()->getOperands();
  for (int64_t i : stacked)
    map.getBody().addArgument(yielded[i].getType(), op.getLoc());
  op.replaceAllUsesWith(map.getStacked());
  op.erase();
}

void amp::addTapes(GraphOp graph, const Activity &activity,
                   const llvm::DenseMap<StringAttr, Adjoints> &graphs) {
  // Inner ones first: what is replaced has no place in another's region then.
  SmallVector<Operation *> nodes;
  graph.walk([&](Operation *op) {
    if (isa<CallOp, LoopOp, MapOp>(op))
      nodes.push_back(op);
  });
  for (Operation *op : nodes) {
    if (auto call = dyn_cast<CallOp>(op)) {
      if (graphs.count(call.getCalleeAttr().getAttr()))
        addTape(call);
    } else if (auto loop = dyn_cast<LoopOp>(op)) {
      addTape(loop, activity);
    } else {
      addTape(cast<MapOp>(op), activity);
    }
  }
}
