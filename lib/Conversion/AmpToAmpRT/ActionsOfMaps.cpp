//===- ActionsOfMaps.cpp - Actions of maps and flatmaps -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Actions.h"
#include "Elements.h"

#include "amprt/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace amp;

/// Opens a frame for each element; a differentiated map links them. Returns the
/// last one, or null.
static Value openElements(FrameCode &code, Operation *op, const Body &inner,
                          Value count, Value depth) {
  Location loc = op->getLoc();
  Value none = code.nullFrame(loc);
  return emitFor(code, loc, count, none, [&](Value i, Value before) {
    Value child = code.open(loc, inner, code.frame, {}, depth);
    code.store(loc, i, child, offsetof(amprt_frame, index));
    if (getTape(op))
      code.store(loc, before, child, offsetof(amprt_frame, next));
    code.post(loc, inner, child, kStart, depth);
    return getTape(op) ? child : before;
  });
}

/// The results of a map or flatmap but for a tape.
static ValueRange stackedResults(Operation *op) {
  return op->getResults().drop_back(getTape(op) ? 1 : 0);
}

/// The words of a flatmap: where each result's blocks are, an amprt_block for
/// each element.
static int64_t blocksOffset(const Body &body, Operation *op, unsigned result) {
  return body.blocksOffset.lookup(op) + 8 * (1 + result);
}

static void openBlocks(FrameCode &code, Operation *op, Value count,
                       unsigned event) {
  Location loc = op->getLoc();
  code.store(loc, count, code.frame, code.body.blocksOffset.lookup(op));
  Value bytes = arith::MulIOp::create(code.b, loc, count,
                                      code.i64(loc, sizeof(amprt_block_t)));
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    Value blocks = rt::RowsOp::create(code.b, loc, pointerType(code.b),
                                      code.worker, code.frame, bytes);
    code.store(loc, blocks, code.frame, blocksOffset(code.body, op, i));
  }
  expectElements(code, op, count, event);
}

void amp::addMap(std::vector<Action> &actions, const Bodies &bodies,
                 const Body &body, Operation *op) {
  const Body &inner = bodies.of(op);
  SmallVector<unsigned> events = body.nodeEvents.lookup(op);
  bool isFlat = isa<FlatmapOp>(op);
  auto emit = [=, &inner](FrameCode &code, Value depth) {
    Location loc = op->getLoc();
    Value count = code.toI64(loc, code.words(op->getOperand(0))[0]);
    count = arith::MaxSIOp::create(code.b, loc, count, code.i64(loc, 0));
    if (!events.empty()) {
      code.checkElements(loc, count);
      if (isFlat)
        openBlocks(code, op, count, events[0]);
      else
        openStacked(code, op, stackedResults(op), count, events[0]);
      Value none = arith::CmpIOp::create(code.b, loc, arith::CmpIPredicate::eq,
                                         count, code.i64(loc, 0));
      emitIf(code, loc, none, [&] { code.mark(loc, events[0], depth); });
    }
    openGradients(code, op, count, depth);
    Value last = openElements(code, op, inner, count, depth);
    if (!getTape(op))
      return;
    code.store(loc, last, code.frame, code.body.childOffset.lookup(op));
    code.mark(loc, code.body.opened.lookup(op), depth);
  };
  EventSet produces(events.begin(), events.end());
  if (getTape(op)) {
    produces.insert(body.opened.lookup(op));
    if (BackwardOp backward = getBackward(op))
      for (unsigned event : body.nodeEvents.lookup(backward))
        produces.insert(event);
  }
  actions.push_back(
      {bodies.needToOpen(body, op), produces, op->getLoc(), emit});
  if (!isFlat || events.empty())
    return;
  // When all elements have given their rows, these become one tensor.
  auto join = [=](FrameCode &code, Value) {
    Location loc = op->getLoc();
    Value count = code.load(loc, code.b.getI64Type(), code.frame,
                            code.body.blocksOffset.lookup(op));
    for (OpResult result : op->getResults()) {
      auto type = cast<RankedTensorType>(result.getType());
      int64_t row = elementBytes(type.getElementType());
      for (int64_t size : type.getShape().drop_front())
        row *= size;
      Value blocks =
          code.load(loc, pointerType(code.b), code.frame,
                    blocksOffset(code.body, op, result.getResultNumber()));
      rt::ConcatOp::create(code.b, loc, code.worker, code.frame, blocks, count,
                           row, code.body.offsets.lookup(result));
    }
  };
  actions.push_back({{kStart, events[0]}, {}, op->getLoc(), join});
}

/// Notes where this element's rows are.
static void giveBlocks(FrameCode &code, Operation *op, ValueRange rows,
                       Value index, unsigned event, Value depth) {
  Location loc = op->getLoc();
  OpBuilder &b = code.b;
  const Body &outer = *code.body.parent;
  Value parent = code.load(loc, code.frameType(), code.frame,
                           offsetof(amprt_frame, parent));
  Value at = arith::MulIOp::create(b, loc, index,
                                   code.i64(loc, sizeof(amprt_block_t)));
  for (auto [i, value] : llvm::enumerate(rows)) {
    Value blocks = code.load(loc, pointerType(b), parent,
                             blocksOffset(outer, op, i));
    Value block = code.advance(loc, blocks, b.getI8Type(), at);
    SmallVector<Value> words = code.words(value);
    LLVM::StoreOp::create(b, loc, words[0], block);
    LLVM::StoreOp::create(
        b, loc, words[1],
        code.advance(loc, block, b.getI8Type(),
                     code.i64(loc, offsetof(amprt_block_t, rows))));
  }
  countElement(code, op, parent, event, depth);
}

void amp::addMapYield(std::vector<Action> &actions, const Bodies &,
                      const Body &body, YieldOp op) {
  Operation *map = body.op;
  ValueRange stacked = stackedResults(map);
  ValueRange values = op.getValues().take_front(stacked.size());
  if (values.empty())
    return;
  unsigned event = body.parent->nodeEvents.lookup(map)[0];
  auto emit = [=](FrameCode &code, Value depth) mutable {
    Location loc = op.getLoc();
    Value index = code.load(loc, code.b.getI64Type(), code.frame,
                            offsetof(amprt_frame, index));
    if (isa<FlatmapOp>(map))
      giveBlocks(code, map, values, index, event, depth);
    else
      giveStacked(code, map, stacked, values, index, event, depth);
  };
  actions.push_back({withStart(body.maskOf(values)), {}, op.getLoc(), emit});
}
