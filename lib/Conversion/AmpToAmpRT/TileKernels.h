//===- TileKernels.h - The innermost loops of products ----------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOAMPRT_TILEKERNELS_H
#define AMP_LIB_CONVERSION_AMPTOAMPRT_TILEKERNELS_H

#include "amp/Conversion/VectorTarget.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace amp {

/// A function that adds the products of rows and a panel to sums:
///   (rows, stride, offset, panel, k, sums, sumStride, ahead, aheadBytes,
///    count)
/// `rows`: where the address of the first row lies, that of the next one
/// `stride` bytes further; `offset`: the first element of a row that counts;
/// `panel`: [k][vectors][lanes]; `sums`: [vectors][lanes] of the first row,
/// those of the next one `sumStride` bytes further, of which only the first
/// `begun` vectors are there, the others are zero; `ahead`: the panel that is
/// met next, `aheadBytes` long, for the caches; `count` >= 1 rows. Shared by
/// all cells of the module; every row is added up in the order of k.
mlir::func::FuncOp productKernel(mlir::OpBuilder &b, mlir::ModuleOp module,
                                 int64_t vectors, int64_t begun, int64_t lanes,
                                 const VectorTarget &target);

/// For one row, which two groups of columns meet at the same time, since the
/// sums of one would wait for one another:
///   (rows, groupStride, offset, panel, k, sums, sumStride)
/// The second group's panel lies `groupStride` bytes behind the first's, and so
/// do its sums with `sumStride`.
mlir::func::FuncOp pairKernel(mlir::OpBuilder &b, mlir::ModuleOp module,
                              int64_t vectors, int64_t begun, int64_t lanes,
                              const VectorTarget &target);

} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOAMPRT_TILEKERNELS_H
