//===- Derivatives.h - Which files know derivatives -------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_DIFFERENTIATE_DERIVATIVES_H
#define AMP_LIB_DIALECT_AMP_DIFFERENTIATE_DERIVATIVES_H

#include "amp/Dialect/Amp/Transforms/AdjointEmitter.h"

namespace amp {

void registerElementwiseDerivatives(mlir::DialectRegistry &registry);
void registerTensorDerivatives(mlir::DialectRegistry &registry);
void registerLinalgDerivatives(mlir::DialectRegistry &registry);
void registerListDerivatives(mlir::DialectRegistry &registry);
void registerAmpDerivatives(mlir::DialectRegistry &registry);

/// That of any structured op, from its body.
mlir::LogicalResult emitStructuredAdjoint(mlir::Operation *op,
                                          AdjointEmitter &emitter);

} // namespace amp

#endif // AMP_LIB_DIALECT_AMP_DIFFERENTIATE_DERIVATIVES_H
