//===- Body.cpp - Events and layouts of bodies -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Body.h"

#include "amprt/abi.h"

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace amp;

SmallVector<Type> amp::wordTypes(Type type) {
  MLIRContext *context = type.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    SmallVector<Type> words{pointer};
    words.append(tensor.getNumDynamicDims(), IntegerType::get(context, 64));
    return words;
  }
  if (isa<CollectorType, ListType>(type))
    return {pointer};
  return {type};
}

int64_t amp::elementBytes(Type element) {
  if (element.isIndex())
    return 8;
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

bool amp::isUniform(Value value) {
  Operation *op = value.getDefiningOp();
  return op && (isa<GetOp>(op) || op->hasTrait<OpTrait::ConstantLike>());
}

bool amp::makesUniform(Operation *op) {
  return op->getNumResults() && isUniform(op->getResult(0));
}

Value amp::throughBranches(Value value) {
  while (auto branch = value.getDefiningOp<BranchOp>())
    value = branch.getValue();
  return value;
}

Classes Classes::together(unsigned size) {
  Classes classes;
  classes.of.assign(size, 0);
  classes.count = size ? 1 : 0;
  return classes;
}

Classes Classes::apart(unsigned size) {
  Classes classes;
  for (unsigned i = 0; i < size; ++i)
    classes.of.push_back(i);
  classes.count = size;
  return classes;
}

bool Classes::refine(ArrayRef<EventSet> keys) {
  std::map<std::pair<unsigned, EventSet>, unsigned> numbers;
  SmallVector<unsigned> next;
  for (auto [old, key] : llvm::zip_equal(of, keys))
    next.push_back(
        numbers.try_emplace({old, key}, numbers.size()).first->second);
  bool changed = numbers.size() != count;
  of = std::move(next);
  count = numbers.size();
  return changed;
}

//===----------------------------------------------------------------------===//
// Body
//===----------------------------------------------------------------------===//

int64_t Body::arrivedOffset(unsigned event) const {
  return sizeof(amprt_frame) + 8 * (event / 64);
}

int64_t Body::depthOffset(unsigned event) const {
  return sizeof(amprt_frame) + 8 * arrivedWords() + 4 * event;
}

EventSet Body::maskOf(Value value) const {
  auto found = masks.find(value);
  return found == masks.end() ? EventSet{} : found->second;
}

EventSet Body::maskOf(ValueRange values) const {
  EventSet result;
  for (Value value : values)
    result.merge(maskOf(value));
  return result;
}

EventSet Body::maskOfCaptures(Operation *node) const {
  EventSet result;
  node->getRegion(0).walk(
      [&](Operation *inner) { result.merge(maskOf(inner->getOperands())); });
  return result;
}

EventSet Body::guardOf(Value value) const {
  EventSet result;
  for (Guard guard : guards->getGuards(value))
    result.insert(
        sides.lookup({throughBranches(guard.condition), guard.side}));
  return result;
}

unsigned Body::addEvent(const Twine &eventName) {
  std::string base = eventName.str(), unique = base;
  for (unsigned i = 1; llvm::is_contained(events, unique); ++i)
    unique = base + "." + std::to_string(i);
  events.push_back(unique);
  return events.size() - 1;
}

unsigned Body::side(Value condition, bool taken) {
  auto found = sides.find({condition, taken});
  if (found != sides.end())
    return found->second;
  unsigned event = addEvent(taken ? "true" : "false");
  sides[{condition, taken}] = event;
  return event;
}

void Body::layOut() {
  bytes = sizeof(amprt_frame) + 8 * arrivedWords() +
          llvm::alignTo(4 * events.size(), 8);
  auto word = [&](const Twine &what) {
    int64_t offset = bytes;
    words.push_back((Twine(offset) + ": " + what).str());
    bytes += 8;
    return offset;
  };
  auto place = [&](Value value, const Twine &what) {
    for (auto [i, type] : llvm::enumerate(wordTypes(value.getType()))) {
      std::string text;
      llvm::raw_string_ostream(text) << what << ' ' << value.getType();
      int64_t offset = word(i == 0 ? text : what + " size");
      if (i == 0)
        offsets[value] = offset;
    }
  };
  for (auto [i, argument] : llvm::enumerate(block->getArguments()))
    if (i > 0 || isa<GraphOp>(op) ||
        (isa<LoopOp>(op) && !cast<LoopOp>(op).hasRange()))
      place(argument, "argument " + Twine(i)); // else the head's index
  if (auto loop = dyn_cast<LoopOp>(op); loop && loop.getTape())
    previousOffset = word("previous iteration");
  for (Operation &node : block->without_terminator()) {
    StringRef kind = node.getName().stripDialect();
    if (isa<BranchOp>(node))
      continue;
    for (Value result : node.getResults())
      if (!isUniform(result) && !isa<TapeType>(result.getType()))
        place(result, kind);
    if (opened.count(&node))
      childOffset[&node] = word(kind + " frame");
    if (isa<LoopOp>(node) && getTape(&node))
      lastOffset[&node] = word("loop last frame");
    if (auto backward = dyn_cast<BackwardOp>(node);
        backward && !stackedOf(backward).empty())
      countOffset[&node] = word("backward rows to come");
    auto loop = dyn_cast<LoopOp>(node);
    if (isa<MapOp, FlatmapOp>(node) || (loop && !loop.getStacked().empty()))
      countOffset[&node] = word(kind + " rows to come");
    if (isa<FlatmapOp>(node) && node.getNumResults()) {
      blocksOffset[&node] = word("flatmap count");
      for (unsigned i = 0; i < node.getNumResults(); ++i)
        word("flatmap blocks " + Twine(i));
    }
    if (loop && loop.hasRange() &&
        (!loop.getStacked().empty() || loop.getTape())) {
      lowerOffset[&node] = word("loop lower bound");
      word("loop step");
    }
  }
  bytes = llvm::alignTo(bytes, 16);
}

ResultRange amp::stackedOf(BackwardOp backward) {
  Operation *node = backward.getTape().getDefiningOp();
  if (isa<MapOp>(node))
    return backward.getResults();
  if (auto loop = dyn_cast<LoopOp>(node))
    return backward.getResults().drop_front(loop.adjointsCarried().size());
  return backward.getResults().take_front(0);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

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
