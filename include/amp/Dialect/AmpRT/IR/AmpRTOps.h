//===- AmpRTOps.h - The amprt dialect and its ops -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMPRT_IR_AMPRTOPS_H
#define AMP_DIALECT_AMPRT_IR_AMPRTOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "amp/Dialect/AmpRT/IR/AmpRTDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "amp/Dialect/AmpRT/IR/AmpRTTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "amp/Dialect/AmpRT/IR/AmpRTAttrs.h.inc"

#define GET_OP_CLASSES
#include "amp/Dialect/AmpRT/IR/AmpRTOps.h.inc"

#endif // AMP_DIALECT_AMPRT_IR_AMPRTOPS_H
