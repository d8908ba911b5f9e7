//===- ComputeCode.cpp - The compute function of a cell -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ComputeCode.h"

#include "CellCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace amp;

//===----------------------------------------------------------------------===//
// What is where
//===----------------------------------------------------------------------===//

/// The latest stage before whose end each product may be made without keeping
/// others waiting: side by side with them it shares their loops.
llvm::DenseMap<Operation *, unsigned> ComputeCode::latestLevels() {
  llvm::DenseMap<Value, unsigned> latest;
  llvm::DenseMap<Operation *, unsigned> ofProducts;
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    unsigned level = lastLevel;
    for (Value result : op.getResults())
      if (auto found = latest.find(result); found != latest.end())
        level = std::min(level, found->second);
    if (isProduct(&op))
      ofProducts[&op] = level--;
    for (Value value : valuesReadBy(&op)) {
      auto [at, fresh] = latest.try_emplace(value, level);
      at->second = std::min(at->second, level);
    }
  }
  return ofProducts;
}

/// Fills `levels`, each product's at least `least` of it.
void ComputeCode::assignLevels(
    const llvm::DenseMap<Operation *, unsigned> &least) {
  lastLevel = 0;
  for (Operation &op : block.without_terminator()) {
    if (makesUniform(&op))
      continue;
    unsigned level = 0;
    for (Value value : valuesReadBy(&op))
      level = std::max(level, levels.lookup(value));
    if (isProduct(&op))
      level = std::max(level + 1, least.lookup(&op));
    for (Value result : op.getResults())
      levels[result] = level;
    if (op.getNumResults() == 0)
      effects[&op] = level;
    lastLevel = std::max(lastLevel, level);
  }
}

void ComputeCode::plan() {
  assignLevels({});
  assignLevels(latestLevels());
  for (Operation &op : block.without_terminator()) {
    if (makesUniform(&op))
      continue;
    unchecked.push_back(&op);
    auto cellOp = cast<CellOpInterface>(op);
    for (auto [i, operand] : llvm::enumerate(op.getOperands()))
      if (auto made = operand.getDefiningOp<CellOpInterface>();
          made && !isUniform(operand) && cellOp.readsAgain(i) &&
          isa<RankedTensorType>(operand.getType()))
        stored.insert(operand);
    // A region takes any of their elements, any number of times.
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op.getRegions(), captured);
    for (Value value : captured)
      if (isa_and_nonnull<CellOpInterface>(value.getDefiningOp()) &&
          !isUniform(value) && isa<RankedTensorType>(value.getType()))
        stored.insert(value);
    if (isProduct(&op))
      products.push_back(&op);
    // A whole-tensor op is stored unless it only goes out, alone; products may
    // find the parts of a concatenation where they are.
    for (Value result : op.getResults())
      if (isWholeTensor(result) && !isConcatenatedFactor(result) &&
          isa<RankedTensorType>(result.getType()) &&
          (op.getNumResults() > 1 ||
           llvm::any_of(result.getUsers(),
                        [](Operation *user) { return !isa<YieldOp>(user); })))
        stored.insert(result);
  }
  chooseTiles();
  for (Operation *op : products)
    if (!tiled.contains(op))
      stored.insert(op->getOperand(0));
  for (Tile &tile : tiles)
    findDestinations(tile);
}

CellBuffer ComputeCode::whole(Value base, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  CellBuffer buffer{base, type.getElementType(), {}, dims(tensor)};
  for (int64_t i = 0; i < type.getRank(); ++i)
    buffer.offsets.push_back(index(0, tensor.getLoc()));
  return buffer;
}

Value ComputeCode::start(const Scratch &memory) {
  Location loc = cell.getLoc();
  Value at = activation;
  if (memory.starts) {
    Type pointer = memory.starts.getType();
    Value place =
        LLVM::GEPOp::create(b, loc, pointer, b.getI64Type(), memory.starts,
                            ArrayRef<LLVM::GEPArg>{activation});
    at = LLVM::LoadOp::create(b, loc, b.getI64Type(), place);
  }
  Value unit = arith::ConstantIntOp::create(b, loc, memory.unit, 64);
  return arith::MulIOp::create(b, loc, at, unit);
}

/// The current activation's part of scratch memory.
CellBuffer ComputeCode::buffer(const Scratch &place, Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  if (place.element)
    element = place.element;
  Type memory = element;
  if (element.isIndex() || element.isInteger(1))
    memory = b.getIntegerType(8 * elementBytes(element));
  Value base =
      LLVM::GEPOp::create(b, value.getLoc(), place.base.getType(), memory,
                          place.base, ArrayRef<LLVM::GEPArg>{start(place)});
  CellBuffer buffer = whole(base, value);
  buffer.element = element;
  return buffer;
}

std::optional<CellBuffer> ComputeCode::memory(Value value) {
  if (isUniform(value))
    return whole(uniform[value][0], value);
  if (auto found = scratch.find(value); found != scratch.end())
    return buffer(found->second, value);
  if (isa<BlockArgument>(value))
    return whole(inputs[value][0], value);
  return std::nullopt;
}

Value ComputeCode::virtualElement(Value value, ArrayRef<Value> indices) {
  if (!isProduct(value))
    return CellEmitter::virtualElement(value, indices);
  // The product's rows, which are f32, and the bias.
  Operation *op = value.getDefiningOp();
  Location loc = value.getLoc();
  Value product =
      load(loc, buffer(productRows.find(value)->second, value), indices);
  Value bias = cast<CellOpInterface>(op).emitProductBias(*this, indices);
  if (bias)
    product = arith::AddFOp::create(b, loc, product,
                                    convert(loc, bias, product.getType()));
  return convert(loc, product, getElementTypeOrSelf(value.getType()));
}

Value ComputeCode::scalar(Value value) {
  if (isUniform(value))
    return uniform[value][0];
  if (auto found = scalars.find(value); found != scalars.end())
    return found->second;
  return inputs[value][0];
}

Value ComputeCode::inputDim(Value value, unsigned dim) {
  auto type = cast<RankedTensorType>(value.getType());
  const SmallVector<Value> &words =
      isUniform(value) ? uniform[value] : inputs[value];
  return arith::IndexCastOp::create(b, value.getLoc(), b.getIndexType(),
                                    words[1 + type.getDynamicDimIndex(dim)]);
}

Value ComputeCode::elementCount(Value value) {
  Location loc = value.getLoc();
  Value product;
  for (Value size : dims(value))
    product = product ? arith::MulIOp::create(b, loc, product, size) : size;
  if (!product)
    product = index(1, loc);
  return arith::IndexCastOp::create(b, loc, b.getI64Type(), product);
}

//===----------------------------------------------------------------------===//
// Loops over activations
//===----------------------------------------------------------------------===//

void ComputeCode::activations(llvm::function_ref<void()> emitBody) {
  Location loc = cell.getLoc();
  OpBuilder::InsertionGuard guard(b);
  Value end = arith::IndexCastOp::create(b, loc, b.getIndexType(), count);
  auto loop = scf::ForOp::create(b, loc, index(0, loc), end, index(1, loc));
  b.setInsertionPointToStart(loop.getBody());
  activation = arith::IndexCastOp::create(b, loc, b.getI64Type(),
                                          loop.getInductionVar());
  frame = rt::BatchFrameOp::create(b, loc, rt::FrameType::get(b.getContext()),
                                   batch, activation);
  FrameCode code(b, bodies, body, worker, frame);
  for (auto [argument, input] :
       llvm::zip_equal(block.getArguments(), cell.getInputs()))
    inputs[argument] = code.words(input);
  memo.clear();
  knownDims.clear();
  emitBody();
  memo.clear();
  knownDims.clear();
  inputs.clear();
  scalars.clear();
}

/// The running sum of what each activation has of `value`, in units.
void ComputeCode::emitStarts(Value value, int64_t unit) {
  Location loc = value.getLoc();
  Type i64 = b.getI64Type();
  auto number = [&](int64_t n) -> Value {
    return arith::ConstantIntOp::create(b, loc, n, 64);
  };
  Value bytes = arith::MulIOp::create(
      b, loc, arith::AddIOp::create(b, loc, count, number(1)), number(8));
  Value table = rt::ScratchOp::create(b, loc, pointerType(b), worker, bytes);
  LLVM::StoreOp::create(b, loc, number(0), table);
  activations([&] {
    auto entry = [&](Value at) -> Value {
      return LLVM::GEPOp::create(b, loc, table.getType(), i64, table,
                                 ArrayRef<LLVM::GEPArg>{at});
    };
    Value here = LLVM::LoadOp::create(b, loc, i64, entry(activation));
    Value size = elementCount(value);
    if (unit != 1)
      size = arith::DivUIOp::create(b, loc, size, number(unit));
    Value next = arith::AddIOp::create(b, loc, activation, number(1));
    LLVM::StoreOp::create(b, loc, arith::AddIOp::create(b, loc, here, size),
                          entry(next));
  });
  starts[value] = table;
}
