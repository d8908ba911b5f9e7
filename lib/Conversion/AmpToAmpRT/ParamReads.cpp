//===- ParamReads.cpp - Who reads which parameters ------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParamReads.h"

#include "Body.h"

#include "mlir/Interfaces/ShapedOpInterfaces.h"

using namespace mlir;
using namespace amp;

ParamReads::ParamReads(ModuleOp module) {
  for (ParamOp param : module.getOps<ParamOp>()) {
    numbers[param.getSymName()] = params.size();
    params.push_back(param);
  }
  for (GraphOp graph : module.getOps<GraphOp>())
    graphs[graph.getSymName()] = graph;
  byControl.resize(params.size());
  // The least fixed point: views only ever become more.
  do {
    changed = false;
    for (GraphOp graph : module.getOps<GraphOp>())
      graph.walk<WalkOrder::PreOrder>([&](Operation *op) {
        visit(op);
        return isa<CellOp>(op) ? WalkResult::skip() : WalkResult::advance();
      });
  } while (changed);
}

SmallVector<Attribute> ParamReads::of(CellOp cell) const {
  Params read(params.size());
  for (Value input : cell.getInputs())
    read |= viewsOf(input);
  cell.walk([&](Operation *op) {
    op->getAttrDictionary().walk([&](FlatSymbolRefAttr symbol) {
      if (auto param = numbers.find(symbol.getValue()); param != numbers.end())
        read.set(param->second);
    });
  });
  SmallVector<Attribute> references;
  for (unsigned number : read.set_bits()) {
    ParamOp param = params[number];
    references.push_back(FlatSymbolRefAttr::get(param.getSymNameAttr()));
  }
  return references;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

ParamReads::Params ParamReads::viewsOf(Value value) const {
  auto found = views.find(value);
  return found == views.end() ? Params(params.size()) : found->second;
}

void ParamReads::add(Value to, const Params &more) {
  // A scalar is a copy, and so is a collector's row.
  if (more.none() || !isa<RankedTensorType, ListType>(to.getType()))
    return;
  Params &known = views.try_emplace(to, Params(params.size())).first->second;
  if (!more.test(known))
    return;
  known |= more;
  changed = true;
}

void ParamReads::flow(ValueRange from, ValueRange to) {
  for (auto [value, target] : llvm::zip(from, to))
    flow(value, target);
}

void ParamReads::flowAmong(ValueRange from, ValueRange to) {
  for (Value value : from)
    for (Value target : to)
      flow(value, target);
}

void ParamReads::readByControl(ValueRange values) {
  for (Value value : values) {
    Params read = viewsOf(value);
    changed |= read.test(byControl);
    byControl |= read;
  }
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

void ParamReads::visit(Operation *op) {
  if (auto get = dyn_cast<GetOp>(op)) {
    Params self(params.size());
    self.set(numbers.lookup(get.getParam()));
    add(get.getValue(), self);
  } else if (auto control = dyn_cast<ControlOp>(op)) {
    Block &body = control.getBody().front();
    flow(control.getInputs(), body.getArguments());
    flow(body.getTerminator()->getOperands(), control.getResults());
  } else if (auto call = dyn_cast<CallOp>(op)) {
    visitCall(call);
  } else if (auto loop = dyn_cast<LoopOp>(op)) {
    visitLoop(loop);
  } else if (isa<MapOp, FlatmapOp>(op)) {
    visitMap(op);
  } else if (auto stack = dyn_cast<StackOp>(op)) {
    readByControl(stack.getList());
  } else if (auto emit = dyn_cast<EmitOp>(op)) {
    readByControl(emit.getRow());
  } else if (auto end = dyn_cast<ReturnOp>(op)) {
    if (end->getParentOfType<GraphOp>().isPublic())
      readByControl(end.getValues());
  } else if (!isa<GraphOp, CellOp, BackwardOp, NextOp, YieldOp>(op)) {
    // Results of cells are fresh; of the others, their nodes have told.
    visitOp(op);
  }
}

/// Branches, merges, and what control steps do: any result may be a view of any
/// operand, but a scalar is an element of it.
void ParamReads::visitOp(Operation *op) {
  flowAmong(op->getOperands(), op->getResults());
  bool readsElements =
      op->getParentOfType<ControlOp>() && !isa<ShapedDimOpInterface>(op) &&
      llvm::any_of(op->getResultTypes(),
                   [](Type type) { return type.isIntOrIndexOrFloat(); });
  if (!readsElements)
    return;
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      readByControl(operand);
}

void ParamReads::visitCall(CallOp call) {
  GraphOp callee = graphs.lookup(call.getCallee());
  Block &body = callee.getBody().front();
  flow(Bodies::inputsOf(call), body.getArguments());
  flow(body.getTerminator()->getOperands(), Bodies::resultsOf(call));
}

void ParamReads::visitLoop(LoopOp loop) {
  NextOp next = loop.getNext();
  flow(loop.getInit(), loop.getCarriedArgs());
  flow(next.getCarried(), loop.getCarriedArgs());
  if (loop.hasRange()) {
    flow(loop.getInit(), loop.getLast()); // without an iteration
    flow(next.getCarried(), loop.getLast());
  } else {
    flow(next.getExit(), loop.getLast());
  }
  readByControl(next.getStacked());
  visitGradients(loop, next.getAdjoint(), loop.getAdjointArgs());
}

void ParamReads::visitMap(Operation *op) {
  readByControl(op->getRegion(0).front().getTerminator()->getOperands());
  if (auto map = dyn_cast<MapOp>(op))
    visitGradients(map, {}, map.getAdjointArgs());
}

/// A gradient is hardly ever a view, so its way is not followed closely. Control
/// stacks some, and takes stacks apart.
void ParamReads::visitGradients(Operation *node, ValueRange given,
                                ValueRange arguments) {
  BackwardOp backward = getBackward(node);
  if (!backward)
    return;
  for (ValueRange from : {ValueRange(backward.getInputs()), given}) {
    flowAmong(from, arguments);
    flowAmong(from, backward.getResults());
    readByControl(from);
  }
}
