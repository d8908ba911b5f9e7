//===- TileCode.cpp - Products with the work behind them, by rows ---------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CellCode.h"
#include "ComputeCode.h"
#include "TileEmit.h"
#include "TileKernels.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace amp;
using namespace amp::tile;

/// Rows whose element-wise work is interleaved: an exponential and a division
/// wait for one another most of the time. More where they have few columns.
static int64_t rowsTogether(const Tile &tile, const VectorTarget &target) {
  return std::max<int64_t>(2, std::min<int64_t>(8, target.lanes / tile.lanes));
}

/// Of the groups of a tile, without its tail.
static int64_t groupCount(const Tile &tile) {
  return llvm::divideCeil(tile.width - tile.tail, tile.groupColumns());
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

/// The packed weights of a segment; equal ones are shared by all cells.
static Value emitPanel(OpBuilder &b, Location loc, Value worker,
                       ModuleOp module, const Tile &tile,
                       const TileSegment &segment) {
  SmallVector<Attribute> params;
  SmallVector<int64_t> columns;
  SmallVector<bool> transposed;
  std::string name = "panel";
  for (auto [i, row] : llvm::enumerate(segment.rows)) {
    TileSlice slice = tile.slices[segment.first + i];
    FlatSymbolRefAttr param =
        cast<CellOpInterface>(slice.product).getProductParam();
    params.push_back(param);
    columns.push_back(slice.offset + tile.first);
    transposed.push_back(isTransposed(slice.product));
    name += ("." + param.getValue() + (transposed.back() ? ".t." : ".") +
             Twine(row) + "." + Twine(columns.back()))
                .str();
  }
  int64_t width = tile.width - tile.tail;
  name += (".k" + Twine(segment.k) + "n" + Twine(width) + "." +
           Twine(tile.unroll) + "x" + Twine(tile.lanes))
              .str();
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(module.getBody());
    rt::PanelOp::create(b, loc, name, b.getArrayAttr(params), segment.rows,
                        columns, transposed, segment.k, width, tile.lanes,
                        tile.unroll);
  }
  return rt::PanelDataOp::create(b, loc, pointerType(b), worker, name);
}

SmallVector<Value> ComputeCode::emitPanels(const Tile &tile) {
  SmallVector<Value> panels;
  for (const TileSegment &segment : tile.segments)
    panels.push_back(emitPanel(b, cell.getLoc(), worker,
                               cell->getParentOfType<ModuleOp>(), tile,
                               segment));
  return panels;
}

/// Elements of a segment's panel for one group.
static int64_t panelElements(const Tile &tile, const TileSegment &segment) {
  return segment.k * int64_t(segment.rows.size()) * tile.groupColumns();
}

/// Adds to the sums of `count` rows, whose pointers begin at `table`.
void ComputeCode::emitSegments(const Tile &tile, ArrayRef<Value> panels,
                               Value table, Value group, Value sums,
                               Value count) {
  Location loc = cell.getLoc();
  Type f32 = b.getF32Type(), pointer = pointerType(b);
  auto module = cell->getParentOfType<ModuleOp>();
  int64_t width = tile.pointerCount();
  auto panelOf = [&](size_t i, Value group) {
    return advance(b, loc, panels[i], f32,
                   arith::MulIOp::create(
                       b, loc, group,
                       number(b, loc, panelElements(tile, tile.segments[i]))));
  };
  Value nextGroup = arith::AddIOp::create(b, loc, group, number(b, loc, 1));
  for (auto [i, segment] : llvm::enumerate(tile.segments)) {
    auto slices = int64_t(segment.rows.size());
    bool isJoined = tile.isTail() && tile.joinsTail;
    int64_t together = isJoined ? slices : 1; // in a vector
    func::FuncOp kernel = productKernel(
        b, module, slices * tile.unroll / together,
        segment.begun * tile.unroll / together, tile.lanes * together, target);
    auto column = llvm::find(tile.rows, segment.x) - tile.rows.begin();
    int64_t firstSum = int64_t(segment.first) * tile.groupColumns();
    // Behind the last group there is nothing; to ask for it does no harm.
    size_t next = (i + 1) % tile.segments.size();
    Value ahead = panelOf(next, next ? group : nextGroup);
    func::CallOp::create(
        b, loc, kernel,
        ValueRange{advance(b, loc, table, pointer, number(b, loc, column)),
                   number(b, loc, 8 * width), number(b, loc, segment.offset),
                   panelOf(i, group), number(b, loc, segment.k),
                   advance(b, loc, sums, f32, number(b, loc, firstSum)),
                   number(b, loc, 4 * sumElements(tile)), ahead,
                   number(b, loc, 4 * panelElements(tile, tile.segments[next])),
                   count});
  }
}

/// The first column of a group; the last one ends with the last column.
Value ComputeCode::columnOf(const Tile &tile, Value group) {
  Location loc = cell.getLoc();
  if (tile.isTail())
    return index(tile.first, loc);
  int64_t columns = tile.groupColumns();
  return arith::MinUIOp::create(
      b, loc, arith::MulIOp::create(b, loc, group, index(columns, loc)),
      index(tile.width - tile.tail - columns, loc));
}

void ComputeCode::emitTileLoops(const Tile &tile, Value table, Value rows) {
  Location loc = cell.getLoc();
  Type pointer = pointerType(b);
  SmallVector<Value> panels = emitPanels(tile), tailPanels;
  std::optional<Tile> tail;
  if (tile.tail) {
    tail = tailOf(tile);
    tailPanels = emitPanels(*tail);
  }
  Value sums =
      rt::ScratchOp::create(b, loc, pointer, worker,
                            number(b, loc, 4 * tile.chunk * sumElements(tile)));

  OpBuilder::InsertionGuard guard(b);
  Value zero = index(0, loc), one = index(1, loc);
  Value all = arith::IndexCastOp::create(b, loc, b.getIndexType(), rows);
  auto size = scf::IfOp::create(
      b, loc, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, all, one),
      /*withElseRegion=*/true);
  b.setInsertionPointToStart(size.thenBlock());
  emitOneRow(tile, panels, table, sums);
  if (tail)
    emitGroup(*tail, tailPanels, table, zero, sums, one);
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
  Value chunk =
      advance(b, loc, table, pointer,
              arith::MulIOp::create(b, loc, wide(b, loc, first),
                                    number(b, loc, tile.pointerCount())));
  auto groups =
      scf::ForOp::create(b, loc, zero, index(groupCount(tile), loc), one);
  b.setInsertionPointToStart(groups.getBody());
  emitGroup(tile, panels, chunk, groups.getInductionVar(), sums, here);
  b.setInsertionPointAfter(groups);
  if (tail)
    emitGroup(*tail, tailPanels, chunk, zero, sums, here);
}

/// One group of columns for `here` (index) rows, whose pointers begin at
/// `chunk`.
void ComputeCode::emitGroup(const Tile &tile, ArrayRef<Value> panels,
                            Value chunk, Value group, Value sums, Value here) {
  Location loc = cell.getLoc();
  Type pointer = pointerType(b), f32 = b.getF32Type();
  int64_t width = tile.pointerCount(), perRow = sumElements(tile);
  OpBuilder::InsertionGuard guard(b);
  Value column = columnOf(tile, group);
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
  int64_t count = rowsTogether(tile, target);
  auto each =
      scf::ForOp::create(b, loc, index(0, loc), here, index(count, loc));
  b.setInsertionPointToStart(each.getBody());
  Value last = arith::SubIOp::create(b, loc, here, index(1, loc));
  SmallVector<TileRow> together;
  for (int64_t i = 0; i < count; ++i) {
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

/// A batch of one row: two groups of columns at a time, without the tail.
void ComputeCode::emitOneRow(const Tile &tile, ArrayRef<Value> panels,
                             Value table, Value sums) {
  Location loc = cell.getLoc();
  Type f32 = b.getF32Type(), pointer = pointerType(b);
  auto module = cell->getParentOfType<ModuleOp>();
  int64_t perRow = sumElements(tile), groups = groupCount(tile);
  OpBuilder::InsertionGuard guard(b);
  auto pairs = scf::ForOp::create(b, loc, index(0, loc), index(groups, loc),
                                  index(2, loc));
  b.setInsertionPointToStart(pairs.getBody());
  Value first = pairs.getInductionVar();
  Value second = arith::MinUIOp::create(
      b, loc, arith::AddIOp::create(b, loc, first, index(1, loc)),
      index(groups - 1, loc));
  Value column = columnOf(tile, first);
  Value shift = wide(
      b, loc, arith::SubIOp::create(b, loc, columnOf(tile, second), column));
  Value apart = wide(b, loc, arith::SubIOp::create(b, loc, second, first));
  if (tile.mustClear)
    LLVM::MemsetOp::create(
        b, loc, sums, arith::ConstantIntOp::create(b, loc, 0, 8),
        number(b, loc, 2 * 4 * perRow), /*isVolatile=*/false);
  for (auto [segment, panel] : llvm::zip_equal(tile.segments, panels)) {
    int64_t vectors = int64_t(segment.rows.size()) * tile.unroll;
    int64_t size = panelElements(tile, segment);
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
  for (auto [value, output, unused] : tile.destinations) {
    if (output)
      finished.insert(*output);
    else if (!tile.isRaw)
      scratch[value] = places[value];
  }
}
