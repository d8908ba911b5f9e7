//===- GradientFlow.h - Which cells work on gradients -----------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOAMPRT_GRADIENTFLOW_H
#define AMP_LIB_CONVERSION_AMPTOAMPRT_GRADIENTFLOW_H

#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "llvm/ADT/DenseSet.h"

namespace amp {

/// Follows gradients through each body of a module of graphs: from where they
/// come in (arguments that are adjoints, backward halves, gradients of losses)
/// to all that depends on them there.
class GradientFlow {
public:
  explicit GradientFlow(mlir::ModuleOp module);

  /// Whether a cell works on gradients: reads some, or makes them.
  bool reaches(CellOp cell) const { return backward.contains(cell); }

private:
  void enter(mlir::Operation *op);
  bool dependsOnGradients(mlir::Operation *op) const;

  llvm::DenseSet<mlir::Value> gradients;
  llvm::DenseSet<mlir::Operation *> backward;
};

} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOAMPRT_GRADIENTFLOW_H
