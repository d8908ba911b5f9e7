//===- AmpInterfaces.cpp - Interfaces of the amp dialect -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/IR/AmpInterfaces.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

#include "amp/Dialect/Amp/IR/AmpInterfaces.cpp.inc"

/// An open dimension counts as a small graph or short sentence has.
static uint64_t sizeOf(int64_t dimension) {
  return ShapedType::isDynamic(dimension) ? 8 : dimension;
}

uint64_t amp::estimateElements(Type type) {
  uint64_t count = 1;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    for (int64_t size : tensor.getShape())
      count = llvm::SaturatingMultiply(count, sizeOf(size));
  return count;
}

uint64_t amp::workOfElements(Operation *op) {
  uint64_t work = 0;
  for (Type type : op->getNumResults() ? TypeRange(op->getResultTypes())
                                       : TypeRange(op->getOperandTypes()))
    work = llvm::SaturatingAdd(work, estimateElements(type));
  return work;
}

uint64_t amp::workOfProduct(Value x, Value y) {
  uint64_t terms = sizeOf(cast<RankedTensorType>(x.getType()).getShape().back());
  return llvm::SaturatingMultiply(2 * terms, estimateElements(y.getType()));
}
