//===- Tiles.h - Generated products of a cell -------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A *tile* is products of one stage, over all rows of a batch, with the
// element-wise work that reads their results. Rows are reached through
// pointers, so nothing is gathered; the columns of several products, or of
// several gates of one, lie side by side in packed panels, so that a group of
// columns holds everything that an element of the results needs (architecture,
// section 7).
//
//   for a chunk of rows
//     for a group of columns
//       for a segment: sums[row][its slices] += x[row] * panel[group]
//       for a row: results = element-wise work on sums[row]
//
// Columns that are left behind the last group are a tile of one narrow group, of
// fewer vectors or of some that hold several slices (tailOf).
//
// The sums of a chunk and the group's panel stay in the first cache. Every sum
// is made in the order of k, whatever rows it shares the call with.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOAMPRT_TILES_H
#define AMP_LIB_CONVERSION_AMPTOAMPRT_TILES_H

#include "amp/Conversion/VectorTarget.h"
#include "amp/Dialect/Amp/IR/AmpInterfaces.h"
#include "amp/Dialect/Amp/IR/Factor.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace amp {

/// Columns [offset, offset + width) of a product, without its bias.
struct TileSlice {
  mlir::Operation *product;
  int64_t offset;
  bool operator==(const TileSlice &other) const {
    return product == other.product && offset == other.offset;
  }
};

/// Elements [offset, offset + k) of the rows of `x`, times rows from `row(i)`
/// on of each slice's weights, are added to slices [first, first +
/// rows.size()).
struct TileSegment {
  mlir::Value x;
  int64_t offset, k;
  unsigned first;
  llvm::SmallVector<int64_t> rows; ///< Of a slice's weights.
  unsigned begun; ///< The slices before this one have sums; the others do not.
};

/// Where the tile's columns of each row of a result go, from `column` on: to an
/// output, or else to scratch memory.
struct TileDestination {
  mlir::Value value;
  std::optional<unsigned> output; ///< Its number.
  int64_t column;
};

struct Tile {
  unsigned level; ///< The stage of its products.
  int64_t width;  ///< Columns of each slice; results have once or more as many.
  bool isBlock;   ///< Its values are [rows, columns], else [columns].
  bool isRaw;     ///< The result is a product's sums, without bias.
  bool mustClear; ///< Sums are set to zero beforehand.
  int64_t chunk;  ///< Rows that meet a panel while it is in the first cache.
  int64_t lanes, unroll; ///< A group is `unroll` vectors of each slice.
  int64_t first = 0;     ///< The column where its groups begin.
  int64_t tail = 0;      ///< Columns behind its groups, for tailOf.
  bool joinsTail = false; ///< There a vector holds those of several slices.
  llvm::SetVector<mlir::Value> results;
  llvm::SetVector<mlir::Value> rows; ///< What is read through row pointers.
  llvm::SmallVector<TileSlice> slices;
  llvm::SmallVector<TileSegment> segments;
  llvm::SetVector<mlir::Operation *> ops; ///< What makes the results.
  llvm::SmallVector<TileDestination> destinations;

  /// Columns of the row table: what is read, then what is written.
  int64_t pointerCount() const {
    return int64_t(rows.size() + destinations.size());
  }
  int64_t groupColumns() const { return unroll * lanes; }
  /// Made by tailOf.
  bool isTail() const { return first > 0; }
};

/// What a stage of a cell knows when its tiles are chosen.
struct TileInput {
  mlir::Block &block;
  const llvm::DenseMap<mlir::Value, unsigned> &levels;
  llvm::ArrayRef<mlir::Operation *> products;
  /// In scratch memory; the choice adds to it what tiles must find there.
  llvm::SetVector<mlir::Value> &stored;
};

/// The tiles of the products of one stage. Products that are in none are to be
/// left to the library.
llvm::SmallVector<Tile, 0> planTiles(const TileInput &input, unsigned level,
                                     const VectorTarget &target);

/// Slices that one kernel adds to; more are split.
constexpr unsigned kMostSlices = 4;

/// Chooses vectors, the rows of a chunk and how sums begin, and cuts segments
/// whose panels would not stay in the cache, of a tile that has its slices,
/// segments and width.
void chooseVectors(Tile &tile, const VectorTarget &target);

/// The last columns of a tile with a tail, as one group. Either it is a vector
/// of as many elements as it has columns, and a kernel's vector those of all
/// slices that a segment adds to (joinsTail); or as many vectors as hold the
/// columns, the first of which may repeat some of the group before.
Tile tailOf(const Tile &tile);

/// Rows of one call of the innermost kernel, for so many vectors of sums: all
/// stay in registers, with a vector of weights and an element of each row (or
/// the other way round).
int64_t tileRows(int64_t vectors, const VectorTarget &target);

} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOAMPRT_TILES_H
