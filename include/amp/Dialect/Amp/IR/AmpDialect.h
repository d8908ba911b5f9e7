//===- AmpDialect.h - The amp dialect -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_AMPDIALECT_H
#define AMP_DIALECT_AMP_IR_AMPDIALECT_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"

#include "amp/Dialect/Amp/IR/AmpDialect.h.inc"

#include "amp/Dialect/Amp/IR/AmpEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "amp/Dialect/Amp/IR/AmpAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "amp/Dialect/Amp/IR/AmpTypes.h.inc"

namespace amp {

/// Whether an edge may carry a value of this type (SPEC T1).
bool isEdgeType(mlir::Type type);

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_AMPDIALECT_H
