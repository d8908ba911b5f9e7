//===- AdjointEmitter.cpp - Emits gradients of one op ---------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/Transforms/AdjointEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace amp;

FlatSymbolRefAttr AdjointEmitter::parameter(Value operand) {
  auto get = operand.getDefiningOp<GetOp>();
  return get ? get.getParamAttr() : FlatSymbolRefAttr();
}

Value AdjointEmitter::filled(Location loc, Value like, double number) {
  if (auto list = dyn_cast<ListType>(like.getType()))
    return ListOp::create(b, loc, list); // see ListGradients.h
  auto type = dyn_cast<RankedTensorType>(like.getType());
  TypedAttr scalar =
      b.getFloatAttr(getElementTypeOrSelf(like.getType()), number);
  if (!type)
    return arith::ConstantOp::create(b, loc, scalar);
  if (type.hasStaticShape())
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(type, Attribute(scalar)));
  SmallVector<Value> open;
  for (OpFoldResult dim : dims(loc, like))
    if (auto value = dyn_cast<Value>(dim))
      open.push_back(value);
  Value element = arith::ConstantOp::create(b, loc, scalar);
  return tensor::SplatOp::create(b, loc, element, type, open);
}

SmallVector<OpFoldResult> AdjointEmitter::dims(Location loc, Value tensor) {
  SmallVector<OpFoldResult> result;
  auto type = cast<RankedTensorType>(tensor.getType());
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(size)) {
      result.push_back(b.getIndexAttr(size));
      continue;
    }
    Value number = arith::ConstantIndexOp::create(b, loc, i);
    result.push_back(
        tensor::DimOp::create(b, loc, tensor, number).getResult());
  }
  return result;
}
