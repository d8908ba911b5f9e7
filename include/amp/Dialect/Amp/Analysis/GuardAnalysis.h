//===- GuardAnalysis.h - Under which conditions tokens exist ----*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For one activation of a block (a graph's, a loop's or a map's body): which
// decisions must have gone which way for a value to exist (SPEC S2).
//
//   - block arguments and values from outside the block: none, but for gradients
//     of what an iteration without a range carries on or leaves with;
//   - an op's results: all guards of its operands, and of the values of this
//     block that its regions use;
//   - amp.branch %c, %v: the guards of %c and of %v, and (%c, true) for the
//     first result, (%c, false) for the second;
//   - amp.merge %a, %b: what remains of the guards of %a, which must be what
//     remains of those of %b, without one pair (%c, true), (%c, false).
//
// Constants and parameters have none, because they have no operands.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_ANALYSIS_GUARDANALYSIS_H
#define AMP_DIALECT_AMP_ANALYSIS_GUARDANALYSIS_H

#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace amp {

/// The value that forks gave to several places: a decision on one of them is a
/// decision on it.
mlir::Value throughForks(mlir::Value value);

/// One decision and the way that it went.
struct Guard {
  mlir::Value condition; ///< Never a fork's.
  bool side;

  bool operator==(const Guard &other) const {
    return condition == other.condition && side == other.side;
  }
  bool operator!=(const Guard &other) const { return !(*this == other); }
  Guard getOpposite() const { return {condition, !side}; }
};

/// Valid until the block changes. Sets are arrays without duplicates, in an
/// order that depends on the IR's text alone; a decision stands after those
/// that it is itself guarded by.
class GuardAnalysis {
public:
  /// `block` may be invalid; see `verify`.
  explicit GuardAnalysis(mlir::Block *block);

  /// The guards of a value of the block, which may be one that a nested region
  /// uses. Values from outside the block have none here; nor have values of
  /// nested blocks, which have an analysis of their own.
  llvm::ArrayRef<Guard> getGuards(mlir::Value value) const;

  /// Under which guards an op of the block runs: for a merge, those of its
  /// result; for all others, those of all their operands and captured values.
  llvm::ArrayRef<Guard> getGuards(mlir::Operation *op) const;

  /// Emits an error, with a note at the other place, for each op that needs
  /// both sides of one decision (guard_c1), and for each amp.merge whose
  /// operands are not alternatives: there is no decision of which one is on
  /// each side (merge_c1), or else their guards differ (merge_c2).
  mlir::LogicalResult verify() const;

private:
  using Guards = llvm::SmallVector<Guard, 2>;
  /// What is wrong with an op, at most one thing. `a` and `b` are the values
  /// that do not go together.
  struct Problem {
    enum Kind { bothSides, notOpposite, otherGuards };
    Kind kind;
    mlir::Operation *op;
    mlir::Value a, b;
  };

  void guardAdjoints(LoopOp loop);
  Guards collect(mlir::Operation *op);
  Guards collectMerge(MergeOp op);
  unsigned intern(Guards guards);

  /// Many ops have the same guards; each set is kept once, as often as adjacent
  /// ops share it.
  std::vector<Guards> sets;
  llvm::DenseMap<mlir::Operation *, unsigned> ofOp;
  /// Only results of branches, whose sides differ, and gradients.
  llvm::DenseMap<mlir::Value, unsigned> ofValue;
  llvm::SmallVector<Problem> problems;
};

} // namespace amp

#endif // AMP_DIALECT_AMP_ANALYSIS_GUARDANALYSIS_H
