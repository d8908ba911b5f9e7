//===- ConvertLoops.cpp - Loops, scans and maps to nodes ------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Converter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace amp;

LogicalResult Converter::writeBody(
    Operation *node, TypeRange arguments, Scope &scope,
    llvm::function_ref<LogicalResult(Scope &, Block &)> write) {
  OpBuilder &builder = scope.level->builder;
  Block *body = &node->getRegion(0).emplaceBlock();
  body->addArguments(arguments,
                     SmallVector<Location>(arguments.size(), node->getLoc()));
  builder.setInsertionPoint(node);
  LogicalResult result = write(router.makeBody(&scope, body), *body);
  builder.setInsertionPointAfter(node);
  return result;
}

/// `value` as index, or an index as `type`.
static Value castIndex(OpBuilder &builder, Location loc, Value value,
                       Type type) {
  if (value.getType() == type)
    return value;
  return arith::IndexCastOp::create(builder, loc, type, value);
}

LogicalResult Converter::convertFor(scf::ForOp op, Scope &scope) {
  if (op.getUnsignedCmp())
    return op.emitOpError(
        "expected signed bounds: a graph's loop has no other");
  Location loc = op.getLoc();
  OpBuilder &builder = scope.level->builder;
  Type index = builder.getIndexType();

  Type type = op.getInductionVar().getType();
  Operands operands =
      useToOpen({op.getLowerBound(), op.getUpperBound(), op.getStep()},
                op.getInitArgs(), scope, loc);
  for (unsigned i = 0; i < 3; ++i)
    operands.values[i] = castIndex(builder, loc, operands.values[i], index);
  auto loop =
      LoopOp::create(builder, loc, op.getResultTypes(), TypeRange(),
                     operands.values[0], operands.values[1], operands.values[2],
                     ValueRange(operands.values).drop_front(3), operands.after,
                     /*reverse=*/false);
  loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());

  SmallVector<Type> arguments{index};
  llvm::append_range(arguments, op.getResultTypes());
  defineAll(op.getResults(), loop.getLast(), &scope);
  return writeBody(
      loop, arguments, scope, [&](Scope &in, Block &body) -> LogicalResult {
        Value iteration =
            castIndex(in.level->builder, loc, body.getArgument(0), type);
        router.define(op.getInductionVar(), {iteration, &in});
        defineAll(op.getRegionIterArgs(), body.getArguments().drop_front(),
                  &in);
        if (failed(convertBlock(*op.getBody(), in)))
          return failure();
        Operation *end = op.getBody()->getTerminator();
        NextOp::create(in.level->builder, end->getLoc(), Value(),
                       useAll(end->getOperands(), in, end->getLoc()),
                       ValueRange(), ValueRange());
        return success();
      });
}

LogicalResult Converter::convertScan(ScanOp op, Scope &scope) {
  Location loc = op.getLoc();
  OpBuilder &builder = scope.level->builder;
  Operands operands =
      useToOpen({op.getLower(), op.getUpper()}, op.getInit(), scope, loc);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = LoopOp::create(builder, loc, op.getLast().getTypes(),
                             op.getStacked().getTypes(), operands.values[0],
                             operands.values[1], one,
                             ValueRange(operands.values).drop_front(2),
                             operands.after, op.getReverse());
  loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  defineAll(op.getResults(), loop.getResults(), &scope);
  Block &from = op.getBody().front();
  return writeBody(loop, from.getArgumentTypes(), scope,
                   [&](Scope &in, Block &body) -> LogicalResult {
                     defineAll(from.getArguments(), body.getArguments(), &in);
                     if (failed(convertBlock(from, in)))
                       return failure();
                     Operation *end = from.getTerminator();
                     SmallVector<Value> values =
                         useAll(end->getOperands(), in, end->getLoc());
                     unsigned carried = op.getInit().size();
                     NextOp::create(in.level->builder, end->getLoc(), Value(),
                                    ValueRange(values).take_front(carried),
                                    ValueRange(),
                                    ValueRange(values).drop_front(carried));
                     return success();
                   });
}

/// An iteration runs the ops of `before`, then decides: those of `after` stand
/// in the true arm of that decision.
LogicalResult Converter::convertWhile(scf::WhileOp op, Scope &scope) {
  Location loc = op.getLoc();
  Operands operands = useToOpen(op.getInits(), {}, scope, loc);
  auto loop = LoopOp::create(scope.level->builder, loc, op.getResultTypes(),
                             TypeRange(), Value(), Value(), Value(),
                             operands.values, operands.after,
                             /*reverse=*/false);
  loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  defineAll(op.getResults(), loop.getLast(), &scope);
  return writeBody(
      loop, op.getInits().getTypes(), scope,
      [&](Scope &in, Block &body) -> LogicalResult {
        defineAll(op.getBeforeArguments(), body.getArguments(), &in);
        if (failed(convertBlock(*op.getBeforeBody(), in)))
          return failure();
        scf::ConditionOp decision = op.getConditionOp();
        Value condition =
            router.use(decision.getCondition(), in, decision.getLoc()).value;
        Scope &again = router.makeArm(in, condition, true);
        Scope &done = router.makeArm(in, condition, false);
        for (auto [argument, value] :
             llvm::zip_equal(op.getAfterArguments(), decision.getArgs()))
          router.define(argument, router.use(value, again, decision.getLoc()));
        SmallVector<Value> exit =
            useAllGuarded(decision.getArgs(), done, decision.getLoc());
        if (failed(convertBlock(*op.getAfterBody(), again)))
          return failure();
        scf::YieldOp end = op.getYieldOp();
        NextOp::create(in.level->builder, end.getLoc(), condition,
                       useAllGuarded(end.getOperands(), again, end.getLoc()),
                       exit, ValueRange());
        return success();
      });
}

template <typename Map>
LogicalResult Converter::convertMap(Map op, Scope &scope) {
  Location loc = op.getLoc();
  auto map = Map::create(scope.level->builder, loc, op.getResultTypes(),
                           router.useGuarded(op.getCount(), scope, loc));
  map->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  defineAll(op.getResults(), map.getResults(), &scope);
  Block &from = op.getBody().front();
  return writeBody(map, from.getArgumentTypes(), scope,
                   [&](Scope &in, Block &body) -> LogicalResult {
                     defineAll(from.getArguments(), body.getArguments(), &in);
                     if (failed(convertBlock(from, in)))
                       return failure();
                     Operation *end = from.getTerminator();
                     YieldOp::create(
                         in.level->builder, end->getLoc(),
                         useAll(end->getOperands(), in, end->getLoc()));
                     return success();
                   });
}

template LogicalResult Converter::convertMap(MapOp, Scope &);
template LogicalResult Converter::convertMap(FlatmapOp, Scope &);
