//===- CellEntry.h - What a cell says of itself -----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOAMPRT_CELLENTRY_H
#define AMP_LIB_CONVERSION_AMPTOAMPRT_CELLENTRY_H

#include "Body.h"
#include "GradientFlow.h"
#include "Lifetimes.h"
#include "ParamReads.h"

#include "mlir/IR/Builders.h"

namespace amp {

/// What must be known of all graphs before anything is said of one cell.
struct CellAnalyses {
  CellAnalyses(mlir::ModuleOp module, const Bodies &bodies)
      : paramReads(module), gradients(module), lifetimes(bodies, gradients) {}

  ParamReads paramReads;
  GradientFlow gradients;
  Lifetimes lifetimes;
};

/// Writes a cell's entry in the module's table. Its functions are `compute` and
/// `complete`.
void emitCellEntry(mlir::OpBuilder &b, const Bodies &bodies, const Body &body,
                   CellOp cell, const CellAnalyses &analyses,
                   llvm::StringRef compute, llvm::StringRef complete,
                   bool hasProduct);

} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOAMPRT_CELLENTRY_H
