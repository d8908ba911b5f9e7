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
  Tokens inputs = step.tokens(op.getInputs());
  if (!op.getTape())
    return step.give(step.call(op.getCallee(), inputs));
  auto tape = std::make_shared<Tape>();
  BackwardOp backward = getBackward(op);
  tape->inputs.resize(backward.getInputs().size());
  llvm::append_range(inputs, tape->inputs);
  Tokens results = step.call(op.getCallee(), inputs);
  size_t forward = op.getForwardResults().size();
  tape->results.assign(results.begin() + forward, results.end());
  results.resize(forward);
  results.push_back(tape);
  step.give(results);
}

namespace {
/// What an amp.next gives, as its operands are named.
struct Next {
  explicit Next(NextOp op, const Tokens &operands) {
    Tokens *groups[] = {&condition, &carried, &exit, &stacked, &adjoint};
    for (auto [i, group] : llvm::enumerate(groups)) {
      auto [begin, size] = op.getODSOperandIndexAndLength(i);
      group->assign(operands.begin() + begin, operands.begin() + begin + size);
    }
  }
  Tokens condition, carried, exit, stacked, adjoint;
};

/// The iterations of a loop, whose gradients go from each to the one before.
class Iterations {
public:
  Iterations(LoopOp op) : op(op) {}

  Next run(Tokens arguments, Step &step) {
    step.countStep();
    Tokens gradients(op.getAdjointArgs().size());
    llvm::append_range(arguments, gradients);
    Next next(op.getNext(), step.run(op.getBody(), arguments));
    if (op.getTape() && !step.failed()) {
      link(next.adjoint, step);
      inputs.push_back(std::move(gradients));
      adjoints.push_back(next.adjoint);
    }
    return next;
  }

  /// What the loop leaves open, when all have been run. With `reverse`, those of
  /// the first iteration are the last rows.
  void giveTape(Step &step) {
    if (!op.getTape())
      return;
    auto tape = std::make_shared<Tape>();
    size_t carried = op.adjointsCarried().size(),
           stacked = op.adjointsStacked().size();
    size_t last = op.hasRange() ? carried : op.adjointsExit().size();
    tape->inputs.resize(last + stacked);
    if (inputs.empty())
      tape->results.assign(tape->inputs.begin(), tape->inputs.begin() + carried);
    else
      tape->results.assign(adjoints.front().begin(),
                           adjoints.front().begin() + carried);
    if (!inputs.empty())
      for (size_t i = 0; i < last; ++i)
        forward(tape->inputs[i],
                inputs.back()[op.hasRange() ? i : carried + i], step);
    if (op.getReverse()) {
      std::reverse(inputs.begin(), inputs.end());
      std::reverse(adjoints.begin(), adjoints.end());
    }
    for (size_t i = 0; i < stacked; ++i)
      for (size_t row = 0; row < inputs.size(); ++row)
        step.giveRow(tape->inputs[last + i], row,
                     inputs[row][inputs[row].size() - stacked + i]);
    BackwardOp backward = getBackward(op);
    for (size_t k = carried; k < backward.getNumResults(); ++k)
      tape->results.push_back(step.stacked(backward.getResult(k).getType(),
                                           columnOf(adjoints, k)));
    step.give(op->getNumResults() - 1, tape);
  }

private:
  static void forward(const Token &from, const Token &to, Step &step) {
    step.whenSettled(from,
                     [from, to](Step &later) { later.fill(to, from); });
  }
  /// What an iteration says of its carried arguments goes to the one before.
  void link(const Tokens &adjoint, Step &step) {
    if (!inputs.empty())
      for (size_t i = 0; i < op.adjointsCarried().size(); ++i)
        forward(adjoint[i], inputs.back()[i], step);
  }

  LoopOp op;
  std::vector<Tokens> inputs, adjoints; ///< Of each iteration.
};
} // namespace

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
  Iterations iterations(op);
  std::vector<Tokens> rows; // In the order of the iterations.
  for (uint64_t i = 0; i < count && !step.failed(); ++i) {
    uint64_t number = op.getReverse() ? count - 1 - i : i;
    Tokens arguments{
        Array::scalar(AMPRT_INDEX, uint64_t(lower) + number * stride)};
    llvm::append_range(arguments, carried);
    Next next = iterations.run(arguments, step);
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
  iterations.giveTape(step);
}

/// Goes on from an iteration that has given `next`.
static void continueLoop(LoopOp op, std::shared_ptr<Iterations> iterations,
                         Next next, Step &step) {
  while (!step.failed()) {
    const Token &condition = next.condition.front();
    if (!condition.isSettled())
      return step.whenSettled(
          condition, [=](Step &later) { continueLoop(op, iterations, next, later); });
    if (condition.isNever())
      return step.giveNever();
    if (condition.array().signedAt(0) == 0) {
      for (auto [i, token] : llvm::enumerate(next.exit))
        step.give(i, token);
      return iterations->giveTape(step);
    }
    next = iterations->run(next.carried, step);
  }
}

static void runLoop(LoopOp op, Step &step) {
  ValueRange opening = op.hasRange() ? op->getOperands().take_front(3)
                                     : ValueRange(op.getInit());
  if (!awaitOpening(opening, op.getAfter(), step))
    return;
  if (op.getTape())
    step.promise(); // gradients are waited for before all results are given
  if (op.hasRange())
    return runRangeLoop(op, step);
  auto iterations = std::make_shared<Iterations>(op);
  Next first = iterations->run(step.tokens(op.getInit()), step);
  continueLoop(op, iterations, first, step);
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
