//===- Activity.h - Which values have gradients -----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_DIFFERENTIATE_ACTIVITY_H
#define AMP_LIB_DIALECT_AMP_DIFFERENTIATE_ACTIVITY_H

#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace amp {

/// Arguments of loops' bodies that stand for collectors, by which the gradients of
/// these' rows come in (Captures.h).
using StandIns = llvm::DenseMap<mlir::Value, mlir::Value>;

/// A value is active if it depends on a parameter and the loss depends on it,
/// both by way of floats. Over all graphs, calls, loops and collectors at once:
/// what holds for one call of a graph holds for all.
class Activity {
public:
  /// `loss`: what the entry returns as such.
  Activity(llvm::ArrayRef<GraphOp> graphs, mlir::Value loss,
           const StandIns &standIns);

  bool isActive(mlir::Value value) const {
    if (mlir::Value collector = standIns.lookup(value))
      value = collector;
    return varied.contains(value) && useful.contains(value);
  }
  /// Whether the loss depends on it.
  bool isUseful(mlir::Value value) const { return useful.contains(value); }

  const StandIns &getStandIns() const { return standIns; }

private:
  using Flow = llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>>;
  void collect(mlir::Operation *op);
  void flow(mlir::Value from, mlir::Value to);
  void flow(mlir::ValueRange from, mlir::ValueRange to);
  static void reach(mlir::Value from, const Flow &flow,
                    llvm::DenseSet<mlir::Value> &reached);

  llvm::DenseMap<mlir::StringAttr, GraphOp> byName;
  const StandIns &standIns;
  Flow forward, backward;
  llvm::DenseSet<mlir::Value> varied, useful;
};

} // namespace amp

#endif // AMP_LIB_DIALECT_AMP_DIFFERENTIATE_ACTIVITY_H
