//===- BackwardBody.h - The backward pass of one body -----------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The backward pass of a body stands behind its forward pass, in the same block:
// what it reads of that are values like any other, and the frame that holds them
// is the tape. What comes from outside (gradients of what leaves the body) are
// further arguments, whose tokens come later; calls, loops and maps get a second
// half, amp.backward, that gives them.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_DIFFERENTIATE_BACKWARDBODY_H
#define AMP_LIB_DIALECT_AMP_DIFFERENTIATE_BACKWARDBODY_H

#include "Accumulator.h"
#include "Activity.h"
#include "Tapes.h"

namespace amp {

/// What all bodies of a module share.
struct Differentiation {
  const Activity &activity;
  llvm::DenseMap<mlir::StringAttr, Adjoints> graphs;
};

class BackwardBody : private AdjointEmitter {
public:
  BackwardBody(const Differentiation &all, mlir::Block *block);

  /// Adds to the gradient of a value that leaves the body.
  void seed(mlir::Value value, mlir::Value gradient);
  /// Says which argument holds the gradient of the rows of a collector that is
  /// an argument itself.
  void seedCollector(mlir::Value collector, mlir::Value gradient) {
    collectors[collector] = gradient;
  }
  /// Emits the backward pass.
  mlir::LogicalResult run();

  /// The gradient of an argument of the body, or zeros.
  mlir::Value totalOrZeros(mlir::Value value);

  /// A row of a value from outside that grows by a row in each activation.
  struct CapturedRow {
    mlir::Value value;
    mlir::Value index, row; ///< Of this body; they always arrive.
  };
  llvm::SmallVector<CapturedRow> takeCapturedRows();
  /// Values from outside, with their gradients in each activation.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> takeCaptured();

private:
  mlir::Value adjoint(mlir::Value result) override;
  bool wants(mlir::Value operand) override {
    return all.activity.isActive(operand);
  }
  void add(mlir::Value operand, mlir::Value gradient) override;
  void addRow(mlir::Value operand, mlir::Value index, mlir::Value row) override;

  void give(mlir::Value value, Guarded gradient);
  mlir::LogicalResult runOp(mlir::Operation *op);
  mlir::LogicalResult runCall(CallOp op);
  mlir::LogicalResult runLoop(LoopOp op);
  mlir::LogicalResult runMap(MapOp op);
  mlir::LogicalResult runEmit(EmitOp op);
  void addStacks(llvm::ArrayRef<CapturedRow> rows, mlir::ValueRange stacks);
  mlir::Value zeroRows(CollectorOp maker);
  /// The gradient of a collector's rows, a token with the collector's guards.
  mlir::Value collectorGradient(mlir::Value collector);
  /// Adds rows at places of a value: their sum, of the value's type.
  mlir::Value sumRows(mlir::Location loc, mlir::Value value,
                      mlir::Value indices, mlir::Value rows);
  mlir::ArrayRef<Guard> guardsOf(mlir::Value value) const {
    return guards.getGuards(value);
  }

  const Differentiation &all;
  mlir::Block *block;
  mlir::OpBuilder builder;
  GuardAnalysis guards; ///< Of the forward pass.
  Accumulator sums;
  mlir::Operation *current = nullptr; ///< Whose backward pass is emitted.
  llvm::DenseMap<mlir::Value, mlir::Value> collectors;
  struct RowPart {
    mlir::Value value;
    Guarded index, row;
  };
  llvm::SmallVector<RowPart> capturedRows;
};

} // namespace amp

#endif // AMP_LIB_DIALECT_AMP_DIFFERENTIATE_BACKWARDBODY_H
