//===- GradientFlow.cpp - Which cells work on gradients -------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradientFlow.h"

using namespace mlir;
using namespace amp;

GradientFlow::GradientFlow(ModuleOp module) {
  // Each value stands before its uses, so one pass is enough.
  for (GraphOp graph : module.getOps<GraphOp>())
    graph.walk<WalkOrder::PreOrder>([&](Operation *op) {
      enter(op);
      if (isa<BackwardOp>(op) || dependsOnGradients(op)) {
        gradients.insert_range(op->getResults());
        if (isa<CellOp>(op))
          backward.insert(op);
      }
      return isa<CellOp, ControlOp>(op) ? WalkResult::skip()
                                        : WalkResult::advance();
    });
}

/// Arguments of bodies that are gradients.
void GradientFlow::enter(Operation *op) {
  if (auto graph = dyn_cast<GraphOp>(op))
    gradients.insert_range(
        graph.getArguments().take_back(graph.adjointInputs()));
  else if (auto loop = dyn_cast<LoopOp>(op))
    gradients.insert_range(loop.getAdjointArgs());
  else if (auto map = dyn_cast<MapOp>(op))
    gradients.insert_range(map.getAdjointArgs());
}

/// Whether an op of a body takes a gradient, or is a cell in which one begins
/// or ends. A loop or map that uses one from outside takes it, too.
bool GradientFlow::dependsOnGradients(Operation *op) const {
  if (isa<GraphOp>(op))
    return false;
  bool inside = isa<CellOp>(op);
  return op
      ->walk([&](Operation *inner) {
        bool begins =
            inside && (isa<LossGradientOp>(inner) || addsGradient(inner));
        bool takes = llvm::any_of(inner->getOperands(), [&](Value operand) {
          return gradients.contains(operand) &&
                 !op->isAncestor(operand.getParentBlock()->getParentOp());
        });
        return begins || takes ? WalkResult::interrupt()
                               : WalkResult::advance();
      })
      .wasInterrupted();
}
