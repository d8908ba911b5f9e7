//===- TileResults.cpp - What a tile makes of its sums --------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ComputeCode.h"
#include "TileEmit.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace amp;
using namespace amp::tile;

/// By how much a run's last index is beyond the group's column.
static int64_t shiftOf(Value index, Value column) {
  int64_t shift = 0;
  while (index != column) {
    auto sum = index.getDefiningOp<arith::AddIOp>();
    APInt constant;
    [[maybe_unused]] bool isShift =
        sum && matchPattern(sum.getRhs(), m_ConstantInt(&constant));
    assert(isShift && "a run's index is the column and constants");
    shift += constant.getSExtValue();
    index = sum.getLhs();
  }
  return shift;
}

/// The vectors of several rows as one: what is made of it is the same for each,
/// and no row waits for another.
static Value joinRows(OpBuilder &b, Location loc, ArrayRef<Value> rows) {
  SmallVector<Value> parts(rows);
  while (parts.size() > 1) {
    SmallVector<Value> pairs;
    for (size_t i = 0; i < parts.size(); i += 2) {
      int64_t size = cast<VectorType>(parts[i].getType()).getNumElements();
      pairs.push_back(vector::ShuffleOp::create(
          b, loc, parts[i], parts[i + 1],
          llvm::to_vector(llvm::seq<int64_t>(0, 2 * size))));
    }
    parts = std::move(pairs);
  }
  return parts[0];
}

Value ComputeCode::runElement(Value value, ArrayRef<Value> indices) {
  Location loc = value.getLoc();
  const Tile &tile = *row.tile;
  Type f32 = b.getF32Type();
  auto type = VectorType::get(tile.lanes, f32);
  auto load = [&](ArrayRef<Value> bases, Value index) -> Value {
    SmallVector<Value> rows;
    for (Value base : bases)
      rows.push_back(LLVM::LoadOp::create(b, loc, type,
                                          advance(b, loc, base, f32, index),
                                          /*alignment=*/4));
    return joinRows(b, loc, rows);
  };
  if (isUniform(value)) {
    SmallVector<Value> bases;
    for (const TileRow &each : row.rows)
      bases.push_back(each.shift
                          ? advance(b, loc, uniform[value][0], f32, each.shift)
                          : uniform[value][0]);
    return load(bases, wide(b, loc, indices.back()));
  }
  if (auto found = row.pointers.find(value); found != row.pointers.end())
    return load(found->second, wide(b, loc, indices.back()));
  if (!isProduct(value))
    return {};
  TileSlice slice{value.getDefiningOp(), shiftOf(indices.back(), row.column)};
  int64_t number = llvm::find(tile.slices, slice) - tile.slices.begin();
  assert(number < int64_t(tile.slices.size()) && "no slice of the tile");
  SmallVector<Value> sums;
  for (const TileRow &each : row.rows)
    sums.push_back(each.sums);
  Value sum = load(
      sums, ::number(b, loc, (number * tile.unroll + row.vector) * tile.lanes));
  Value bias;
  if (!tile.isRaw)
    bias = cast<CellOpInterface>(slice.product).emitProductBias(*this, indices);
  return bias ? arith::AddFOp::create(b, loc, sum, bias).getResult() : sum;
}

/// All results of some rows in the group's columns, the first of which is
/// `column`.
void ComputeCode::emitRowResults(const Tile &tile, ArrayRef<TileRow> rows,
                                 Value column) {
  Location loc = cell.getLoc();
  Type pointer = pointerType(b), f32 = b.getF32Type();
  auto pointersAt = [&](int64_t i) {
    SmallVector<Value> all;
    for (const TileRow &each : rows) {
      Value address = LLVM::LoadOp::create(
          b, loc, pointer,
          advance(b, loc, each.pointers, pointer, number(b, loc, i)));
      all.push_back(each.shift ? advance(b, loc, address, f32, each.shift)
                               : address);
    }
    return all;
  };
  row.tile = &tile;
  row.rows = rows;
  for (auto [i, value] : llvm::enumerate(tile.rows))
    row.pointers[value] = pointersAt(int64_t(i));
  SmallVector<SmallVector<Value>> addresses;
  for (unsigned i = 0; i < tile.destinations.size(); ++i)
    addresses.push_back(pointersAt(int64_t(tile.rows.size() + i)));
  auto together = int64_t(rows.size());
  auto type = VectorType::get(together * tile.lanes, f32);
  for (row.vector = 0; row.vector < tile.unroll; ++row.vector) {
    Memory memory(*this);
    row.column = column;
    if (row.vector)
      row.column = arith::AddIOp::create(b, loc, column,
                                         index(row.vector * tile.lanes, loc));
    SmallVector<Value> at;
    if (tile.isBlock)
      at.push_back(index(0, loc)); // the row is in the pointers
    at.push_back(row.column);
    SmallVector<Value> made; // all, before anything is written
    for (auto [value, unused, first] : tile.destinations) {
      SmallVector<Value> here(at);
      if (first)
        here.back() =
            arith::AddIOp::create(b, loc, row.column, index(first, loc));
      Value run = element(value, here);
      if (!isa<VectorType>(run.getType()))
        run = vector::BroadcastOp::create(b, loc, type, run);
      made.push_back(run);
    }
    for (auto [run, places] : llvm::zip_equal(made, addresses))
      for (int64_t r = 0; r < together; ++r) {
        Value part = vector::ShuffleOp::create(
            b, loc, run, run,
            llvm::to_vector(
                llvm::seq<int64_t>(r * tile.lanes, (r + 1) * tile.lanes)));
        LLVM::StoreOp::create(
            b, loc, part,
            advance(b, loc, places[r], f32, wide(b, loc, row.column)),
            /*alignment=*/4);
      }
  }
  row = {};
}
