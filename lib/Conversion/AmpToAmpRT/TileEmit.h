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

/// Bytes of the sums of one row.
inline int64_t sumElements(const Tile &tile) {
  return int64_t(tile.slices.size()) * tile.unroll * tile.lanes;
}

/// Numbers of the row table's columns: what is read, then what is written.
inline unsigned pointerCount(const Tile &tile, unsigned outputs) {
  return tile.rows.size() + outputs;
}

inline int64_t lastDim(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getShape().back();
}

/// Where each row of a result goes: to scratch memory (no number), and to every
/// output that it is.
llvm::SmallVector<std::pair<mlir::Value, std::optional<unsigned>>>
destinations(const Tile &tile, mlir::Operation *yield,
             const llvm::SetVector<mlir::Value> &stored);

} // namespace tile
} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOAMPRT_TILEEMIT_H
