//===- EraseForks.cpp - Removes forks and sinks ---------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/IR/AmpOps.h"
#include "amp/Dialect/Amp/Transforms/Passes.h"

namespace amp {
#define GEN_PASS_DEF_ERASEFORKSPASS
#include "amp/Dialect/Amp/Transforms/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;

namespace {
struct EraseForks : amp::impl::EraseForksPassBase<EraseForks> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto fork = dyn_cast<ForkOp>(op)) {
        for (Value result : fork.getResults())
          result.replaceAllUsesWith(fork.getValue());
        op->erase();
      } else if (isa<SinkOp>(op)) {
        op->erase();
      }
    });
  }
};
} // namespace
