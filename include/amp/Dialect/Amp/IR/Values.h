//===- Values.h - What ops read and what is uniform -------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_VALUES_H
#define AMP_DIALECT_AMP_IR_VALUES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace amp {

/// Constants and parameters: the same for all instances, without a token and in
/// no frame.
bool isUniform(mlir::Value value);
/// An op that gives such a value.
bool makesUniform(mlir::Operation *op);

/// What an op reads, each value once: its operands, then what its regions use
/// from outside.
llvm::SetVector<mlir::Value> valuesReadBy(mlir::Operation *op);

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_VALUES_H
