//===- Body.cpp - Events and layout of a body -----------------------------===//
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
