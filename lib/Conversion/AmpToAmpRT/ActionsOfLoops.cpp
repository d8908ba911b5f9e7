//===- ActionsOfLoops.cpp - Actions of loops -*- C++ -*-===//
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
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace amp;

/// Offset of the argument that holds carried value `i`.
static int64_t carriedOffset(const Body &inner, unsigned i) {
  auto loop = cast<LoopOp>(inner.op);
  return inner.offsets.lookup(loop.getCarriedArgs()[i]);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Tells `next`, or the loop if there is none, that `child` comes before it.
static void linkPrevious(FrameCode &code, Location loc, const Body &inner,
                         Value child, Value next) {
  code.store(loc, code.nullFrame(loc), child, inner.previousOffset);
  emitIf(
      code, loc, code.isNull(loc, next),
      [&] {
        code.store(loc, child, code.frame,
                   code.body.lastOffset.lookup(inner.op));
      },
      [&] { code.store(loc, child, next, inner.previousOffset); });
}

/// All iterations of a loop with a range, each linked to the one that follows.
/// Returns the first, or null.
static Value openIterations(FrameCode &code, LoopOp op, const Body &inner,
                            Value count, Value lower, Value step, Value depth) {
  Location loc = op.getLoc();
  OpBuilder &b = code.b;
  // From the last to the first, so that each knows its successor.
  return emitFor(
      code, loc, count, code.nullFrame(loc), [&](Value i, Value next) {
        Value position = i;
        if (!op.getReverse())
          position = arith::SubIOp::create(
              b, loc,
              arith::SubIOp::create(b, loc, count, code.i64(loc, 1)), i);
        Value index = arith::AddIOp::create(
            b, loc, lower, arith::MulIOp::create(b, loc, position, step));
        Value child = code.open(loc, inner, code.frame, {}, depth);
        code.store(loc, index, child, offsetof(amprt_frame, index));
        code.store(loc, next, child, offsetof(amprt_frame, next));
        if (op.getTape())
          linkPrevious(code, loc, inner, child, next);
        code.post(loc, inner, child, kStart, depth);
        return child;
      });
}

static void emitOpenLoop(FrameCode &code, LoopOp op, const Body &inner,
                         ArrayRef<unsigned> events, Value depth) {
  Location loc = op.getLoc();
  OpBuilder &b = code.b;
  Value first;
  if (!op.hasRange()) {
    first = code.open(loc, inner, code.frame, {}, depth);
    code.store(loc, code.nullFrame(loc), first, offsetof(amprt_frame, next));
    if (op.getTape())
      code.store(loc, code.nullFrame(loc), first, inner.previousOffset);
    code.post(loc, inner, first, kStart, depth);
  } else {
    Value lower = code.toI64(loc, code.words(op.getLower())[0]);
    Value upper = code.toI64(loc, code.words(op.getUpper())[0]);
    Value step = code.toI64(loc, code.words(op.getStep())[0]);
    Value zero = code.i64(loc, 0);
    code.check(
        loc, "a loop's step is not positive",
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, step, zero));
    // ceil((upper - lower) / step), at least 0.
    Value span = arith::SubIOp::create(b, loc, upper, lower);
    span = arith::AddIOp::create(
        b, loc, span, arith::SubIOp::create(b, loc, step, code.i64(loc, 1)));
    Value count = arith::DivSIOp::create(b, loc, span, step);
    count = arith::MaxSIOp::create(b, loc, count, zero);
    if (!op.getStacked().empty() || op.getTape()) {
      code.checkElements(loc, count);
      code.storeWords(loc, {lower, step}, code.frame,
                      code.body.lowerOffset.lookup(op));
    }
    openGradients(code, op, count, depth);
    if (!op.getStacked().empty()) {
      openStacked(code, op, op.getStacked(), count, events.back());
      Value none =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, count, zero);
      emitIf(code, loc, none, [&] { code.mark(loc, events.back(), depth); });
    }
    first = openIterations(code, op, inner, count, lower, step, depth);
  }
  code.store(loc, first, code.frame, code.body.childOffset.lookup(op));
  code.mark(loc, code.body.opened.lookup(op), depth);
}

void amp::addLoop(std::vector<Action> &actions, const Bodies &bodies,
                  const Body &body, LoopOp op) {
  const Body &inner = bodies.of(op);
  SmallVector<unsigned> events = body.nodeEvents.lookup(op);
  unsigned opened = body.opened.lookup(op);
  auto open = [=, &inner](FrameCode &code, Value depth) mutable {
    emitOpenLoop(code, op, inner, events, depth);
  };
  EventSet produces{opened};
  if (!op.getStacked().empty())
    produces.insert(events.back());
  if (BackwardOp backward = getBackward(op))
    if (!stackedOf(backward).empty())
      produces.insert(body.nodeEvents.lookup(backward).back());
  actions.push_back({bodies.needToOpen(body, op), produces, op.getLoc(), open});

  // Each class of carried values begins the first iteration's when it is there;
  // without an iteration it is the loop's result.
  for (unsigned number = 0; number < inner.carried.count; ++number) {
    SmallVector<unsigned> members = membersOf(inner.carried, number);
    EventSet need{kStart, opened};
    for (unsigned i : members)
      need.merge(body.maskOf(op.getInit()[i]));
    auto begin = [=, &inner](FrameCode &code, Value depth) mutable {
      Location loc = op.getLoc();
      Value first = code.load(loc, code.frameType(), code.frame,
                              code.body.childOffset.lookup(op));
      auto give = [&] {
        for (unsigned i : members)
          code.storeWords(loc, code.words(op.getInit()[i]), first,
                          carriedOffset(inner, i));
        code.notify(loc, inner, first, inner.argEvents[number], depth);
      };
      if (!op.hasRange())
        return give();
      emitIf(
          code, loc, code.isNull(loc, first),
          [&] {
            for (unsigned i : members)
              code.storeWords(loc, code.words(op.getInit()[i]), code.frame,
                              code.body.offsets.lookup(op.getLast()[i]));
            code.mark(loc, events[number], depth);
          },
          give);
    };
    EventSet marks;
    if (op.hasRange())
      marks.insert(events[number]);
    actions.push_back({need, marks, op.getLoc(), begin});
  }
}

/// Gives words to the loop's results in the parent, and tells it.
static void finishLoop(FrameCode &code, LoopOp loop, ValueRange values,
                       ArrayRef<unsigned> members, unsigned event,
                       Value depth) {
  Location loc = loop.getLoc();
  const Body &outer = *code.body.parent;
  Value parent = code.load(loc, code.frameType(), code.frame,
                           offsetof(amprt_frame, parent));
  for (unsigned i : members)
    code.storeWords(loc, code.words(values[i]), parent,
                    outer.offsets.lookup(loop.getLast()[i]));
  code.post(loc, outer, parent, event, depth);
}

void amp::addNext(std::vector<Action> &actions, const Bodies &,
                  const Body &body, NextOp op) {
  auto loop = cast<LoopOp>(body.op);
  SmallVector<unsigned> outerEvents = body.parent->nodeEvents.lookup(loop);
  if (!loop.hasRange()) {
    Value condition = throughBranches(op.getCondition());
    auto again = [=](FrameCode &code, Value depth) mutable {
      Location loc = op.getLoc();
      Value parent = code.load(loc, code.frameType(), code.frame,
                               offsetof(amprt_frame, parent));
      Value next = code.open(loc, code.body, parent, {}, depth);
      code.store(loc, code.nullFrame(loc), next, offsetof(amprt_frame, next));
      if (loop.getTape())
        code.store(loc, code.frame, next, code.body.previousOffset);
      code.store(loc, next, code.frame, offsetof(amprt_frame, next));
      code.post(loc, code.body, next, kStart, depth);
      code.mark(loc, *code.body.nextOpened, depth);
    };
    actions.push_back({{kStart, body.sides.lookup({condition, true})},
                       {*body.nextOpened},
                       op.getLoc(),
                       again});
    for (unsigned number = 0; number < body.exits.count; ++number) {
      SmallVector<unsigned> members = membersOf(body.exits, number);
      EventSet need{kStart, body.sides.lookup({condition, false})};
      for (unsigned i : members)
        need.merge(body.maskOf(op.getExit()[i]));
      auto leave = [=](FrameCode &code, Value depth) mutable {
        if (loop.getTape())
          code.store(op.getLoc(), code.frame,
                     code.load(op.getLoc(), code.frameType(), code.frame,
                               offsetof(amprt_frame, parent)),
                     code.body.parent->lastOffset.lookup(loop));
        finishLoop(code, loop, op.getExit(), members, outerEvents[number],
                   depth);
      };
      actions.push_back({need, {}, op.getLoc(), leave});
    }
  }
  for (unsigned number = 0; number < body.carried.count; ++number) {
    SmallVector<unsigned> members = membersOf(body.carried, number);
    EventSet need{kStart};
    if (body.nextOpened)
      need.insert(*body.nextOpened);
    for (unsigned i : members)
      need.merge(body.maskOf(op.getCarried()[i]));
    auto carry = [=](FrameCode &code, Value depth) mutable {
      Location loc = op.getLoc();
      Value next = code.load(loc, code.frameType(), code.frame,
                             offsetof(amprt_frame, next));
      auto give = [&] {
        for (unsigned i : members)
          code.storeWords(loc, code.words(op.getCarried()[i]), next,
                          carriedOffset(code.body, i));
        code.notify(loc, code.body, next, code.body.argEvents[number], depth);
      };
      if (!loop.hasRange())
        return give();
      emitIf(
          code, loc, code.isNull(loc, next),
          [&] {
            finishLoop(code, loop, op.getCarried(), members,
                       outerEvents[number], depth);
          },
          give);
    };
    actions.push_back({need, {}, op.getLoc(), carry});
  }
  if (op.getStacked().empty())
    return;
  auto stack = [=](FrameCode &code, Value depth) mutable {
    Location loc = op.getLoc();
    Value parent = code.load(loc, code.frameType(), code.frame,
                             offsetof(amprt_frame, parent));
    Value position =
        positionOf(code, loop, parent, *code.body.parent, code.frame);
    giveStacked(code, loop, loop.getStacked(), op.getStacked(), position,
                outerEvents.back(), depth);
  };
  actions.push_back(
      {withStart(body.maskOf(op.getStacked())), {}, op.getLoc(), stack});
}
