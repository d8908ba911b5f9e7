//===- BackwardBody.cpp - The backward pass of one body -------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackwardBody.h"

#include "amp/Dialect/Amp/IR/AmpInterfaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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
  Value count = getValueOrCreateConstantIndexOp(b, loc, dims(loc, value)[0]);
  Value sum = SegmentOp::create(b, loc, Reduction::Sum, rows, indices, count);
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

LogicalResult BackwardBody::runEmit(EmitOp op) {
  if (!wants(op.getRow()) || !wants(op.getCollector()))
    return success();
  Value rows = collectorGradient(op.getCollector());
  if (!rows)
    return op.emitOpError("gives a row to a collector from outside of the loop "
                          "or map: that is not differentiated");
  Location loc = op.getLoc();
  Value index = op.getIndex();
  if (!index.getType().isIndex())
    index = arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
  auto type = cast<RankedTensorType>(op.getRow().getType());
  SmallVector<OpFoldResult> offsets{index}, sizes{b.getIndexAttr(1)};
  for (int64_t size : type.getShape()) {
    offsets.push_back(b.getIndexAttr(0));
    sizes.push_back(b.getIndexAttr(size));
  }
  SmallVector<OpFoldResult> ones(offsets.size(), b.getIndexAttr(1));
  Value row = tensor::ExtractSliceOp::create(b, loc, type, rows, offsets, sizes,
                                             ones);
  add(op.getRow(), row);
  return success();
}

Value BackwardBody::zeroRows(CollectorOp maker) {
  Location loc = maker.getLoc();
  RankedTensorType type = getStackedType(maker.getType().getRow());
  Value none = arith::ConstantIndexOp::create(b, loc, 0);
  Value count = arith::MaxSIOp::create(b, loc, maker.getCount(), none);
  Value zero = arith::ConstantOp::create(
      b, loc, b.getZeroAttr(type.getElementType()));
  return tensor::SplatOp::create(b, loc, zero, type, count);
}

Value BackwardBody::collectorGradient(Value collector) {
  auto [at, fresh] = collectors.try_emplace(collector);
  if (!fresh)
    return at->second;
  Value gradient;
  if (auto branch = collector.getDefiningOp<BranchOp>()) {
    Value whole = collectorGradient(branch.getValue());
    if (!whole)
      return {};
    auto routed = BranchOp::create(b, branch.getLoc(), branch.getCondition(), whole);
    gradient = collector == branch.getOnTrue() ? routed.getOnTrue()
                                               : routed.getOnFalse();
  } else if (auto maker = collector.getDefiningOp<CollectorOp>();
             maker && collector.getParentBlock() == block) {
    for (Operation *user : collector.getUsers())
      if (auto collect = dyn_cast<CollectOp>(user))
        gradient = totalOrZeros(collect.getRows());
    if (!gradient) // nobody reads its rows
      gradient = zeroRows(maker);
  }
  return collectors[collector] = gradient;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

LogicalResult BackwardBody::runCall(CallOp op) {
  if (!op.getTape())
    return success();
  const Adjoints &adjoints = all.graphs.at(op.getCalleeAttr().getAttr());
  SmallVector<Value> inputs;
  for (int64_t number : adjoints.results)
    inputs.push_back(totalOrZeros(op.getResult(number)));
  for (int64_t number : adjoints.collectors) {
    inputs.push_back(collectorGradient(op.getInputs()[number]));
    if (!inputs.back())
      return op.emitOpError("hands on a collector from outside of the loop or "
                            "map: that is not differentiated");
  }
  SmallVector<Type> types;
  for (int64_t number : adjoints.arguments)
    types.push_back(op.getInputs()[number].getType());
  auto backward =
      BackwardOp::create(b, op.getLoc(), types, op.getTape(), inputs);
  for (auto [number, result] :
       llvm::zip_equal(adjoints.arguments, backward.getResults()))
    if (wants(op.getInputs()[number]))
      add(op.getInputs()[number], result);
  return success();
}

//===----------------------------------------------------------------------===//
// Loops and maps
//===----------------------------------------------------------------------===//

/// For each captured row, its index and the row itself were stacked.
void BackwardBody::addStacks(ArrayRef<CapturedRow> rows, ValueRange stacks) {
  for (auto [i, captured] : llvm::enumerate(rows))
    add(captured.value, sumRows(current->getLoc(), captured.value,
                                stacks[2 * i], stacks[2 * i + 1]));
}

LogicalResult BackwardBody::runLoop(LoopOp op) {
  if (!op.getTape())
    return success();
  NextOp next = op.getNext();
  BackwardBody inner(all, &op.getBody().front());
  auto gradient = op.getAdjointArgs().begin();
  auto seedAll = [&](ArrayRef<int64_t> numbers, ValueRange values) {
    for (int64_t i : numbers)
      inner.seed(values[i], *gradient++);
  };
  seedAll(op.adjointsCarried(), next.getCarried());
  seedAll(op.adjointsExit(), next.getExit());
  seedAll(op.adjointsStacked(), next.getStacked());
  if (failed(inner.run()))
    return failure();

  SmallVector<Value> back, inputs;
  SmallVector<Type> types;
  for (int64_t i : op.adjointsCarried()) {
    back.push_back(inner.totalOrZeros(op.getCarriedArgs()[i]));
    types.push_back(back.back().getType());
  }
  SmallVector<CapturedRow> rows = inner.takeCapturedRows();
  for (const CapturedRow &row : rows)
    for (Value value : {row.index, row.row}) {
      back.push_back(value);
      types.push_back(getStackedType(value.getType()));
    }
  if (!inner.takeCaptured().empty())
    return op.emitOpError("uses a value from outside whose gradient cannot be "
                          "carried");
  next.getAdjointMutable().assign(back);

  for (int64_t i : op.hasRange() ? op.adjointsCarried() : op.adjointsExit())
    inputs.push_back(totalOrZeros(op.getLast()[i]));
  for (int64_t i : op.adjointsStacked())
    inputs.push_back(totalOrZeros(op.getStacked()[i]));
  auto backward =
      BackwardOp::create(b, op.getLoc(), types, op.getTape(), inputs);
  ValueRange results = backward.getResults();
  for (auto [i, result] : llvm::zip(op.adjointsCarried(), results))
    if (wants(op.getInit()[i]))
      add(op.getInit()[i], result);
  addStacks(rows, results.drop_front(op.adjointsCarried().size()));
  return success();
}

LogicalResult BackwardBody::runMap(MapOp op) {
  if (!op.getTape())
    return success();
  auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
  BackwardBody inner(all, &op.getBody().front());
  for (auto [i, gradient] :
       llvm::zip_equal(op.adjointsStacked(), op.getAdjointArgs()))
    inner.seed(yield.getValues()[i], gradient);
  if (failed(inner.run()))
    return failure();

  SmallVector<Value> back, inputs;
  SmallVector<CapturedRow> rows = inner.takeCapturedRows();
  for (const CapturedRow &row : rows)
    llvm::append_values(back, row.index, row.row);
  auto captured = inner.takeCaptured();
  for (auto [value, gradient] : captured) {
    auto type = dyn_cast<RankedTensorType>(gradient.getType());
    if (type && !type.hasStaticShape())
      return op.emitOpError("uses all of a value from outside whose size is "
                            "open: that is not differentiated");
    back.push_back(gradient);
  }
  yield.getValuesMutable().append(back);
  SmallVector<Type> types;
  for (Value value : back)
    types.push_back(getStackedType(value.getType()));
  for (int64_t i : op.adjointsStacked())
    inputs.push_back(totalOrZeros(op.getStacked()[i]));
  auto backward =
      BackwardOp::create(b, op.getLoc(), types, op.getTape(), inputs);
  addStacks(rows, backward.getResults());
  for (auto [part, stack] : llvm::zip_equal(
           captured, backward.getResults().drop_front(2 * rows.size()))) {
    Value sum;
    if (isa<RankedTensorType>(part.second.getType())) {
      sum = PoolOp::create(b, op.getLoc(), Reduction::Sum, stack);
    } else { // a vector of scalars
      sum = PoolOp::create(b, op.getLoc(), Reduction::Sum, stack);
      sum = tensor::ExtractOp::create(b, op.getLoc(), sum, ValueRange());
    }
    add(part.first, sum);
  }
  return success();
}
