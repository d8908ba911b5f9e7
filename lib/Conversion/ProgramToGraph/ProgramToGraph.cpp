//===- ProgramToGraph.cpp - Functions to graphs ---------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Converter.h"

#include "amp/Conversion/Passes.h"
#include "amp/Dialect/Amp/IR/Values.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;

namespace amp {
#define GEN_PASS_DEF_CONVERTPROGRAMTOGRAPHPASS
#include "amp/Conversion/Passes.h.inc"
} // namespace amp

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

SmallVector<Value> Converter::useAll(ValueRange values, Scope &scope,
                                     Location loc) {
  return llvm::map_to_vector(
      values, [&](Value value) { return router.use(value, scope, loc).value; });
}

SmallVector<Value> Converter::useAllGuarded(ValueRange values, Scope &scope,
                                            Location loc) {
  return llvm::map_to_vector(values, [&](Value value) {
    return router.useGuarded(value, scope, loc);
  });
}

void Converter::defineAll(ValueRange values, ValueRange tokens, Scope *scope) {
  for (auto [value, token] : llvm::zip_equal(values, tokens))
    router.define(value, {token, scope});
}

Converter::Operands Converter::useToOpen(ValueRange opening, ValueRange others,
                                         Scope &scope, Location loc) {
  Operands operands;
  bool guarded = !scope.isArm();
  for (Value value : opening) {
    Token token = router.use(value, scope, loc);
    operands.values.push_back(token.value);
    guarded |= !token.isFree() && !isa<TensorType>(value.getType());
  }
  llvm::append_range(operands.values, useAll(others, scope, loc));
  if (!guarded)
    operands.after.push_back(router.getSignal(scope, loc));
  return operands;
}

//===----------------------------------------------------------------------===//
// Bare ops and calls
//===----------------------------------------------------------------------===//

/// The operand to route where all are free: a scalar if there is one, and a
/// parameter, which should stay visible as such, only if there is nothing else.
static Value pickOperand(ArrayRef<Value> used) {
  SmallVector<Value> edges = llvm::filter_to_vector(
      used, [](Value value) { return isEdgeType(value.getType()); });
  for (Value operand : edges)
    if (operand.getType().isIntOrIndexOrFloat())
      return operand;
  for (Value operand : edges)
    if (!operand.getDefiningOp<GetOp>())
      return operand;
  return edges.empty() ? Value() : edges.front();
}

LogicalResult Converter::convertBare(Operation *op, Scope &scope) {
  llvm::SetVector<Value> used = valuesReadBy(op);
  IRMapping mapping;
  bool needsNone = makesUniform(op);
  bool guarded = !scope.isArm() && !needsNone;
  for (Value value : used) {
    Token token = router.use(value, scope, op->getLoc());
    mapping.map(value, token.value);
    guarded |= !token.isFree();
  }
  if (!guarded && !needsNone && mayFail(op)) {
    Value operand = pickOperand(used.getArrayRef());
    if (!operand)
      return op->emitOpError("cannot be made conditional, because it has no "
                             "operand; move it out of the arm");
    mapping.map(operand,
                router.route(mapping.lookup(operand), scope, op->getLoc()));
    guarded = true;
  }
  Operation *node = scope.level->builder.clone(*op, mapping);
  defineAll(op->getResults(), node->getResults(), guarded ? &scope : nullptr);
  return success();
}

LogicalResult Converter::convertCall(func::CallOp op, Scope &scope) {
  auto callee = symbols.lookup<func::FuncOp>(op.getCallee());
  if (callee.isExternal()) {
    InFlightDiagnostic diag =
        op.emitOpError("expected a callee with a body, but ")
        << op.getCallee() << " has none";
    diag.attachNote(callee.getLoc()) << "it is declared here";
    return diag;
  }
  Operands operands = useToOpen(op.getOperands(), {}, scope, op.getLoc());
  auto node =
      CallOp::create(scope.level->builder, op.getLoc(), op.getResultTypes(),
                     op.getCalleeAttr(), operands.values, operands.after);
  defineAll(op.getResults(), node.getResults(), &scope);
  return success();
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

LogicalResult Converter::convertIf(scf::IfOp op, Scope &scope) {
  Location loc = op.getLoc();
  Value condition = router.useGuarded(op.getCondition(), scope, loc);
  Scope &onTrue = router.makeArm(scope, condition, true);
  Scope &onFalse = router.makeArm(scope, condition, false);
  if (failed(convertBlock(*op.thenBlock(), onTrue)) ||
      (op.elseBlock() && failed(convertBlock(*op.elseBlock(), onFalse))))
    return failure();
  for (OpResult result : op.getResults()) {
    if (result.use_empty())
      continue; // and route nothing for it
    unsigned index = result.getResultNumber();
    Value a = router.useGuarded(op.thenYield().getOperand(index), onTrue, loc);
    Value b = router.useGuarded(op.elseYield().getOperand(index), onFalse, loc);
    router.define(result,
                  {MergeOp::create(scope.level->builder, loc, a, b), &scope});
  }
  return success();
}

/// A chain of decisions: is it the first case? If not, is it the second? ...
LogicalResult Converter::convertSwitch(scf::IndexSwitchOp op, Scope &scope) {
  Location loc = op.getLoc();
  OpBuilder &builder = scope.level->builder;
  struct Case {
    Scope *scope; ///< Of the decision.
    Scope *arm;
    scf::YieldOp yield;
  };
  SmallVector<Case> cases;
  Scope *rest = &scope;
  for (auto [number, region] :
       llvm::zip_equal(op.getCases(), op.getCaseRegions())) {
    Value arg = router.useGuarded(op.getArg(), *rest, loc);
    Value constant = arith::ConstantIndexOp::create(builder, loc, number);
    Value condition = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, arg, constant);
    Scope &arm = router.makeArm(*rest, condition, true);
    if (failed(convertBlock(region.front(), arm)))
      return failure();
    cases.push_back(
        {rest, &arm, cast<scf::YieldOp>(region.front().getTerminator())});
    rest = &router.makeArm(*rest, condition, false);
  }
  Block &defaultBlock = op.getDefaultBlock();
  if (failed(convertBlock(defaultBlock, *rest)))
    return failure();
  for (OpResult result : op.getResults()) {
    if (result.use_empty())
      continue;
    unsigned index = result.getResultNumber();
    Value merged = router.useGuarded(
        defaultBlock.getTerminator()->getOperand(index), *rest, loc);
    for (Case &each : llvm::reverse(cases)) {
      Value value =
          router.useGuarded(each.yield.getOperand(index), *each.arm, loc);
      merged = MergeOp::create(builder, loc, value, merged);
    }
    router.define(result, {merged, &scope});
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Blocks and functions
//===----------------------------------------------------------------------===//

LogicalResult Converter::convertOp(Operation *op, Scope &scope) {
  // Folding takes constants out of regions, whose scalars may be narrow.
  bool isFree = op->hasTrait<OpTrait::ConstantLike>();
  for (Type type : op->getResultTypes())
    if (!isEdgeType(type) && !(isFree && (type.isBF16() || type.isF16())))
      return op->emitOpError(
                 "expected results that an edge may carry, but got ")
             << type;
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](func::CallOp op) { return convertCall(op, scope); })
      .Case([&](scf::IfOp op) { return convertIf(op, scope); })
      .Case([&](scf::IndexSwitchOp op) { return convertSwitch(op, scope); })
      .Case([&](scf::ForOp op) { return convertFor(op, scope); })
      .Case([&](scf::WhileOp op) { return convertWhile(op, scope); })
      .Case([&](ScanOp op) { return convertScan(op, scope); })
      .Case([&](MapOp op) { return convertMap(op, scope); })
      .Case([&](FlatmapOp op) { return convertMap(op, scope); })
      .Case<CollectorOp, EmitOp, CollectOp, TransformOp>(
          [&](Operation *op) { return convertBare(op, scope); })
      .Default([&](Operation *op) -> LogicalResult {
        if (!isPerInstanceOp(op))
          return op->emitOpError("has no form in a graph");
        return convertBare(op, scope);
      });
}

LogicalResult Converter::convertBlock(Block &block, Scope &scope) {
  for (Operation &op : block.without_terminator())
    if (failed(convertOp(&op, scope)))
      return failure();
  return success();
}

GraphOp Converter::convert(func::FuncOp function) {
  if (!function.getBody().hasOneBlock()) {
    function.emitOpError("expected a body of one block");
    return {};
  }
  FunctionType type = function.getFunctionType();
  for (Type each :
       llvm::concat<const Type>(type.getInputs(), type.getResults()))
    if (!isEdgeType(each)) {
      function.emitOpError("expected values that an edge may carry, but got ")
          << each;
      return {};
    }
  OpBuilder builder(function);
  auto graph = GraphOp::create(
      builder, function.getLoc(), function.getSymNameAttr(),
      function.getFunctionTypeAttr(), function.getSymVisibilityAttr(),
      function.getArgAttrsAttr(), function.getResAttrsAttr());
  graph->setDiscardableAttrs(function->getDiscardableAttrDictionary());
  Block *body = builder.createBlock(&graph.getBody());
  Scope &scope = router.makeBody(nullptr, body);
  for (BlockArgument argument : function.getArguments())
    router.define(
        argument,
        {body->addArgument(argument.getType(), argument.getLoc()), &scope});
  if (failed(convertBlock(function.getBody().front(), scope))) {
    graph.erase();
    return {};
  }
  Operation *end = function.getBody().front().getTerminator();
  ReturnOp::create(scope.level->builder, end->getLoc(),
                   useAll(end->getOperands(), scope, end->getLoc()));
  return graph;
}

namespace {
struct ConvertProgramToGraph
    : public amp::impl::ConvertProgramToGraphPassBase<ConvertProgramToGraph> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    auto functions = llvm::to_vector(getOperation().getOps<func::FuncOp>());
    SmallVector<GraphOp> graphs;
    for (func::FuncOp function : functions)
      if (!function.isExternal())
        graphs.push_back(Converter(symbols).convert(function));
    if (llvm::all_of(graphs, [](GraphOp graph) { return graph; })) {
      for (func::FuncOp function : functions)
        function.erase();
      return;
    }
    for (GraphOp graph : graphs)
      if (graph)
        graph.erase();
    signalPassFailure();
  }
};
} // namespace
