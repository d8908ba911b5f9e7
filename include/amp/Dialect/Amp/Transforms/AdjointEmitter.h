//===- AdjointEmitter.h - Emits gradients of one op -------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What DerivativeOpInterface works with. The gradient of a value has the value's
// type (of a list, it is a list of the gradients of its last elements, and those
// before are zero); a value's gradients from all its uses are added up by the emitter.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_TRANSFORMS_ADJOINTEMITTER_H
#define AMP_DIALECT_AMP_TRANSFORMS_ADJOINTEMITTER_H

#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectRegistry.h"

namespace amp {

class AdjointEmitter {
public:
  explicit AdjointEmitter(mlir::OpBuilder &builder) : b(builder) {}
  virtual ~AdjointEmitter() = default;

  mlir::OpBuilder &b;

  /// The gradient of a result, or null if the loss does not depend on it.
  virtual mlir::Value adjoint(mlir::Value result) = 0;
  /// Whether a gradient of the operand is of use: the loss depends on it, and it
  /// on a parameter.
  virtual bool wants(mlir::Value operand) = 0;
  /// Adds to the gradient of an operand, of its type. (Of a parameter's value,
  /// to the parameter's; then there may be more dimensions in front.)
  virtual void add(mlir::Value operand, mlir::Value gradient) = 0;
  /// Adds to row `index` (of index type) of the gradient of an operand, which
  /// grows by no more than that row; `row` has the operand's type without
  /// dimension 0, or is a scalar if it is a vector. Of a list: to the gradient of
  /// that element.
  virtual void addRow(mlir::Value operand, mlir::Value index,
                      mlir::Value row) = 0;

  /// The parameter that an operand is the value of, or null.
  static mlir::FlatSymbolRefAttr parameter(mlir::Value operand);

  /// A float, or a tensor of the value's type and size, all elements `number`; of a
  /// list, which `number` has to be 0 for, the empty one.
  mlir::Value filled(mlir::Location loc, mlir::Value like, double number);
  /// The dimensions of a tensor, constant where its type says them.
  llvm::SmallVector<mlir::OpFoldResult> dims(mlir::Location loc,
                                             mlir::Value tensor);
};

/// Derivatives of the ops that programs are made of.
void registerDerivativeModels(mlir::DialectRegistry &registry);

} // namespace amp

#endif // AMP_DIALECT_AMP_TRANSFORMS_ADJOINTEMITTER_H
