//===- ComputeCode.h - The compute function of a cell -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A cell's compute function runs in stages. A stage is one loop over the
// activations, in which element-wise work is fused; the products whose inputs
// the stage has gathered follow, one call each, and the next stage reads their
// results. Values that no product and no whole-tensor op needs in memory are
// never stored (CellOpInterface).
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOAMPRT_COMPUTECODE_H
#define AMP_LIB_CONVERSION_AMPTOAMPRT_COMPUTECODE_H

#include "FrameCode.h"

#include "amp/Conversion/CellEmitter.h"

#include "llvm/ADT/SetVector.h"

namespace amp {

/// Memory for one value of every activation, one behind the other.
struct Scratch {
  mlir::Value base;
  mlir::Value starts; ///< Where shapes vary: i64 start of each activation's
                      ///< elements in units of `unit`; else null.
  int64_t unit = 1;   ///< Elements of an activation, or of a row.
};

class ComputeCode : public CellEmitter {
public:
  ComputeCode(mlir::OpBuilder &b, const Bodies &bodies, const Body &body,
              CellOp cell)
      : CellEmitter(b), bodies(bodies), body(body), cell(cell),
        block(cell.getBody().front()) {}

  void emit(mlir::func::FuncOp function);
  bool hasProduct() const { return !products.empty(); }

  mlir::Value scalar(mlir::Value value) override;

protected:
  std::optional<CellBuffer> memory(mlir::Value value) override;
  mlir::Value inputDim(mlir::Value value, unsigned dim) override;
  mlir::Value virtualElement(mlir::Value value,
                             llvm::ArrayRef<mlir::Value> indices) override;

private:
  void plan();
  void emitStage(unsigned level);
  void emitOutputs(unsigned level);
  void emitProducts(unsigned level);
  void emitStarts(mlir::Value value, int64_t unit);
  void activations(llvm::function_ref<void()> body);
  mlir::Value elementCount(mlir::Value value);
  CellBuffer whole(mlir::Value base, mlir::Value tensor);
  mlir::Value start(const Scratch &scratch);
  CellBuffer buffer(const Scratch &place, mlir::Value value);
  mlir::Value allocateOutput(unsigned result);
  bool isProduct(mlir::Value value) {
    auto op = value.getDefiningOp<CellOpInterface>();
    return op && op.getProductParam();
  }
  bool isWholeTensor(mlir::Value value) {
    auto op = value.getDefiningOp<CellOpInterface>();
    return op && !op.isVirtual() && !isProduct(value);
  }

  const Bodies &bodies;
  const Body &body;
  CellOp cell;
  mlir::Block &block;
  mlir::Value worker, batch, count;

  llvm::DenseMap<mlir::Value, unsigned>
      levels;                          ///< Products before it can be made.
  llvm::SetVector<mlir::Value> stored; ///< In scratch memory, in order.
  llvm::SmallVector<mlir::Operation *> products;
  unsigned lastLevel = 0;

  llvm::DenseMap<mlir::Value, Scratch> scratch;     ///< Of stored values.
  llvm::DenseMap<mlir::Value, Scratch> productRows; ///< Without bias.
  llvm::DenseMap<mlir::Value, mlir::Value> starts;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>>
      uniform; ///< Words.

  // Of the current activation.
  mlir::Value activation, frame;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>>
      inputs; ///< Words.
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
};

} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOAMPRT_COMPUTECODE_H
