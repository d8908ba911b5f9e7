//===- Accumulator.h - Sums of gradients in one body ------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_DIFFERENTIATE_ACCUMULATOR_H
#define AMP_LIB_DIALECT_AMP_DIFFERENTIATE_ACCUMULATOR_H

#include "amp/Dialect/Amp/Analysis/GuardAnalysis.h"
#include "amp/Dialect/Amp/Transforms/AdjointEmitter.h"

#include "llvm/ADT/MapVector.h"

namespace amp {

using Guards = llvm::SmallVector<Guard, 2>;

/// A token that exists under `guards`.
struct Guarded {
  mlir::Value value;
  Guards guards;
};

/// Adds up gradients that come from a value's uses. A use may exist on one side
/// of a branch only, and so does the gradient from there: a merge joins it with
/// what comes from the other side, or with zeros. This makes branches the duals
/// of merges, and sums those of forks.
class Accumulator {
public:
  /// Emits by `emitter`'s builder.
  explicit Accumulator(AdjointEmitter &emitter) : emitter(emitter) {}

  void add(mlir::Value value, mlir::Value gradient,
           llvm::ArrayRef<Guard> guards);

  /// Whether anything was added.
  bool has(mlir::Value value) const { return parts.count(value); }

  /// The sum, a token that exists under `guards`, those of the value. Null if
  /// nothing was added.
  mlir::Value total(mlir::Value value, llvm::ArrayRef<Guard> guards);

  /// The sums for all values that `chosen` says, which are then forgotten: tokens
  /// without guards.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>>
  takeFrom(llvm::function_ref<bool(mlir::Value)> chosen);

  /// One token under `guards` from tokens that exist under these and more, of
  /// which those with the same guards are added. Where none comes, it is `zero`,
  /// which exists under `zeroGuards`, some of `guards`.
  mlir::Value combine(mlir::Location loc, llvm::SmallVector<Guarded> tokens,
                      llvm::ArrayRef<Guard> guards,
                      llvm::function_ref<Guarded()> zero);

  /// `token`, led through the branches of `guards`.
  mlir::Value route(mlir::Location loc, Guarded token,
                    llvm::ArrayRef<Guard> guards);

  /// A sum of values of one type.
  mlir::Value sum(mlir::Location loc, llvm::ArrayRef<mlir::Value> values);

private:
  mlir::Value sumOfSlices(mlir::Location loc,
                          llvm::ArrayRef<mlir::Value> values);

  AdjointEmitter &emitter;
  llvm::MapVector<mlir::Value, llvm::SmallVector<Guarded>> parts;
};

} // namespace amp

#endif // AMP_LIB_DIALECT_AMP_DIFFERENTIATE_ACCUMULATOR_H
