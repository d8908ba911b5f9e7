//===- AmpRowOps.cpp - Rows of graphs and sequences: types and verifiers ----------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each check carries its label in dialects/Amp/SPEC.md.
#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace amp;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// `type` with another number of rows.
static RankedTensorType withRows(RankedTensorType type, int64_t rows) {
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = rows;
  return RankedTensorType::get(shape, type.getElementType());
}

/// What all these ops ask for: rows, and a vector of indices, one a row unless
/// `apart`.
static LogicalResult verifyRows(Operation *op, Value x, Value indices,
                                bool apart = false) {
  if (typeOf(x).getRank() < 1)
    return op->emitOpError("expected a tensor of rank 1 or more, but got ")
           << x.getType();
  if (!indices)
    return success();
  if (typeOf(indices).getRank() != 1)
    return op->emitOpError("expected a vector of indices, but got ")
           << indices.getType();
  if (!apart && failed(verifyCompatibleShape(
                    typeOf(x).getShape().take_front(),
                    typeOf(indices).getShape())))
    return op->emitOpError("expected one index for each row, but got ")
           << x.getType() << " and " << indices.getType();
  return success();
}

LogicalResult IotaOp::verify() {
  if (!typeOf(getResult()).isDynamicDim(0)) // iota_c1
    return emitOpError("expected a result of open length, but got ")
           << getType();
  return success();
}

static LogicalResult refuseRank(std::optional<Location> loc, StringRef op,
                                RankedTensorType x) {
  return emitOptionalError(
      loc, "'", op, "' op expected a tensor of rank 1 or more, but got ", x);
}

//===----------------------------------------------------------------------===//
// gather, segment, pool
//===----------------------------------------------------------------------===//

LogicalResult GatherOp::verify() { // gather_c1
  return verifyRows(*this, getX(), getIndices(), /*apart=*/true);
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *,
    std::optional<Location> loc,
                                         GatherOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  RankedTensorType x = typeOf(adaptor.getX());
  RankedTensorType indices = typeOf(adaptor.getIndices());
  if (x.getRank() < 1 || indices.getRank() != 1) // gather_c1
    return emitOptionalError(loc, "'amp.gather' op expected rows and a vector "
                                  "of indices, but got ",
                             x, " and ", indices);
  types.push_back(withRows(x, indices.getDimSize(0)));
  return success();
}

LogicalResult SegmentOp::verify() { // segment_c1, segment_c2
  return verifyRows(*this, getX(), getSegments());
}

LogicalResult SegmentOp::inferReturnTypes(MLIRContext *,
    std::optional<Location> loc,
                                          SegmentOp::Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  RankedTensorType x = typeOf(adaptor.getX());
  if (x.getRank() < 1)
    return refuseRank(loc, "amp.segment", x);
  types.push_back(withRows(x, ShapedType::kDynamic));
  return success();
}

LogicalResult PoolOp::verify() { // pool_c1
  return verifyRows(*this, getX(), {});
}

LogicalResult PoolOp::inferReturnTypes(MLIRContext *,
    std::optional<Location> loc,
                                       PoolOp::Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  RankedTensorType x = typeOf(adaptor.getX());
  if (x.getRank() < 1) // pool_c1
    return refuseRank(loc, "amp.pool", x);
  types.push_back(
      RankedTensorType::get(x.getShape().drop_front(), x.getElementType()));
  return success();
}

//===----------------------------------------------------------------------===//
// grouped_linear
//===----------------------------------------------------------------------===//

LogicalResult GroupedLinearOp::verify() {
  RankedTensorType x = typeOf(getX()), weights = typeOf(getWeights());
  if (x.getRank() != 2 || weights.getRank() != 3 ||
      x.isDynamicDim(1) || x.getDimSize(1) != weights.getDimSize(1) ||
      weights.isDynamicDim(2)) // grouped_linear_c1
    return emitOpError("expected x [m, k] and weights [g, k, n] with known k "
                       "and n, but got ")
           << x << " and " << weights;
  if (x.getElementType() != weights.getElementType()) // grouped_linear_c2
    return emitOpError("expected one element type, but got ")
           << x.getElementType() << " and " << weights.getElementType();
  if (failed(verifyRows(*this, getX(), getWhich()))) // grouped_linear_c3
    return failure();
  if (!getBiases())
    return success();
  auto expected = RankedTensorType::get(
      {weights.getDimSize(0), weights.getDimSize(2)}, x.getElementType());
  if (typeOf(getBiases()) != expected) // grouped_linear_c4
    return emitOpError("expected biases of type ")
           << expected << ", but got " << getBiases().getType();
  return success();
}

LogicalResult
GroupedLinearOp::inferReturnTypes(MLIRContext *,
    std::optional<Location> loc,
                                  GroupedLinearOp::Adaptor adaptor,
                                  SmallVectorImpl<Type> &types) {
  RankedTensorType x = typeOf(adaptor.getX());
  RankedTensorType weights = typeOf(adaptor.getWeights());
  if (x.getRank() != 2 || weights.getRank() != 3) // grouped_linear_c1
    return emitOptionalError(loc, "'amp.grouped_linear' op expected x [m, k] "
                                  "and weights [g, k, n], but got ",
                             x, " and ", weights);
  types.push_back(RankedTensorType::get(
      {x.getDimSize(0), weights.getDimSize(2)}, x.getElementType()));
  return success();
}

//===----------------------------------------------------------------------===//
// group, ungroup
//===----------------------------------------------------------------------===//

LogicalResult GroupOp::verify() { // group_c1
  return verifyRows(*this, getX(), getKeys());
}

LogicalResult GroupOp::inferReturnTypes(MLIRContext *context,
    std::optional<Location> loc,
                                        GroupOp::Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getX().getType());
  types.push_back(
      RankedTensorType::get({ShapedType::kDynamic}, IndexType::get(context)));
  return success();
}

LogicalResult UngroupOp::verify() { // ungroup_c1
  return verifyRows(*this, getRows(), getKeys());
}

LogicalResult UngroupOp::inferReturnTypes(MLIRContext *,
    std::optional<Location> loc,
                                          UngroupOp::Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getRows().getType());
  return success();
}

//===----------------------------------------------------------------------===//
// loss
//===----------------------------------------------------------------------===//

LogicalResult LossOp::verifyTarget(Operation *op, LossKind kind, Value x,
                                   Value targets) {
  RankedTensorType type = typeOf(x);
  auto target = dyn_cast<RankedTensorType>(targets.getType());
  if (!hasClasses(kind)) {
    if (targets.getType() != type) // loss_c1
      return op->emitOpError("expected a target of type ")
             << type << ", but got " << targets.getType();
    return success();
  }
  if (type.getRank() < 1 ||
      !getElementTypeOrSelf(targets.getType()).isSignlessIntOrIndex() ||
      failed(verifyCompatibleShape(
          type.getShape().drop_back(),
          target ? target.getShape() : ArrayRef<int64_t>()))) // loss_c2
    return op->emitOpError(
               "expected classes in the last dimension, and an integer "
               "target for each position of the others, but got ")
           << type << " and " << targets.getType();
  return success();
}

Type LossOp::typeFor(Type x) {
  Type element = getElementTypeOrSelf(x);
  return element.isF64() ? element : Type(Float32Type::get(x.getContext()));
}

LogicalResult LossOp::verify() {
  if (failed(verifyTarget(*this, getKind(), getX(), getTarget())))
    return failure();
  Type expected = typeFor(getX().getType());
  if (getLoss().getType() != expected) // loss_c3
    return emitOpError("expected a loss of type ")
           << expected << ", but got " << getLoss().getType();
  return success();
}
