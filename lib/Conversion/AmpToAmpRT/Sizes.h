//===- Sizes.h - What sizes an op gives its result --------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOAMPRT_SIZES_H
#define AMP_LIB_CONVERSION_AMPTOAMPRT_SIZES_H

#include "amp/Conversion/CellEmitter.h"

namespace amp {

/// All sizes of a result, as the op says them; their product may be too large
/// (CellEmitter::dim).
llvm::SmallVector<mlir::Value> sizesOf(CellEmitter &emitter, CellOpInterface op,
                                       unsigned result);

} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOAMPRT_SIZES_H
