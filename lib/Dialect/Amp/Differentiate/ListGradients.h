//===- ListGradients.h - Gradients of lists ---------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The gradient of a list is a list of the same type: the gradients of its last
// elements. Those of the elements before are zeros, and are left out; so the
// gradient of a stack whose top was used costs what was used, not its height, and
// no gradient at all is the empty list.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_DIFFERENTIATE_LISTGRADIENTS_H
#define AMP_LIB_DIALECT_AMP_DIFFERENTIATE_LISTGRADIENTS_H

#include "amp/Dialect/Amp/Transforms/AdjointEmitter.h"

namespace amp {

/// The sum of two gradients of one list, as long as the longer one. It costs as many
/// iterations as the shorter one has elements; the rest is shared.
mlir::Value sumOfLists(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                       mlir::Value y);

/// The gradient of a list of which element `index` alone was used: that element and
/// those behind it.
mlir::Value gradientOfElement(AdjointEmitter &emitter, mlir::Location loc,
                              mlir::Value list, mlir::Value index,
                              mlir::Value gradient);

/// A list whose elements are the `count` rows of a tensor.
mlir::Value listOfRows(mlir::OpBuilder &b, mlir::Location loc, ListType type,
                       mlir::Value rows, mlir::Value count);

/// `list` with the `count` rows of a tensor pushed on it.
mlir::Value pushRows(mlir::OpBuilder &b, mlir::Location loc, mlir::Value list,
                     mlir::Value rows, mlir::Value count);

} // namespace amp

#endif // AMP_LIB_DIALECT_AMP_DIFFERENTIATE_LISTGRADIENTS_H
