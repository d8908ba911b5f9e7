//===- VerifyGraph.cpp - Checks what a graph (level B) must be ------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each check carries its label in dialects/Amp/SPEC.md.
#include "VerifyModule.h"

#include "amp/Dialect/Amp/Analysis/GuardAnalysis.h"
#include "amp/Dialect/Amp/Transforms/Passes.h"

#include "llvm/ADT/TypeSwitch.h"

namespace amp {
#define GEN_PASS_DEF_VERIFYGRAPHPASS
#include "amp/Dialect/Amp/Transforms/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;

/// Whether each of `values` of `op` exists under `expected` and nothing else.
/// `what` says so in words.
static LogicalResult verifyGuards(const GuardAnalysis &analysis, Operation *op,
                                  ValueRange values, ArrayRef<Guard> expected,
                                  StringRef what) {
  for (auto [index, value] : llvm::enumerate(values)) {
    ArrayRef<Guard> guards = analysis.getGuards(value);
    auto isExpected = [&](Guard guard) {
      return llvm::is_contained(expected, guard);
    };
    if (guards.size() == expected.size() && llvm::all_of(guards, isExpected))
      continue;
    InFlightDiagnostic diag = op->emitOpError("expected ")
                              << what << ", but value " << index << " is not";
    auto other = llvm::find_if_not(guards, isExpected);
    if (other != guards.end())
      diag.attachNote(other->condition.getLoc())
          << "it exists only where this is "
          << (other->side ? "true" : "false");
    else
      diag.attachNote(value.getLoc()) << "it exists on both sides";
    return diag;
  }
  return success();
}

static LogicalResult verifyNext(const GuardAnalysis &analysis, NextOp next) {
  constexpr StringLiteral always = "tokens that always arrive";
  if (failed(verifyGuards(analysis, next, next.getAdjoint(), {},
                          always))) // next_c8
    return failure();
  if (!next.getCondition()) { // next_c1
    if (failed(verifyGuards(analysis, next, next.getCarried(), {}, always)))
      return failure();
    return verifyGuards(analysis, next, next.getStacked(), {}, always);
  }
  if (failed(verifyGuards(analysis, next, next.getCondition(), {},
                          "a condition that always arrives"))) // next_c2
    return failure();
  Value condition = throughForks(next.getCondition());
  if (failed(verifyGuards(
          analysis, next, next.getCarried(), Guard{condition, true},
          "carried tokens from the condition's true side"))) // next_c3
    return failure();
  return verifyGuards(analysis, next, next.getExit(), Guard{condition, false},
                      "exit tokens from the condition's false side"); // next_c4
}

/// Whether the values that open a node's activations have all the guards that
/// the node has. Those are what `opening` gives, and what its regions use;
/// tensors may arrive when the activation is open already.
static LogicalResult verifyOpening(const GuardAnalysis &analysis, Operation *op,
                                   ValueRange opening, ValueRange after) {
  SmallVector<Guard> guards;
  for (Value value : opening)
    if (!isa<TensorType>(value.getType()))
      llvm::append_range(guards, analysis.getGuards(value));
  for (Value value : after)
    llvm::append_range(guards, analysis.getGuards(value));
  for (Region &region : op->getRegions())
    region.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        llvm::append_range(guards, analysis.getGuards(operand));
    });
  for (Guard guard : analysis.getGuards(op)) {
    if (llvm::is_contained(guards, guard))
      continue;
    InFlightDiagnostic diag =
        op->emitOpError("expected a token that opens it (a scalar, a "
                        "collector, or one of after) "
                        "to exist under the same conditions");
    diag.attachNote(guard.condition.getLoc())
        << "it must open only where this is "
        << (guard.side ? "true" : "false");
    return diag;
  }
  return success();
}

/// Whether the gradients exist where the activations do that wait for them.
static LogicalResult verifyBackward(const GuardAnalysis &analysis,
                                    BackwardOp op) {
  ArrayRef<Guard> opened = analysis.getGuards(op.getTape());
  for (Value input : op.getInputs())
    for (Guard guard : analysis.getGuards(input))
      if (!llvm::is_contained(opened, guard)) {
        InFlightDiagnostic diag = op.emitOpError(
            "expected gradients that arrive wherever the tape does");
        diag.attachNote(input.getLoc()) << "this one does not";
        return diag;
      }
  return success();
}

/// What is true of one node, seen from the block that it stands in.
static LogicalResult verifyNode(const GuardAnalysis &analysis, Operation *op) {
  constexpr StringLiteral always = "tokens that always arrive";
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ReturnOp op) { // return_c2
        return verifyGuards(analysis, op, op.getValues(), {}, always);
      })
      .Case([&](YieldOp op) { // map_c5, flatmap_c4
        return verifyGuards(analysis, op, op.getValues(), {}, always);
      })
      .Case([&](NextOp op) { return verifyNext(analysis, op); })
      .Case([&](CallOp op) { // call_c3
        return verifyOpening(analysis, op, op.getInputs(), op.getAfter());
      })
      .Case([&](LoopOp op) { // loop_c11
        ValueRange opening = op.hasRange() ? op->getOperands().take_front(3)
                                           : ValueRange(op.getInit());
        return verifyOpening(analysis, op, opening, op.getAfter());
      })
      .Case([&](BackwardOp op) { // backward_c4
        return verifyBackward(analysis, op);
      })
      .Case<MapOp, FlatmapOp, AddGradientOp, LinearGradientOp,
            GroupedLinearGradientOp, RowGradientOp, BranchOp, MergeOp, ForkOp, SinkOp, TransformOp,
            CellOp, ControlOp, CollectorOp, EmitOp, CollectOp>(
          [](Operation *) { return success(); })
      .Default([](Operation *op) -> LogicalResult {
        if (!isPerInstanceOp(op)) // B2
          return op->emitOpError("is not a node that a graph may hold");
        return success();
      });
}

static LogicalResult verifyGraph(GraphOp graph) {
  bool isWrong = false;
  SmallVector<Block *> blocks{&graph.getBody().front()};
  while (!blocks.empty()) {
    Block *block = blocks.pop_back_val();
    GuardAnalysis analysis(block);
    isWrong |= failed(analysis.verify());
    for (Operation &op : *block) {
      isWrong |= failed(verifyNode(analysis, &op));
      // A constant that only a region uses stands on no edge.
      bool isFree = op.hasTrait<OpTrait::ConstantLike>();
      for (Type type : op.getResultTypes())
        if (!isEdgeType(type) && !isa<TapeType>(type) &&
            !(isFree && (type.isBF16() || type.isF16()))) { // T1
          op.emitOpError(
              "expected results of types that an edge may carry, but "
              "got ")
              << type;
          isWrong = true;
        }
      if (isa<LoopOp, MapOp, FlatmapOp>(op))
        blocks.push_back(&op.getRegion(0).front());
    }
  }
  return failure(isWrong);
}

namespace {
struct VerifyGraph : public amp::impl::VerifyGraphPassBase<VerifyGraph> {
  void runOnOperation() override {
    bool isWrong = failed(verifyEntry<GraphOp>(getOperation()));
    for (Operation &op : *getOperation().getBody()) {
      if (auto graph = dyn_cast<GraphOp>(op)) {
        isWrong |= failed(verifyGraph(graph));
      } else if (!isa<ParamOp>(op)) { // B1
        op.emitOpError("is not one that a graph's module may contain; expected "
                       "amp.param or amp.graph");
        isWrong = true;
      }
    }
    if (isWrong)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
