//===- Factor.h - Left sides of products ------------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_FACTOR_H
#define AMP_DIALECT_AMP_IR_FACTOR_H

#include "mlir/IR/Value.h"

namespace amp {

/// Whether it is a concatenation of columns that is nothing but the left side
/// of products with one parameter: they read each part where it lies.
bool isConcatenatedFactor(mlir::Value value);

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_FACTOR_H
