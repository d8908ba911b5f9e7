//===- Factor.cpp - Left sides of products --------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/IR/Factor.h"

#include "amp/Dialect/Amp/IR/AmpInterfaces.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace amp;

bool amp::isConcatenatedFactor(Value value) {
  auto concat = value.getDefiningOp<tensor::ConcatOp>();
  return concat && int64_t(concat.getDim()) == concat.getType().getRank() - 1 &&
         llvm::all_of(value.getUses(), [](OpOperand &use) {
           auto product = dyn_cast<CellOpInterface>(use.getOwner());
           return product && use.getOperandNumber() == 0 &&
                  product.getProductParam() && !product.getProductChoice();
         });
}
