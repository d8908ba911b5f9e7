//===- Elements.cpp - Many frames of one body, and their results -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

#include "amprt/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace amp;

void amp::emitIf(FrameCode &code, Location loc, Value condition,
                   llvm::function_ref<void()> onTrue,
                   llvm::function_ref<void()> onFalse) {
  auto branch =
      scf::IfOp::create(code.b, loc, condition, static_cast<bool>(onFalse));
  OpBuilder::InsertionGuard guard(code.b);
  code.b.setInsertionPointToStart(branch.thenBlock());
  onTrue();
  if (!onFalse)
    return;
  code.b.setInsertionPointToStart(branch.elseBlock());
  onFalse();
}

Value amp::emitFor(FrameCode &code, Location loc, Value count, Value init,
                   llvm::function_ref<Value(Value, Value)> body) {
  OpBuilder &b = code.b;
  Type i64 = b.getI64Type();
  auto loop = scf::WhileOp::create(b, loc, TypeRange{i64, init.getType()},
                                   ValueRange{code.i64(loc, 0), init});
  SmallVector<Location> locs(2, loc);
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {},
                                loop.getResultTypes(), locs);
  // A failed instance opens no more: what it has is dropped anyway.
  Value fine = code.isAlive(loc);
  Value inside =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                            before->getArgument(0), count);
  scf::ConditionOp::create(b, loc, arith::AndIOp::create(b, loc, inside, fine),
                           before->getArguments());
  Block *after =
      b.createBlock(&loop.getAfter(), {}, loop.getResultTypes(), locs);
  Value i = after->getArgument(0);
  Value carried = body(i, after->getArgument(1));
  Value next = arith::AddIOp::create(b, loc, i, code.i64(loc, 1));
  scf::YieldOp::create(b, loc, ValueRange{next, carried});
  return loop.getResult(1);
}

void amp::expectElements(FrameCode &code, Operation *node, Value count,
                         unsigned event) {
  Location loc = node->getLoc();
  code.store(loc, count, code.frame, code.body.countOffset.lookup(node));
  code.store(loc, code.i32(loc, 0), code.frame, code.body.depthOffset(event));
}

void amp::countElement(FrameCode &code, Operation *node, Value parent,
                       unsigned event, Value depth) {
  Location loc = node->getLoc();
  OpBuilder &b = code.b;
  const Body &outer = *code.body.parent;
  // The result is as deep as the deepest of its rows.
  Value deepest =
      code.load(loc, b.getI32Type(), parent, outer.depthOffset(event));
  deepest = arith::MaxUIOp::create(b, loc, deepest, depth);
  code.store(loc, deepest, parent, outer.depthOffset(event));
  int64_t offset = outer.countOffset.lookup(node);
  Value left = code.load(loc, b.getI64Type(), parent, offset);
  left = arith::SubIOp::create(b, loc, left, code.i64(loc, 1));
  code.store(loc, left, parent, offset);
  Value last = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, left,
                                     code.i64(loc, 0));
  emitIf(code, loc, last,
         [&] { code.post(loc, outer, parent, event, deepest); });
}

void amp::openStacked(FrameCode &code, Operation *node, ValueRange stacked,
                        Value count, unsigned event) {
  Location loc = node->getLoc();
  for (Value value : stacked) {
    auto type = cast<RankedTensorType>(value.getType());
    int64_t row = elementBytes(type.getElementType());
    for (int64_t size : type.getShape().drop_front())
      row *= size;
    Value bytes = arith::MulIOp::create(code.b, loc, count, code.i64(loc, row));
    Value data = rt::RowsOp::create(code.b, loc, pointerType(code.b),
                                    code.worker, code.frame, bytes);
    code.storeWords(loc, {data, count}, code.frame,
                    code.body.offsets.lookup(value));
  }
  expectElements(code, node, count, event);
}

void amp::giveStacked(FrameCode &code, Operation *node, ValueRange stacked,
                        ValueRange rows, Value index, unsigned event,
                        Value depth) {
  Location loc = node->getLoc();
  OpBuilder &b = code.b;
  const Body &outer = *code.body.parent;
  Value parent = code.load(loc, code.frameType(), code.frame,
                           offsetof(amprt_frame, parent));
  Type pointer = pointerType(b);
  for (auto [value, row] : llvm::zip_equal(stacked, rows)) {
    Value base = code.load(loc, pointer, parent, outer.offsets.lookup(value));
    code.storeRow(loc, row, base, index);
  }
  countElement(code, node, parent, event, depth);
}


Value amp::positionOf(FrameCode &code, Operation *node, Value parent,
                      const Body &outer, Value frame) {
  Location loc = node->getLoc();
  OpBuilder &b = code.b;
  Type i64 = b.getI64Type();
  Value index = code.load(loc, i64, frame, offsetof(amprt_frame, index));
  if (!isa<LoopOp>(node))
    return index;
  int64_t bounds = outer.lowerOffset.lookup(node);
  Value lower = code.load(loc, i64, parent, bounds);
  Value step = code.load(loc, i64, parent, bounds + 8);
  return arith::DivSIOp::create(
      b, loc, arith::SubIOp::create(b, loc, index, lower), step);
}

void amp::openGradients(FrameCode &code, Operation *node, Value count,
                        Value depth) {
  BackwardOp backward = getBackward(node);
  if (!backward || stackedOf(backward).empty())
    return;
  Location loc = node->getLoc();
  unsigned event = code.body.nodeEvents.lookup(backward).back();
  openStacked(code, backward, stackedOf(backward), count, event);
  Value none = arith::CmpIOp::create(code.b, loc, arith::CmpIPredicate::eq,
                                     count, code.i64(loc, 0));
  emitIf(code, loc, none, [&] { code.mark(loc, event, depth); });
}
