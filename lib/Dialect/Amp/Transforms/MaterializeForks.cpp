//===- MaterializeForks.cpp - Makes forks and sinks explicit --------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/IR/AmpOps.h"
#include "amp/Dialect/Amp/IR/Values.h"
#include "amp/Dialect/Amp/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

namespace amp {
#define GEN_PASS_DEF_MATERIALIZEFORKSPASS
#include "amp/Dialect/Amp/Transforms/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;

/// Constants and parameters have no token; a collector is a place to put rows
/// into, not one.
static bool isToken(Value value) {
  return !isa<CollectorType>(value.getType()) && !isUniform(value);
}

/// The uses of a value in one block, each as the operands that take it: what a
/// node's regions use from outside it takes once.
static SmallVector<SmallVector<OpOperand *>> usesIn(Value value, Block *block) {
  SmallVector<SmallVector<OpOperand *>> uses;
  llvm::MapVector<Operation *, SmallVector<OpOperand *>> captured;
  for (OpOperand &use : value.getUses()) {
    Operation *node = block->findAncestorOpInBlock(*use.getOwner());
    if (!node)
      continue;
    if (node == use.getOwner())
      uses.push_back({&use});
    else
      captured[node].push_back(&use);
  }
  for (auto &[node, operands] : captured)
    uses.push_back(operands);
  // The list of uses has the last one first.
  std::reverse(uses.begin(), uses.end());
  return uses;
}

/// Gives each use of `value` in `block` a token of its own. Where the value is
/// made in this block, one without any use gets a sink.
static void forkIn(Value value, Block *block) {
  if (!isToken(value))
    return;
  SmallVector<SmallVector<OpOperand *>> uses = usesIn(value, block);
  bool isOwn = value.getParentBlock() == block;
  if (uses.size() == 1 || (uses.empty() && !isOwn))
    return;
  Operation *maker = isOwn ? value.getDefiningOp() : nullptr;
  OpBuilder b(block, maker ? std::next(Block::iterator(maker)) : block->begin());
  if (uses.empty()) {
    SinkOp::create(b, value.getLoc(), value);
    return;
  }
  auto fork = ForkOp::create(
      b, value.getLoc(), SmallVector<Type>(uses.size(), value.getType()), value);
  for (auto [result, operands] : llvm::zip_equal(fork.getResults(), uses))
    for (OpOperand *operand : operands)
      operand->set(result);
}

static void forkBlock(Block *block) {
  llvm::SetVector<Value> values;
  values.insert(block->args_begin(), block->args_end());
  Operation *owner = block->getParentOp();
  for (Operation &op : *block) {
    values.insert(op.result_begin(), op.result_end());
    // What comes from outside.
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!owner->isAncestor(operand.getParentBlock()->getParentOp()))
          values.insert(operand);
    });
  }
  for (Value value : values)
    forkIn(value, block);
  for (Operation &op : *block)
    if (isa<LoopOp, MapOp, FlatmapOp>(op))
      forkBlock(&op.getRegion(0).front());
}

namespace {
struct MaterializeForks
    : amp::impl::MaterializeForksPassBase<MaterializeForks> {
  void runOnOperation() override {
    for (GraphOp graph : getOperation().getOps<GraphOp>())
      forkBlock(&graph.getBody().front());
  }
};
} // namespace
