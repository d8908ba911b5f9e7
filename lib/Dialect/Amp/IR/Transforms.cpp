//===- Transforms.cpp - Nodes of several ops ------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/IR/Transforms.h"

#include "amp/Dialect/Amp/IR/AmpOps.h"

using namespace mlir;
using namespace amp;

void amp::inlineTransforms(Block *block) {
  for (TransformOp op :
       llvm::make_early_inc_range(block->getOps<TransformOp>())) {
    Block &body = op.getBody().front();
    Operation *yield = body.getTerminator();
    for (auto [argument, input] :
         llvm::zip_equal(body.getArguments(), op.getInputs()))
      argument.replaceAllUsesWith(input);
    op.replaceAllUsesWith(yield->getOperands());
    yield->erase();
    block->getOperations().splice(Block::iterator(op), body.getOperations());
    op.erase();
  }
}
