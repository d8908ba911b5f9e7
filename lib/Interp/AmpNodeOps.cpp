//===- AmpNodeOps.cpp - How the nodes of graphs are run -------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include "amp/Dialect/Amp/IR/AmpOps.h"

using namespace amp;
using namespace amp::interp;
using namespace mlir;
using amprt::StatusCode;

//===----------------------------------------------------------------------===//
// Routing
//===----------------------------------------------------------------------===//

static void runBranch(BranchOp op, Step &step) {
  bool side = step.integer(op.getCondition()) != 0;
  Token value = step.token(op.getValue());
  step.give(0, side ? value : Token::never());
  step.give(1, side ? Token::never() : value);
}

/// Each operand comes or does not, one after the other; the result is the one
/// that comes, and never comes if none does.
static void runMerge(MergeOp op, Step &step) {
  step.promise();
  Token result = step.token(op.getResult());
  Tokens sides = step.tokens(op->getOperands());
  for (const Token &side : sides)
    step.whenSettled(side, [=](Step &later) {
      if (side.arrived() && result.arrived())
        later.fail(StatusCode::internal,
                   "both operands of a merge have arrived");
      else if (side.arrived() || (sides[0].isNever() && sides[1].isNever()))
        later.fill(result, side);
    });
}

static void runFork(ForkOp op, Step &step) {
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    step.give(i, step.token(op.getValue()));
}

static void runRekey(RekeyOp op, Step &step) {
  Token key = step.token(op.getKey());
  Tokens result = step.run(op.getForward(), {key});
  Tokens back = step.run(op.getInverse(), result);
  if (step.failed())
    return;
  if (back.front().array().integers() != key.array().integers())
    return step.fail(StatusCode::invalidArgument,
                     "the inverse of a re-key does not lead back to its key, " +
                         Twine(key.array().signedAt(0)));
  step.give(result);
}

/// Transforms, cells and control steps: all inputs, then all results.
template <typename OpT> static void addBody(Registry &registry) {
  registry.add<OpT>([](OpT op, Step &step) {
    step.give(step.run(op.getBody(), step.tokens(op.getInputs())));
  });
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

/// Whether the values that open a node's activations have arrived: those of
/// `values` that are no tensors, and `after`. If not, the node starts again
/// later.
static bool awaitOpening(ValueRange values, ValueRange after, Step &step) {
  SmallVector<Value> opening(after);
  for (Value value : values)
    if (!isa<TensorType>(value.getType()))
      opening.push_back(value);
  return step.await(opening);
}

static void runCall(CallOp op, Step &step) {
  if (!awaitOpening(op.getInputs(), op.getAfter(), step))
    return;
  step.countStep();
  step.give(step.call(op.getCallee(), step.tokens(op.getInputs())));
}

namespace {
/// What an amp.next gives, as its operands are named.
struct Next {
  explicit Next(NextOp op, const Tokens &operands) {
    Tokens *groups[] = {&condition, &carried, &exit, &stacked};
    for (auto [i, group] : llvm::enumerate(groups)) {
      auto [begin, size] = op.getODSOperandIndexAndLength(i);
      group->assign(operands.begin() + begin, operands.begin() + begin + size);
    }
  }
  Tokens condition, carried, exit, stacked;
};
} // namespace

/// Runs one iteration.
static Next iterate(LoopOp op, const Tokens &arguments, Step &step) {
  step.countStep();
  return Next(op.getNext(), step.run(op.getBody(), arguments));
}

static void runRangeLoop(LoopOp op, Step &step) {
  int64_t lower = step.integer(op.getLower());
  int64_t upper = step.integer(op.getUpper());
  int64_t stride = step.integer(op.getStep());
  if (stride <= 0)
    return step.fail(StatusCode::invalidArgument,
                     "the step is " + Twine(stride) + ", not above 0");
  // Unsigned, where no difference of two bounds is too large.
  uint64_t distance = lower < upper ? uint64_t(upper) - uint64_t(lower) : 0;
  uint64_t count = distance / stride + (distance % stride != 0);

  Tokens carried = step.tokens(op.getInit());
  std::vector<Tokens> rows; // In the order of the iterations.
  for (uint64_t i = 0; i < count && !step.failed(); ++i) {
    uint64_t number = op.getReverse() ? count - 1 - i : i;
    Tokens arguments{
        Array::scalar(AMPRT_INDEX, uint64_t(lower) + number * stride)};
    llvm::append_range(arguments, carried);
    Next next = iterate(op, arguments, step);
    carried = next.carried;
    rows.push_back(next.stacked);
  }
  if (step.failed())
    return;
  for (auto [k, token] : llvm::enumerate(carried))
    step.give(k, token);
  if (op.getReverse())
    std::reverse(rows.begin(), rows.end());
  for (unsigned k = 0; k < op.getStacked().size(); ++k)
    step.giveStacked(carried.size() + k, columnOf(rows, k));
}

/// Goes on from an iteration that has given `next`.
static void continueLoop(LoopOp op, Next next, Step &step) {
  while (!step.failed()) {
    const Token &condition = next.condition.front();
    if (!condition.isSettled())
      return step.whenSettled(
          condition, [=](Step &later) { continueLoop(op, next, later); });
    if (condition.isNever())
      return step.giveNever();
    if (condition.array().signedAt(0) == 0)
      return step.give(next.exit);
    next = iterate(op, next.carried, step);
  }
}

static void runLoop(LoopOp op, Step &step) {
  ValueRange opening = op.hasRange() ? op->getOperands().take_front(3)
                                     : ValueRange(op.getInit());
  if (!awaitOpening(opening, op.getAfter(), step))
    return;
  if (op.hasRange())
    return runRangeLoop(op, step);
  continueLoop(op, iterate(op, step.tokens(op.getInit()), step), step);
}

void amp::interp::addAmpNodeOps(Registry &registry) {
  registry.add<BranchOp>(runBranch);
  registry.add<MergeOp>(runMerge, /*awaited=*/0);
  registry.add<ForkOp>(runFork);
  registry.add<SinkOp>([](SinkOp, Step &) {});
  registry.add<RekeyOp>(runRekey);
  addBody<TransformOp>(registry);
  addBody<CellOp>(registry);
  addBody<ControlOp>(registry);
  registry.add<CallOp>(runCall, /*awaited=*/0);
  registry.add<LoopOp>(runLoop, /*awaited=*/0);
}
