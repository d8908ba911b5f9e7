//===- DecomposeOps.cpp - Replaces ops that are made of simpler ones -----===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace amp {
#define GEN_PASS_DEF_DECOMPOSEOPSPASS
#include "amp/Dialect/Amp/Transforms/Passes.h.inc"
} // namespace amp

using namespace mlir;

namespace {
struct DecomposeOps : amp::impl::DecomposeOpsPassBase<DecomposeOps> {
  void runOnOperation() override {
    SmallVector<linalg::AggregatedOpInterface> ops;
    getOperation().walk([&](linalg::AggregatedOpInterface op) {
      // Buffers are no concern of a program: what checks it names such an op.
      if (llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>))
        ops.push_back(op);
    });
    for (linalg::AggregatedOpInterface op : ops) {
      OpBuilder b(op);
      FailureOr<SmallVector<Value>> values = op.decomposeOperation(b);
      if (failed(values) || values->size() != op->getNumResults())
        continue;
      op->replaceAllUsesWith(*values);
      op->erase();
    }
  }
};
} // namespace
