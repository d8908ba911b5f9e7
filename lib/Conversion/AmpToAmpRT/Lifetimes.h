//===- Lifetimes.h - When rows may be given back ----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// An instance that trains keeps what its backward pass reads, and makes as much
// again on the way back. So where a graph works on gradients, each body gives
// rows back as soon as nothing of it reads them any more: what it makes on the
// way back then goes where the forward pass was.
//
// Only what can be seen from one body ends: rows of cells and stacks that cells
// read, or that are copied. What is handed on as an address (a loop's carried
// values, a call's arguments and results, captures, lists) lives as long as the
// instance, but for gradients of carried values: an iteration gives each to the
// one before, which is then the only one to have it.
//
// All of an instance that only predicts lives to its end: there it is cheaper to
// give nothing back.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOAMPRT_LIFETIMES_H
#define AMP_LIB_CONVERSION_AMPTOAMPRT_LIFETIMES_H

#include "Body.h"
#include "GradientFlow.h"

namespace amp {

/// Values whose rows end together.
struct Ending {
  EventSet need; ///< When all of these have happened.
  llvm::SmallVector<mlir::Value> values;
  /// Results of one cell that lie side by side, so that they are one block.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>, 0> blocks;
  /// Arguments of an iteration whose rows the next one made, if there is one.
  llvm::SmallVector<mlir::Value> received;
};

class Lifetimes {
public:
  Lifetimes(const Bodies &bodies, const GradientFlow &gradients);

  llvm::ArrayRef<Ending> of(const Body &body) const;

  /// The block that a cell's result is in; empty: it lies alone.
  llvm::ArrayRef<mlir::Value> blockOf(mlir::Value result) const;

private:
  void visit(const Body &body);
  void visitReceived(const Body &body, LoopOp loop);
  void formBlocks(Ending &ending);
  void add(const Body &body, mlir::Value value, bool isReceived);

  llvm::DenseMap<const Body *, llvm::SmallVector<Ending, 0>> endings;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> blocks;
};

/// Bytes that a value of this type takes in a block, if that is known.
std::optional<int64_t> bytesInBlock(mlir::Type type);

} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOAMPRT_LIFETIMES_H
