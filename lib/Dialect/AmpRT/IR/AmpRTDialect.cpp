//===- AmpRTDialect.cpp - The amprt dialect -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/AmpRT/IR/AmpRTOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace amp::rt;

#include "amp/Dialect/AmpRT/IR/AmpRTDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "amp/Dialect/AmpRT/IR/AmpRTTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "amp/Dialect/AmpRT/IR/AmpRTAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "amp/Dialect/AmpRT/IR/AmpRTOps.cpp.inc"

void AmpRTDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "amp/Dialect/AmpRT/IR/AmpRTTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "amp/Dialect/AmpRT/IR/AmpRTAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "amp/Dialect/AmpRT/IR/AmpRTOps.cpp.inc"
      >();
}

LogicalResult
ValueAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, Type,
                  int64_t offset, int64_t levels) {
  if (offset < 0 || offset % 8 || !llvm::isUInt<32>(offset))
    return emitError() << "expected the offset of a word, but got " << offset;
  if (!llvm::isUInt<32>(levels))
    return emitError() << "expected a number of parents, but got " << levels;
  return success();
}

LogicalResult PanelOp::verify() {
  size_t parts = getParams().size();
  if (parts == 0 || getRows().size() != parts || getColumns().size() != parts ||
      getTransposed().size() != parts)
    return emitOpError("expected a row, a column and whether it is transposed "
                       "for each parameter");
  if (getLanes() == 0 || getUnroll() == 0 || getK() < 1 ||
      getWidth() < int64_t(getLanes()) * int64_t(getUnroll()))
    return emitOpError("expected k of at least 1 and a width of at least lanes "
                       "times unroll");
  return success();
}
