//===- BackwardNodes.cpp - Backward passes of nodes with bodies -----------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackwardBody.h"
#include "Captures.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace amp;

//===----------------------------------------------------------------------===//
// Collectors
//===----------------------------------------------------------------------===//

static LogicalResult refuseCollector(Operation *op) {
  return op->emitOpError("gives rows to a collector that a loop carries: that is "
                         "not differentiated");
}

LogicalResult BackwardBody::runEmit(EmitOp op) {
  if (!wants(op.getRow()) || !wants(op.getCollector()))
    return success();
  Value rows = collectorGradient(op.getCollector());
  if (!rows)
    return refuseCollector(op);
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
  if (collector.getParentBlock() != block) {
    if (Value standIn =
            findStandIn(block, collector, all.activity.getStandIns()))
      gradient = adjoint(standIn);
    return collectors[collector] = gradient;
  }
  if (auto branch = collector.getDefiningOp<BranchOp>()) {
    Value whole = collectorGradient(branch.getValue());
    if (!whole)
      return {};
    auto routed = BranchOp::create(b, branch.getLoc(), branch.getCondition(), whole);
    gradient = collector == branch.getOnTrue() ? routed.getOnTrue()
                                               : routed.getOnFalse();
  } else if (auto merge = collector.getDefiningOp<MergeOp>()) {
    Value onTrue = collectorGradient(merge.getOnTrue()),
          onFalse = collectorGradient(merge.getOnFalse());
    if (onTrue && onFalse)
      gradient = MergeOp::create(b, merge.getLoc(), onTrue, onFalse);
  } else if (auto fork = collector.getDefiningOp<ForkOp>()) {
    gradient = collectorGradient(fork.getValue());
  } else if (auto loop = collector.getDefiningOp<LoopOp>()) {
    Value passed = passedThrough(loop, cast<OpResult>(collector));
    Value whole = passed ? collectorGradient(passed) : Value();
    if (whole)
      gradient = sums.route(loop.getLoc(), {whole, Guards(guardsOf(passed))},
                            guardsOf(collector));
  } else if (auto maker = collector.getDefiningOp<CollectorOp>()) {
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
      return refuseCollector(op);
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
    return llvm::any_of(op.getCarriedArgs(),
                        [&](Value value) { return wants(value); })
               ? refuseCollector(op)
               : success();
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

  const StandIns &standIns = all.activity.getStandIns();
  ValueRange last = op.hasRange() ? next.getCarried() : next.getExit();
  for (int64_t i : op.hasRange() ? op.adjointsCarried() : op.adjointsExit()) {
    Value collector = collectorOf(last[i], standIns);
    inputs.push_back(collector ? collectorGradient(collector)
                               : totalOrZeros(op.getLast()[i]));
    if (!inputs.back())
      return refuseCollector(op);
  }
  for (int64_t i : op.adjointsStacked())
    inputs.push_back(totalOrZeros(op.getStacked()[i]));
  auto backward =
      BackwardOp::create(b, op.getLoc(), types, op.getTape(), inputs);
  ValueRange results = backward.getResults();
  for (auto [i, result] : llvm::zip(op.adjointsCarried(), results))
    if (wants(op.getInit()[i]) && !standIns.count(op.getCarriedArgs()[i]))
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
  for (auto [value, gradient] : captured)
    back.push_back(gradient);
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
