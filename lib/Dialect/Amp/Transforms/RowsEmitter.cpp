//===- RowsEmitter.cpp - A map's elements as the rows of blocks -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/Transforms/RowsEmitter.h"

#include "amp/Dialect/Amp/IR/AmpInterfaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace amp;

RowsEmitter::RowsEmitter(OpBuilder &builder, MapOp map) : b(builder), map(map) {
  Block &body = map.getBody().front();
  varying.insert(body.getArgument(0));
  for (Operation &op : body)
    if (llvm::any_of(op.getOperands(),
                     [&](Value operand) { return isVarying(operand); }))
      varying.insert(op.result_begin(), op.result_end());
}

bool RowsEmitter::isIndex(Value value) const {
  return value == MapOp(map).getBody().getArgument(0);
}

LogicalResult RowsEmitter::refuse(Operation *op, const Twine &why) {
  refusedOp = op;
  reason = why.str();
  return failure();
}

Value RowsEmitter::count(Location loc) {
  if (!clamped) {
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    clamped = arith::MaxSIOp::create(b, loc, map.getCount(), zero);
  }
  return clamped;
}

RankedTensorType RowsEmitter::rowsType(Type type) {
  SmallVector<int64_t> shape{ShapedType::kDynamic};
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    llvm::append_range(shape, tensor.getShape());
  return RankedTensorType::get(shape, getElementTypeOrSelf(type));
}

FailureOr<Value> RowsEmitter::uniform(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &map.getBody().front())
    return value; // from outside
  if (auto found = knownUniform.find(value); found != knownUniform.end())
    return found->second;
  // It runs once, even if there is no element.
  if (mayFail(op) || op->getNumRegions())
    return refuse(op, "is the same for all elements and may fail");
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    FailureOr<Value> outside = uniform(operand);
    if (failed(outside))
      return failure();
    mapping.map(operand, *outside);
  }
  Operation *clone = b.clone(*op, mapping);
  for (auto [mine, theirs] :
       llvm::zip_equal(op->getResults(), clone->getResults()))
    knownUniform[mine] = theirs;
  return knownUniform[value];
}

FailureOr<Value> RowsEmitter::rows(Value value) {
  if (auto found = knownRows.find(value); found != knownRows.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  FailureOr<Value> result = failure();
  if (!isVarying(value)) {
    FailureOr<Value> outside = uniform(value);
    if (failed(outside))
      return failure();
    if (auto type = dyn_cast<RankedTensorType>(value.getType());
        type && !type.hasStaticShape())
      return refuse(map, "a value that its elements share has an open size");
    result = broadcast(value.getLoc(), *outside);
  } else if (isIndex(value)) {
    result = IotaOp::create(
                 b, value.getLoc(),
                 RankedTensorType::get({ShapedType::kDynamic}, b.getIndexType()),
                 count(value.getLoc()))
                 .getResult();
  } else if (auto rowsOp = dyn_cast<RowsOpInterface>(op)) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (type && !type.hasStaticShape())
      return refuse(op, "has a result whose size differs between elements");
    result = rowsOp.emitRows(*this);
  } else {
    return refuse(op, "has no form for many rows");
  }
  if (succeeded(result))
    knownRows[value] = *result;
  return result;
}

Value RowsEmitter::broadcast(Location loc, Value value) {
  RankedTensorType type = rowsType(value.getType());
  if (!isa<RankedTensorType>(value.getType()))
    return tensor::SplatOp::create(b, loc, value, type,
                                   ValueRange{count(loc)});
  Value init = tensor::EmptyOp::create(b, loc, type, ValueRange{count(loc)});
  return linalg::BroadcastOp::create(b, loc, value, init,
                                     ArrayRef<int64_t>{0})
      ->getResult(0);
}

Value RowsEmitter::repeat(Location loc, Value rows, RankedTensorType type) {
  int64_t have = cast<RankedTensorType>(rows.getType()).getRank();
  if (have == type.getRank())
    return rows;
  Value init = tensor::EmptyOp::create(b, loc, type, ValueRange{count(loc)});
  SmallVector<int64_t> added =
      llvm::to_vector(llvm::seq<int64_t>(have, type.getRank()));
  return linalg::BroadcastOp::create(b, loc, rows, init, added)->getResult(0);
}

/// No slice of a tensor whose type says that it is empty verifies, not even one
/// without elements: offset 0 is outside. So the type is made not to say so.
static Value hideEmptyDims(OpBuilder &b, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  std::replace(shape.begin(), shape.end(), int64_t(0), ShapedType::kDynamic);
  if (ArrayRef(shape) == type.getShape())
    return tensor;
  return tensor::CastOp::create(b, loc, type.clone(shape), tensor);
}

FailureOr<Value> RowsEmitter::pick(Location loc, Value tensor, Value index) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!isIndex(index)) {
    FailureOr<Value> indices = rows(index);
    if (failed(indices))
      return failure();
    return GatherOp::create(b, loc, tensor, *indices).getResult();
  }
  if (llvm::any_of(type.getShape().drop_front(), ShapedType::isDynamic))
    return refuse(map, "rows of an open size cannot be taken as a block");
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes{count(loc)};
  for (int64_t size : type.getShape().drop_front())
    sizes.push_back(b.getIndexAttr(size));
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = ShapedType::kDynamic;
  return tensor::ExtractSliceOp::create(
             b, loc, type.clone(shape), hideEmptyDims(b, loc, tensor), offsets,
             sizes, strides)
      .getResult();
}
