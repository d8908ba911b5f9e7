//===- FuncOps.cpp - How func is run --------------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace amp::interp;
using namespace mlir;

void amp::interp::addFuncOps(Registry &registry) {
  registry.add<func::CallOp>(
      [](func::CallOp op, Step &step) {
        step.countStep();
        step.give(step.call(op.getCallee(), step.tokens(op.getOperands())));
      },
      /*awaited=*/0);
}
