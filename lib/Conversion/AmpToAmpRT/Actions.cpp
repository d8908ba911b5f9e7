//===- Actions.cpp - Actions of cells, branches, calls, collectors -*- C++
//-*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Actions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace amp;

EventSet amp::withStart(EventSet events) {
  events.insert(kStart);
  return events;
}

SmallVector<unsigned> amp::membersOf(const Classes &classes, unsigned number) {
  SmallVector<unsigned> members;
  for (auto [i, of] : llvm::enumerate(classes.of))
    if (of == number)
      members.push_back(i);
  return members;
}

/// A control step: its ops on words, and the results that others use kept.
static void addControl(std::vector<Action> &actions, const Body &body,
                       ControlOp op) {
  auto emit = [op](FrameCode &code, Value) mutable {
    Block &block = op.getBody().front();
    for (auto [argument, input] :
         llvm::zip_equal(block.getArguments(), op.getInputs()))
      code.setWords(argument, code.words(input));
    for (Operation &inner : block.without_terminator())
      if (inner.getNumResults() != 1 || !isUniform(inner.getResult(0)))
        cast<ControlOpInterface>(inner).emitControl(code);
    for (auto [result, value] :
         llvm::zip_equal(op.getResults(), block.getTerminator()->getOperands()))
      code.storeWords(op.getLoc(), code.words(value), code.frame,
                      code.body.offsets.lookup(result));
  };
  actions.push_back(
      {withStart(body.maskOf(op.getInputs())), {}, op.getLoc(), emit});
}

static void addCell(std::vector<Action> &actions, const Body &body, CellOp op) {
  auto emit = [op](FrameCode &code, Value depth) mutable {
    Location loc = op.getLoc();
    Value mine = arith::AddIOp::create(code.b, loc, depth, code.i32(loc, 1));
    rt::EnqueueOp::create(code.b, loc, code.worker, op.getName(), code.frame,
                          mine);
  };
  actions.push_back(
      {withStart(body.maskOf(op.getInputs())), {}, op.getLoc(), emit});
}

/// The decision of all branches on one condition.
static void addDecision(std::vector<Action> &actions, const Body &body,
                        Value condition, Location loc) {
  unsigned onTrue = body.sides.lookup({condition, true});
  unsigned onFalse = body.sides.lookup({condition, false});
  auto emit = [=](FrameCode &code, Value depth) {
    auto branch = scf::IfOp::create(code.b, loc, code.words(condition)[0],
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(code.b);
    code.b.setInsertionPointToStart(branch.thenBlock());
    code.mark(loc, onTrue, depth);
    code.b.setInsertionPointToStart(branch.elseBlock());
    code.mark(loc, onFalse, depth);
  };
  actions.push_back(
      {withStart(body.maskOf(condition)), {onTrue, onFalse}, loc, emit});
}

/// Merges that happen together: one action for each side.
static void addMerges(std::vector<Action> &actions, const Body &body,
                      unsigned event, ArrayRef<MergeOp> merges) {
  SmallVector<MergeOp> all(merges);
  Location loc = all.front().getLoc();
  for (bool side : {true, false}) {
    auto emit = [=](FrameCode &code, Value depth) mutable {
      for (MergeOp merge : all)
        code.storeWords(
            loc, code.words(side ? merge.getOnTrue() : merge.getOnFalse()),
            code.frame, code.body.offsets.lookup(merge.getResult()));
      code.mark(loc, event, depth);
    };
    Value first = side ? all[0].getOnTrue() : all[0].getOnFalse();
    actions.push_back({withStart(body.maskOf(first)), {event}, loc, emit});
  }
}

/// Opens the callee's frame, and gives it later what was not there then; gradients
/// are given where the backward half stands.
static void addCall(std::vector<Action> &actions, const Bodies &bodies,
                    const Body &body, CallOp op, StringRef site) {
  const Body &callee = bodies.graph(op.getCallee());
  SmallVector<unsigned> late = bodies.lateInputs(body, op);
  SmallVector<Value> inputs = Bodies::inputsOf(op);
  auto argument = [&callee](unsigned i) {
    return callee.offsets.lookup(callee.block->getArgument(i));
  };
  std::string siteName = site.str();
  auto open = [=, &callee, &bodies](FrameCode &code, Value depth) mutable {
    Location loc = op.getLoc();
    EventSet arrived;
    for (unsigned i = 0; i < inputs.size(); ++i)
      if (bodies.isLate(callee, i) && !llvm::is_contained(late, i))
        arrived.insert(callee.argEvents[i]);
    Value child = code.open(loc, callee, code.frame, arrived, depth);
    rt::SetSiteOp::create(code.b, loc, child, siteName);
    for (auto [i, input] : llvm::enumerate(inputs))
      if (!llvm::is_contained(late, i))
        code.storeWords(loc, code.words(input), child, argument(i));
    code.post(loc, callee, child, kStart, depth);
    if (!late.empty()) {
      code.store(loc, child, code.frame, code.body.childOffset.lookup(op));
      code.mark(loc, code.body.opened.lookup(op), depth);
    }
  };
  EventSet produces;
  if (!late.empty())
    produces.insert(body.opened.lookup(op));
  actions.push_back({bodies.needToOpen(body, op), produces, op.getLoc(), open});
  for (unsigned i : late)
    if (i < op.getInputs().size())
      addLateInput(actions, bodies, body, op, i, op.getInputs()[i]);
}

void amp::addLateInput(std::vector<Action> &actions, const Bodies &bodies,
                       const Body &body, CallOp op, unsigned number,
                       Value input) {
  const Body &callee = bodies.graph(op.getCallee());
  int64_t argument = callee.offsets.lookup(callee.block->getArgument(number));
  unsigned event = callee.argEvents[number];
  auto give = [=, &callee](FrameCode &code, Value depth) mutable {
    Location loc = op.getLoc();
    Value child = code.load(loc, code.frameType(), code.frame,
                            code.body.childOffset.lookup(op));
    code.storeWords(loc, code.words(input), child, argument);
    code.notify(loc, callee, child, event, depth);
  };
  EventSet need = withStart(body.maskOf(input));
  need.insert(body.opened.lookup(op));
  actions.push_back({need, {}, op.getLoc(), give});
}

static void addCollector(std::vector<Action> &actions, const Body &body,
                         CollectorOp op) {
  unsigned event = body.nodeEvents.lookup(op)[0];
  auto emit = [=](FrameCode &code, Value) mutable {
    Location loc = op.getLoc();
    RankedTensorType row = op.getCollector().getType().getRow();
    Value count = code.toI64(loc, code.words(op.getCount())[0]);
    Value collector = rt::CollectorNewOp::create(
        code.b, loc, pointerType(code.b), code.worker, code.frame,
        code.body.handler(event), count,
        row.getNumElements() * elementBytes(row.getElementType()),
        locationText(loc));
    code.store(loc, collector, code.frame,
               code.body.offsets.lookup(op.getCollector()));
  };
  actions.push_back(
      {withStart(body.maskOf(op.getCount())), {}, op.getLoc(), emit});
}

static void addEmit(std::vector<Action> &actions, const Body &body, EmitOp op) {
  auto emit = [=](FrameCode &code, Value depth) mutable {
    Location loc = op.getLoc();
    Value index = code.toI64(loc, code.words(op.getIndex())[0]);
    rt::CollectorPutOp::create(
        code.b, loc, code.worker, code.frame, code.words(op.getCollector())[0],
        index, code.words(op.getRow())[0], depth, locationText(loc));
  };
  actions.push_back(
      {withStart(body.maskOf(op->getOperands())), {}, op.getLoc(), emit});
}

/// The collected rows become a value like any other.
static void addCollect(std::vector<Action> &actions, const Body &body,
                       CollectOp op) {
  auto emit = [=](FrameCode &code, Value) mutable {
    Location loc = op.getLoc();
    auto read = rt::CollectorReadOp::create(code.b, loc, pointerType(code.b),
                                            code.b.getI64Type(),
                                            code.words(op.getCollector())[0]);
    code.storeWords(loc, read->getResults(), code.frame,
                    code.body.offsets.lookup(op.getRows()));
  };
  actions.push_back(
      {withStart(body.maskOf(op.getRows())), {}, op.getLoc(), emit});
}

/// Each class of results goes to the caller when it is there.
static void addReturn(std::vector<Action> &actions, const Bodies &bodies,
                      const Body &body, ReturnOp op) {
  const Classes &classes = bodies.results(body);
  SmallVector<int64_t> firstWord;
  int64_t word = 0;
  for (Value value : op.getValues()) {
    firstWord.push_back(word);
    word += wordTypes(value.getType()).size();
  }
  for (unsigned number = 0; number < classes.count; ++number) {
    SmallVector<unsigned> members = membersOf(classes, number);
    EventSet need{kStart};
    for (unsigned i : members)
      need.merge(body.maskOf(op.getValues()[i]));
    auto emit = [=](FrameCode &code, Value depth) mutable {
      Location loc = op.getLoc();
      for (unsigned i : members)
        for (auto [j, value] : llvm::enumerate(code.words(op.getValues()[i])))
          rt::DeliverOp::create(code.b, loc, value, code.frame,
                                firstWord[i] + j);
      rt::PostResultOp::create(code.b, loc, code.worker, code.frame, number,
                               depth);
    };
    actions.push_back({need, {}, op.getLoc(), emit});
  }
}

namespace {
/// The ops of a body so that each stands behind what it needs, where merges that
/// happen together are one: they stand behind what all of them need.
class FiringOrder {
public:
  using Merges = DenseMap<unsigned, SmallVector<MergeOp>>;
  FiringOrder(const Body &body, const Merges &merges)
      : body(body), merges(merges) {
    for (Operation &op : body.block->without_terminator())
      add(&op);
  }

  SmallVector<Operation *> ops;

private:
  void add(Operation *op) {
    if (!op || op->getBlock() != body.block || !seen.insert(op).second)
      return;
    auto addNeeded = [&](Operation *of) {
      of->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          add(operand.getDefiningOp());
      });
    };
    addNeeded(op);
    if (isa<MergeOp>(op))
      for (MergeOp other :
           merges.find(body.nodeEvents.lookup(op)[0])->second) {
        seen.insert(other);
        addNeeded(other);
      }
    ops.push_back(op);
  }

  const Body &body;
  const Merges &merges;
  DenseSet<Operation *> seen;
};
} // namespace

std::vector<Action> amp::collectActions(const Bodies &bodies, const Body &body,
                                        const Lifetimes &lifetimes) {
  std::vector<Action> actions;
  // A decision stands behind the node that makes its condition.
  DenseSet<Value> decided;
  auto decide = [&](Value condition, Location loc) {
    condition = throughBranches(condition);
    if (decided.insert(condition).second)
      addDecision(actions, body, condition, loc);
  };
  FiringOrder::Merges merges;
  for (MergeOp merge : body.block->getOps<MergeOp>())
    merges[body.nodeEvents.lookup(merge)[0]].push_back(merge);

  unsigned calls = 0;
  for (Operation *each : FiringOrder(body, merges).ops) {
    Operation &op = *each;
    if (auto control = dyn_cast<ControlOp>(op)) {
      addControl(actions, body, control);
    } else if (auto cell = dyn_cast<CellOp>(op)) {
      addCell(actions, body, cell);
    } else if (auto branch = dyn_cast<BranchOp>(op)) {
      decide(branch.getCondition(), op.getLoc());
    } else if (isa<MergeOp>(op)) {
      unsigned event = body.nodeEvents.lookup(&op)[0];
      addMerges(actions, body, event, merges[event]);
    } else if (auto call = dyn_cast<CallOp>(op)) {
      addCall(actions, bodies, body, call,
              body.name + ".site" + std::to_string(calls++));
    } else if (auto loop = dyn_cast<LoopOp>(op)) {
      addLoop(actions, bodies, body, loop);
    } else if (isa<MapOp, FlatmapOp>(op)) {
      addMap(actions, bodies, body, &op);
    } else if (auto backward = dyn_cast<BackwardOp>(op)) {
      addBackward(actions, bodies, body, backward);
    } else if (auto collector = dyn_cast<CollectorOp>(op)) {
      addCollector(actions, body, collector);
    } else if (auto emit = dyn_cast<EmitOp>(op)) {
      addEmit(actions, body, emit);
    } else if (auto collect = dyn_cast<CollectOp>(op)) {
      addCollect(actions, body, collect);
    }
  }
  Operation *end = body.block->getTerminator();
  if (auto next = dyn_cast<NextOp>(end)) {
    if (next.getCondition())
      decide(next.getCondition(), next.getLoc());
    addNext(actions, bodies, body, next);
  } else if (auto yield = dyn_cast<YieldOp>(end)) {
    addMapYield(actions, bodies, body, yield);
  } else {
    addReturn(actions, bodies, body, cast<ReturnOp>(end));
  }
  addAdjoints(actions, body);
  addEndings(actions, body, lifetimes);
  return actions;
}
