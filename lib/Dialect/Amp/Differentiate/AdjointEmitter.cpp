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

/// Dimension `i` of a tensor, or of what is as large: a value whose size alone is
/// asked for would be kept for nothing else.
static OpFoldResult dimOf(OpBuilder &b, Location loc, Value tensor, int64_t i) {
  while (Operation *op = tensor.getDefiningOp()) {
    auto type = cast<RankedTensorType>(tensor.getType());
    auto isAlike = [&](Value value) {
      auto other = dyn_cast<RankedTensorType>(value.getType());
      return other && other.getShape() == type.getShape();
    };
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
        slice && slice.getSourceType().getRank() == type.getRank())
      return slice.getMixedSizes()[i];
    // (What a scalar selects may have another size than what it does not.)
    if (OpTrait::hasElementwiseMappableTraits(op) && !isa<arith::SelectOp>(op)) {
      auto alike = llvm::find_if(op->getOperands(), isAlike);
      if (alike == op->getOperands().end())
        break;
      tensor = *alike;
      continue;
    }
    auto linear = dyn_cast<LinearOp>(op);
    if (!linear || i + 1 == type.getRank())
      break;
    tensor = linear.getX();
  }
  Value number = arith::ConstantIndexOp::create(b, loc, i);
  return tensor::DimOp::create(b, loc, tensor, number).getResult();
}

SmallVector<OpFoldResult> AdjointEmitter::dims(Location loc, Value tensor) {
  SmallVector<OpFoldResult> result;
  auto type = cast<RankedTensorType>(tensor.getType());
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    if (ShapedType::isDynamic(size))
      result.push_back(dimOf(b, loc, tensor, int64_t(i)));
    else
      result.push_back(b.getIndexAttr(size));
  }
  return result;
}
