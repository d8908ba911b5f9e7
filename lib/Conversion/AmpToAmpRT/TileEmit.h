//===- TileEmit.h - Small pieces of a tile ----------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOAMPRT_TILEEMIT_H
#define AMP_LIB_CONVERSION_AMPTOAMPRT_TILEEMIT_H

#include "Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace amp {
namespace tile {

inline mlir::Value number(mlir::OpBuilder &b, mlir::Location loc, int64_t n) {
  return mlir::arith::ConstantIntOp::create(b, loc, n, 64);
}

inline mlir::Value wide(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Value index) {
  return mlir::arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
}

/// `base` and `index` (i64) elements of `type` further.
inline mlir::Value advance(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Value base, mlir::Type type,
                           mlir::Value index) {
  return mlir::LLVM::GEPOp::create(b, loc, base.getType(), type, base,
                                   llvm::ArrayRef<mlir::LLVM::GEPArg>{index});
}

/// Elements of the sums of one row.
inline int64_t sumElements(const Tile &tile) {
  return int64_t(tile.slices.size()) * tile.groupColumns();
}

inline int64_t lastDim(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getShape().back();
}

} // namespace tile
} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOAMPRT_TILEEMIT_H
