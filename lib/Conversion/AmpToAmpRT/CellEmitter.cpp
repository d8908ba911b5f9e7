//===- CellEmitter.cpp - Loops and memory of a batched cell -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Conversion/CellEmitter.h"

#include "Sizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace amp;

bool CellEmitter::MemoLess::operator()(const MemoKey &a,
                                       const MemoKey &b) const {
  auto order = [](Value x, Value y) {
    return x.getAsOpaquePointer() < y.getAsOpaquePointer();
  };
  if (a.first != b.first)
    return order(a.first, b.first);
  return std::lexicographical_compare(a.second.begin(), a.second.end(),
                                      b.second.begin(), b.second.end(), order);
}

Value CellEmitter::index(int64_t value, Location loc) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value amp::emitSameDim(CellEmitter &emitter, Operation *op, unsigned dim) {
  return emitter.dim(op->getOperand(0), dim);
}

SmallVector<Value> amp::sizesOf(CellEmitter &emitter, CellOpInterface op,
                                unsigned result) {
  auto type = cast<RankedTensorType>(op->getResult(result).getType());
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    sizes.push_back(type.isDynamicDim(i)
                        ? op.emitDim(emitter, result, i)
                        : emitter.index(type.getDimSize(i), op.getLoc()));
  return sizes;
}

Value CellEmitter::dim(Value value, unsigned dim) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.isDynamicDim(dim))
    return index(type.getDimSize(dim), value.getLoc());
  auto [at, fresh] =
      knownDims.try_emplace({value.getAsOpaquePointer(), dim}, Value());
  if (!fresh)
    return at->second;
  auto op = value.getDefiningOp<CellOpInterface>();
  Value result;
  if (op) {
    auto number = cast<OpResult>(value).getResultNumber();
    result = op.emitDim(*this, number, dim);
    // Each size may be fine, but not their product: ComputeCode has failed the
    // instance, and what follows sees no element.
    if (type.getNumDynamicDims() > 1)
      result = arith::SelectOp::create(
          b, value.getLoc(),
          areSizes(value.getLoc(), sizesOf(*this, op, number)), result,
          index(0, value.getLoc()));
  } else {
    result = inputDim(value, dim);
  }
  knownDims[{value.getAsOpaquePointer(), dim}] = result;
  return result;
}

SmallVector<Value> CellEmitter::dims(Value value) {
  SmallVector<Value> result;
  for (unsigned i = 0, e = cast<RankedTensorType>(value.getType()).getRank();
       i < e; ++i)
    result.push_back(dim(value, i));
  return result;
}

Value CellEmitter::convert(Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  unsigned from = value.getType().getIntOrFloatBitWidth();
  if (from < type.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, loc, type, value);
  return arith::TruncFOp::create(b, loc, type, value);
}

static constexpr int64_t kMostRows = int64_t(1) << 26;

Value CellEmitter::rowCount(Location loc, Value count) {
  Value zero = index(0, loc);
  Value fine = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, count,
                                     index(kMostRows, loc)); // and not negative
  return arith::SelectOp::create(b, loc, fine, count, zero);
}

void CellEmitter::checkRowCount(Location loc, Value count) {
  check(loc, "more than 67108864 rows",
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, count,
                              index(kMostRows, loc)));
}

Value CellEmitter::areSizes(Location loc, ArrayRef<Value> sizes) {
  auto isSmall = [&](Value number) -> Value { // and not negative
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, number,
                                 index(int64_t(1) << 28, loc));
  };
  Value one = index(1, loc), count = one;
  Value fine = arith::ConstantIntOp::create(b, loc, true, 1);
  // What is too large is so beside an empty dimension, too. The first product
  // that is has two small factors, so it does not overflow unseen.
  for (Value size : sizes) {
    count = arith::MulIOp::create(b, loc, count,
                                  arith::MaxUIOp::create(b, loc, size, one));
    fine = arith::AndIOp::create(b, loc, fine, isSmall(size));
    fine = arith::AndIOp::create(b, loc, fine, isSmall(count));
  }
  return fine;
}

void CellEmitter::ifTrue(Location loc, Value condition,
                         llvm::function_ref<void()> body) {
  auto branch = scf::IfOp::create(b, loc, condition);
  OpBuilder::InsertionGuard guard(b);
  Memory memory(*this);
  b.setInsertionPointToStart(branch.thenBlock());
  body();
}

void CellEmitter::checkSameDim(Location loc, Value a, unsigned dimOfA,
                               Value other, unsigned dimOfOther) {
  auto isKnown = [](Value tensor, unsigned at) {
    return !cast<RankedTensorType>(tensor.getType()).isDynamicDim(at);
  };
  Value first = dim(a, dimOfA), second = dim(other, dimOfOther);
  if (first == second || (isKnown(a, dimOfA) && isKnown(other, dimOfOther)))
    return;
  check(loc, "operands' sizes do not fit",
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, first, second));
}

Value CellEmitter::lesser(Location loc, Value a, Value other) {
  if (!a || a == other)
    return other;
  return b.createOrFold<arith::MinUIOp>(loc, a, other);
}

Value CellEmitter::lesserDim(Location loc, Value a, unsigned dimOfA,
                             Value other, unsigned dimOfOther) {
  return lesser(loc, dim(a, dimOfA), dim(other, dimOfOther));
}

Value CellEmitter::indexElement(Value tensor, ArrayRef<Value> indices) {
  Value value = element(tensor, indices);
  if (value.getType().isIndex())
    return value;
  return arith::IndexCastOp::create(b, tensor.getLoc(), b.getIndexType(),
                                    value);
}

Value CellEmitter::element(Value value, ArrayRef<Value> indices) {
  // A splat needs no memory, and folds into what uses it.
  DenseElementsAttr splat;
  if (matchPattern(value, m_Constant(&splat)) && splat.isSplat())
    return arith::ConstantOp::create(b, value.getLoc(),
                                     splat.getSplatValue<TypedAttr>());
  MemoKey key{value, SmallVector<Value>(indices)};
  if (auto found = memo.find(key); found != memo.end())
    return found->second;
  Value result;
  Type type = getElementTypeOrSelf(value.getType());
  if (makesRuns()) {
    result = runElement(value, indices);
    if (!result)
      result = virtualElement(value, indices);
  } else if (std::optional<CellBuffer> buffer = memory(value)) {
    result = load(value.getLoc(), *buffer, indices);
    if (isa<FloatType>(type))
      result = convert(value.getLoc(), result, type);
  } else {
    result = virtualElement(value, indices);
  }
  memo[key] = result;
  return result;
}

Value CellEmitter::elementIfInside(Location loc, Value tensor,
                                   ArrayRef<Value> indices) {
  Value inside;
  for (auto [i, at] : llvm::enumerate(indices)) {
    Value limit = dim(tensor, i);
    ifInRange(loc, "index", at, limit, [] {});
    Value isHere =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, at, limit);
    inside = inside ? arith::AndIOp::create(b, loc, inside, isHere).getResult()
                    : isHere;
  }
  if (!inside)
    return element(tensor, indices);
  Type type = getElementTypeOrSelf(tensor.getType());
  auto branch =
      scf::IfOp::create(b, loc, type, inside, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  Memory memory(*this);
  b.setInsertionPointToStart(branch.elseBlock());
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  scf::YieldOp::create(b, loc, zero);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, loc, element(tensor, indices));
  return branch.getResult(0);
}

Value CellEmitter::virtualElement(Value value, ArrayRef<Value> indices) {
  return value.getDefiningOp<CellOpInterface>().emitElement(*this, indices);
}

void CellEmitter::loops(Location loc, ArrayRef<Value> dims, bool parallel,
                        llvm::function_ref<void(ArrayRef<Value>)> body,
                        bool areLanes) {
  OpBuilder::InsertionGuard guard(b);
  Memory memory(*this);
  SmallVector<Value> indices;
  LLVM::AccessGroupAttr outerGroup = accessGroup;
  for (auto [depth, count] : llvm::enumerate(dims)) {
    auto loop = scf::ForOp::create(b, loc, index(0, loc), count, index(1, loc));
    b.setInsertionPointToStart(loop.getBody());
    indices.push_back(loop.getInductionVar());
    if (depth + 1 == dims.size() && parallel) {
      MLIRContext *context = b.getContext();
      accessGroup = LLVM::AccessGroupAttr::get(
          context, DistinctAttr::create(UnitAttr::get(context)));
      LLVM::LoopVectorizeAttr vectorize;
      LLVM::LoopUnrollAttr unroll;
      BoolAttr no = b.getBoolAttr(false), yes = b.getBoolAttr(true);
      if (areLanes)
        vectorize = LLVM::LoopVectorizeAttr::get(context, /*disable=*/no, {},
                                                 {}, {}, {}, {}, {});
      // Unrolled, it would be code as long as the columns, and no faster.
      constexpr int64_t manyColumns = 64;
      if (areLanes || getConstantIntValue(count) > manyColumns)
        unroll = LLVM::LoopUnrollAttr::get(context, /*disable=*/yes, {}, {}, {},
                                           {}, {}, {});
      loop->setAttr("llvm.loop_annotation",
                    LLVM::LoopAnnotationAttr::get(
                        context, {}, vectorize, {}, unroll, {}, {}, {}, {}, {},
                        {}, {}, {}, {}, {}, {accessGroup}));
    }
  }
  body(indices);
  accessGroup = outerGroup;
}

SmallVector<Value> CellEmitter::reduce(
    Location loc, Value count, ValueRange init,
    llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  OpBuilder::InsertionGuard guard(b);
  Memory memory(*this);
  auto loop =
      scf::ForOp::create(b, loc, index(0, loc), count, index(1, loc), init);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(b, loc, next);
  return llvm::to_vector(ValueRange(loop.getResults()));
}

/// Index types lie in memory as i64, truth values as bytes.
static Type memoryType(Type element) {
  if (element.isIndex())
    return IntegerType::get(element.getContext(), 64);
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  return element;
}

CellBuffer CellEmitter::inMemory(Value tensor) {
  if (std::optional<CellBuffer> buffer = memory(tensor))
    return *buffer;
  auto type = cast<RankedTensorType>(tensor.getType());
  CellBuffer buffer =
      temporary(tensor.getLoc(), type.getElementType(), dims(tensor));
  fill(tensor, buffer);
  return buffer;
}

Value CellEmitter::address(Location loc, const CellBuffer &buffer,
                           ArrayRef<Value> indices) {
  // Row-major: ((i0 * shape1) + i1) * shape2 + ...
  Value linear;
  for (unsigned i = 0, e = indices.size(); i < e; ++i) {
    Value at = indices[i];
    if (Value offset = buffer.offsets[i]; !matchPattern(offset, m_Zero()))
      at = arith::AddIOp::create(b, loc, at, offset);
    if (linear) {
      linear = arith::MulIOp::create(b, loc, linear, buffer.shape[i]);
      at = arith::AddIOp::create(b, loc, linear, at);
    }
    linear = at;
  }
  if (!linear)
    return buffer.base;
  Value offset = arith::IndexCastOp::create(b, loc, b.getI64Type(), linear);
  return LLVM::GEPOp::create(b, loc, LLVM::LLVMPointerType::get(b.getContext()),
                             memoryType(buffer.element), buffer.base,
                             ArrayRef<LLVM::GEPArg>{offset});
}

void CellEmitter::store(Location loc, Value element, const CellBuffer &buffer,
                        ArrayRef<Value> indices) {
  Type type = memoryType(buffer.element);
  if (isa<FloatType>(type))
    element = convert(loc, element, type);
  else if (buffer.element.isIndex())
    element = arith::IndexCastOp::create(b, loc, type, element);
  else if (type != buffer.element)
    element = arith::ExtUIOp::create(b, loc, type, element);
  auto op =
      LLVM::StoreOp::create(b, loc, element, address(loc, buffer, indices));
  if (accessGroup)
    op.setAccessGroupsAttr(b.getArrayAttr({accessGroup}));
}

Value CellEmitter::load(Location loc, const CellBuffer &buffer,
                        ArrayRef<Value> indices) {
  Type type = memoryType(buffer.element);
  auto op = LLVM::LoadOp::create(b, loc, type, address(loc, buffer, indices));
  if (accessGroup)
    op.setAccessGroupsAttr(b.getArrayAttr({accessGroup}));
  if (buffer.element.isIndex())
    return arith::IndexCastOp::create(b, loc, buffer.element, op);
  if (type != buffer.element)
    return arith::TruncIOp::create(b, loc, buffer.element, op);
  return op;
}

void CellEmitter::fill(Value value, const CellBuffer &buffer) {
  Location loc = value.getLoc();
  // A concatenation is filled part by part: a branch-free loop each.
  auto concat = value.getDefiningOp<tensor::ConcatOp>();
  if (concat && !memory(value)) {
    CellBuffer part = buffer;
    unsigned axis = concat.getDim();
    for (Value input : concat.getInputs()) {
      fill(input, part);
      part.offsets[axis] =
          arith::AddIOp::create(b, loc, part.offsets[axis], dim(input, axis));
    }
    return;
  }
  loops(loc, dims(value), /*parallel=*/true, [&](ArrayRef<Value> indices) {
    store(loc, element(value, indices), buffer, indices);
  });
}
