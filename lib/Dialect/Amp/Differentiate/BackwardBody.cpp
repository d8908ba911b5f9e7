//===- BackwardBody.cpp - The backward pass of one body -------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackwardBody.h"
#include "ListGradients.h"

#include "amp/Dialect/Amp/IR/AmpInterfaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;

BackwardBody::BackwardBody(const Differentiation &all, Block *block)
    : AdjointEmitter(builder), all(all), block(block),
      builder(block->getTerminator()), guards(block), sums(*this) {}

void BackwardBody::seed(Value value, Value gradient) {
  if (value.getParentBlock() == block || wants(value))
    give(value, {gradient, Guards(guardsOf(value))});
}

LogicalResult BackwardBody::run() {
  SmallVector<Operation *> forward;
  for (Operation &op : block->without_terminator())
    forward.push_back(&op);
  for (Operation *op : llvm::reverse(forward))
    if (failed(runOp(op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Gradients of values
//===----------------------------------------------------------------------===//

Value BackwardBody::adjoint(Value result) {
  return sums.total(result, guardsOf(result));
}

void BackwardBody::add(Value operand, Value gradient) {
  give(operand, {gradient, Guards(guards.getGuards(current))});
}

/// A parameter's gradient needs no sum here: the parameter gets all parts.
void BackwardBody::give(Value value, Guarded gradient) {
  if (FlatSymbolRefAttr name = parameter(value))
    AddGradientOp::create(b, gradient.value.getLoc(), name, gradient.value);
  else
    sums.add(value, gradient.value, gradient.guards);
}

void BackwardBody::addRow(Value operand, Value index, Value row) {
  ArrayRef<Guard> under = guards.getGuards(current);
  Location loc = current->getLoc();
  if (operand.getParentBlock() != block && !parameter(operand)) {
    capturedRows.push_back(
        {operand, {index, Guards(under)}, {row, Guards(under)}});
    return;
  }
  if (isa<ListType>(operand.getType()))
    return add(operand, gradientOfElement(*this, loc, operand, index, row));
  // One row of a block of one.
  Value indices = tensor::FromElementsOp::create(b, loc, ValueRange{index});
  Value rows;
  if (auto type = dyn_cast<RankedTensorType>(row.getType())) {
    SmallVector<int64_t> shape{1};
    llvm::append_range(shape, type.getShape());
    SmallVector<OpFoldResult> sizes{b.getIndexAttr(1)};
    llvm::append_range(sizes, dims(loc, row));
    SmallVector<ReassociationIndices> groups;
    for (int64_t i = 0; i < type.getRank(); ++i)
      groups.push_back(i == 0 ? ReassociationIndices{0, 1}
                              : ReassociationIndices{i + 1});
    rows = tensor::ExpandShapeOp::create(b, loc, type.clone(shape), row, groups,
                                         sizes);
  } else {
    rows = tensor::FromElementsOp::create(b, loc, ValueRange{row});
  }
  add(operand, sumRows(loc, operand, indices, rows));
}

Value BackwardBody::sumRows(Location loc, Value value, Value indices,
                            Value rows) {
  auto list = dyn_cast<ListType>(value.getType());
  Value count =
      list ? LengthOp::create(b, loc, value).getResult()
           : getValueOrCreateConstantIndexOp(b, loc, dims(loc, value)[0]);
  Value sum = SegmentOp::create(b, loc, Reduction::Sum, rows, indices, count);
  if (list)
    return listOfRows(b, loc, list, sum, count);
  if (sum.getType() != value.getType())
    sum = tensor::CastOp::create(b, loc, value.getType(), sum);
  return sum;
}

Value BackwardBody::totalOrZeros(Value value) {
  if (Value total = adjoint(value))
    return total;
  return filled(value.getLoc(), value, 0);
}

SmallVector<BackwardBody::CapturedRow> BackwardBody::takeCapturedRows() {
  SmallVector<CapturedRow> result;
  for (RowPart &part : capturedRows) {
    Location loc = part.row.value.getLoc();
    // Where the row does not come, zeros are added to row 0.
    auto zeros = [&](Value like) -> Guarded {
      if (like.getType().isIndex())
        return {arith::ConstantIndexOp::create(b, loc, 0), {}};
      return {filled(loc, like, 0), {}};
    };
    Value index = sums.combine(loc, {part.index}, {},
                               [&] { return zeros(part.index.value); });
    Value row =
        sums.combine(loc, {part.row}, {}, [&] { return zeros(part.row.value); });
    result.push_back({part.value, index, row});
  }
  return result;
}

SmallVector<std::pair<Value, Value>> BackwardBody::takeCaptured() {
  return sums.takeFrom([&](Value value) {
    return value.getParentBlock() != block;
  });
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

LogicalResult BackwardBody::runOp(Operation *op) {
  current = op;
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](CallOp op) { return runCall(op); })
      .Case([&](LoopOp op) { return runLoop(op); })
      .Case([&](MapOp op) { return runMap(op); })
      .Case([&](EmitOp op) { return runEmit(op); })
      .Case([&](BranchOp op) {
        // Each side's gradient goes back under that side's guard.
        for (Value side : op.getResults())
          if (hasGradient(side.getType()))
            if (Value gradient = adjoint(side))
              give(op.getValue(), {gradient, Guards(guardsOf(side))});
        return success();
      })
      .Case([&](MergeOp op) {
        Value gradient =
            hasGradient(op.getType()) ? adjoint(op.getResult()) : Value();
        if (!gradient)
          return success();
        Guarded token{gradient, Guards(guardsOf(op.getResult()))};
        for (Value side : op->getOperands())
          if (wants(side))
            give(side, {sums.route(op.getLoc(), token, guardsOf(side)),
                        Guards(guardsOf(side))});
        return success();
      })
      .Case([&](ForkOp op) {
        for (Value result : op.getResults())
          if (hasGradient(result.getType()))
            if (Value gradient = adjoint(result))
              add(op.getValue(), gradient);
        return success();
      })
      .Case<CollectorOp, CollectOp, SinkOp, GetOp>(
          [](Operation *) { return success(); })
      .Default([&](Operation *op) -> LogicalResult {
        bool isActive = llvm::any_of(op->getResults(), [&](Value result) {
          return wants(result) && sums.has(result);
        });
        if (!isActive)
          return success();
        if (auto derivative = dyn_cast<DerivativeOpInterface>(op))
          return derivative.emitAdjoint(*this);
        return op->emitOpError("has no derivative, but the loss depends on "
                               "parameters by way of it");
      });
}
