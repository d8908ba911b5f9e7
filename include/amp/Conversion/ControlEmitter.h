//===- ControlEmitter.h - Emits control steps on frames -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CONVERSION_CONTROLEMITTER_H
#define AMP_CONVERSION_CONTROLEMITTER_H

#include "amp/Dialect/Amp/IR/AmpInterfaces.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVector.h"

namespace amp {

/// What ops see while a control step is emitted (ControlOpInterface). Values
/// are sequences of words as runtime/include/amprt/abi.h says: a scalar is
/// itself, a tensor its address (!llvm.ptr) and an i64 for each open dimension.
class ControlEmitter {
public:
  explicit ControlEmitter(mlir::OpBuilder &builder) : b(builder) {}
  virtual ~ControlEmitter() = default;

  mlir::OpBuilder &b;

  virtual llvm::SmallVector<mlir::Value> words(mlir::Value value) = 0;
  virtual void setWords(mlir::Value value, mlir::ValueRange words) = 0;

  /// Ends the step, failing the instance, unless 0 <= value < limit (i64,
  /// signed).
  virtual void checkRange(mlir::Location loc, llvm::StringRef what,
                          mlir::Value value, mlir::Value limit) = 0;
  /// Ends the step, failing the instance, unless `condition` (i1) holds.
  virtual void check(mlir::Location loc, llvm::StringRef message,
                     mlir::Value condition) = 0;

  /// A list with one element more, whose value, of `bytes`, is still to be
  /// written behind its head.
  virtual mlir::Value pushElement(mlir::Location loc, mlir::Value rest,
                                  int64_t bytes) = 0;
  /// The list that ends with element `index` (i64), which exists.
  virtual mlir::Value findElement(mlir::Location loc, mlir::Value list,
                                  mlir::Value index) = 0;

  /// The words of a tensor of all elements of a list.
  virtual llvm::SmallVector<mlir::Value>
  stackElements(mlir::Location loc, mlir::Value list, mlir::Type element) = 0;

  mlir::Value scalar(mlir::Value value) { return words(value).front(); }
  mlir::Value address(mlir::Value tensor) { return words(tensor).front(); }
  /// Dimension `dim` of a tensor, as i64.
  mlir::Value dim(mlir::Location loc, mlir::Value tensor, unsigned dim);
  mlir::Value i64(mlir::Location loc, int64_t value);
  /// An integer or index value as i64 (sign-extended).
  mlir::Value toI64(mlir::Location loc, mlir::Value value);
  /// `base + offset` elements of type `element`; offset is i64.
  mlir::Value advance(mlir::Location loc, mlir::Value base, mlir::Type element,
                      mlir::Value offset);
};

} // namespace amp

#endif // AMP_CONVERSION_CONTROLEMITTER_H
