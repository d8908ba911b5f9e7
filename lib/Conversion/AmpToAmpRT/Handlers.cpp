//===- Handlers.cpp - Functions that are called when an event happens -*- C++
//-*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A handler marks its event, then runs through the actions that this event can
// bring about, in program order, and fires those that now have all they need.
// An action that needs the event itself cannot have fired before; of one that
// needs only what this handler's own actions mark, a bit that is new tells.
//
//===----------------------------------------------------------------------===//

#include "Handlers.h"

#include "Actions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace amp;

static bool meet(const EventSet &a, const EventSet &b) {
  return llvm::any_of(a, [&](unsigned event) { return b.count(event); });
}

/// Whether the compiler can see that `event` is marked by an action of its own
/// frame only, so that it needs no handler.
static EventSet marked(ArrayRef<Action> actions) {
  EventSet result;
  for (const Action &action : actions)
    result.insert(action.produces.begin(), action.produces.end());
  return result;
}

/// A private function of type (worker, frame, depth).
static func::FuncOp makeFunction(OpBuilder &b, Location loc, StringRef name) {
  MLIRContext *context = b.getContext();
  auto type = b.getFunctionType({rt::WorkerType::get(context),
                                 rt::FrameType::get(context), b.getI32Type()},
                                {});
  auto function = func::FuncOp::create(b, loc, name, type);
  function.setPrivate();
  function.addEntryBlock();
  return function;
}

static std::string actionName(const Body &body, size_t number) {
  return body.name + ".action" + std::to_string(number);
}

static void emitAction(OpBuilder &b, const Bodies &bodies, const Body &body,
                       const Action &action, size_t number) {
  func::FuncOp function = makeFunction(b, action.loc, actionName(body, number));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.front());
  FrameCode code(b, bodies, body, function.getArgument(0),
                 function.getArgument(1));
  action.emit(code, code.depthOf(action.loc, action.need));
  func::ReturnOp::create(b, action.loc);
}

/// The `arrived` words of a frame, by number.
static SmallVector<Value> loadArrived(FrameCode &code, Location loc) {
  SmallVector<Value> words;
  for (unsigned word = 0; word < code.body.arrivedWords(); ++word)
    words.push_back(code.load(loc, code.b.getI64Type(), code.frame,
                              code.body.arrivedOffset(64 * word)));
  return words;
}

/// Whether all that `need` names has arrived and, unless `certain`, something
/// of it since `before`.
static Value isReady(FrameCode &code, Location loc, const EventSet &need,
                     ValueRange before, bool certain) {
  OpBuilder &b = code.b;
  Value all, news;
  SmallVector<Value> now = loadArrived(code, loc);
  for (unsigned word = 0; word < now.size(); ++word) {
    uint64_t bits = 0;
    for (unsigned event : need)
      if (event / 64 == word)
        bits |= uint64_t(1) << (event % 64);
    if (!bits)
      continue;
    Value mask = code.i64(loc, bits);
    Value here = arith::AndIOp::create(b, loc, now[word], mask);
    Value whole =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, here, mask);
    Value old = arith::AndIOp::create(b, loc, before[word], mask);
    Value fresh =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, old, here);
    all = all ? arith::AndIOp::create(b, loc, all, whole) : whole;
    news = news ? arith::OrIOp::create(b, loc, news, fresh) : fresh;
  }
  return certain ? all : arith::AndIOp::create(b, loc, all, news).getResult();
}

static void emitHandler(OpBuilder &b, const Bodies &bodies, const Body &body,
                        ArrayRef<Action> actions, unsigned event) {
  Location loc = body.op->getLoc();
  func::FuncOp function = makeFunction(b, loc, body.handler(event));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.front());
  Value worker = function.getArgument(0), frame = function.getArgument(1),
        depth = function.getArgument(2);
  FrameCode code(b, bodies, body, worker, frame);
  SmallVector<Value> before = loadArrived(code, loc);
  // What arrived before the start waited for it: to the start, all is new.
  if (event == kStart)
    before.assign(before.size(), code.i64(loc, 0));
  code.mark(loc, event, depth);

  // At the start, only arguments can have arrived; later, what follows from
  // this event.
  EventSet reached{event};
  if (event == kStart) {
    reached.insert(body.argEvents.begin(), body.argEvents.end());
    reached.insert(body.backEvents.begin(), body.backEvents.end());
    for (std::optional<unsigned> gradients : {body.exitBack, body.stackedBack})
      if (gradients)
        reached.insert(*gradients);
  }
  for (auto [number, action] : llvm::enumerate(actions)) {
    bool possible = event == kStart
                        ? std::includes(reached.begin(), reached.end(),
                                        action.need.begin(), action.need.end())
                        : meet(action.need, reached);
    if (!possible)
      continue;
    reached.insert(action.produces.begin(), action.produces.end());
    bool certain = action.need.count(event);
    Value ready = isReady(code, action.loc, action.need, before, certain);
    auto branch = scf::IfOp::create(b, action.loc, ready, false);
    OpBuilder::InsertionGuard inner(b);
    b.setInsertionPointToStart(branch.thenBlock());
    func::CallOp::create(b, action.loc, actionName(body, number), TypeRange{},
                         ValueRange{worker, frame, depth});
  }
  func::ReturnOp::create(b, loc);
}

static void emitLayout(OpBuilder &b, const Body &body) {
  SmallVector<StringRef> events(body.events.begin(), body.events.end());
  SmallVector<StringRef> words(body.words.begin(), body.words.end());
  rt::FrameOp::create(b, body.op->getLoc(), body.name, body.bytes,
                      body.arrivedWords(), b.getStrArrayAttr(events),
                      b.getStrArrayAttr(words));
}

void amp::emitBody(OpBuilder &b, const Bodies &bodies, const Body &body,
                   const Lifetimes &lifetimes) {
  emitLayout(b, body);
  std::vector<Action> actions = collectActions(bodies, body, lifetimes);
  for (auto [number, action] : llvm::enumerate(actions))
    emitAction(b, bodies, body, action, number);
  // Events that only this frame marks need no handler, except those of nodes,
  // which also come from outside (an empty map marks its own).
  EventSet internal = marked(actions);
  for (const auto &[node, events] : body.nodeEvents)
    if (!isa<MergeOp>(node))
      for (unsigned event : events)
        internal.erase(event);
  for (unsigned event = 0; event < body.events.size(); ++event)
    if (!internal.count(event))
      emitHandler(b, bodies, body, actions, event);
}
