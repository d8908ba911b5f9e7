//===- VerifyCells.cpp - Checks what a batched graph must be -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/IR/AmpInterfaces.h"
#include "amp/Dialect/Amp/IR/Values.h"
#include "amp/Dialect/Amp/Transforms/Passes.h"

namespace amp {
#define GEN_PASS_DEF_VERIFYCELLSPASS
#include "amp/Dialect/Amp/Transforms/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;

/// Every op of a cell or control step can be emitted there.
static LogicalResult verifyNode(Operation *node) {
  for (Operation &op : node->getRegion(0).front().without_terminator()) {
    if (makesUniform(&op))
      continue;
    if (isa<CellOp>(node)) {
      auto cell = dyn_cast<CellOpInterface>(op);
      if (!cell || !cell.isBatchable())
        return op.emitOpError("cannot stand in a cell");
    } else {
      auto control = dyn_cast<ControlOpInterface>(op);
      if (!control || !control.isControlStep())
        return op.emitOpError("cannot stand in a control step");
    }
  }
  return success();
}

namespace {
struct VerifyCells : amp::impl::VerifyCellsPassBase<VerifyCells> {
  using Base::Base;

  void runOnOperation() override {
    WalkResult result = getOperation().walk([&](Operation *op) {
      if (isa<CellOp, ControlOp>(op))
        return failed(verifyNode(op)) ? WalkResult::interrupt()
                                      : WalkResult::skip();
      if (!isa<GraphOp, LoopOp, MapOp, FlatmapOp>(op))
        return WalkResult::advance();
      for (Operation &node : op->getRegion(0).front())
        if (!makesUniform(&node) && !node.hasTrait<OpTrait::IsTerminator>() &&
            !isa<CellOp, ControlOp, BranchOp, MergeOp, CallOp, BackwardOp, LoopOp, MapOp,
                 FlatmapOp, CollectorOp, EmitOp, CollectOp>(node)) {
          node.emitOpError("expected a cell, a control step or a control node");
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
