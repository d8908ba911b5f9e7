//===- TileVectors.cpp - Vectors and chunks of rows of a tile -------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tiles.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace amp;

// A panel's group and the elements of the rows that it meets stay in the first
// cache together.
static constexpr int64_t kCacheBytes = 28 << 10;
// Rows that meet a panel before it gives way to the next: few enough to stay in
// the first cache beside it; more where all panels together do not stay in the
// second, so that they are fetched less often. Multiples of most calls' rows
// (tileRows).
static constexpr int64_t kChunkRows = 24, kManyChunkRows = 60;
static constexpr int64_t kSecondCacheBytes = 512 << 10;
// Rows that one call multiplies; beyond, addresses leave the registers.
static constexpr int64_t kMostRows = 8;

int64_t amp::tileRows(int64_t vectors, const VectorTarget &target) {
  int64_t rows = 1;
  auto registers = [&](int64_t n) {
    return n * vectors + std::min(n, vectors) + 1;
  };
  while (rows < kMostRows && registers(rows + 1) <= target.registers)
    ++rows;
  return rows;
}

/// Columns behind the last whole group.
static int64_t columnsLeft(const Tile &tile) {
  return tile.width % tile.groupColumns();
}

/// Whether one vector can hold the columns that are left for all slices of a
/// segment.
static bool canJoinTail(const Tile &tile) {
  int64_t left = columnsLeft(tile);
  return llvm::isPowerOf2_64(left) &&
         llvm::all_of(tile.segments, [&](const TileSegment &each) {
           unsigned count = each.rows.size();
           return count > 1 && (each.begun == 0 || each.begun == count) &&
                  left * count <= tile.lanes;
         });
}

/// Whether a group of fewer vectors for what is left saves a twentieth of all:
/// it is more code.
static bool canNarrowTail(const Tile &tile) {
  int64_t left = llvm::divideCeil(columnsLeft(tile), tile.lanes);
  int64_t all = llvm::divideCeil(tile.width, tile.groupColumns()) * tile.unroll;
  return left && (tile.unroll - left) * 20 > all;
}

void amp::chooseVectors(Tile &tile, const VectorTarget &target) {
  unsigned most = 1, least = kMostSlices;
  for (const TileSegment &segment : tile.segments) {
    most = std::max(most, unsigned(segment.rows.size()));
    least = std::min(least, unsigned(segment.rows.size()));
  }
  tile.lanes =
      std::min<int64_t>(target.lanes, llvm::bit_floor(uint64_t(tile.width)));
  int64_t room = target.registers >= 32 ? 4 : 2;
  tile.unroll = std::max<int64_t>(room / most, 1);
  // With a single vector there are more loads than sums.
  if (least * tile.unroll == 1 && 2 * most <= kMostSlices)
    tile.unroll = 2;
  while (tile.unroll > 1 && tile.groupColumns() > tile.width)
    tile.unroll /= 2;
  // Long sums in parts whose panels stay in the cache.
  SmallVector<TileSegment> pieces;
  for (const TileSegment &segment : tile.segments) {
    int64_t elements =
        int64_t(segment.rows.size()) * tile.groupColumns() + kChunkRows;
    int64_t parts = llvm::divideCeil(segment.k * elements * 4, kCacheBytes);
    for (int64_t part = 0; part < parts; ++part) {
      int64_t begin = segment.k * part / parts;
      TileSegment piece = segment;
      piece.offset += begin;
      piece.k = segment.k * (part + 1) / parts - begin;
      for (int64_t &row : piece.rows)
        row += begin;
      pieces.push_back(piece);
    }
  }
  tile.segments = std::move(pieces);
  int64_t weights = 0;
  for (const TileSegment &segment : tile.segments)
    weights += segment.k * int64_t(segment.rows.size()) * tile.width * 4;
  tile.chunk = weights > kSecondCacheBytes ? kManyChunkRows : kChunkRows;
  // Sums begin at zero where they are met first; the kernels know it of those
  // that come last in a segment.
  llvm::BitVector begun(tile.slices.size());
  for (TileSegment &segment : tile.segments) {
    unsigned end = segment.first + segment.rows.size();
    segment.begun = llvm::count_if(llvm::seq(segment.first, end),
                                   [&](unsigned i) { return begun.test(i); });
    tile.mustClear |=
        begun.find_first_in(segment.first + segment.begun, end) != -1;
    begun.set(segment.first, end);
  }
  if (tile.mustClear)
    for (TileSegment &segment : tile.segments)
      segment.begun = segment.rows.size();
  // Without a tail the last group repeats columns.
  tile.joinsTail = canJoinTail(tile);
  if (tile.joinsTail || canNarrowTail(tile))
    tile.tail = columnsLeft(tile);
}

Tile amp::tailOf(const Tile &tile) {
  Tile made = tile;
  if (tile.joinsTail)
    made.lanes = tile.tail;
  made.unroll = llvm::divideCeil(tile.tail, made.lanes);
  made.width = made.groupColumns();
  made.first = tile.width - made.width;
  made.tail = 0;
  return made;
}
