//===- VerifyProgram.cpp - Checks what a program (level A) must be --------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each check carries its label in dialects/Amp/SPEC.md.
#include "VerifyModule.h"

#include "amp/Dialect/Amp/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace amp {
#define GEN_PASS_DEF_VERIFYPROGRAMPASS
#include "amp/Dialect/Amp/Transforms/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;

/// Whether a function of a program may hold `op` itself, whatever its regions
/// hold.
static bool isProgramOp(Operation *op) {
  return isa<scf::IfOp, scf::ForOp, scf::WhileOp, scf::IndexSwitchOp,
             scf::YieldOp, scf::ConditionOp, func::CallOp, func::ReturnOp,
             MapOp, FlatmapOp, ScanOp, YieldOp, TransformOp, CollectorOp, EmitOp,
             CollectOp>(op);
}

/// `op` itself if it is a program's op, or with all that its regions hold if it
/// is a per-instance op.
static LogicalResult verifyOp(Operation *op) {
  bool isWhole = !isProgramOp(op);
  if (isWhole && !isPerInstanceOp(op)) // A3
    return op->emitOpError("is not one that a program may contain");
  // Inside a region of an op there are no edges, but elements.
  auto verifyResults = [op](Operation *each) {
    for (Type type : each->getResultTypes())
      if (!isEdgeType(type) &&
          (each == op || !(type.isBF16() || type.isF16()))) // T1
        return WalkResult(each->emitOpError("expected results of types that an "
                                            "edge may carry, but got ")
                          << type);
    return WalkResult::advance();
  };
  WalkResult result = isWhole ? op->walk(verifyResults) : verifyResults(op);
  return failure(result.wasInterrupted());
}

static LogicalResult verifyFunction(func::FuncOp function) {
  if (function.isExternal()) // A2
    return function.emitOpError("expected a body");
  if (!function.getBody().hasOneBlock()) // A2
    return function.emitOpError("expected a body of one block, but got ")
           << function.getBody().getBlocks().size();
  FunctionType type = function.getFunctionType();
  for (Type each :
       llvm::concat<const Type>(type.getInputs(), type.getResults()))
    if (!isEdgeType(each)) // T1
      return function.emitOpError(
                 "expected arguments and results of types that "
                 "an edge may carry, but got ")
             << each;

  bool failed = false;
  for (Operation &top : function.getBody().front())
    top.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (succeeded(verifyOp(op)))
        return isProgramOp(op) ? WalkResult::advance() : WalkResult::skip();
      failed = true;
      return WalkResult::skip();
    });
  return failure(failed);
}

namespace {
struct VerifyProgram : public amp::impl::VerifyProgramPassBase<VerifyProgram> {
  void runOnOperation() override {
    bool isWrong = failed(verifyEntry<func::FuncOp>(getOperation()));
    for (Operation &op : *getOperation().getBody()) {
      if (auto function = dyn_cast<func::FuncOp>(op)) {
        isWrong |= failed(verifyFunction(function));
      } else if (!isa<ParamOp>(op)) { // A1
        op.emitOpError(
            "is not one that a program's module may contain; expected "
            "amp.param or func.func");
        isWrong = true;
      }
    }
    if (isWrong)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
