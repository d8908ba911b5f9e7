//===- BatchMaps.cpp - Makes straight-line maps row blocks ----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// From what a map yields backwards, each op is emitted once for all elements.
// What no result needs is not, so it no longer fails either (SPEC, "Failure").
//
#include "amp/Dialect/Amp/IR/AmpInterfaces.h"
#include "amp/Dialect/Amp/Transforms/Passes.h"
#include "amp/Dialect/Amp/Transforms/RowsEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace amp {
#define GEN_PASS_DEF_BATCHMAPSPASS
#include "amp/Dialect/Amp/Transforms/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;

/// The rows of each result; on failure nothing has changed.
static FailureOr<SmallVector<Value>> emitBlocks(RowsEmitter &emitter,
                                                MapOp map) {
  Block &body = map.getBody().front();
  for (Operation &op : body.without_terminator())
    if (!isPerInstanceOp(&op) || op.getNumRegions())
      return emitter.refuse(&op, "is not straight-line tensor work");
  SmallVector<Value> results;
  for (Value value : body.getTerminator()->getOperands()) {
    FailureOr<Value> rows = emitter.rows(value);
    if (failed(rows))
      return failure();
    results.push_back(*rows);
  }
  return results;
}

static void batch(MapOp map) {
  auto remarkName = remark::RemarkOpts::name("map").category("amp-batch-maps");
  // Into a block of its own, so that what was begun can be thrown away.
  Block scratch;
  OpBuilder b(map.getContext());
  b.setInsertionPointToEnd(&scratch);
  RowsEmitter emitter(b, map);
  FailureOr<SmallVector<Value>> results = emitBlocks(emitter, map);
  if (failed(results)) {
    remark::missed(map.getLoc(), remarkName)
        << remark::reason("its elements are activations of their own, because "
                          "{0} {1}",
                          emitter.refusedOp->getName(), emitter.reason);
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(scratch)))
      op.erase();
    return;
  }
  remark::passed(map.getLoc(), remarkName)
      << remark::reason("its elements are the rows of one block");
  Block *block = map->getBlock();
  block->getOperations().splice(Block::iterator(map), scratch.getOperations());
  map.replaceAllUsesWith(*results);
  map.erase();
}

namespace {
struct BatchMaps : amp::impl::BatchMapsPassBase<BatchMaps> {
  void runOnOperation() override {
    SmallVector<MapOp> maps; // inner ones first
    getOperation().walk<WalkOrder::PostOrder>(
        [&](MapOp map) { maps.push_back(map); });
    for (MapOp map : maps)
      if (!map->getParentOfType<GraphOp>())
        batch(map);
  }
};
} // namespace
