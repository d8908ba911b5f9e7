//===- FormCells.cpp - A graph's ops become cells and control steps -----===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/Transforms/Passes.h"

#include "CellFormation.h"

#include "amp/Dialect/Amp/IR/AmpInterfaces.h"
#include "amp/Dialect/Amp/IR/Factor.h"
#include "amp/Dialect/Amp/IR/Transforms.h"
#include "amp/Dialect/Amp/IR/Values.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

namespace amp {
#define GEN_PASS_DEF_FORMCELLSPASS
#include "amp/Dialect/Amp/Transforms/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;

/// Puts the ops of a group into a node of their own; `name`: a cell's.
static void outline(Block *block, const CellFormation::Group &group,
                    StringAttr name) {
  ArrayRef<Operation *> ops(group.ops);
  llvm::SmallPtrSet<Operation *, 16> members(ops.begin(), ops.end());
  llvm::SetVector<Value> inputs, uniform;
  SmallVector<Value> results;
  for (Operation *op : ops) {
    for (Value operand : valuesReadBy(op)) {
      if (isUniform(operand))
        uniform.insert(operand);
      else if (!members.contains(operand.getDefiningOp()))
        inputs.insert(operand);
    }
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !members.contains(block->findAncestorOpInBlock(*user));
          }))
        results.push_back(result);
  }
  OpBuilder b(block->getTerminator());
  SmallVector<Location> locs;
  for (Operation *op : ops)
    locs.push_back(op->getLoc());
  Location loc = ops.front()->getLoc();
  Operation *node;
  TypeRange types = ValueRange(results).getTypes();
  if (group.kind == CellFormation::Kind::tensor)
    node = CellOp::create(b, loc, types, name, inputs.getArrayRef());
  else
    node = ControlOp::create(b, loc, types, inputs.getArrayRef());

  Block *body = b.createBlock(&node->getRegion(0));
  IRMapping mapping;
  for (Value input : inputs)
    mapping.map(input, body->addArgument(input.getType(), input.getLoc()));
  for (Value value : uniform)
    mapping.map(value, b.clone(*value.getDefiningOp())->getResult(0));
  for (Operation *op : ops)
    b.clone(*op, mapping);
  SmallVector<Value> yielded;
  for (Value result : results)
    yielded.push_back(mapping.lookup(result));
  YieldOp::create(b, loc, yielded);

  for (auto [result, value] : llvm::zip_equal(results, node->getResults()))
    result.replaceUsesWithIf(value, [&](OpOperand &use) {
      return !members.contains(block->findAncestorOpInBlock(*use.getOwner()));
    });
  for (Operation *op : llvm::reverse(ops))
    op->erase();
}

/// The part of one block that becomes cells and control steps. `cellCount`:
/// cells of the graph before these.
static LogicalResult formCells(Block *block, GraphOp graph,
                               unsigned &cellCount) {
  inlineTransforms(block); // its ops are grouped anew
  auto groups = CellFormation(block).run();
  if (failed(groups))
    return failure();
  for (const CellFormation::Group &group : *groups) {
    StringAttr name;
    if (group.kind == CellFormation::Kind::tensor)
      name = StringAttr::get(graph.getContext(),
                             graph.getSymName() + "." + Twine(cellCount++));
    outline(block, group, name);
  }
  sortTopologically(block);
  return success();
}

/// The runtime's gradients and optimisers are of f32.
static LogicalResult verifyTrainable(ModuleOp module) {
  SymbolTable symbols(module);
  WalkResult result = module.walk([&](Operation *op) {
    auto name = op->getAttrOfType<FlatSymbolRefAttr>("param");
    if (!name || isa<GetOp>(op))
      return WalkResult::advance();
    auto param = symbols.lookup<ParamOp>(name.getAttr());
    if (param.getTensorType().getElementType().isF32())
      return WalkResult::advance();
    InFlightDiagnostic diag =
        param.emitOpError("is trained, but compiled models train parameters of "
                          "f32 only, and it is ")
        << param.getTensorType();
    diag.attachNote(op->getLoc()) << "its gradient comes from here";
    return WalkResult(diag);
  });
  return failure(result.wasInterrupted());
}

namespace {
struct FormCells : amp::impl::FormCellsPassBase<FormCells> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(verifyTrainable(getOperation())))
      return signalPassFailure();
    for (GraphOp graph : getOperation().getOps<GraphOp>()) {
      unsigned cellCount = 0;
      SmallVector<Block *> bodies{&graph.getBody().front()};
      graph.walk([&](Operation *op) { // inner bodies first
        if (isa<LoopOp, MapOp, FlatmapOp>(op))
          bodies.push_back(&op->getRegion(0).front());
      });
      for (Block *block : llvm::reverse(bodies))
        if (failed(formCells(block, graph, cellCount)))
          return signalPassFailure();
    }
    reportCells();
  }

  void reportCells() {
    getOperation().walk([&](CellOp cell) {
      std::string ops;
      llvm::raw_string_ostream out(ops);
      llvm::interleave(
          cell.getBody().front().without_terminator(), out,
          [&](Operation &op) { out << op.getName(); }, ", ");
      remark::passed(cell.getLoc(), remark::RemarkOpts::name("cell").category(
                                        "amp-form-cells"))
          << remark::metric("cell", cell.getName())
          << remark::metric("ops", ops);
      for (Operation &op : cell.getBody().front().without_terminator()) {
        auto batched = dyn_cast<CellOpInterface>(op);
        if (batched && op.getNumResults() && !batched.isVirtual() && !batched.getProductParam() &&
            !isConcatenatedFactor(op.getResult(0)))
          remark::missed(op.getLoc(), remark::RemarkOpts::name("loop").category(
                                          "amp-form-cells"))
              << remark::reason("runs one activation after the other")
              << remark::suggest("element-wise ops, products with a parameter "
                                 "and reductions of rows have batched forms")
              << remark::metric("op", op.getName().getStringRef());
      }
    });
  }
};
} // namespace
