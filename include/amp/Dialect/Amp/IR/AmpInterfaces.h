//===- AmpInterfaces.h - How ops take part in batching -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_AMPINTERFACES_H
#define AMP_DIALECT_AMP_IR_AMPINTERFACES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/Support/LogicalResult.h"

namespace amp {
class CellEmitter;    // include/amp/Conversion/CellEmitter.h
class ControlEmitter; // include/amp/Conversion/ControlEmitter.h
class RowsEmitter;    // include/amp/Dialect/Amp/Transforms/RowsEmitter.h
class AdjointEmitter; // include/amp/Dialect/Amp/Transforms/AdjointEmitter.h
struct CellBuffer;

/// What an op reads to make a run of elements (CellOpInterface::emitsRuns): the
/// run of that operand whose last index is greater by `shift`; of a scalar, it.
struct RunOperand {
  unsigned operand;
  int64_t shift;
};

/// Dimension `dim` of operand 0: what most ops' results have.
mlir::Value emitSameDim(CellEmitter &emitter, mlir::Operation *op,
                        unsigned dim);

/// Elements of a value of this type, as estimates of work count them: an open
/// dimension as 8.
uint64_t estimateElements(mlir::Type type);

/// CellOpInterface::estimateWork of an op that does little for each element.
uint64_t workOfElements(mlir::Operation *op);

/// The same of a product whose rows are those of `x` and of `y`: of the
/// one by a matrix, or of the two that give its gradient.
uint64_t workOfProduct(mlir::Value x, mlir::Value y);
} // namespace amp

#include "amp/Dialect/Amp/IR/AmpInterfaces.h.inc"

#endif // AMP_DIALECT_AMP_IR_AMPINTERFACES_H
