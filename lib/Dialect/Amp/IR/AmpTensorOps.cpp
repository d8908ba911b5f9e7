//===- AmpTensorOps.cpp - Parameters and tensor ops -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each check carries its label in dialects/Amp/SPEC.md.
#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace amp;

LogicalResult ParamOp::verify() {
  RankedTensorType type = getTensorType();
  for (int64_t i = 1; i < type.getRank(); ++i) // param_c1
    if (type.isDynamicDim(i))
      return emitOpError("expected only dimension 0 to be open, but dimension ")
             << i << " of " << type << " is";
  return success();
}

LogicalResult GetOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto param = symbols.lookupNearestSymbolFrom<ParamOp>(*this, getParamAttr());
  if (!param) // get_c1
    return emitOpError("expected the name of an amp.param, but got ")
           << getParamAttr();
  RankedTensorType expected = param.getTensorType();
  if (getTransposed()) {
    if (expected.getRank() < 2 || !expected.hasStaticShape()) // get_c3
      return emitOpError("expected a parameter of rank 2 or more and of static "
                         "shape to transpose, but got ")
             << expected;
    SmallVector<int64_t> shape(expected.getShape());
    std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
    expected = expected.clone(shape);
  }
  if (expected != getType()) { // get_c2
    InFlightDiagnostic diag = emitOpError("expected type ")
                              << expected << ", but got " << getType();
    diag.attachNote(param.getLoc()) << "the parameter is here";
    return diag;
  }
  return success();
}

LogicalResult LookupOp::verify() {
  if (cast<RankedTensorType>(getTable().getType()).getRank() < 1) // lookup_c1
    return emitOpError("expected a table of rank 1 or more, but got ")
           << getTable().getType();
  return success();
}

LogicalResult LookupOp::inferReturnTypes(MLIRContext *,
    std::optional<Location> loc,
                                         LookupOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  auto table = cast<RankedTensorType>(adaptor.getTable().getType());
  if (table.getRank() < 1) // lookup_c1
    return emitOptionalError(
        loc, "'amp.lookup' op expected a table of rank 1 or more, but got ",
        table);
  types.push_back(RankedTensorType::get(table.getShape().drop_front(),
                                        table.getElementType()));
  return success();
}

LogicalResult LinearOp::verify() {
  auto x = cast<RankedTensorType>(getX().getType());
  auto weight = cast<RankedTensorType>(getWeight().getType());
  if (weight.getRank() != 2) // linear_c1
    return emitOpError("expected a weight of rank 2, but got ") << weight;
  if (x.getRank() < 1 || x.getShape().back() != weight.getDimSize(0) ||
      x.isDynamicDim(x.getRank() - 1)) // linear_c2
    return emitOpError("expected the last dimension of ")
           << x << " to be the first of " << weight;
  if (weight.isDynamicDim(1)) // linear_c3
    return emitOpError("expected a weight with a known number of columns, but "
                       "got ")
           << weight;
  if (x.getElementType() != weight.getElementType()) // linear_c4
    return emitOpError("expected one element type, but got ")
           << x.getElementType() << " and " << weight.getElementType();
  if (!getBias())
    return success();
  auto bias = cast<RankedTensorType>(getBias().getType());
  auto expected =
      RankedTensorType::get({weight.getDimSize(1)}, weight.getElementType());
  if (bias != expected) // linear_c5
    return emitOpError("expected a bias of type ")
           << expected << ", but got " << bias;
  return success();
}

LogicalResult LinearOp::inferReturnTypes(MLIRContext *,
    std::optional<Location> loc,
                                         LinearOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  auto x = cast<RankedTensorType>(adaptor.getX().getType());
  auto weight = cast<RankedTensorType>(adaptor.getWeight().getType());
  if (x.getRank() < 1 || weight.getRank() != 2) // linear_c1, linear_c2
    return emitOptionalError(loc, "'amp.linear' op expected x [..., k] and a "
                                  "weight of rank 2, but got ",
                             x, " and ", weight);
  SmallVector<int64_t> shape(x.getShape());
  shape.back() = weight.getDimSize(1);
  types.push_back(RankedTensorType::get(shape, x.getElementType()));
  return success();
}

LogicalResult DropoutOp::verify() {
  double rate = getRate().convertToDouble();
  if (!(rate >= 0 && rate < 1)) // dropout_c1
    return emitOpError("expected a rate in [0, 1), but got ") << rate;
  return success();
}

LogicalResult SoftmaxOp::verify() {
  if (cast<RankedTensorType>(getX().getType()).getRank() < 1) // softmax_c1
    return emitOpError("expected a tensor of rank 1 or more, but got ")
           << getX().getType();
  return success();
}

LogicalResult ArgmaxOp::verify() {
  if (cast<RankedTensorType>(getX().getType()).getRank() != 1) // argmax_c1
    return emitOpError("expected a vector, but got ") << getX().getType();
  return success();
}
