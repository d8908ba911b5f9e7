//===- Division.h - What integer division checks ----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOAMPRT_DIVISION_H
#define AMP_LIB_CONVERSION_AMPTOAMPRT_DIVISION_H

#include "mlir/IR/Builders.h"

namespace amp {

/// Integer division: by zero, and of the least value by -1, is undefined in the
/// IR and a trap on the processor, so the instance fails instead. Gives `check`
/// each condition (i1) that must hold.
void emitDivisionChecks(
    mlir::OpBuilder &b, mlir::Operation *op, mlir::Value left,
    mlir::Value right,
    llvm::function_ref<void(llvm::StringRef, mlir::Value)> check);

/// The same op on other operands, which are scalars.
mlir::Value emitDivision(mlir::OpBuilder &b, mlir::Operation *op,
                         mlir::Value left, mlir::Value right);

} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOAMPRT_DIVISION_H
