//===- Captures.cpp - What bodies use from outside ------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Captures.h"
#include "ListGradients.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace amp;

OpFoldResult amp::usedRow(Operation *op, Value value) {
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return extract.getIndices().size() == 1 ? OpFoldResult(extract.getIndices()[0])
                                            : OpFoldResult();
  auto isStatic = [](Value row) {
    auto type = dyn_cast<RankedTensorType>(row.getType());
    return type ? type.hasStaticShape() : isa<FloatType>(row.getType());
  };
  if (auto at = dyn_cast<AtOp>(op))
    return isStatic(at.getValue()) ? OpFoldResult(at.getIndex()) : OpFoldResult();
  if (auto lookup = dyn_cast<LookupOp>(op))
    return isStatic(lookup.getRow()) ? OpFoldResult(lookup.getIndex())
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

/// Whether iterations or elements use no more than a row each.
static bool isUsedByRows(Operation *node, Value value) {
  Block *body = &node->getRegion(0).front();
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    return !node->isProperAncestor(user) ||
           (user->getBlock() == body && usedRow(user, value));
  });
}

/// Values from outside that get gradients from all over the body.
static SmallVector<Value> capturedWhole(Operation *node, bool rowsApart,
                                        const Activity &activity) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(node->getRegion(0), used);
  return llvm::filter_to_vector(used, [&](Value value) {
    return activity.isActive(value) && hasGradient(value.getType()) &&
           !value.getDefiningOp<GetOp>() &&
           !(rowsApart && isUsedByRows(node, value));
  });
}

/// Collectors from outside that rows with gradients are given to.
static SmallVector<Value> capturedCollectors(Operation *node,
                                             const Activity &activity) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(node->getRegion(0), used);
  return llvm::filter_to_vector(used, [&](Value value) {
    return isa<CollectorType>(value.getType()) && activity.isActive(value);
  });
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

bool amp::orderMap(MapOp map, const Activity &activity) {
  SmallVector<Value> whole = capturedWhole(map, /*rowsApart=*/true, activity);
  auto isOpen = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return isa<ListType>(value.getType()) || (type && !type.hasStaticShape());
  };
  if (llvm::none_of(whole, isOpen) && capturedCollectors(map, activity).empty())
    return false;
  OpBuilder b(map);
  Location loc = map.getLoc();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  // What becomes carried no longer keeps the loop from opening, so it has to be
  // said: the decisions behind it may be the only ones.
  auto loop =
      LoopOp::create(b, loc, TypeRange(), map.getResultTypes(), zero,
                     map.getCount(), one, ValueRange(), whole, false);
  loop.getBody().takeBody(map.getBody());
  Operation *yield = loop.getBody().front().getTerminator();
  b.setInsertionPoint(yield);
  NextOp::create(b, loc, Value(), ValueRange(), ValueRange(),
                 yield->getOperands());
  yield->erase();
  map.replaceAllUsesWith(loop.getStacked());
  map.erase();
  return true;
}

bool amp::orderFlatmap(FlatmapOp flatmap, const Activity &activity) {
  auto isActive = [&](Value value) { return activity.isActive(value); };
  if (llvm::none_of(flatmap.getResults(), isActive) &&
      capturedCollectors(flatmap, activity).empty())
    return false;
  OpBuilder b(flatmap);
  Location loc = flatmap.getLoc();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  SmallVector<Value> none;
  for (Type type : flatmap.getResultTypes()) {
    auto rows = cast<RankedTensorType>(type);
    Type element = rows.getElementType();
    if (rows.getRank() > 1)
      element = rows.clone(rows.getShape().drop_front());
    none.push_back(ListOp::create(
        b, loc, ListType::get(flatmap.getContext(), element)));
  }
  auto loop = LoopOp::create(
      b, loc, ValueRange(none).getTypes(), TypeRange(), zero, flatmap.getCount(),
      one, none, capturedWhole(flatmap, /*rowsApart=*/true, activity), false);
  for (auto [result, list] : llvm::zip_equal(flatmap.getResults(), loop.getLast()))
    result.replaceAllUsesWith(StackOp::create(b, loc, result.getType(), list));
  loop.getBody().takeBody(flatmap.getBody());
  Block &body = loop.getBody().front();
  Operation *yield = body.getTerminator();
  b.setInsertionPoint(yield);
  SmallVector<Value> lists;
  for (auto [part, list] : llvm::zip_equal(yield->getOperands(), none)) {
    Value count = tensor::DimOp::create(
        b, loc, part, arith::ConstantIndexOp::create(b, loc, 0));
    lists.push_back(pushRows(b, loc, body.addArgument(list.getType(), loc), part,
                             count));
  }
  NextOp::create(b, loc, Value(), lists, ValueRange(), ValueRange());
  yield->erase();
  flatmap.erase();
  return true;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// A loop that is given further carried values.
class WiderLoop {
public:
  explicit WiderLoop(LoopOp loop)
      : loop(loop), next(loop.getNext()), init(loop.getInit()),
        last(loop.getLast().getTypes()) {}

  /// Carries `value` along as it is; the body's argument that holds it. It is a
  /// result where there is a range or `leaves` says so.
  BlockArgument carry(Value value, bool leaves) {
    Block *body = next->getBlock();
    BlockArgument argument =
        body->insertArgument((loop.hasRange() ? 1 : 0) + init.size(),
                             value.getType(), value.getLoc());
    init.push_back(value);
    if (loop.hasRange()) {
      next.getCarriedMutable().append(argument);
      last.push_back(value.getType());
      return argument;
    }
    OpBuilder b(next);
    auto branch =
        BranchOp::create(b, loop.getLoc(), next.getCondition(), argument);
    next.getCarriedMutable().append(branch.getOnTrue());
    if (leaves) {
      next.getExitMutable().append(branch.getOnFalse());
      last.push_back(value.getType());
    }
    return argument;
  }

  void replace() {
    OpBuilder b(loop);
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
  }

private:
  LoopOp loop;
  NextOp next;
  SmallVector<Value> init;
  SmallVector<Type> last;
};
} // namespace

/// A value that a loop carries, before branches.
static Value beforeBranches(Value value) {
  while (auto branch = value.getDefiningOp<BranchOp>())
    value = branch.getValue();
  return value;
}

/// Collectors that a loop carries as they are, its body may as well use from outside.
static void captureCarried(LoopOp loop) {
  for (auto [init, argument, next] : llvm::zip_equal(
           loop.getInit(), loop.getCarriedArgs(), loop.getNext().getCarried()))
    if (isa<CollectorType>(init.getType()) && beforeBranches(next) == argument)
      argument.replaceAllUsesWith(init);
}

Value amp::passedThrough(LoopOp loop, OpResult last) {
  NextOp next = loop.getNext();
  Value value = beforeBranches(
      (loop.hasRange() ? next.getCarried() : next.getExit())[last.getResultNumber()]);
  return loop.getBody().isAncestor(value.getParentRegion()) ? Value() : value;
}

bool amp::carryCaptured(LoopOp loop, const Activity &activity,
                        StandIns &standIns) {
  captureCarried(loop);
  SmallVector<Value> whole = capturedWhole(loop, loop.hasRange(), activity);
  SmallVector<Value> collectors = capturedCollectors(loop, activity);
  Block *body = &loop.getBody().front();
  llvm::erase_if(collectors, [&](Value collector) {
    return findStandIn(body, collector, standIns);
  });
  if (whole.empty() && collectors.empty())
    return false;
  WiderLoop wider(loop);
  for (Value value : whole) {
    BlockArgument argument = wider.carry(value, /*leaves=*/false);
    value.replaceUsesWithIf(argument, [&](OpOperand &use) {
      return loop->isProperAncestor(use.getOwner());
    });
  }
  for (Value collector : collectors) {
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    RankedTensorType type =
        getStackedType(cast<CollectorType>(collector.getType()).getRow());
    Value zero = arith::ConstantOp::create(
        b, loc, b.getZeroAttr(type.getElementType()));
    Value none = arith::ConstantIndexOp::create(b, loc, 0);
    Value nothing = tensor::SplatOp::create(b, loc, zero, type, none);
    standIns[wider.carry(nothing, /*leaves=*/true)] = collector;
  }
  wider.replace();
  return true;
}

Value amp::findStandIn(Block *body, Value collector, const StandIns &standIns) {
  for (BlockArgument argument : body->getArguments())
    if (standIns.lookup(argument) == collector)
      return argument;
  return {};
}

Value amp::collectorOf(Value next, const StandIns &standIns) {
  return standIns.lookup(beforeBranches(next));
}
