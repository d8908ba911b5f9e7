//===- CellFormation.cpp - Which ops form a cell together -----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CellFormation.h"

#include "amp/Dialect/Amp/IR/AmpInterfaces.h"
#include "amp/Dialect/Amp/IR/Factor.h"
#include "amp/Dialect/Amp/IR/Values.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

#include <map>

using namespace mlir;
using namespace amp;

unsigned CellFormation::sideEvent(Value condition, bool side) {
  auto [at, fresh] = sides.try_emplace({condition, side}, 0);
  if (fresh)
    at->second = newEvent();
  return at->second;
}

const CellFormation::Key &CellFormation::keyOf(Value value, bool seenByControl) {
  static const Key none;
  auto found = keys.find(value);
  if (found == keys.end())
    return none; // uniform, or from an outer body: there from the start
  Operation *op = value.getDefiningOp();
  auto producer = op ? work.find(op) : work.end();
  if (!seenByControl || producer == work.end() ||
      producer->second.kind != Kind::tensor)
    return found->second;
  auto [at, fresh] = completed.try_emplace(value);
  if (fresh) {
    at->second = found->second;
    at->second.insert(newEvent());
  }
  return at->second;
}

/// Whether `op` must stand in a cell because its source is tensor work of one.
static bool
readsTensorWork(Operation *op,
                llvm::function_ref<bool(Operation *)> isTensorWork) {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    Operation *producer = operand.getDefiningOp();
    return isa<RankedTensorType>(operand.getType()) && producer &&
           isTensorWork(producer);
  });
}

/// The arguments of a differentiated body that are gradients.
static ValueRange adjointArguments(Block *block) {
  Operation *node = block->getParentOp();
  if (auto graph = dyn_cast<GraphOp>(node))
    return ValueRange(block->getArguments()).take_back(graph.adjointInputs());
  if (auto loop = dyn_cast<LoopOp>(node))
    return loop.getAdjointArgs();
  if (auto map = dyn_cast<MapOp>(node))
    return map.getAdjointArgs();
  return {};
}

/// A gradient comes when what it is the gradient of has long been there. (If it is
/// a constant it may come earlier: keys only say what is worth grouping.) What only
/// one side of a decision makes does not count where gradients of both sides come:
/// their ops would form one group, which needs both sides.
void CellFormation::followForward(Value gradient) {
  auto argument = dyn_cast<BlockArgument>(gradient);
  ValueRange gradients = adjointArguments(block);
  if (!argument || argument.getOwner() != block || gradients.empty() ||
      argument.getArgNumber() < block->getNumArguments() - gradients.size() ||
      !followed.insert(gradient).second)
    return;
  Key key = keys[gradient];
  auto add = [&](Value value) {
    bool isSure = llvm::all_of(guards.getGuards(value), [&](const Guard &guard) {
      return llvm::is_contained(guards.getGuards(gradient), guard);
    });
    if (auto found = keys.find(value); isSure && found != keys.end())
      key.insert(found->second.begin(), found->second.end());
  };
  for (Value value : block->getTerminator()->getOperands())
    add(value);
  for (EmitOp emit : block->getOps<EmitOp>())
    add(emit.getRow());
  keys[gradient] = key;
}

LogicalResult CellFormation::classify() {
  auto isTensorWork = [&](Operation *op) {
    auto found = work.find(op);
    return found != work.end() && found->second.kind == Kind::tensor;
  };
  // Iterations wait for carried values; each is an event of its own.
  if (auto loop = dyn_cast<LoopOp>(block->getParentOp()))
    for (BlockArgument argument : loop.getCarriedArgs()) {
      unsigned event = newEvent();
      carried.insert(event);
      keys[argument] = {event};
    }
  if (auto graph = dyn_cast<GraphOp>(block->getParentOp()))
    for (BlockArgument argument : graph.getArguments())
      keys[argument] = {};
  // Gradients come when the forward pass is over.
  for (Value gradient : adjointArguments(block)) {
    unsigned event = newEvent();
    carried.insert(event);
    keys[gradient] = {event};
  }

  for (Operation &op : block->without_terminator()) {
    if (makesUniform(&op))
      continue;
    for (Value operand : op.getOperands())
      followForward(operand);
    auto control = dyn_cast<ControlOpInterface>(&op);
    auto cell = dyn_cast<CellOpInterface>(&op);
    bool canControl = control && control.isControlStep();
    bool canCell = cell && cell.isBatchable();
    std::optional<Kind> kind;
    if (canCell && (!canControl || readsTensorWork(&op, isTensorWork)))
      kind = Kind::tensor;
    else if (canControl)
      kind = Kind::control;

    bool isNode = !kind;
    Key key;
    auto add = [&](Value operand) {
      const Key &other =
          keyOf(operand, isNode || kind == Kind::control ||
                             !isa<RankedTensorType>(operand.getType()));
      key.insert(other.begin(), other.end());
    };
    if (isNode)
      for (Value operand : op.getOperands())
        add(operand);
    else
      for (Value value : valuesReadBy(&op))
        add(value);

    if (kind) {
      work.insert({&op, Work{*kind, key}});
      for (Value result : op.getResults())
        keys[result] = key;
      continue;
    }
    // A control node: its results are events.
    if (auto branch = dyn_cast<BranchOp>(op)) {
      for (bool side : {true, false}) {
        Key sided = key;
        sided.insert(sideEvent(branch.getCondition(), side));
        keys[side ? branch.getOnTrue() : branch.getOnFalse()] = sided;
      }
      continue;
    }
    if (isa<CollectorOp>(op)) {
      keys[op.getResult(0)] = key;
      continue;
    }
    if (!isa<MergeOp, CallOp, LoopOp, MapOp, FlatmapOp, EmitOp, CollectOp,
             BackwardOp, CellOp, ControlOp>(op))
      return op.emitOpError("can be neither batched nor run as a control step "
                            "on operands of these types");
    // Results that arrive separately are separate events; those of one cell
    // arrive together, and so do merges of the same pairs.
    for (Value result : op.getResults())
      keys[result] = {newEvent()};
  }
  return success();
}

/// Whether an op only says where its elements lie.
static bool isView(Operation *op) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return slice.getSourceType().getRank() == slice.getType().getRank();
  return isa<tensor::ConcatOp>(op);
}

/// Makes a view anew for its users of one group.
void CellFormation::repeatView(Operation *view, const Key &key) {
  auto isReader = [&](Operation *op) {
    auto found = work.find(op);
    return found != work.end() && found->second.kind == Kind::tensor &&
           found->second.key == key;
  };
  Operation *first = nullptr;
  for (Operation *user : view->getUsers())
    if (Operation *op = block->findAncestorOpInBlock(*user);
        isReader(op) && (!first || op->isBeforeInBlock(first)))
      first = op;
  OpBuilder b(first);
  Operation *copy = b.clone(*view);
  view->replaceUsesWithIf(copy, [&](OpOperand &use) {
    return isReader(block->findAncestorOpInBlock(*use.getOwner()));
  });
  keys[copy->getResult(0)] = key;
  work.insert({copy, Work{Kind::tensor, key}});
}

void CellFormation::repeatViews() {
  // Those behind views of their own first.
  SmallVector<Operation *> views;
  for (auto &[op, mine] : work)
    if (mine.kind == Kind::tensor && isView(op))
      views.push_back(op);
  for (Operation *view : llvm::reverse(views)) {
    Key mine = work.find(view)->second.key;
    auto keysOfUsers = [&](Value value) {
      std::set<Key> found;
      for (Operation *user : value.getUsers()) {
        auto reader = work.find(block->findAncestorOpInBlock(*user));
        if (reader != work.end() && reader->first != view &&
            reader->second.kind == Kind::tensor)
          found.insert(reader->second.key);
      }
      return found;
    };
    for (const Key &key : keysOfUsers(view->getResult(0))) {
      bool isRead = llvm::all_of(view->getOperands(), [&](Value operand) {
        return !isa<RankedTensorType>(operand.getType()) ||
               keysOfUsers(operand).count(key);
      });
      if (isRead && key != mine && llvm::includes(key, mine))
        repeatView(view, key);
    }
    if (view->use_empty()) {
      work.erase(view);
      view->erase();
    }
  }
  // In the block's order again.
  llvm::MapVector<Operation *, Work> ordered;
  for (Operation &op : *block)
    if (auto found = work.find(&op); found != work.end())
      ordered.insert(*found);
  work = std::move(ordered);
}

/// Whether what a product makes is not much more than what it is made of. Else
/// it is made where it is read: that costs no more multiplications, but the
/// memory of all iterations' results is never written, read again, and missed
/// in the cache.
static bool isWorthKeeping(Operation *product) {
  constexpr int64_t kMostGrowth = 1;
  auto size = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getShape().back();
  };
  return size(product->getResult(0)) <=
         kMostGrowth * size(product->getOperand(0));
}

/// The group of tensor work that reads an op's results before all others do; null
/// if there is no such one.
CellFormation::Work *CellFormation::firstReader(Operation *op) {
  Work *first = nullptr;
  for (Operation *user : op->getUsers()) {
    auto found = work.find(user);
    if (found == work.end() || found->second.kind != Kind::tensor)
      return nullptr;
    if (!first || found->second.key.size() < first->key.size())
      first = &found->second;
  }
  bool isFirst = first && llvm::all_of(op->getUsers(), [&](Operation *user) {
                   return llvm::includes(work.find(user)->second.key, first->key);
                 });
  return isFirst ? first : nullptr;
}

/// What only has an effect goes with the latest of the work that reads the same:
/// a cell of its own would cost more than waiting does.
void CellFormation::joinReader(Operation *op, Work &mine) {
  for (Value value : op->getOperands())
    for (Operation *user : value.getUsers())
      if (auto found = work.find(user);
          found != work.end() && found->second.kind == Kind::tensor &&
          llvm::includes(found->second.key, mine.key))
        mine.key = found->second.key;
}

void CellFormation::sink() {
  // From the last op to the first, so that chains move as a whole.
  for (auto &[op, mine] : llvm::reverse(work)) {
    if (op->getNumResults() == 0) {
      joinReader(op, mine);
      continue;
    }
    // A scalar leaves its cell for the frame before anything reads it.
    if (mine.kind != Kind::tensor || op->use_empty() ||
        !isa<RankedTensorType>(op->getResult(0).getType()))
      continue;
    Work *target = firstReader(op);
    if (!target || target->key == mine.key)
      continue;
    auto waits = [&](const Key &key) {
      return llvm::any_of(key, [&](unsigned e) { return carried.count(e); });
    };
    bool mayHoist = waits(target->key) && !waits(mine.key) &&
                    cast<CellOpInterface>(op).getProductParam();
    auto options = remark::RemarkOpts::name("hoist").category("amp-form-cells");
    if (mayHoist && isWorthKeeping(op)) {
      remark::passed(op->getLoc(), options)
          << remark::reason("it does not wait for what the loop carries: all "
                            "iterations' rows are multiplied beforehand");
      continue;
    }
    if (mayHoist)
      remark::analysis(op->getLoc(), options)
          << remark::reason("it need not wait for what the loop carries, but "
                            "makes more than it reads: it is made where it is "
                            "used, and never written to memory");
    mine.key = target->key;
  }
}

std::vector<CellFormation::Group> CellFormation::groups() const {
  std::map<std::pair<Kind, Key>, size_t> numbers;
  std::vector<Group> made;
  for (const auto &[op, mine] : work) {
    auto [at, isFirst] =
        numbers.try_emplace({mine.kind, mine.key}, made.size());
    if (isFirst)
      made.push_back({mine.kind, {}});
    made[at->second].ops.push_back(op);
  }
  return made;
}

FailureOr<std::vector<CellFormation::Group>> CellFormation::run() {
  if (failed(classify()))
    return failure();
  repeatViews();
  sink();
  return groups();
}
