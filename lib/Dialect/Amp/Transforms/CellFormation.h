//===- CellFormation.h - Which ops form a cell together ---------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Every op of a body has a *key*: the set of events that must have happened
// before it can run (a child's result, a carried value, the side of a branch,
// the completion of tensor work that a control step looked at). Ops of equal
// keys become ready together, so they form one group. Then tensor work sinks:
// an op whose users all stand in one later group joins it, unless it is a
// product that a loop's iterations can compute ahead of what they carry
// (hoisting). Slices and concatenations of what a later group reads anyway are
// made there again: what a cell makes for another is memory that both touch.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_TRANSFORMS_CELLFORMATION_H
#define AMP_LIB_DIALECT_AMP_TRANSFORMS_CELLFORMATION_H

#include "amp/Dialect/Amp/Analysis/GuardAnalysis.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <optional>
#include <set>
#include <vector>

namespace amp {

/// Of one block of a graph: what becomes cells and control steps.
class CellFormation {
public:
  enum class Kind { control, tensor };
  /// Ops that run together, in the order of the block.
  struct Group {
    Kind kind;
    std::vector<mlir::Operation *> ops;
  };

  explicit CellFormation(mlir::Block *block) : block(block), guards(block) {}

  /// Decides, and repeats views for their readers. Fails with an error where an
  /// op has no place.
  mlir::FailureOr<std::vector<Group>> run();

private:
  using Key = std::set<unsigned>;
  struct Work {
    Kind kind;
    Key key;
  };

  mlir::LogicalResult classify();
  void followForward(mlir::Value gradient);
  void repeatViews();
  void repeatView(mlir::Operation *view, const Key &key);
  void sink();
  Work *firstReader(mlir::Operation *op);
  void joinReader(mlir::Operation *op, Work &mine);
  std::vector<Group> groups() const;
  const Key &keyOf(mlir::Value value, bool seenByControl);
  unsigned newEvent() { return eventCount++; }
  unsigned sideEvent(mlir::Value condition, bool side);

  mlir::Block *block;
  GuardAnalysis guards;
  unsigned eventCount = 0;
  llvm::MapVector<mlir::Operation *, Work> work;
  llvm::DenseMap<mlir::Value, Key> keys;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, unsigned> sides;
  llvm::DenseSet<mlir::Value> followed; ///< Gradients whose keys are complete.
  std::set<unsigned> carried; ///< Events that a loop's iterations wait for.
  /// Tensor work that a control step reads: it has an event of its own.
  llvm::DenseMap<mlir::Value, Key> completed;
};

} // namespace amp

#endif // AMP_LIB_DIALECT_AMP_TRANSFORMS_CELLFORMATION_H
