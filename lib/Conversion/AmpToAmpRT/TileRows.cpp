//===- TileRows.cpp - The rows that a tile reads and writes ---------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ComputeCode.h"
#include "TileEmit.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace amp;
using namespace amp::tile;

// Elements of a row that are asked for; from there on its order is noticed.
static constexpr int64_t kMostPrefetched = 512;

/// Known only when all that is stored is.
void ComputeCode::findDestinations(Tile &tile) {
  auto add = [&](Value result, std::optional<unsigned> output) {
    for (int64_t column = 0; column < lastDim(result); column += tile.width)
      tile.destinations.push_back({result, output, column});
  };
  for (Value result : tile.results) {
    if (tile.isRaw || stored.contains(result))
      add(result, std::nullopt);
    if (tile.isRaw)
      continue;
    for (OpOperand &operand : block.getTerminator()->getOpOperands())
      if (operand.get() == result)
        add(result, operand.getOperandNumber());
  }
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
  int64_t width = tile.pointerCount();
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
    emitChecks([&](Operation *op) { return tile.ops.contains(op); });
    SmallVector<std::pair<Value, int64_t>> bases; // with elements per row
    bool mayLackMemory = false;
    for (Value value : tile.rows) {
      auto found = scratch.find(value);
      bases.push_back({found != scratch.end()
                           ? buffer(found->second, value).base
                           : inputs[value][0],
                       lastDim(value)});
    }
    Value whole; // what the destination's columns are of
    for (auto [value, output, column] : tile.destinations) {
      if (column == 0 && output) {
        whole = allocateOutput(*output);
        mayLackMemory |=
            !cast<RankedTensorType>(value.getType()).hasStaticShape();
      } else if (column == 0) {
        whole = buffer(tile.isRaw ? productRows.find(value)->second
                                  : places.find(value)->second,
                       value)
                    .base;
      }
      bases.push_back({column == 0 ? whole
                                   : advance(b, loc, whole, b.getF32Type(),
                                             number(b, loc, column)),
                       lastDim(value)});
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
      least = lesser(loc, least, dim(value, 0));
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

/// Asks for what the rows of one chunk read and write: they lie anywhere, and
/// no hardware guesses where.
void ComputeCode::emitPrefetch(const Tile &tile, Value table, Value first,
                               Value end) {
  Location loc = cell.getLoc();
  Type pointer = pointerType(b);
  SmallVector<int64_t> sizes; // in elements
  for (Value value : tile.rows)
    sizes.push_back(lastDim(value));
  sizes.append(tile.destinations.size(), tile.width);
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
