//===- RowsEmitter.h - A map's elements as the rows of blocks -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_TRANSFORMS_ROWSEMITTER_H
#define AMP_DIALECT_AMP_TRANSFORMS_ROWSEMITTER_H

#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/DenseMap.h"

namespace amp {

/// What ops see while a map becomes row blocks (RowsOpInterface). A value of the
/// body is *uniform* if it does not depend on the index, else *varying*: its rows
/// are a tensor with the elements' values along a new dimension 0.
class RowsEmitter {
public:
  /// Emits before `map`, whose body must stay as it is meanwhile.
  RowsEmitter(mlir::OpBuilder &builder, MapOp map);

  mlir::OpBuilder &b;

  bool isVarying(mlir::Value value) const { return varying.contains(value); }
  /// Whether it is the element's index itself.
  bool isIndex(mlir::Value value) const;
  /// How many elements there are; not below zero.
  mlir::Value count(mlir::Location loc);

  /// A uniform value, outside of the map.
  mlir::FailureOr<mlir::Value> uniform(mlir::Value value);
  /// The rows of any value; a uniform one's are all alike.
  mlir::FailureOr<mlir::Value> rows(mlir::Value value);
  /// The type of the rows of a value.
  static mlir::RankedTensorType rowsType(mlir::Type type);

  /// Row i is row `i` of `tensor` for the index itself, else row `index` of it.
  mlir::FailureOr<mlir::Value> pick(mlir::Location loc, mlir::Value tensor,
                                    mlir::Value index);
  /// Repeats each row's elements along new dimensions at the end.
  mlir::Value repeat(mlir::Location loc, mlir::Value rows,
                     mlir::RankedTensorType type);

  /// Why the map stays as it is; returns failure.
  llvm::LogicalResult refuse(mlir::Operation *op, const llvm::Twine &reason);

  mlir::Operation *refusedOp = nullptr;
  std::string reason;

private:
  mlir::Value broadcast(mlir::Location loc, mlir::Value value);

  MapOp map;
  mlir::Value clamped;
  llvm::DenseSet<mlir::Value> varying;
  llvm::DenseMap<mlir::Value, mlir::Value> knownRows, knownUniform;
};

/// Attaches RowsOpInterface to the ops of arith, math, tensor and amp that have
/// a form for rows.
void registerRowsModels(mlir::DialectRegistry &registry);

} // namespace amp

#endif // AMP_DIALECT_AMP_TRANSFORMS_ROWSEMITTER_H
