//===- TileCode.cpp - Products with the work behind them, by rows ---------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ComputeCode.h"
#include "TileKernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace amp;

// Rows whose element-wise work is interleaved: an exponential and a division
// wait for one another most of the time.
static constexpr int64_t kRowsTogether = 2;

// Elements of a row that are asked for; from there on its order is noticed.
static constexpr int64_t kMostPrefetched = 512;

static Value number(OpBuilder &b, Location loc, int64_t n) {
  return arith::ConstantIntOp::create(b, loc, n, 64);
}

static Value wide(OpBuilder &b, Location loc, Value index) {
  return arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
}

/// `base` and `index` (i64) elements of `type` further.
static Value advance(OpBuilder &b, Location loc, Value base, Type type,
                     Value index) {
  return LLVM::GEPOp::create(b, loc, base.getType(), type, base,
                             ArrayRef<LLVM::GEPArg>{index});
}

/// Bytes of the sums of one row.
static int64_t sumElements(const Tile &tile) {
  return int64_t(tile.slices.size()) * tile.unroll * tile.lanes;
}

/// Numbers of the row table's columns: what is read, then what is written.
static unsigned pointerCount(const Tile &tile, unsigned outputs) {
  return tile.rows.size() + outputs;
}

static int64_t lastDim(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape().back();
}

void ComputeCode::chooseTiles() {
  if (!target.generate)
    return;
  for (unsigned level = 0; level < lastLevel; ++level)
    llvm::append_range(
        tiles, planTiles({block, levels, products, stored}, level, target));
  for (const Tile &tile : tiles)
    for (TileSlice slice : tile.slices)
      tiled.insert(slice.product);
}

//===----------------------------------------------------------------------===//
// Row pointers
//===----------------------------------------------------------------------===//

/// Where each row of a result goes: to scratch memory, and to every output.
static SmallVector<std::pair<Value, std::optional<unsigned>>>
destinations(const Tile &tile, Operation *yield,
             const llvm::SetVector<Value> &stored) {
  SmallVector<std::pair<Value, std::optional<unsigned>>> all;
  for (Value result : tile.results) {
    if (tile.isRaw || stored.contains(result))
      all.push_back({result, std::nullopt});
    if (tile.isRaw)
      continue;
    for (OpOperand &operand : yield->getOpOperands())
      if (operand.get() == result)
        all.push_back({result, operand.getOperandNumber()});
  }
  return all;
}

/// The most rows that all activations together may have.
Value ComputeCode::rowCapacity(const Tile &tile) {
  Value result = tile.results.front();
  Location loc = cell.getLoc();
  auto type = cast<RankedTensorType>(result.getType());
  if (!tile.isBlock)
    return count;
  if (!type.isDynamicDim(0))
    return arith::MulIOp::create(b, loc, count,
                                 number(b, loc, type.getDimSize(0)));
  if (!starts.count(result))
    emitStarts(result, tile.width);
  return LLVM::LoadOp::create(
      b, loc, b.getI64Type(),
      advance(b, loc, starts[result], b.getI64Type(), count));
}

/// A table with the addresses that each row reads and writes; `rows` becomes
/// the number of rows.
Value ComputeCode::emitRowTable(const Tile &tile, Value &rows) {
  Location loc = cell.getLoc();
  Type pointer = pointerType(b), i64 = b.getI64Type();
  auto to = destinations(tile, block.getTerminator(), stored);
  int64_t width = pointerCount(tile, to.size());
  Value capacity = rowCapacity(tile);
  Value table = rt::ScratchOp::create(
      b, loc, pointer, worker,
      arith::MulIOp::create(b, loc, capacity, number(b, loc, 8 * width)));
  Value next; // where the next activation's rows go
  if (tile.isBlock) {
    next = rt::ScratchOp::create(b, loc, pointer, worker, number(b, loc, 8));
    LLVM::StoreOp::create(b, loc, number(b, loc, 0), next);
  }
  activations([&] {
    llvm::erase_if(unchecked, [&](Operation *op) {
      if (!tile.ops.contains(op))
        return false;
      cast<CellOpInterface>(op).emitChecks(*this);
      return true;
    });
    SmallVector<std::pair<Value, int64_t>> bases; // with elements per row
    bool mayLackMemory = false;
    for (Value value : tile.rows) {
      auto found = scratch.find(value);
      bases.push_back({found != scratch.end()
                           ? buffer(found->second, value).base
                           : inputs[value][0],
                       lastDim(value)});
    }
    for (auto [value, output] : to) {
      Value base;
      if (output) {
        base = allocateOutput(*output);
        mayLackMemory |=
            !cast<RankedTensorType>(value.getType()).hasStaticShape();
      } else {
        base = buffer(tile.isRaw ? productRows.find(value)->second
                                 : places.find(value)->second,
                      value)
                   .base;
      }
      bases.push_back({base, tile.width});
    }
    auto store = [&](Value at, Value row) {
      Value entry =
          advance(b, loc, table, pointer,
                  arith::MulIOp::create(b, loc, at, number(b, loc, width)));
      for (auto [i, base] : llvm::enumerate(bases)) {
        Value address = base.first;
        if (row)
          address = advance(
              b, loc, address, b.getF32Type(),
              arith::MulIOp::create(b, loc, row, number(b, loc, base.second)));
        LLVM::StoreOp::create(
            b, loc, address,
            advance(b, loc, entry, pointer, number(b, loc, int64_t(i))));
      }
    };
    if (!tile.isBlock)
      return store(activation, {});
    // Where the sizes differ the instance has failed; nothing may be read or
    // written past an end all the same.
    Value least;
    auto limit = [&](Value value) {
      Value size = dim(value, 0);
      if (!least)
        least = size;
      else if (size != least)
        least = arith::MinUIOp::create(b, loc, least, size);
    };
    for (Value value : tile.rows)
      limit(value);
    for (Value value : tile.results)
      limit(value);
    if (mayLackMemory)
      least = arith::SelectOp::create(
          b, loc, FrameCode(b, bodies, body, worker, frame).isAlive(loc), least,
          index(0, loc));
    Value first = LLVM::LoadOp::create(b, loc, i64, next);
    loops(loc, least, /*parallel=*/false, [&](ArrayRef<Value> r) {
      Value row = wide(b, loc, r[0]);
      store(arith::AddIOp::create(b, loc, first, row), row);
    });
    LLVM::StoreOp::create(
        b, loc, arith::AddIOp::create(b, loc, first, wide(b, loc, least)),
        next);
  });
  rows = next ? LLVM::LoadOp::create(b, loc, i64, next).getResult() : count;
  return table;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The packed weights of a segment; equal ones are shared by all cells.
static Value emitPanel(OpBuilder &b, Location loc, Value worker,
                       ModuleOp module, const Tile &tile,
                       const TileSegment &segment) {
  SmallVector<Attribute> params;
  SmallVector<int64_t> columns;
  std::string name = "panel";
  for (auto [i, row] : llvm::enumerate(segment.rows)) {
    TileSlice slice = tile.slices[segment.first + i];
    FlatSymbolRefAttr param =
        cast<CellOpInterface>(slice.product).getProductParam();
    params.push_back(param);
    columns.push_back(slice.offset);
    name +=
        ("." + param.getValue() + "." + Twine(row) + "." + Twine(slice.offset))
            .str();
  }
  name += (".k" + Twine(segment.k) + "n" + Twine(tile.width) + "." +
           Twine(tile.unroll) + "x" + Twine(tile.lanes))
              .str();
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(module.getBody());
    rt::PanelOp::create(b, loc, name, b.getArrayAttr(params), segment.rows,
                        columns, segment.k, tile.width, tile.lanes,
                        tile.unroll);
  }
  return rt::PanelDataOp::create(b, loc, pointerType(b), worker, name);
}

/// Adds to the sums of `count` rows, whose pointers begin at `table`.
void ComputeCode::emitSegments(const Tile &tile, ArrayRef<Value> panels,
                               Value table, Value group, Value sums,
                               Value count) {
  Location loc = cell.getLoc();
  Type f32 = b.getF32Type(), pointer = pointerType(b);
  auto module = cell->getParentOfType<ModuleOp>();
  int64_t width = pointerCount(
      tile, destinations(tile, block.getTerminator(), stored).size());
  for (auto [segment, panel] : llvm::zip_equal(tile.segments, panels)) {
    int64_t vectors = int64_t(segment.rows.size()) * tile.unroll;
    func::FuncOp kernel = productKernel(
        b, module, vectors, segment.begun * tile.unroll, tile.lanes, target);
    auto column = llvm::find(tile.rows, segment.x) - tile.rows.begin();
    Value weights = advance(
        b, loc, panel, f32,
        arith::MulIOp::create(
            b, loc, group, number(b, loc, segment.k * vectors * tile.lanes)));
    int64_t firstSum = int64_t(segment.first) * tile.unroll * tile.lanes;
    func::CallOp::create(
        b, loc, kernel,
        ValueRange{advance(b, loc, table, pointer, number(b, loc, column)),
                   number(b, loc, 8 * width), number(b, loc, segment.offset),
                   weights, number(b, loc, segment.k),
                   advance(b, loc, sums, f32, number(b, loc, firstSum)),
                   number(b, loc, 4 * sumElements(tile)), count});
  }
}

//===----------------------------------------------------------------------===//
// What is made of the sums
//===----------------------------------------------------------------------===//

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
  auto to = destinations(tile, block.getTerminator(), stored);
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
  for (unsigned i = 0; i < to.size(); ++i)
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
    for (auto [value, unused] : to) {
      Value run = element(value, at);
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

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

/// Asks for what the rows of one chunk read and write: they lie anywhere, and
/// no hardware guesses where.
void ComputeCode::emitPrefetch(const Tile &tile, Value table, Value first,
                               Value end) {
  Location loc = cell.getLoc();
  Type pointer = pointerType(b);
  SmallVector<int64_t> sizes; // in elements
  for (Value value : tile.rows)
    sizes.push_back(lastDim(value));
  sizes.append(destinations(tile, block.getTerminator(), stored).size(),
               tile.width);
  OpBuilder::InsertionGuard guard(b);
  Value last = arith::MinUIOp::create(
      b, loc, end,
      arith::AddIOp::create(b, loc, first, index(tile.chunk, loc)));
  auto rows = scf::ForOp::create(b, loc, first, last, index(1, loc));
  b.setInsertionPointToStart(rows.getBody());
  Value entry = advance(
      b, loc, table, pointer,
      arith::MulIOp::create(b, loc, wide(b, loc, rows.getInductionVar()),
                            number(b, loc, int64_t(sizes.size()))));
  constexpr int64_t line = 64 / sizeof(float);
  for (auto [i, size] : llvm::enumerate(sizes)) {
    Value row = LLVM::LoadOp::create(
        b, loc, pointer,
        advance(b, loc, entry, pointer, number(b, loc, int64_t(i))));
    bool isWritten = i >= tile.rows.size();
    for (int64_t at = 0; at < std::min(size, kMostPrefetched); at += line)
      LLVM::Prefetch::create(
          b, loc, advance(b, loc, row, b.getF32Type(), number(b, loc, at)),
          /*rw=*/isWritten, /*hint=*/2, /*cache=*/1);
  }
}

void ComputeCode::emitTileLoops(const Tile &tile, Value table, Value rows) {
  Location loc = cell.getLoc();
  Type pointer = pointerType(b), f32 = b.getF32Type();
  int64_t width = pointerCount(
      tile, destinations(tile, block.getTerminator(), stored).size());
  int64_t perRow = sumElements(tile), columns = tile.unroll * tile.lanes;
  SmallVector<Value> panels;
  for (const TileSegment &segment : tile.segments)
    panels.push_back(emitPanel(
        b, loc, worker, cell->getParentOfType<ModuleOp>(), tile, segment));
  Value sums = rt::ScratchOp::create(b, loc, pointer, worker,
                                     number(b, loc, 4 * tile.chunk * perRow));

  OpBuilder::InsertionGuard guard(b);
  Value zero = index(0, loc), one = index(1, loc);
  Value all = arith::IndexCastOp::create(b, loc, b.getIndexType(), rows);
  auto size = scf::IfOp::create(
      b, loc, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, all, one),
      /*withElseRegion=*/true);
  b.setInsertionPointToStart(size.thenBlock());
  emitOneRow(tile, panels, table, sums);
  b.setInsertionPointToStart(size.elseBlock());
  emitPrefetch(tile, table, zero, all);
  auto chunks = scf::ForOp::create(b, loc, zero, all, index(tile.chunk, loc));
  b.setInsertionPointToStart(chunks.getBody());
  Value first = chunks.getInductionVar();
  emitPrefetch(tile, table,
               arith::AddIOp::create(b, loc, first, index(tile.chunk, loc)),
               all);
  Value here =
      arith::MinUIOp::create(b, loc, arith::SubIOp::create(b, loc, all, first),
                             index(tile.chunk, loc));
  Value chunk = advance(b, loc, table, pointer,
                        arith::MulIOp::create(b, loc, wide(b, loc, first),
                                              number(b, loc, width)));
  auto groups = scf::ForOp::create(
      b, loc, zero, index(llvm::divideCeil(tile.width, columns), loc), one);
  b.setInsertionPointToStart(groups.getBody());
  Value group = groups.getInductionVar();
  Value column = arith::MinUIOp::create(
      b, loc, arith::MulIOp::create(b, loc, group, index(columns, loc)),
      index(tile.width - columns, loc));
  if (tile.mustClear)
    LLVM::MemsetOp::create(b, loc, sums,
                           arith::ConstantIntOp::create(b, loc, 0, 8),
                           arith::MulIOp::create(b, loc, wide(b, loc, here),
                                                 number(b, loc, 4 * perRow)),
                           /*isVolatile=*/false);
  emitSegments(tile, panels, chunk, wide(b, loc, group), sums,
               wide(b, loc, here));
  // The last rows may be the same one: made twice, it costs nothing, since one
  // row alone would wait for itself.
  auto each = scf::ForOp::create(b, loc, zero, here, index(kRowsTogether, loc));
  b.setInsertionPointToStart(each.getBody());
  Value last = arith::SubIOp::create(b, loc, here, one);
  SmallVector<TileRow> together;
  for (int64_t i = 0; i < kRowsTogether; ++i) {
    Value r = arith::MinUIOp::create(
        b, loc,
        arith::AddIOp::create(b, loc, each.getInductionVar(), index(i, loc)),
        last);
    auto rowOf = [&](Value base, Type type, int64_t elements) {
      return advance(b, loc, base, type,
                     arith::MulIOp::create(b, loc, wide(b, loc, r),
                                           number(b, loc, elements)));
    };
    together.push_back(
        {rowOf(chunk, pointer, width), rowOf(sums, f32, perRow), {}});
  }
  emitRowResults(tile, together, column);
}

/// A batch of one row: two groups of columns at a time.
void ComputeCode::emitOneRow(const Tile &tile, ArrayRef<Value> panels,
                             Value table, Value sums) {
  Location loc = cell.getLoc();
  Type f32 = b.getF32Type(), pointer = pointerType(b);
  auto module = cell->getParentOfType<ModuleOp>();
  int64_t columns = tile.unroll * tile.lanes, perRow = sumElements(tile);
  int64_t groups = llvm::divideCeil(tile.width, columns);
  OpBuilder::InsertionGuard guard(b);
  auto pairs = scf::ForOp::create(b, loc, index(0, loc), index(groups, loc),
                                  index(2, loc));
  b.setInsertionPointToStart(pairs.getBody());
  Value first = pairs.getInductionVar();
  Value second = arith::MinUIOp::create(
      b, loc, arith::AddIOp::create(b, loc, first, index(1, loc)),
      index(groups - 1, loc));
  auto columnOf = [&](Value group) -> Value {
    return arith::MinUIOp::create(
        b, loc, arith::MulIOp::create(b, loc, group, index(columns, loc)),
        index(tile.width - columns, loc));
  };
  Value column = columnOf(first);
  Value shift =
      wide(b, loc, arith::SubIOp::create(b, loc, columnOf(second), column));
  Value apart = wide(b, loc, arith::SubIOp::create(b, loc, second, first));
  if (tile.mustClear)
    LLVM::MemsetOp::create(
        b, loc, sums, arith::ConstantIntOp::create(b, loc, 0, 8),
        number(b, loc, 2 * 4 * perRow), /*isVolatile=*/false);
  for (auto [segment, panel] : llvm::zip_equal(tile.segments, panels)) {
    int64_t vectors = int64_t(segment.rows.size()) * tile.unroll;
    int64_t size = segment.k * vectors * tile.lanes;
    auto row = llvm::find(tile.rows, segment.x) - tile.rows.begin();
    int64_t firstSum = int64_t(segment.first) * tile.unroll * tile.lanes;
    func::CallOp::create(
        b, loc,
        pairKernel(b, module, vectors, segment.begun * tile.unroll, tile.lanes,
                   target),
        ValueRange{
            advance(b, loc, table, pointer, number(b, loc, row)),
            arith::MulIOp::create(b, loc, apart, number(b, loc, 4 * size)),
            number(b, loc, segment.offset),
            advance(b, loc, panel, f32,
                    arith::MulIOp::create(b, loc, wide(b, loc, first),
                                          number(b, loc, size))),
            number(b, loc, segment.k),
            advance(b, loc, sums, f32, number(b, loc, firstSum)),
            number(b, loc, 4 * perRow)});
  }
  emitRowResults(
      tile,
      {{table, sums, {}},
       {table, advance(b, loc, sums, f32, number(b, loc, perRow)), shift}},
      column);
}

void ComputeCode::emitTile(const Tile &tile) {
  Location loc = cell.getLoc();
  for (Value result : tile.results) {
    if (!tile.isRaw) {
      if (stored.contains(result))
        places[result] = allocate(result);
      continue;
    }
    Scratch sums;
    sums.element = b.getF32Type();
    auto type = cast<RankedTensorType>(result.getType());
    sums.unit = tile.width;
    if (type.hasStaticShape())
      sums.unit = type.getNumElements();
    Value rows = rowCapacity(tile);
    if (!type.hasStaticShape())
      sums.starts = starts[result];
    sums.base = rt::ScratchOp::create(
        b, loc, pointerType(b), worker,
        arith::MulIOp::create(b, loc, rows, number(b, loc, 4 * tile.width)));
    productRows[result] = sums;
  }
  Value rows;
  Value table = emitRowTable(tile, rows);
  emitTileLoops(tile, table, rows);
  for (auto [value, output] :
       destinations(tile, block.getTerminator(), stored)) {
    if (output)
      finished.insert(*output);
    else if (!tile.isRaw)
      scratch[value] = places[value];
  }
}
