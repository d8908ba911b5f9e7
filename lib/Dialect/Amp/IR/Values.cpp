//===- Values.cpp - What ops read and what is uniform ---------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/IR/Values.h"

#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace amp;

bool amp::isUniform(Value value) {
  Operation *op = value.getDefiningOp();
  return op && makesUniform(op);
}

bool amp::makesUniform(Operation *op) {
  return isa<GetOp>(op) || op->hasTrait<OpTrait::ConstantLike>();
}

llvm::SetVector<Value> amp::valuesReadBy(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values;
}
