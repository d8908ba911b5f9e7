//===- AmpListOps.cpp - Persistent lists: types and verifiers ----------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each check carries its label in dialects/Amp/SPEC.md.
#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "Stacked.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace amp;

LogicalResult ListType::verify(function_ref<InFlightDiagnostic()> emitError,
                               Type element) {
  if (!isEdgeType(element) || isa<CollectorType>(element)) // list_c1
    return emitError() << "expected elements that are scalars, tensors or "
                          "lists, but got "
                       << element;
  return success();
}

/// Elements that fit together as rows.
static bool isRow(Type element) {
  auto tensor = dyn_cast<RankedTensorType>(element);
  return tensor ? tensor.hasStaticShape() : element.isIntOrIndexOrFloat();
}

LogicalResult StackOp::verify() {
  Type element = getList().getType().getElement();
  if (!isRow(element)) // stack_c1
    return emitOpError("expected elements that are scalars or tensors of "
                       "static shape, but got ")
           << element;
  return success();
}

LogicalResult StackOp::inferReturnTypes(MLIRContext *,
    std::optional<Location> loc,
                                        StackOp::Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  auto list = cast<ListType>(adaptor.getList().getType());
  RankedTensorType stacked = getStackedType(list.getElement());
  if (!stacked) // stack_c1
    return emitOptionalError(loc, "'amp.stack' op expected elements that are "
                                  "scalars or tensors, but got ",
                             list.getElement());
  types.push_back(stacked);
  return success();
}
