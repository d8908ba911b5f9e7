//===- CellCode.h - Compute and complete functions of cells -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOAMPRT_CELLCODE_H
#define AMP_LIB_CONVERSION_AMPTOAMPRT_CELLCODE_H

#include "Body.h"
#include "CellEntry.h"

#include "amp/Conversion/VectorTarget.h"

#include "mlir/IR/Builders.h"

namespace amp {

/// Writes a cell's functions and its entry in the module's table.
void emitCell(mlir::OpBuilder &b, const Bodies &bodies, const Body &body,
              CellOp cell, const CellAnalyses &analyses,
              const VectorTarget &target);

/// Whether a product with a parameter takes that transposed.
bool isTransposed(mlir::Operation *product);

/// Name in the module's table of products.
std::string productName(mlir::Operation *product);

/// Name in the module's table of products whose weights get gradients.
std::string gradientName(llvm::StringRef param);

} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOAMPRT_CELLCODE_H
