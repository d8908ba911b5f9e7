//===- Tapes.cpp - Makes graphs ready to be differentiated ----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tapes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

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
// Captured values
//===----------------------------------------------------------------------===//

OpFoldResult amp::usedRow(Operation *op, Value value) {
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return extract.getIndices().size() == 1 ? OpFoldResult(extract.getIndices()[0])
                                            : OpFoldResult();
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  if (!slice || slice.getSource() != value || !slice.hasUnitStride())
    return {};
  RankedTensorType source = slice.getSourceType(), type = slice.getType();
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
  bool isRow = type.getRank() + 1 == source.getRank() &&
               type.hasStaticShape() &&
               type.getShape() == source.getShape().drop_front() &&
               isConstantIntValue(slice.getMixedSizes()[0], 1);
  for (OpFoldResult offset : ArrayRef(offsets).drop_front())
    isRow &= isConstantIntValue(offset, 0);
  return isRow ? offsets[0] : OpFoldResult();
}

bool amp::carryCaptured(LoopOp loop, const Activity &activity) {
  Block *body = &loop.getBody().front();
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(loop.getBody(), used);
  SmallVector<Value> carried;
  for (Value value : used) {
    if (!activity.isActive(value) || !hasGradient(value.getType()) ||
        value.getDefiningOp<GetOp>())
      continue;
    bool byRows = loop.hasRange() && llvm::all_of(value.getUsers(), [&](Operation *user) {
      return !loop->isProperAncestor(user) ||
             (user->getBlock() == body && usedRow(user, value));
    });
    if (!byRows)
      carried.push_back(value);
  }
  if (carried.empty())
    return false;
  NextOp next = loop.getNext();
  OpBuilder b(next);
  unsigned at = (loop.hasRange() ? 1 : 0) + loop.getInit().size();
  SmallVector<Value> passed;
  for (auto [i, value] : llvm::enumerate(carried)) {
    BlockArgument argument =
        body->insertArgument(at + i, value.getType(), value.getLoc());
    value.replaceUsesWithIf(argument, [&](OpOperand &use) {
      return loop->isProperAncestor(use.getOwner());
    });
    Value pass = argument;
    if (!loop.hasRange())
      pass = BranchOp::create(b, loop.getLoc(), next.getCondition(), argument)
                 .getOnTrue();
    passed.push_back(pass);
  }
  next.getCarriedMutable().append(passed);
  b.setInsertionPoint(loop);
  SmallVector<Value> init(loop.getInit());
  llvm::append_range(init, carried);
  SmallVector<Type> last(loop.getLast().getTypes());
  if (loop.hasRange())
    llvm::append_range(last, ValueRange(carried).getTypes());
  auto wider = LoopOp::create(
      b, loop.getLoc(), last, loop.getStacked().getTypes(), Type(),
      loop.getLower(), loop.getUpper(), loop.getStep(), init, loop.getAfter(),
      loop.getReverse(), DenseI64ArrayAttr(), DenseI64ArrayAttr(),
      DenseI64ArrayAttr());
  wider.getBody().takeBody(loop.getBody());
  for (auto [old, now] : llvm::zip(loop.getLast(), wider.getLast()))
    old.replaceAllUsesWith(now);
  for (auto [old, now] : llvm::zip_equal(loop.getStacked(), wider.getStacked()))
    old.replaceAllUsesWith(now);
  loop.erase();
  return true;
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
    exit = activeNumbers(activity, op.getLast());
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
