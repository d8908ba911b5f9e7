//===- GuardAnalysis.cpp - Under which conditions tokens exist ------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/Analysis/GuardAnalysis.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace amp;

/// Calls `visit` with each value that `op` needs: its operands, and what its
/// regions use of the block that it stands in.
Value amp::throughForks(Value value) {
  while (auto fork = value.getDefiningOp<ForkOp>())
    value = fork.getValue();
  return value;
}

static void forEachNeeded(Operation *op,
                          llvm::function_ref<void(Value)> visit) {
  for (Value operand : op->getOperands())
    visit(operand);
  for (Region &region : op->getRegions())
    region.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (operand.getParentBlock() == op->getBlock())
          visit(operand);
    });
}

/// The gradient of what an iteration without a range carries on or leaves with
/// exists where that does.
void GuardAnalysis::guardAdjoints(LoopOp loop) {
  if (loop.hasRange())
    return;
  Value condition = throughForks(loop.getNext().getCondition());
  for (auto [i, argument] : llvm::enumerate(loop.getAdjointArgs()))
    ofValue[argument] =
        intern({Guard{condition, i < loop.adjointsCarried().size()}});
}

GuardAnalysis::GuardAnalysis(Block *block) : sets(1) {
  if (auto loop = dyn_cast_or_null<LoopOp>(block->getParentOp()))
    if (block->mightHaveTerminator() && isa<NextOp>(block->back()))
      guardAdjoints(loop);
  for (Operation &op : *block) {
    auto merge = dyn_cast<MergeOp>(op);
    unsigned own = intern(merge ? collectMerge(merge) : collect(&op));
    ofOp[&op] = own;
    auto branch = dyn_cast<BranchOp>(op);
    if (!branch)
      continue;
    for (bool side : {true, false}) {
      Guards guards = sets[own];
      Guard guard{throughForks(branch.getCondition()), side};
      if (llvm::is_contained(guards, guard.getOpposite()))
        problems.push_back({Problem::bothSides, &op, branch.getValue(),
                            branch.getCondition()});
      if (!llvm::is_contained(guards, guard))
        guards.push_back(guard);
      ofValue[side ? branch.getOnTrue() : branch.getOnFalse()] =
          intern(std::move(guards));
    }
  }
}

unsigned GuardAnalysis::intern(Guards guards) {
  if (guards.empty())
    return 0;
  if (sets.back() != guards)
    sets.push_back(std::move(guards));
  return sets.size() - 1;
}

GuardAnalysis::Guards GuardAnalysis::collect(Operation *op) {
  Guards guards;
  bool hasProblem = false;
  forEachNeeded(op, [&](Value value) {
    for (Guard guard : getGuards(value)) {
      if (llvm::is_contained(guards, guard))
        continue;
      if (llvm::is_contained(guards, guard.getOpposite()) && !hasProblem &&
          !op->hasTrait<OpTrait::IsTerminator>()) { // whose values arrive apart
        hasProblem = true;
        Value other;
        forEachNeeded(op, [&](Value each) {
          if (!other &&
              llvm::is_contained(getGuards(each), guard.getOpposite()))
            other = each;
        });
        problems.push_back({Problem::bothSides, op, value, other});
      }
      guards.push_back(guard);
    }
  });
  return guards;
}

GuardAnalysis::Guards GuardAnalysis::collectMerge(MergeOp op) {
  Guards a(getGuards(op.getOnTrue())), b(getGuards(op.getOnFalse()));
  auto decision = llvm::find_if(a, [&](Guard guard) {
    return llvm::is_contained(b, guard.getOpposite());
  });
  if (decision == a.end()) {
    problems.push_back(
        {Problem::notOpposite, op, op.getOnTrue(), op.getOnFalse()});
    return {};
  }
  Guard opposite = decision->getOpposite();
  a.erase(decision);
  llvm::erase(b, opposite);
  if (a.size() != b.size() || !llvm::all_of(a, [&](Guard guard) {
        return llvm::is_contained(b, guard);
      }))
    problems.push_back(
        {Problem::otherGuards, op, op.getOnTrue(), op.getOnFalse()});
  // One message is enough: the rest of the block sees what both sides share.
  llvm::erase_if(a, [&](Guard guard) { return !llvm::is_contained(b, guard); });
  return a;
}

ArrayRef<Guard> GuardAnalysis::getGuards(Value value) const {
  if (auto it = ofValue.find(value); it != ofValue.end())
    return sets[it->second];
  Operation *op = value.getDefiningOp();
  return op ? getGuards(op) : ArrayRef<Guard>();
}

ArrayRef<Guard> GuardAnalysis::getGuards(Operation *op) const {
  auto it = ofOp.find(op);
  return it == ofOp.end() ? ArrayRef<Guard>()
                          : ArrayRef<Guard>(sets[it->second]);
}

LogicalResult GuardAnalysis::verify() const {
  for (const Problem &problem : problems) {
    InFlightDiagnostic diag = problem.op->emitOpError();
    switch (problem.kind) {
    case Problem::bothSides: // guard_c1
      diag << "never runs, because it needs both sides of one branch";
      break;
    case Problem::notOpposite: // merge_c1
      diag << "expected operands from opposite sides of one branch";
      break;
    case Problem::otherGuards: // merge_c2
      diag
          << "expected operands that, but for one branch, exist under the same "
             "conditions";
      break;
    }
    diag.attachNote(problem.a.getLoc()) << "one is here";
    diag.attachNote(problem.b.getLoc()) << "the other one is here";
  }
  return success(problems.empty());
}
