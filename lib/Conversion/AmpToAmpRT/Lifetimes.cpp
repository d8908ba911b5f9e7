//===- Lifetimes.cpp - When rows may be given back ------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lifetimes.h"

#include "Actions.h"
#include "Elements.h"

#include "amprt/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace amp;

/// Rows are aligned so, and smaller ones are not given back (abi.h).
static constexpr int64_t kRowUnit = 64;

std::optional<int64_t> amp::bytesInBlock(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return std::nullopt;
  return llvm::alignTo(tensor.getNumElements() *
                           elementBytes(tensor.getElementType()),
                       kRowUnit);
}

/// The gradients of carried values that an iteration gives to the one before.
static ValueRange carriedGradients(LoopOp loop) {
  return ValueRange(loop.getNext().getAdjoint())
      .take_front(loop.adjointsCarried().size());
}

/// The values that an end of a body copies together with `use`; empty if it hands
/// on an address.
static ValueRange copiedWith(OpOperand &use) {
  Operation *end = use.getOwner();
  ValueRange operands(end->getOperands());
  auto part = [&](unsigned first, unsigned count) {
    unsigned number = use.getOperandNumber();
    return number >= first && number < first + count
               ? operands.slice(first, count)
               : operands.take_front(0);
  };
  if (auto next = dyn_cast<NextOp>(end)) {
    unsigned adjoint = next.getAdjoint().size(), total = operands.size();
    unsigned stacked = next.getStacked().size();
    unsigned stackedAdjoint =
        adjoint - carriedGradients(cast<LoopOp>(end->getParentOp())).size();
    ValueRange forward = part(total - adjoint - stacked, stacked);
    return forward.empty() ? part(total - stackedAdjoint, stackedAdjoint)
                           : forward;
  }
  auto map = dyn_cast<MapOp>(end->getParentOp());
  if (!map)
    return operands.take_front(0);
  unsigned stacked = map.getStacked().size();
  ValueRange forward = part(0, stacked);
  return forward.empty() ? part(stacked, operands.size() - stacked) : forward;
}

/// Whether all uses of `value` are in `body` and leave no address of it behind;
/// then `need` gets what has happened when they are over. Branches, merges and
/// control steps may make other names of it.
static bool findUses(const Body &body, Value value, EventSet &need) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (user->getBlock() != body.block)
      return false;
    if (isa<CellOp>(user)) {
      need.insert(body.nodeEvents.lookup(user)[0]);
      continue;
    }
    if (isa<ControlOp, BranchOp, MergeOp>(user)) {
      need.merge(isa<MergeOp>(user) ? body.maskOf(user->getResults())
                                    : body.maskOf(user->getOperands()));
      for (Value result : user->getResults())
        if (isa<ListType, CollectorType>(result.getType()) ||
            (isa<RankedTensorType>(result.getType()) &&
             !findUses(body, result, need)))
          return false;
      continue;
    }
    if (auto emit = dyn_cast<EmitOp>(user)) {
      need.merge(body.maskOf(emit->getOperands()));
      continue;
    }
    if (!isa<NextOp, YieldOp>(user))
      return false;
    ValueRange copied = copiedWith(use);
    if (copied.empty())
      return false;
    need.merge(body.maskOf(copied));
  }
  return true;
}

/// Whether the rows of values of this type can be given back.
static bool hasRows(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && (!tensor.hasStaticShape() ||
                    tensor.getNumElements() *
                            elementBytes(tensor.getElementType()) >=
                        kRowUnit);
}

static Operation *graphOf(const Body &body) {
  return isa<GraphOp>(body.op) ? body.op
                               : body.op->getParentOfType<GraphOp>();
}

Lifetimes::Lifetimes(const Bodies &bodies, const GradientFlow &gradients) {
  DenseSet<Operation *> training;
  for (const auto &body : bodies.all())
    for (CellOp cell : body->block->getOps<CellOp>())
      if (gradients.reaches(cell))
        training.insert(graphOf(*body));
  for (const auto &body : bodies.all())
    if (training.contains(graphOf(*body)))
      visit(*body);
}

ArrayRef<Ending> Lifetimes::of(const Body &body) const {
  auto found = endings.find(&body);
  return found == endings.end() ? ArrayRef<Ending>() : found->second;
}

ArrayRef<Value> Lifetimes::blockOf(Value result) const {
  auto found = blocks.find(result);
  return found == blocks.end() ? ArrayRef<Value>() : found->second;
}

void Lifetimes::visit(const Body &body) {
  for (Operation &op : body.block->without_terminator()) {
    ValueRange made;
    if (isa<CellOp, MapOp>(op))
      made = op.getResults();
    else if (auto loop = dyn_cast<LoopOp>(op))
      made = loop.getStacked();
    else if (auto backward = dyn_cast<BackwardOp>(op))
      made = stackedOf(backward);
    for (Value value : made)
      if (hasRows(value.getType()))
        add(body, value, /*isReceived=*/false);
  }
  if (auto loop = dyn_cast<LoopOp>(body.op))
    visitReceived(body, loop);
  if (auto found = endings.find(&body); found != endings.end())
    for (Ending &ending : found->second)
      formBlocks(ending);
}

/// Gradients that the next iteration made in a cell, and gave here alone.
void Lifetimes::visitReceived(const Body &body, LoopOp loop) {
  for (auto [given, argument] :
       llvm::zip(carriedGradients(loop), loop.getAdjointArgs()))
    if (given.getDefiningOp<CellOp>() &&
        given.getParentBlock() == body.block && given.hasOneUse() &&
        hasRows(given.getType()))
      add(body, argument, /*isReceived=*/true);
}

void Lifetimes::add(const Body &body, Value value, bool isReceived) {
  EventSet need{kStart};
  if (!findUses(body, value, need))
    return;
  // Of a merge, another value may have come; a cell has read this one.
  if (llvm::none_of(value.getUsers(),
                    [](Operation *user) { return isa<CellOp>(user); }))
    need.merge(body.maskOf(value));
  SmallVector<Ending, 0> &known = endings[&body];
  auto same = llvm::find_if(
      known, [&](const Ending &ending) { return ending.need == need; });
  if (same == known.end())
    same = known.insert(known.end(), Ending{need, {}, {}, {}});
  (isReceived ? same->received : same->values).push_back(value);
}

/// What is known to be of one size needs one piece of memory, not many.
void Lifetimes::formBlocks(Ending &ending) {
  llvm::MapVector<Operation *, SmallVector<Value>> byCell;
  SmallVector<Value> alone;
  for (Value value : ending.values)
    if (auto cell = value.getDefiningOp<CellOp>();
        cell && bytesInBlock(value.getType()))
      byCell[cell].push_back(value);
    else
      alone.push_back(value);
  for (auto &[cell, members] : byCell) {
    if (members.size() == 1) {
      alone.push_back(members.front());
      continue;
    }
    for (Value member : members)
      blocks[member] = members;
    ending.blocks.push_back(std::move(members));
  }
  ending.values = std::move(alone);
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

static void release(FrameCode &code, Location loc, Value data, Value bytes) {
  rt::ReleaseOp::create(code.b, loc, code.worker, code.frame, data, bytes);
}

/// Of what was made for this value alone.
static void releaseAlone(FrameCode &code, Value value) {
  Location loc = value.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<Value> words = code.words(value);
  int64_t known = elementBytes(type.getElementType());
  for (int64_t size : type.getShape())
    known *= ShapedType::isDynamic(size) ? 1 : size;
  Value bytes = code.i64(loc, known);
  for (Value size : ArrayRef(words).drop_front())
    bytes = arith::MulIOp::create(code.b, loc, bytes, size);
  release(code, loc, words[0], bytes);
}

static void emitEnding(FrameCode &code, const Ending &ending) {
  for (const SmallVector<Value> &block : ending.blocks) {
    int64_t bytes = 0;
    for (Value member : block)
      bytes += *bytesInBlock(member.getType());
    Location loc = block.front().getLoc();
    release(code, loc, code.words(block.front())[0], code.i64(loc, bytes));
  }
  for (Value value : ending.values)
    releaseAlone(code, value);
  if (ending.received.empty())
    return;
  Location loc = ending.received.front().getLoc();
  Value next = code.load(loc, code.frameType(), code.frame,
                         offsetof(amprt_frame, next));
  emitIf(code, loc, code.isNull(loc, next), [] {}, [&] {
    for (Value value : ending.received)
      releaseAlone(code, value);
  });
}

void amp::addEndings(std::vector<Action> &actions, const Body &body,
                     const Lifetimes &lifetimes) {
  for (const Ending &ending : lifetimes.of(body))
    actions.push_back({ending.need,
                       {},
                       body.op->getLoc(),
                       [&ending](FrameCode &code, Value) {
                         emitEnding(code, ending);
                       }});
}
