//===- ScfOps.cpp - How scf is run ----------------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace amp::interp;
using namespace mlir;
using amprt::StatusCode;
using llvm::APInt;

static void runIf(scf::IfOp op, Step &step) {
  bool condition = step.integer(op.getCondition()) != 0;
  Region &region = condition ? op.getThenRegion() : op.getElseRegion();
  if (!region.empty())
    step.give(step.run(region, {}));
}

static void runIndexSwitch(scf::IndexSwitchOp op, Step &step) {
  int64_t value = step.integer(op.getArg());
  for (auto [number, region] : llvm::zip(op.getCases(), op.getCaseRegions()))
    if (number == value)
      return step.give(step.run(region, {}));
  step.give(step.run(op.getDefaultRegion(), {}));
}

static void runFor(scf::ForOp op, Step &step) {
  // Wide enough for the index behind the last one, signed and unsigned.
  auto wide = [&](Value bound) {
    APInt bits = step.in(bound).bits(0);
    return op.getUnsignedCmp() ? bits.zext(66) : bits.sext(66);
  };
  APInt index = wide(op.getLowerBound()), upper = wide(op.getUpperBound());
  APInt stride = wide(op.getStep());
  if (!stride.isStrictlyPositive())
    return step.fail(StatusCode::invalidArgument,
                     "the step is " + Twine(stride.getSExtValue()) +
                         ", not above 0");

  amprt_dtype_t dtype = *elementTypeOf(op.getInductionVar().getType());
  Tokens carried = step.tokens(op.getInitArgs());
  for (; index.slt(upper) && !step.failed(); index += stride) {
    step.countStep();
    Tokens arguments{Array::scalar(dtype, index.trunc(64).getSExtValue())};
    llvm::append_range(arguments, carried);
    carried = step.run(op.getRegion(), arguments);
  }
  step.give(carried);
}

/// Continues a loop after its "before" region has given `condition`, the
/// operands of scf.condition: the flag, and the values to go on with.
static void continueWhile(scf::WhileOp op, Tokens condition, Step &step) {
  while (!step.failed()) {
    const Token &flag = condition.front();
    if (!flag.isSettled())
      return step.whenSettled(
          flag, [=](Step &later) { continueWhile(op, condition, later); });
    Tokens forwarded(condition.begin() + 1, condition.end());
    if (flag.array().signedAt(0) == 0)
      return step.give(forwarded);
    step.countStep();
    Tokens next = step.run(op.getAfter(), forwarded);
    condition = step.run(op.getBefore(), next);
  }
}

static void runWhile(scf::WhileOp op, Step &step) {
  continueWhile(op, step.run(op.getBefore(), step.tokens(op.getInits())), step);
}

void amp::interp::addScfOps(Registry &registry) {
  registry.add<scf::IfOp>(runIf);
  registry.add<scf::IndexSwitchOp>(runIndexSwitch);
  registry.add<scf::ForOp>(runFor, /*awaited=*/3);
  registry.add<scf::WhileOp>(runWhile, /*awaited=*/0);
}
