//===- AmpOps.h - Ops of the amp dialect -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_AMPOPS_H
#define AMP_DIALECT_AMP_IR_AMPOPS_H

#include "amp/Dialect/Amp/IR/AmpDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "amp/Dialect/Amp/IR/AmpOps.h.inc"

namespace amp {

/// Whether `op` computes its results from its operands and captured values alone,
/// for one instance: a transform of its own in a graph, and what the regions of
/// transforms, cells and control steps hold (SPEC B2). It may fail the instance.
bool isPerInstanceOp(mlir::Operation *op);

/// Whether a per-instance op may fail the instance, so that it must run where its
/// arm does and nowhere else. Upstream calls more ops pure than this project: an
/// index outside a tensor and a remainder by zero end the instance here.
bool mayFail(mlir::Operation *op);

/// Whether it adds to a parameter's gradient: tensor work without a result.
bool addsGradient(mlir::Operation *op);

/// Whether values of the type can have gradients: f32, f64 and tensors of them.
bool hasGradient(mlir::Type type);

/// The type of values of type `row` stacked; null if they do not stack.
mlir::RankedTensorType getStackedType(mlir::Type row);

/// The tape among an op's results, which is the last one, or null.
mlir::Value getTape(mlir::Operation *op);

/// Whether an op with a tape has another half; else says so (tape_c1).
llvm::LogicalResult verifyTape(mlir::Operation *op);

/// The other half of a call, loop or map with a tape, or null.
BackwardOp getBackward(mlir::Operation *op);

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_AMPOPS_H
