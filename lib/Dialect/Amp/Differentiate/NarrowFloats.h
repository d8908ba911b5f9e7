//===- NarrowFloats.h - Gradients through narrow floats ---------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// bf16 and f16 are formats to keep numbers in; their gradients are f32, since a sum
// of gradients in them would lose most parts. So where gradients go through such
// values, the graphs that train keep them as f32, rounded as the forward pass rounds
// them. The derivative of rounding is taken as 1.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_DIFFERENTIATE_NARROWFLOATS_H
#define AMP_LIB_DIALECT_AMP_DIFFERENTIATE_NARROWFLOATS_H

#include "Activity.h"

namespace amp {

/// Whether values of the type are, or hold, bf16 or f16.
bool isNarrow(mlir::Type type);

/// Whether it only rounds a value, to be used as a wider one.
bool isRounding(mlir::Operation *op);

/// Makes the narrow values of graphs f32. Of `entry`, fields stay as they are; of
/// parameters, what is stored.
void widenNarrow(llvm::ArrayRef<GraphOp> graphs, GraphOp entry);

/// Lets a call give and get what the callee's signature says, if only widths differ
/// from it. Fails, with an error, where it cannot.
mlir::LogicalResult narrowCall(CallOp call, GraphOp callee);

} // namespace amp

#endif // AMP_LIB_DIALECT_AMP_DIFFERENTIATE_NARROWFLOATS_H
