//===- Stacked.h - What values of iterations stack to -----------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_IR_STACKED_H
#define AMP_LIB_DIALECT_AMP_IR_STACKED_H

#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ValueRange.h"

namespace amp {

/// Whether `results` of `op` stack what its body gives for each iteration.
mlir::LogicalResult verifyStacked(mlir::Operation *op, mlir::ValueRange rows,
                                  mlir::TypeRange results);

} // namespace amp

#endif // AMP_LIB_DIALECT_AMP_IR_STACKED_H
