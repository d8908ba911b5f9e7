//===- ComputeStages.cpp - The stages of a cell's compute function --------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A stage is a loop over the activations: it fills what the next products and
// the whole-tensor ops read, and the outputs that are ready. Products follow
// it, one call each over all activations.
//
#include "CellCode.h"
#include "ComputeCode.h"
#include "Sizes.h"

#include "amprt/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace amp;

static Value number(OpBuilder &b, Location loc, int64_t n) {
  return arith::ConstantIntOp::create(b, loc, n, 64);
}

/// The last of the running sums: how many units there are in all.
static Value totalOf(OpBuilder &b, Location loc, Value starts, Value count) {
  Value last = LLVM::GEPOp::create(b, loc, starts.getType(), b.getI64Type(),
                                   starts, ArrayRef<LLVM::GEPArg>{count});
  return LLVM::LoadOp::create(b, loc, b.getI64Type(), last);
}

//===----------------------------------------------------------------------===//
// Failure
//===----------------------------------------------------------------------===//

void ComputeCode::check(Location loc, StringRef message, Value condition) {
  auto branch = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.elseBlock());
  rt::FailOp::create(b, loc, worker, frame, locationText(loc), message);
}

void ComputeCode::ifInRange(Location loc, StringRef what, Value value,
                            Value limit, llvm::function_ref<void()> body) {
  // As unsigned numbers, a negative value is larger than any limit.
  Value fine =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, value, limit);
  auto branch = scf::IfOp::create(b, loc, fine, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  Memory memory(*this);
  b.setInsertionPointToStart(branch.elseBlock());
  auto wide = [&](Value index) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
  };
  rt::FailRangeOp::create(b, loc, worker, frame, locationText(loc), what,
                          wide(value), wide(limit));
  b.setInsertionPointToStart(branch.thenBlock());
  body();
}

Value ComputeCode::instanceSeed(Location loc) {
  FrameCode code(b, bodies, body, worker, frame);
  Value instance =
      code.load(loc, pointerType(b), frame, offsetof(amprt_frame, instance));
  return LLVM::LoadOp::create(
      b, loc, b.getI64Type(),
      code.advance(loc, instance, b.getI8Type(),
                   code.i64(loc, offsetof(amprt_instance, seed))));
}

CellBuffer ComputeCode::temporary(Location loc, Type element,
                                  ArrayRef<Value> shape) {
  Value size = index(elementBytes(element), loc);
  for (Value each : shape)
    size = arith::MulIOp::create(b, loc, size, each);
  Value bytes = arith::IndexCastOp::create(b, loc, b.getI64Type(), size);
  Value base = rt::ScratchOp::create(b, loc, pointerType(b), worker, bytes);
  return {base, element, SmallVector<Value>(shape.size(), index(0, loc)),
          SmallVector<Value>(shape)};
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// Memory for an output of the current activation; its words go to the frame.
Value ComputeCode::allocateOutput(unsigned result) {
  Value value = block.getTerminator()->getOperand(result);
  Location loc = value.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  if (ArrayRef<Value> members = lifetimes.blockOf(cell.getResult(result));
      !members.empty())
    return allocateInBlock(cell.getResult(result), members);
  Value bytes = arith::MulIOp::create(
      b, loc, elementCount(value),
      number(b, loc, elementBytes(type.getElementType())));
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

/// The first of a block's members to be made gets memory for all.
Value ComputeCode::allocateInBlock(Value result, ArrayRef<Value> members) {
  Location loc = result.getLoc();
  FrameCode code(b, bodies, body, worker, frame);
  if (!allocatedBlocks.insert(members.front()).second)
    return code.load(loc, pointerType(b), frame, body.offsets.lookup(result));
  int64_t total = 0;
  for (Value member : members)
    total += *bytesInBlock(member.getType());
  Value block = rt::RowsOp::create(b, loc, pointerType(b), worker, frame,
                                   number(b, loc, total));
  Value mine;
  int64_t at = 0;
  for (Value member : members) {
    Value data = code.advance(loc, block, b.getI8Type(), number(b, loc, at));
    code.store(loc, data, frame, body.offsets.lookup(member));
    if (member == result)
      mine = data;
    at += *bytesInBlock(member.getType());
  }
  return mine;
}

void ComputeCode::emitOutputs(unsigned level) {
  Operation *yield = block.getTerminator();
  // Those of one shape are filled by one loop.
  llvm::MapVector<Type, SmallVector<std::pair<Value, CellBuffer>>> fused;
  for (auto [number, value] : llvm::enumerate(yield->getOperands())) {
    if (levels.lookup(value) != level || finished.contains(number))
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
    bool isWhole = isWholeTensor(value) && !scratch.count(value);
    if (type.hasStaticShape() && !isWhole) {
      fused[RankedTensorType::get(type.getShape(), b.getI1Type())].push_back(
          {value, buffer});
      continue;
    }
    auto compute = [&, value = value] {
      if (isWhole)
        value.getDefiningOp<CellOpInterface>().emitActivation(*this, {buffer});
      else
        fill(value, buffer);
    };
    if (type.hasStaticShape())
      compute();
    else // There may be no memory for so much; then the instance has failed.
      ifTrue(value.getLoc(),
             FrameCode(b, bodies, body, worker, frame).isAlive(value.getLoc()),
             compute);
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

//===----------------------------------------------------------------------===//
// Scratch memory
//===----------------------------------------------------------------------===//

/// Room for `value` of all activations.
Scratch ComputeCode::allocate(Value value) {
  Location loc = cell.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  bool isFactor = llvm::any_of(value.getUsers(), [&](Operation *user) {
    return llvm::is_contained(products, user) && user->getOperand(0) == value;
  });
  Scratch place;
  if (isFactor && !type.getElementType().isF32())
    place.element = b.getF32Type();
  Value elements;
  if (type.hasStaticShape()) {
    place.unit = type.getNumElements();
    elements = arith::MulIOp::create(b, loc, count, number(b, loc, place.unit));
  } else {
    // Of a product's input the unit is a row, so that its result can share it.
    if (!type.isDynamicDim(type.getRank() - 1))
      place.unit = std::max<int64_t>(type.getShape().back(), 1);
    emitStarts(value, place.unit);
    place.starts = starts[value];
    elements =
        arith::MulIOp::create(b, loc, totalOf(b, loc, place.starts, count),
                              number(b, loc, place.unit));
  }
  Type element = place.element ? place.element : type.getElementType();
  Value bytes = arith::MulIOp::create(b, loc, elements,
                                      number(b, loc, elementBytes(element)));
  place.base = rt::ScratchOp::create(b, loc, pointerType(b), worker, bytes);
  return place;
}

/// Fills `value`, and all other results of its op, for the current activation.
void ComputeCode::emitStored(Value value) {
  if (scratch.count(value))
    return;
  if (!isWholeTensor(value)) {
    fill(value, buffer(places[value], value));
    scratch[value] = places[value]; // only now may others read it from there
    return;
  }
  Operation *op = value.getDefiningOp();
  SmallVector<CellBuffer> results;
  for (Value result : op->getResults())
    results.push_back(buffer(places[result], result));
  cast<CellOpInterface>(op).emitActivation(*this, results);
  for (Value result : op->getResults())
    scratch[result] = places[result];
}

/// Which matrix each of the activation's rows is multiplied with.
void ComputeCode::emitChoice(Operation *product) {
  Location loc = product->getLoc();
  Value which = cast<CellOpInterface>(product).getProductChoice();
  Value groups = dim(product->getOperand(1), 0);
  Scratch place = choices[product];
  Value base =
      LLVM::GEPOp::create(b, loc, place.base.getType(), b.getI32Type(),
                          place.base, ArrayRef<LLVM::GEPArg>{start(place)});
  CellBuffer buffer{base, b.getI32Type(), {index(0, loc)}, {index(0, loc)}};
  // Of as many rows as the factor has there.
  loops(loc, dim(product->getOperand(0), 0), /*parallel=*/false,
        [&](ArrayRef<Value> i) {
          store(loc, arith::ConstantIntOp::create(b, loc, 0, 32), buffer, i);
          auto choose = [&] {
            Value group = indexElement(which, i);
            ifInRange(loc, "group", group, groups, [&] {
              store(loc,
                    arith::IndexCastOp::create(b, loc, b.getI32Type(), group),
                    buffer, i);
            });
          };
          auto isThere = scf::IfOp::create(
              b, loc,
              arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, i[0],
                                    dim(which, 0)));
          OpBuilder::InsertionGuard guard(b);
          Memory memory(*this);
          b.setInsertionPointToStart(isThere.thenBlock());
          choose();
        });
}

//===----------------------------------------------------------------------===//
// Stages and products
//===----------------------------------------------------------------------===//

/// What such an op itself checks, and that its results are not too large; once.
void ComputeCode::emitChecks(llvm::function_ref<bool(Operation *)> isDue) {
  llvm::erase_if(unchecked, [&](Operation *op) {
    if (!isDue(op))
      return false;
    auto cellOp = cast<CellOpInterface>(op);
    cellOp.emitChecks(*this);
    for (OpResult result : op->getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType());
          type && type.getNumDynamicDims() > 1)
        check(op->getLoc(), "a tensor has too many elements",
              areSizes(op->getLoc(),
                       sizesOf(*this, cellOp, result.getResultNumber())));
    return true;
  });
}

void ComputeCode::emitStage(unsigned level) {
  Location loc = cell.getLoc();
  SmallVector<Value> mine;
  for (Value value : stored)
    if (levels.lookup(value) == level && !scratch.count(value))
      mine.push_back(value);
  llvm::sort(mine, [](Value a, Value b) {
    Operation *left = a.getDefiningOp(), *right = b.getDefiningOp();
    if (left && right && left != right)
      return left->isBeforeInBlock(right);
    return !left && right; // arguments first
  });
  for (Value value : mine)
    places[value] = allocate(value);
  SmallVector<Operation *> chosen;
  for (Operation *op : products)
    if (stageOf(op) == level && cast<CellOpInterface>(op).getProductChoice())
      chosen.push_back(op);
  for (Operation *op : chosen) {
    Value x = op->getOperand(0);
    auto type = cast<RankedTensorType>(x.getType());
    Scratch rows = places[x];
    Value total =
        rows.starts ? totalOf(b, loc, rows.starts, count)
                    : arith::MulIOp::create(b, loc, count,
                                            number(b, loc, type.getDimSize(0)));
    rows.unit = rows.starts ? 1 : type.getDimSize(0);
    rows.base = rt::ScratchOp::create(
        b, loc, pointerType(b), worker,
        arith::MulIOp::create(b, loc, total, number(b, loc, 4)));
    choices[op] = rows;
  }
  bool outputs = llvm::any_of(
      block.getTerminator()->getOpOperands(), [&](OpOperand &operand) {
        return levels.lookup(operand.get()) == level &&
               !finished.contains(operand.getOperandNumber());
      });
  SmallVector<Operation *> due;
  for (auto [op, stage] : effects)
    if (stage == level)
      due.push_back(op);
  if (mine.empty() && !outputs && chosen.empty() && due.empty())
    return;
  activations([&] {
    emitChecks([&](Operation *op) { return stageOf(op) <= level; });
    for (Value value : mine)
      emitStored(value);
    for (Operation *op : chosen)
      emitChoice(op);
    emitOutputs(level);
    for (Operation *op : due)
      cast<CellOpInterface>(op).emitActivation(*this, {});
  });
}

void ComputeCode::emitProducts(unsigned level) {
  for (Operation *op : products) {
    if (stageOf(op) != level || tiled.contains(op))
      continue;
    Value x = op->getOperand(0), y = op->getResult(0);
    Location loc = op->getLoc();
    ArrayRef<int64_t> weight =
        cast<RankedTensorType>(op->getOperand(1).getType()).getShape();
    int64_t k = weight[weight.size() - 2], n = weight.back();
    const Scratch from = scratch[x];
    Scratch to;
    to.element = b.getF32Type();
    Value rows;
    if (from.starts) {
      rows = totalOf(b, loc, from.starts, count);
      to.starts = from.starts;
      to.unit = n;
    } else {
      int64_t perActivation = from.unit / std::max<int64_t>(k, 1);
      rows =
          arith::MulIOp::create(b, loc, count, number(b, loc, perActivation));
      to.unit = perActivation * n;
    }
    Value bytes = arith::MulIOp::create(b, loc, rows, number(b, loc, 4 * n));
    to.base = rt::ScratchOp::create(b, loc, pointerType(b), worker, bytes);
    if (auto which = choices.find(op); which != choices.end())
      rt::GroupedProductOp::create(b, loc, worker, productName(op), from.base,
                                   to.base, rows, which->second.base);
    else
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
    if (makesUniform(&op))
      uniform[op.getResult(0)] = emitUniform(b, worker, op.getResult(0));
  plan();
  reportProducts();
  for (unsigned level = 0; level <= lastLevel; ++level) {
    emitStage(level);
    emitProducts(level);
    for (const Tile &tile : tiles)
      if (tile.level == level)
        emitTile(tile);
  }
  func::ReturnOp::create(b, cell.getLoc());
}
