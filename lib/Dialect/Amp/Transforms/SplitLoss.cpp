//===- SplitLoss.cpp - Separates what predicts from what has a loss --------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/IR/AmpOps.h"
#include "amp/Dialect/Amp/IR/Entries.h"
#include "amp/Dialect/Amp/Transforms/Passes.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace amp {
#define GEN_PASS_DEF_SPLITLOSSPASS
#include "amp/Dialect/Amp/Transforms/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;

/// Erases the collectors of a block that nobody reads, with the rows that they are
/// given there.
static bool eraseUnread(Block &block) {
  bool changed = false;
  for (CollectorOp op :
       llvm::make_early_inc_range(block.getOps<CollectorOp>())) {
    if (!llvm::all_of(op->getUsers(),
                      [](Operation *user) { return isa<EmitOp>(user); }))
      continue;
    for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
      user->erase();
    op.erase();
    changed = true;
  }
  return changed;
}

/// Erases what has neither effects nor users, users before what they use.
static void eraseDead(Block &block) {
  do
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (!op.hasTrait<OpTrait::IsTerminator>() && op.use_empty() &&
          wouldOpBeTriviallyDead(&op))
        op.erase();
  while (eraseUnread(block));
}

static void dropLoss(FunctionOpInterface entry, unsigned number) {
  llvm::BitVector results(entry.getNumResults());
  results.set(number);
  Block &body = entry.getFunctionBody().front();
  body.getTerminator()->eraseOperands(results);
  llvm::BitVector fields(entry.getNumArguments());
  for (BlockArgument argument : body.getArguments())
    if (!argument.use_empty())
      fields.set(argument.getArgNumber());
  eraseDead(body);
  for (BlockArgument argument : body.getArguments())
    if (!argument.use_empty())
      fields.reset(argument.getArgNumber());
  (void)entry.eraseResults(results);
  (void)entry.eraseArguments(fields);
}

/// Who does not train drops nothing out.
static void eraseDropout(ModuleOp module) {
  module.walk([](DropoutOp op) {
    op.replaceAllUsesWith(op.getX());
    op.erase();
  });
}

namespace {
struct SplitLoss : amp::impl::SplitLossPassBase<SplitLoss> {
  using Base::Base;

  void runOnOperation() override {
    auto entry = findEntry<FunctionOpInterface>(getOperation(), Role::predict);
    std::optional<unsigned> number =
        entry ? lossResult(entry) : std::nullopt;
    if (!keep)
      eraseDropout(getOperation());
    if (!number)
      return;
    if (keep) {
      auto copy = cast<FunctionOpInterface>(entry->clone());
      SymbolTable::setSymbolName(copy, (entry.getName() + ".evaluate").str());
      setRole(copy, Role::evaluate);
      SymbolTable(getOperation()).insert(copy, std::next(Block::iterator(entry)));
    }
    dropLoss(entry, *number);
  }
};
} // namespace
