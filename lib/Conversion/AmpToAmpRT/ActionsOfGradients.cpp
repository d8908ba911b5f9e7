//===- ActionsOfGradients.cpp - Actions of backward halves -----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The backward half of a loop or map has no frames of its own: gradients go into
// those that the forward half has opened. Those of stacked results are views of
// their rows; those of carried values go from the last iteration to the first.
//
//===----------------------------------------------------------------------===//

#include "Actions.h"
#include "Elements.h"

#include "amprt/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace amp;

/// Calls `body` for a frame and those that it leads to by `next`.
static void forEachFrame(FrameCode &code, Location loc, Value first,
                         llvm::function_ref<void(Value)> body) {
  OpBuilder &b = code.b;
  Type type = code.frameType();
  auto loop = scf::WhileOp::create(b, loc, TypeRange{type}, ValueRange{first});
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, {type}, {loc});
  Value end = code.isNull(loc, before->getArgument(0));
  Value more = arith::XOrIOp::create(
      b, loc, end, arith::ConstantIntOp::create(b, loc, 1, 1));
  scf::ConditionOp::create(b, loc, more, before->getArguments());
  Block *after = b.createBlock(&loop.getAfter(), {}, {type}, {loc});
  Value frame = after->getArgument(0);
  body(frame);
  Value next = code.load(loc, type, frame, offsetof(amprt_frame, next));
  scf::YieldOp::create(b, loc, next);
}

/// Gives each frame its row of `stack`, a view, or an element.
static void giveRow(FrameCode &code, Location loc, const Body &inner,
                    Value argument, Value frame, Value stack, Value position) {
  OpBuilder &b = code.b;
  Value base = code.words(stack)[0];
  int64_t offset = inner.offsets.lookup(argument);
  if (auto row = dyn_cast<RankedTensorType>(argument.getType())) {
    int64_t bytes = row.getNumElements() * elementBytes(row.getElementType());
    Value at = arith::MulIOp::create(b, loc, position, code.i64(loc, bytes));
    code.store(loc, code.advance(loc, base, b.getI8Type(), at), frame, offset);
    return;
  }
  Type type = argument.getType();
  Value element = LLVM::LoadOp::create(b, loc, type,
                                       code.advance(loc, base, type, position));
  code.store(loc, element, frame, offset);
}

/// Gradients of stacked results go to all iterations or elements at once.
static void addStackedGradients(std::vector<Action> &actions, const Body &body,
                                const Body &inner, BackwardOp op,
                                ValueRange stacks, ValueRange arguments) {
  if (stacks.empty())
    return;
  Operation *node = inner.op;
  EventSet need = withStart(body.maskOf(stacks));
  need.insert(body.opened.lookup(node));
  SmallVector<Value> rows(stacks), into(arguments);
  auto emit = [=, &inner](FrameCode &code, Value depth) mutable {
    Location loc = op.getLoc();
    Value first = code.load(loc, code.frameType(), code.frame,
                            code.body.childOffset.lookup(node));
    forEachFrame(code, loc, first, [&](Value frame) {
      Value position = positionOf(code, node, code.frame, code.body, frame);
      for (auto [argument, stack] : llvm::zip_equal(into, rows))
        giveRow(code, loc, inner, argument, frame, stack, position);
      code.notify(loc, inner, frame, *inner.stackedBack, depth);
    });
  };
  actions.push_back({need, {}, op.getLoc(), emit});
}

/// Gives a frame some of its gradients, by number.
static void give(FrameCode &code, Location loc, const Body &inner, Value frame,
                 ArrayRef<unsigned> members, ValueRange values,
                 unsigned firstArgument, unsigned event, Value depth) {
  ValueRange arguments = cast<LoopOp>(inner.op).getAdjointArgs();
  for (unsigned i : members)
    code.storeWords(loc, code.words(values[i]), frame,
                    inner.offsets.lookup(arguments[firstArgument + i]));
  code.notify(loc, inner, frame, event, depth);
}

static void addLoopGradients(std::vector<Action> &actions, const Body &body,
                             const Body &inner, BackwardOp op, LoopOp loop) {
  size_t carried = loop.adjointsCarried().size(),
         exits = loop.adjointsExit().size();
  SmallVector<unsigned> events = body.nodeEvents.lookup(op);
  ValueRange stacks =
      op.getInputs().drop_front(loop.hasRange() ? carried : exits);
  addStackedGradients(actions, body, inner, op, stacks,
                      ValueRange(loop.getAdjointArgs())
                          .take_back(loop.adjointsStacked().size()));
  auto lastFrame = [loop](FrameCode &code) mutable {
    return code.load(loop.getLoc(), code.frameType(), code.frame,
                     code.body.lastOffset.lookup(loop));
  };
  if (!loop.hasRange()) {
    if (!exits)
      return;
    // The last iteration is known when the loop's results are there.
    EventSet need = withStart(body.maskOf(op.getInputs()));
    for (unsigned event : body.nodeEvents.lookup(loop))
      need.insert(event);
    auto emit = [=, &inner](FrameCode &code, Value depth) mutable {
      give(code, op.getLoc(), inner, lastFrame(code),
           llvm::to_vector(llvm::seq<unsigned>(0, exits)), op.getInputs(),
           carried, *inner.exitBack, depth);
    };
    actions.push_back({need, {}, op.getLoc(), emit});
    return;
  }
  for (unsigned number = 0; number < inner.back.count; ++number) {
    SmallVector<unsigned> members = membersOf(inner.back, number);
    EventSet need{kStart, body.opened.lookup(loop)};
    for (unsigned i : members)
      need.merge(body.maskOf(op.getInputs()[i]));
    // Without an iteration the gradient of the last is that of the first.
    auto emit = [=, &inner](FrameCode &code, Value depth) mutable {
      Location loc = op.getLoc();
      Value first = code.load(loc, code.frameType(), code.frame,
                              code.body.childOffset.lookup(loop));
      emitIf(
          code, loc, code.isNull(loc, first),
          [&] {
            for (unsigned i : members)
              code.storeWords(loc, code.words(op.getInputs()[i]), code.frame,
                              code.body.offsets.lookup(op.getResult(i)));
            code.mark(loc, events[number], depth);
          },
          [&] {
            give(code, loc, inner, lastFrame(code), members, op.getInputs(), 0,
                 inner.backEvents[number], depth);
          });
    };
    actions.push_back({need, {events[number]}, op.getLoc(), emit});
  }
}

void amp::addBackward(std::vector<Action> &actions, const Bodies &bodies,
                      const Body &body, BackwardOp op) {
  Operation *node = op.getTape().getDefiningOp();
  if (auto call = dyn_cast<CallOp>(node))
    for (auto [i, input] : llvm::enumerate(op.getInputs()))
      addLateInput(actions, bodies, body, call, call.getInputs().size() + i,
                   input);
  else if (auto map = dyn_cast<MapOp>(node))
    addStackedGradients(actions, body, bodies.of(map), op, op.getInputs(),
                        map.getAdjointArgs());
  else if (auto loop = dyn_cast<LoopOp>(node))
    addLoopGradients(actions, body, bodies.of(loop), op, loop);
}

/// What an iteration or element adds to the stacks of the backward half.
static void addStacks(std::vector<Action> &actions, const Body &body,
                      BackwardOp backward, ValueRange values) {
  if (values.empty())
    return;
  Operation *node = body.op;
  unsigned event = body.parent->nodeEvents.lookup(backward).back();
  SmallVector<Value> rows(values);
  auto emit = [=](FrameCode &code, Value depth) {
    Location loc = node->getLoc();
    Value parent = code.load(loc, code.frameType(), code.frame,
                             offsetof(amprt_frame, parent));
    Value position =
        positionOf(code, node, parent, *code.body.parent, code.frame);
    giveStacked(code, backward, stackedOf(backward), rows, position, event,
                depth);
  };
  actions.push_back(
      {withStart(body.maskOf(values)), {}, node->getLoc(), emit});
}

void amp::addAdjoints(std::vector<Action> &actions, const Body &body) {
  BackwardOp backward = getBackward(body.op);
  if (!backward)
    return;
  if (auto map = dyn_cast<MapOp>(body.op))
    return addStacks(actions, body, backward,
                     body.block->getTerminator()->getOperands().drop_front(
                         map.getStacked().size()));
  auto loop = dyn_cast<LoopOp>(body.op);
  if (!loop)
    return;
  ValueRange adjoint = loop.getNext().getAdjoint();
  SmallVector<unsigned> events = body.parent->nodeEvents.lookup(backward);
  for (unsigned number = 0; number < body.back.count; ++number) {
    SmallVector<unsigned> members = membersOf(body.back, number);
    EventSet need{kStart};
    for (unsigned i : members)
      need.merge(body.maskOf(adjoint[i]));
    auto emit = [=](FrameCode &code, Value depth) mutable {
      Location loc = loop.getLoc();
      Value previous = code.load(loc, code.frameType(), code.frame,
                                 code.body.previousOffset);
      emitIf(
          code, loc, code.isNull(loc, previous),
          [&] { // to the loop
            const Body &outer = *code.body.parent;
            Value parent = code.load(loc, code.frameType(), code.frame,
                                     offsetof(amprt_frame, parent));
            for (unsigned i : members)
              code.storeWords(loc, code.words(adjoint[i]), parent,
                              outer.offsets.lookup(backward.getResult(i)));
            code.post(loc, outer, parent, events[number], depth);
          },
          [&] {
            give(code, loc, code.body, previous, members, adjoint, 0,
                 code.body.backEvents[number], depth);
          });
    };
    actions.push_back({need, {}, loop.getLoc(), emit});
  }
  addStacks(actions, body, backward,
            adjoint.drop_front(loop.adjointsCarried().size()));
}
