//===- Bodies.cpp - The events of all bodies ------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Body.h"

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"

using namespace mlir;
using namespace amp;

SmallVector<Value> Bodies::inputsOf(CallOp call) {
  SmallVector<Value> inputs(call.getInputs());
  if (BackwardOp backward = getBackward(call))
    llvm::append_range(inputs, backward.getInputs());
  return inputs;
}

SmallVector<Value> Bodies::resultsOf(CallOp call) {
  SmallVector<Value> results(call.getForwardResults());
  if (BackwardOp backward = getBackward(call))
    llvm::append_range(results, backward.getResults());
  return results;
}

Bodies::Bodies(ModuleOp module) {
  for (GraphOp graph : module.getOps<GraphOp>()) {
    unsigned count = 0;
    // Inner bodies before the ones that hold them.
    graph.walk<WalkOrder::PostOrder>([&](Operation *op) {
      if (!isa<GraphOp, LoopOp, MapOp, FlatmapOp>(op))
        return;
      auto body = std::make_unique<Body>();
      body->op = op;
      body->block = &op->getRegion(0).front();
      body->guards = std::make_unique<GuardAnalysis>(body->block);
      body->name = graph.getSymName().str();
      if (op != graph)
        body->name +=
            "." + op->getName().stripDialect().str() + std::to_string(count++);
      byOp[op] = body.get();
      if (op == graph)
        byName[graph.getSymName()] = body.get();
      bodies.push_back(std::move(body));
    });
    resultClasses[byName[graph.getSymName()]] =
        Classes::together(graph.getNumResults());
  }
  for (auto &body : bodies)
    if (!isa<GraphOp>(body->op))
      body->parent = byOp.lookup(body->op->getParentOp());

  // Start from "all results of a graph arrive together, no argument is late"
  // and split until nothing contradicts it: the greatest fixed point.
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &body : bodies) {
      if (auto loop = dyn_cast<LoopOp>(body->op)) {
        body->carried = Classes::apart(loop.getInit().size());
        body->exits = Classes::together(loop.getNext().getExit().size());
        body->back = Classes::apart(loop.adjointsCarried().size());
      }
      analyse(*body);
      if (isa<LoopOp>(body->op) && refineCarried(*body))
        analyse(*body);
    }
    for (auto &body : bodies) {
      changed |= refineLate(*body);
      if (!isa<GraphOp>(body->op))
        continue;
      SmallVector<EventSet> keys;
      for (Value value : body->block->getTerminator()->getOperands())
        keys.push_back(body->maskOf(value));
      changed |= resultClasses[body.get()].refine(keys);
    }
  }
  for (auto &body : bodies)
    body->layOut();
}

Body &Bodies::owner(Value value) const {
  Operation *op = value.getParentBlock()->getParentOp();
  return *byOp.lookup(op);
}

/// Carried values that every iteration gives together travel as one event.
bool Bodies::refineCarried(Body &body) {
  auto loop = cast<LoopOp>(body.op);
  SmallVector<EventSet> carried, exits;
  for (Value value : loop.getNext().getCarried())
    carried.push_back(body.maskOf(value));
  for (Value value : loop.getNext().getExit())
    exits.push_back(body.maskOf(value));
  body.exits.refine(exits);
  auto merge = [](ArrayRef<EventSet> masks, Classes &classes) {
    Classes merged = Classes::together(masks.size());
    merged.refine(masks);
    if (merged.count == classes.count)
      return false;
    classes = merged;
    return true;
  };
  SmallVector<EventSet> back;
  for (Value value :
       loop.getNext().getAdjoint().take_front(loop.adjointsCarried().size()))
    back.push_back(body.maskOf(value));
  bool changed = merge(carried, body.carried);
  return merge(back, body.back) || changed;
}

SmallVector<unsigned> Bodies::lateInputs(const Body &body, CallOp call) const {
  SmallVector<unsigned> result;
  EventSet need = needToOpen(body, call);
  for (auto [i, input] : llvm::enumerate(call.getInputs())) {
    EventSet mask = body.maskOf(input);
    if (!std::includes(need.begin(), need.end(), mask.begin(), mask.end()))
      result.push_back(i);
  }
  for (unsigned i = call.getInputs().size(); i < inputsOf(call).size(); ++i)
    result.push_back(i);
  return result;
}

bool Bodies::refineLate(const Body &body) {
  bool changed = false;
  for (CallOp call : body.block->getOps<CallOp>())
    for (unsigned i : lateInputs(body, call))
      changed |= late.insert({&graph(call.getCallee()), i}).second;
  return changed;
}

EventSet Bodies::needToOpen(const Body &body, Operation *node) const {
  EventSet need{kStart};
  if (auto call = dyn_cast<CallOp>(node)) {
    need.merge(body.maskOf(call.getAfter()));
    for (Value input : call.getInputs())
      need.merge(isa<RankedTensorType>(input.getType()) ? body.guardOf(input)
                                                        : body.maskOf(input));
    return need;
  }
  need.merge(body.maskOfCaptures(node));
  if (auto loop = dyn_cast<LoopOp>(node)) {
    need.merge(body.maskOf(loop.getAfter()));
    for (Value value : {loop.getLower(), loop.getUpper(), loop.getStep()})
      if (value)
        need.merge(body.maskOf(value));
    for (Value value : loop.getInit())
      need.merge(body.guardOf(value));
    return need;
  }
  need.merge(body.maskOf(node->getOperands()));
  return need;
}

void Bodies::analyse(Body &body) {
  body.events.clear();
  body.masks.clear();
  body.sides.clear();
  body.nodeEvents.clear();
  body.opened.clear();
  body.argEvents.clear();
  body.backEvents.clear();
  body.mergeEvents.clear();
  body.addEvent("start");
  if (auto loop = dyn_cast<LoopOp>(body.op)) {
    for (unsigned i = 0; i < body.carried.count; ++i)
      body.argEvents.push_back(body.addEvent("carried" + Twine(i)));
    for (auto [argument, i] :
         llvm::zip_equal(loop.getCarriedArgs(), body.carried.of))
      body.masks[argument] = {body.argEvents[i]};
  } else if (isa<GraphOp>(body.op)) {
    for (BlockArgument argument : body.block->getArguments()) {
      unsigned i = argument.getArgNumber();
      body.argEvents.push_back(
          isLate(body, i) ? body.addEvent("argument" + Twine(i)) : kStart);
      body.masks[argument] = {body.argEvents.back()};
    }
  }
  addAdjointEvents(body);
  for (Operation &op : body.block->without_terminator())
    analyseNode(body, op);
  if (auto loop = dyn_cast<LoopOp>(body.op); loop && !loop.hasRange()) {
    body.side(throughBranches(loop.getNext().getCondition()), true);
    body.side(throughBranches(loop.getNext().getCondition()), false);
    body.nextOpened = body.addEvent("next");
  }
}

/// The arguments of a loop's or map's body that are gradients.
void Bodies::addAdjointEvents(Body &body) {
  auto give = [&](ValueRange arguments, unsigned event) {
    for (Value argument : arguments)
      body.masks[argument] = {event};
  };
  if (auto map = dyn_cast<MapOp>(body.op); map && map.getTape()) {
    body.stackedBack = body.addEvent("stacked.gradients");
    give(map.getAdjointArgs(), *body.stackedBack);
  }
  auto loop = dyn_cast<LoopOp>(body.op);
  if (!loop || !loop.getTape())
    return;
  ValueRange arguments = loop.getAdjointArgs();
  for (unsigned i = 0; i < body.back.count; ++i)
    body.backEvents.push_back(body.addEvent("carried" + Twine(i) + ".gradient"));
  for (auto [argument, i] : llvm::zip(arguments, body.back.of))
    body.masks[argument] = {body.backEvents[i]};
  arguments = arguments.drop_front(loop.adjointsCarried().size());
  if (size_t count = loop.adjointsExit().size()) {
    body.exitBack = body.addEvent("exit.gradients");
    give(arguments.take_front(count), *body.exitBack);
  }
  if (!loop.adjointsStacked().empty()) {
    body.stackedBack = body.addEvent("stacked.gradients");
    give(arguments.take_back(loop.adjointsStacked().size()), *body.stackedBack);
  }
}

/// What the backward half of a loop or map gives.
void Bodies::analyseBackward(Body &body, Operation &node) {
  BackwardOp backward = getBackward(&node);
  if (!backward)
    return;
  SmallVector<unsigned> &events = body.nodeEvents[backward];
  auto stacked = stackedOf(backward);
  if (isa<LoopOp>(node)) {
    const Body &inner = of(&node);
    for (unsigned i = 0; i < inner.back.count; ++i)
      events.push_back(body.addEvent("loop.gradient"));
    for (auto [value, i] : llvm::zip(backward.getResults(), inner.back.of))
      body.masks[value] = {events[i]};
  }
  if (stacked.empty())
    return;
  events.push_back(body.addEvent("stacked.gradient"));
  for (Value value : stacked)
    body.masks[value] = {events.back()};
}

void Bodies::analyseNode(Body &body, Operation &op) {
  if (makesUniform(&op) || isa<BackwardOp>(op))
    return;
  if (auto branch = dyn_cast<BranchOp>(op)) {
    Value condition = throughBranches(branch.getCondition());
    for (bool taken : {true, false}) {
      Value result = taken ? branch.getOnTrue() : branch.getOnFalse();
      unsigned event = body.side(condition, taken);
      // Of the condition, too: it may be one that is led through branches itself.
      body.masks[result] = body.maskOf(branch->getOperands());
      body.masks[result].insert(event);
    }
    return;
  }
  if (auto merge = dyn_cast<MergeOp>(op)) {
    std::pair<EventSet, EventSet> sides{body.maskOf(merge.getOnTrue()),
                                        body.maskOf(merge.getOnFalse())};
    auto [at, fresh] = body.mergeEvents.try_emplace(sides, 0);
    if (fresh)
      at->second = body.addEvent("merge");
    body.nodeEvents[&op] = {at->second};
    body.masks[merge.getResult()] = {at->second};
    return;
  }
  EventSet mask = body.maskOf(op.getOperands());
  if (isa<ControlOp>(op)) {
    for (Value result : op.getResults())
      body.masks[result] = mask;
    return;
  }
  SmallVector<unsigned> &events = body.nodeEvents[&op];
  auto arrive = [&](ValueRange values, const Classes &classes,
                    const Twine &name) {
    unsigned first = events.size();
    for (unsigned i = 0; i < classes.count; ++i)
      events.push_back(body.addEvent(name));
    for (auto [value, i] : llvm::zip_equal(values, classes.of))
      body.masks[value] = {events[first + i]};
  };
  auto alone = [&](ValueRange values, const Twine &name) {
    arrive(values, Classes::together(values.size()), name);
  };
  if (auto cell = dyn_cast<CellOp>(op)) {
    events.push_back(body.addEvent(cell.getName() + ".done"));
    for (Value result : op.getResults())
      body.masks[result] = {events[0]};
  } else if (auto call = dyn_cast<CallOp>(op)) {
    const Body &callee = graph(call.getCallee());
    arrive(resultsOf(call), results(callee), "call");
    if (!lateInputs(body, call).empty())
      body.opened[&op] = body.addEvent("call.opened");
  } else if (auto loop = dyn_cast<LoopOp>(op)) {
    const Body &inner = of(&op);
    arrive(loop.getLast(), loop.hasRange() ? inner.carried : inner.exits,
           "loop");
    alone(loop.getStacked(), "loop.stacked");
    body.opened[&op] = body.addEvent("loop.opened");
    analyseBackward(body, op);
  } else if (isa<MapOp, FlatmapOp>(op)) {
    Value tape = getTape(&op);
    alone(op.getResults().drop_back(tape ? 1 : 0), "map");
    if (tape)
      body.opened[&op] = body.addEvent("map.opened");
    analyseBackward(body, op);
  } else if (isa<CollectorOp>(op)) {
    body.masks[op.getResult(0)] = mask;
    events.push_back(body.addEvent("collected"));
  } else if (auto collect = dyn_cast<CollectOp>(op)) {
    Operation *collector =
        throughBranches(collect.getCollector()).getDefiningOp();
    body.masks[collect.getRows()] = {body.nodeEvents[collector][0]};
  }
}
