//===- ElementBody.cpp - Regions that compute one element -----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementBody.h"

using namespace mlir;
using namespace amp;

bool amp::isElementOp(Operation &op) {
  if (op.getNumResults() != 1 || op.getNumRegions() != 0 ||
      !op.getResult(0).getType().isIntOrIndexOrFloat())
    return false;
  auto cell = dyn_cast<CellOpInterface>(op);
  return op.hasTrait<OpTrait::ConstantLike>() || (cell && cell.isVirtual());
}

bool amp::isSafeElementOp(Operation &op) {
  auto cell = dyn_cast<CellOpInterface>(op);
  return isElementOp(op) && (!cell || cell.isBatchable());
}

void amp::emitElementOp(Operation &op, CellEmitter &emitter) {
  Value value = op.hasTrait<OpTrait::ConstantLike>()
                    ? emitter.b.clone(op)->getResult(0)
                    : cast<CellOpInterface>(op).emitElement(emitter, {});
  emitter.setScalar(op.getResult(0), value);
}
