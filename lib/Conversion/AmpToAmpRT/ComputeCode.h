//===- ComputeCode.h - The compute function of a cell -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A cell's compute function runs in stages. A stage is one loop over the
// activations, in which element-wise work is fused; the products whose inputs
// the stage has gathered follow, and the next stage reads their results.
// Products are generated, with the element-wise work behind them (Tiles.h), or
// else one call of the library each. Values that no product and no whole-tensor
// op needs in memory are never stored (CellOpInterface).
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOAMPRT_COMPUTECODE_H
#define AMP_LIB_CONVERSION_AMPTOAMPRT_COMPUTECODE_H

#include "FrameCode.h"
#include "Lifetimes.h"
#include "Tiles.h"

#include "amp/Conversion/CellEmitter.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace amp {

/// Memory for one value of every activation, one behind the other.
struct Scratch {
  mlir::Value base;
  mlir::Value starts; ///< Where shapes vary: i64 start of each activation's
                      ///< elements in units of `unit`; else null.
  int64_t unit = 1;   ///< Elements of an activation, or of a row.
  mlir::Type element; ///< If not the value's own: what products read and give.
};

/// A row of a tile.
struct TileRow {
  mlir::Value pointers; ///< Its part of the row table.
  mlir::Value sums;     ///< Of its group of columns.
  mlir::Value shift;    ///< Its columns are so many (i64) further; null: none.
};

class ComputeCode : public CellEmitter {
public:
  ComputeCode(mlir::OpBuilder &b, const Bodies &bodies, const Body &body,
              CellOp cell, const Lifetimes &lifetimes,
              const VectorTarget &target)
      : CellEmitter(b), bodies(bodies), body(body), cell(cell),
        block(cell.getBody().front()), lifetimes(lifetimes), target(target) {}

  void emit(mlir::func::FuncOp function);
  bool hasProduct() const { return !products.empty(); }

  mlir::Value scalar(mlir::Value value) override;
  void setScalar(mlir::Value value, mlir::Value known) override {
    scalars[value] = known;
  }
  void check(mlir::Location loc, llvm::StringRef message,
             mlir::Value condition) override;
  void ifInRange(mlir::Location loc, llvm::StringRef what, mlir::Value value,
                 mlir::Value limit, llvm::function_ref<void()> body) override;
  mlir::Value getWorker() override { return worker; }
  mlir::Value instanceSeed(mlir::Location loc) override;
  CellBuffer temporary(mlir::Location loc, mlir::Type element,
                       llvm::ArrayRef<mlir::Value> shape) override;

protected:
  std::optional<CellBuffer> memory(mlir::Value value) override;
  mlir::Value inputDim(mlir::Value value, unsigned dim) override;
  mlir::Value virtualElement(mlir::Value value,
                             llvm::ArrayRef<mlir::Value> indices) override;
  mlir::Value runElement(mlir::Value value,
                         llvm::ArrayRef<mlir::Value> indices) override;
  bool makesRuns() override { return row.tile; }

private:
  void plan();
  llvm::DenseMap<mlir::Operation *, unsigned> latestLevels();
  void assignLevels(const llvm::DenseMap<mlir::Operation *, unsigned> &least);
  void chooseTiles();
  void findDestinations(Tile &tile);
  mlir::Value columnOf(const Tile &tile, mlir::Value group);
  void reportProducts();
  void emitStage(unsigned level);
  void emitChecks(llvm::function_ref<bool(mlir::Operation *)> isDue);
  void emitStored(mlir::Value value);
  void emitChoice(mlir::Operation *product);
  void emitOutputs(unsigned level);
  void emitOutput(unsigned number, mlir::Value value);
  void emitProducts(unsigned level);
  void emitTile(const Tile &tile);
  mlir::Value emitRowTable(const Tile &tile, mlir::Value &rows);
  mlir::Value rowCapacity(const Tile &tile);
  void emitPrefetch(const Tile &tile, mlir::Value table, mlir::Value first,
                    mlir::Value end);
  llvm::SmallVector<mlir::Value> emitPanels(const Tile &tile);
  void emitTileLoops(const Tile &tile, mlir::Value table, mlir::Value rows);
  void emitSegments(const Tile &tile, llvm::ArrayRef<mlir::Value> panels,
                    mlir::Value table, mlir::Value group, mlir::Value sums,
                    mlir::Value count);
  void emitGroup(const Tile &tile, llvm::ArrayRef<mlir::Value> panels,
                 mlir::Value chunk, mlir::Value group, mlir::Value sums,
                 mlir::Value here);
  void emitOneRow(const Tile &tile, llvm::ArrayRef<mlir::Value> panels,
                  mlir::Value table, mlir::Value sums);
  void emitRowResults(const Tile &tile, llvm::ArrayRef<TileRow> rows,
                      mlir::Value column);
  void emitStarts(mlir::Value value, int64_t unit);
  void activations(llvm::function_ref<void()> body);
  mlir::Value elementCount(mlir::Value value);
  CellBuffer whole(mlir::Value base, mlir::Value tensor);
  mlir::Value start(const Scratch &scratch);
  CellBuffer buffer(const Scratch &place, mlir::Value value);
  mlir::Value allocateOutput(unsigned result);
  mlir::Value allocateInBlock(mlir::Value result,
                              llvm::ArrayRef<mlir::Value> members);
  /// The stage in which what an op needs is there.
  unsigned stageOf(mlir::Operation *op) {
    if (op->getNumResults() == 0)
      return effects.lookup(op);
    mlir::Value result = op->getResult(0);
    return levels.lookup(result) - (isProduct(result) ? 1 : 0);
  }
  Scratch allocate(mlir::Value value);
  bool isProduct(mlir::Operation *op) {
    auto cellOp = llvm::dyn_cast_or_null<CellOpInterface>(op);
    return cellOp && cellOp.getProductParam();
  }
  bool isProduct(mlir::Value value) { return isProduct(value.getDefiningOp()); }
  bool isWholeTensor(mlir::Value value) {
    auto op = value.getDefiningOp<CellOpInterface>();
    return op && !op.isVirtual() && !isProduct(value);
  }

  const Bodies &bodies;
  const Body &body;
  CellOp cell;
  mlir::Block &block;
  const Lifetimes &lifetimes;
  const VectorTarget &target;
  mlir::Value worker, batch, count;

  llvm::DenseMap<mlir::Value, unsigned>
      levels;                          ///< Products before it can be made.
  /// Ops without results, and the stage in which what they need is there.
  llvm::MapVector<mlir::Operation *, unsigned> effects;
  llvm::SetVector<mlir::Value> stored; ///< In scratch memory, in order.
  llvm::SmallVector<mlir::Operation *> products;
  llvm::SmallVector<Tile, 0> tiles;
  llvm::SmallPtrSet<mlir::Operation *, 4> tiled; ///< Products in tiles.
  llvm::SmallDenseSet<unsigned> finished; ///< Outputs that tiles have made.
  llvm::DenseSet<mlir::Value> allocatedBlocks; ///< By their first members.
  unsigned lastLevel = 0;

  llvm::DenseMap<mlir::Value, Scratch> scratch;       ///< Of stored values.
  llvm::DenseMap<mlir::Value, Scratch> productRows;   ///< Without bias.
  llvm::DenseMap<mlir::Operation *, Scratch> choices; ///< i32 of each row.
  llvm::DenseMap<mlir::Value, Scratch> places; ///< Of what is to be stored.
  llvm::SmallVector<mlir::Operation *> unchecked;
  llvm::DenseMap<mlir::Value, mlir::Value> starts;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>>
      uniform; ///< Words.

  /// Of the rows whose results a tile makes side by side.
  struct {
    const Tile *tile = nullptr;
    llvm::ArrayRef<TileRow> rows;
    mlir::Value column;  ///< The first one of the run.
    unsigned vector = 0; ///< Of the group's vectors.
    llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> pointers;
  } row;

  // Of the current activation.
  mlir::Value activation, frame;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>>
      inputs; ///< Words.
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
};

} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOAMPRT_COMPUTECODE_H
