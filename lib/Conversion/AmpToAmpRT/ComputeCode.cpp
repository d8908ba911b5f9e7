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

using namespace mlir;
using namespace amp;

//===----------------------------------------------------------------------===//
// What is where
//===----------------------------------------------------------------------===//

void ComputeCode::plan() {
  for (Operation &op : block.without_terminator()) {
    unsigned level = 0;
    for (Value operand : op.getOperands())
      level = std::max(level, levels.lookup(operand));
    if (isUniform(op.getResult(0)))
      continue;
    if (isProduct(op.getResult(0))) {
      products.push_back(&op);
      stored.insert(op.getOperand(0));
      ++level;
    }
    levels[op.getResult(0)] = level;
    lastLevel = std::max(lastLevel, level);
    // A whole-tensor op is stored unless it only goes out.
    if (isWholeTensor(op.getResult(0)) &&
        isa<RankedTensorType>(op.getResult(0).getType()) &&
        llvm::any_of(op.getResult(0).getUsers(),
                     [](Operation *user) { return !isa<YieldOp>(user); }))
      stored.insert(op.getResult(0));
  }
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
  if (element.isIndex() || element.isInteger(1))
    element = b.getIntegerType(8 * elementBytes(element));
  Value base =
      LLVM::GEPOp::create(b, value.getLoc(), place.base.getType(), element,
                          place.base, ArrayRef<LLVM::GEPArg>{start(place)});
  return whole(base, value);
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
  // The product's rows, and the bias.
  Location loc = value.getLoc();
  Value product =
      load(loc, buffer(productRows.find(value)->second, value), indices);
  Value bias = value.getDefiningOp<LinearOp>().getBias();
  if (!bias)
    return product;
  return arith::AddFOp::create(b, loc, product, element(bias, indices.back()));
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
  emitBody();
  memo.clear();
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

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// Memory for an output of the current activation; its words go to the frame.
Value ComputeCode::allocateOutput(unsigned result) {
  Value value = block.getTerminator()->getOperand(result);
  Location loc = value.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  Value bytes = arith::MulIOp::create(
      b, loc, elementCount(value),
      arith::ConstantIntOp::create(b, loc, elementBytes(type.getElementType()),
                                   64));
  Value data = rt::RowsOp::create(b, loc, pointerType(b), worker, frame, bytes);
  SmallVector<Value> words{data};
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      words.push_back(
          arith::IndexCastOp::create(b, loc, b.getI64Type(), dim(value, i)));
  FrameCode(b, bodies, body, worker, frame)
      .storeWords(loc, words, frame,
                  body.offsets.lookup(cell.getResult(result)));
  return data;
}

void ComputeCode::emitOutputs(unsigned level) {
  Operation *yield = block.getTerminator();
  // Those of one shape are filled by one loop.
  llvm::MapVector<Type, SmallVector<std::pair<Value, CellBuffer>>> fused;
  for (auto [number, value] : llvm::enumerate(yield->getOperands())) {
    if (levels.lookup(value) != level)
      continue;
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type) {
      if (!scalars.count(value) && value.getDefiningOp() && !isUniform(value))
        scalars[value] = value.getDefiningOp<CellOpInterface>().emitActivation(
            *this, {CellBuffer()})[0];
      FrameCode(b, bodies, body, worker, frame)
          .store(value.getLoc(), scalar(value), frame,
                 body.offsets.lookup(cell.getResult(number)));
      continue;
    }
    CellBuffer buffer = whole(allocateOutput(number), value);
    if (isWholeTensor(value) && !scratch.count(value))
      value.getDefiningOp<CellOpInterface>().emitActivation(*this, {buffer});
    else if (type.hasStaticShape())
      fused[RankedTensorType::get(type.getShape(), b.getI1Type())].push_back(
          {value, buffer});
    else
      fill(value, buffer);
  }
  for (auto &[shape, outputs] : fused) {
    Location loc = outputs.front().first.getLoc();
    loops(loc, dims(outputs.front().first), /*parallel=*/true,
          [&](ArrayRef<Value> indices) {
            for (auto &[value, buffer] : outputs)
              store(loc, element(value, indices), buffer, indices);
          });
  }
}

void ComputeCode::emitStage(unsigned level) {
  Location loc = cell.getLoc();
  auto number = [&](int64_t n) -> Value {
    return arith::ConstantIntOp::create(b, loc, n, 64);
  };
  SmallVector<Value> mine;
  for (Value value : stored)
    if (levels.lookup(value) == level)
      mine.push_back(value);
  SmallVector<Scratch> places;
  for (Value value : mine) {
    auto type = cast<RankedTensorType>(value.getType());
    // Of a product's input the unit is a row, so that its result can share it.
    Scratch place;
    Value elements;
    if (type.hasStaticShape()) {
      place.unit = type.getNumElements();
      elements = arith::MulIOp::create(b, loc, count, number(place.unit));
    } else {
      if (!type.isDynamicDim(type.getRank() - 1))
        place.unit = std::max<int64_t>(type.getShape().back(), 1);
      emitStarts(value, place.unit);
      place.starts = starts[value];
      Value last =
          LLVM::GEPOp::create(b, loc, place.starts.getType(), b.getI64Type(),
                              place.starts, ArrayRef<LLVM::GEPArg>{count});
      elements = arith::MulIOp::create(
          b, loc, LLVM::LoadOp::create(b, loc, b.getI64Type(), last),
          number(place.unit));
    }
    Value bytes = arith::MulIOp::create(
        b, loc, elements, number(elementBytes(type.getElementType())));
    place.base = rt::ScratchOp::create(b, loc, pointerType(b), worker, bytes);
    places.push_back(place);
  }
  bool outputs =
      llvm::any_of(block.getTerminator()->getOperands(),
                   [&](Value value) { return levels.lookup(value) == level; });
  if (mine.empty() && !outputs)
    return;
  activations([&] {
    for (auto [value, place] : llvm::zip_equal(mine, places)) {
      CellBuffer memory = buffer(place, value);
      if (isWholeTensor(value))
        value.getDefiningOp<CellOpInterface>().emitActivation(*this, {memory});
      else
        fill(value, memory);
      scratch[value] = place; // only now may others read it from there
    }
    emitOutputs(level);
  });
}

void ComputeCode::emitProducts(unsigned level) {
  for (Operation *op : products) {
    Value x = op->getOperand(0), y = op->getResult(0);
    if (levels.lookup(x) != level)
      continue;
    Location loc = op->getLoc();
    auto number = [&](int64_t n) -> Value {
      return arith::ConstantIntOp::create(b, loc, n, 64);
    };
    auto weight = cast<RankedTensorType>(op->getOperand(1).getType());
    int64_t k = weight.getDimSize(0), n = weight.getDimSize(1);
    const Scratch from = scratch[x];
    Scratch to;
    Value rows;
    if (from.starts) {
      Value last =
          LLVM::GEPOp::create(b, loc, from.starts.getType(), b.getI64Type(),
                              from.starts, ArrayRef<LLVM::GEPArg>{count});
      rows = LLVM::LoadOp::create(b, loc, b.getI64Type(), last);
      to.starts = from.starts;
      to.unit = n;
    } else {
      int64_t perActivation = from.unit / std::max<int64_t>(k, 1);
      rows = arith::MulIOp::create(b, loc, count, number(perActivation));
      to.unit = perActivation * n;
    }
    Value bytes = arith::MulIOp::create(b, loc, rows, number(4 * n));
    to.base = rt::ScratchOp::create(b, loc, pointerType(b), worker, bytes);
    rt::ProductOp::create(b, loc, worker, productName(op), from.base, to.base,
                          rows);
    productRows[y] = to;
  }
}

void ComputeCode::emit(func::FuncOp function) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(function.addEntryBlock());
  worker = function.getArgument(0);
  batch = function.getArgument(1);
  count = function.getArgument(2);
  for (Operation &op : block.without_terminator())
    if (isUniform(op.getResult(0)))
      uniform[op.getResult(0)] = emitUniform(b, worker, op.getResult(0));
  plan();
  for (unsigned level = 0; level <= lastLevel; ++level) {
    emitStage(level);
    emitProducts(level);
  }
  func::ReturnOp::create(b, cell.getLoc());
}
