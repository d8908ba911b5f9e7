//===- ElementBody.h - Regions that compute one element ---------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOAMPRT_ELEMENTBODY_H
#define AMP_LIB_CONVERSION_AMPTOAMPRT_ELEMENTBODY_H

#include "amp/Conversion/CellEmitter.h"

namespace amp {

/// Whether `op`, in a region that is run for each element, makes one scalar.
/// It may fail, so the loop around must not be parallel.
bool isElementOp(mlir::Operation &op);

/// Whether it is one that cannot fail either.
bool isSafeElementOp(mlir::Operation &op);

/// Emits it for the current element; the emitter then knows its result.
void emitElementOp(mlir::Operation &op, CellEmitter &emitter);

} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOAMPRT_ELEMENTBODY_H
