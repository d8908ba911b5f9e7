//===- ControlEmitter.cpp - What control steps are made of -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Conversion/ControlEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace amp;

Value ControlEmitter::i64(Location loc, int64_t value) {
  return arith::ConstantIntOp::create(b, loc, value, 64);
}

Value ControlEmitter::dim(Location loc, Value tensor, unsigned dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return i64(loc, type.getDimSize(dim));
  return words(tensor)[1 + type.getDynamicDimIndex(dim)];
}

Value ControlEmitter::toI64(Location loc, Value value) {
  Type type = value.getType();
  if (type.isInteger(64))
    return value;
  if (type.isIndex())
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), value);
  return arith::ExtSIOp::create(b, loc, b.getI64Type(), value);
}

Value ControlEmitter::advance(Location loc, Value base, Type element,
                              Value offset) {
  if (element.isIndex())
    element = b.getI64Type();
  else if (element.isInteger(1))
    element = b.getI8Type();
  return LLVM::GEPOp::create(b, loc, base.getType(), element, base,
                             ArrayRef<LLVM::GEPArg>{offset});
}
