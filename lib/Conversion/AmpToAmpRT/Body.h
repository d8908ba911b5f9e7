//===- Body.h - What a graph or a body of a loop or map becomes -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A *body* is a block whose activations have frames: a graph's, a loop's or a
// map's. An *event* is something that happens once to a frame: its start, a
// value that comes later, the side of a branch that was taken. An event is a
// bit of the frame's `arrived` words, and has a depth. Values that arrive
// together share one.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOAMPRT_BODY_H
#define AMP_LIB_CONVERSION_AMPTOAMPRT_BODY_H

#include "amp/Dialect/Amp/Analysis/GuardAnalysis.h"
#include "amp/Dialect/Amp/IR/AmpOps.h"
#include "amp/Dialect/Amp/IR/Values.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <memory>
#include <set>
#include <string>

namespace amp {

using EventSet = std::set<unsigned>;
constexpr unsigned kStart = 0;

/// Types of the words of a value (runtime/include/amprt/abi.h).
llvm::SmallVector<mlir::Type> wordTypes(mlir::Type type);

/// Bytes of an element in memory.
int64_t elementBytes(mlir::Type element);

/// Behind branches, which move nothing.
mlir::Value throughBranches(mlir::Value value);

/// A partition of values into those that arrive together: class of each.
struct Classes {
  llvm::SmallVector<unsigned> of;
  unsigned count = 0;

  /// Splits classes whose members differ in `keys`. True if anything changed.
  bool refine(llvm::ArrayRef<EventSet> keys);
  static Classes together(unsigned size);
  static Classes apart(unsigned size);
};

/// The results of a loop's or map's backward half that are stacked.
mlir::ResultRange stackedOf(BackwardOp backward);

class Bodies;

struct Body {
  mlir::Operation *op = nullptr; ///< GraphOp, LoopOp, MapOp, FlatmapOp.
  mlir::Block *block = nullptr;
  Body *parent = nullptr; ///< Of a loop's or map's: where the node stands.
  std::string name;

  llvm::SmallVector<std::string> events;
  /// What must have happened for a value of this block to be there.
  llvm::DenseMap<mlir::Value, EventSet> masks;
  /// Decisions that a value's existence depends on.
  std::unique_ptr<GuardAnalysis> guards;

  /// Events by what they belong to.
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, unsigned>
      sides; ///< by condition, side
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> nodeEvents;
  llvm::DenseMap<mlir::Operation *, unsigned> opened; ///< calls, loops
  llvm::SmallVector<unsigned> argEvents; ///< late arguments / carried classes
  std::optional<unsigned> nextOpened;    ///< the next iteration of a while loop
  /// Merges that happen together: (condition-free) masks of both sides.
  std::map<std::pair<EventSet, EventSet>, unsigned> mergeEvents;

  Classes carried; ///< of a loop body: its carried values
  Classes exits;   ///< of a while loop's body: its exit values

  /// Of a differentiated loop's or map's body: events of the gradients that come
  /// for what it carries (by class of `back`, which are those it gives for its
  /// carried arguments), exits with and stacks (all together).
  Classes back;
  llvm::SmallVector<unsigned> backEvents;
  std::optional<unsigned> exitBack, stackedBack;

  /// Layout: byte offsets in the frame.
  llvm::DenseMap<mlir::Value, int64_t> offsets;
  llvm::DenseMap<mlir::Operation *, int64_t> childOffset; ///< first frame
  llvm::DenseMap<mlir::Operation *, int64_t> lastOffset;  ///< last frame
  int64_t previousOffset = 0; ///< Of a differentiated iteration: the one before.
  llvm::DenseMap<mlir::Operation *, int64_t> countOffset; ///< rows to come
  llvm::DenseMap<mlir::Operation *, int64_t> lowerOffset; ///< lower, step
  /// Of a flatmap: its count, and where each result's blocks are.
  llvm::DenseMap<mlir::Operation *, int64_t> blocksOffset;
  llvm::SmallVector<std::string> words;                   ///< for people
  int64_t bytes = 0;

  unsigned arrivedWords() const { return (events.size() + 63) / 64; }
  int64_t arrivedOffset(unsigned event) const;
  int64_t depthOffset(unsigned event) const;
  std::string handler(unsigned event) const {
    return name + "." + events[event];
  }

  EventSet maskOf(mlir::Value value) const;
  EventSet maskOf(mlir::ValueRange values) const;
  /// Of a loop or map: what its body uses from this block.
  EventSet maskOfCaptures(mlir::Operation *node) const;
  /// The sides of branches that `value` exists on.
  EventSet guardOf(mlir::Value value) const;

  unsigned addEvent(const llvm::Twine &name);
  unsigned side(mlir::Value condition, bool taken);
  void layOut();
};

/// All bodies of a module.
class Bodies {
public:
  explicit Bodies(mlir::ModuleOp module);

  llvm::ArrayRef<std::unique_ptr<Body>> all() const { return bodies; }
  Body &of(mlir::Operation *op) const { return *byOp.lookup(op); }
  Body &graph(llvm::StringRef name) const { return *byName.lookup(name); }
  /// The body in whose frames `value` lies.
  Body &owner(mlir::Value value) const;

  const Classes &results(const Body &graph) const {
    return resultClasses.find(&graph)->second;
  }
  /// What both halves of a call give to its graph, and get of it.
  static llvm::SmallVector<mlir::Value> inputsOf(CallOp call);
  static llvm::SmallVector<mlir::Value> resultsOf(CallOp call);
  /// Arguments of a graph that some call gives later than its start.
  bool isLate(const Body &graph, unsigned argument) const {
    return late.count({&graph, argument});
  }
  /// Operands of a call that its activation does not wait for.
  llvm::SmallVector<unsigned> lateInputs(const Body &body, CallOp call) const;
  /// What a call, loop or map waits for before it opens anything.
  EventSet needToOpen(const Body &body, mlir::Operation *node) const;

private:
  void analyse(Body &body);
  void analyseNode(Body &body, mlir::Operation &op);
  bool refineCarried(Body &body);
  void analyseBackward(Body &body, mlir::Operation &node);
  void addAdjointEvents(Body &body);
  bool refineLate(const Body &body);

  llvm::SmallVector<std::unique_ptr<Body>> bodies;
  llvm::DenseMap<mlir::Operation *, Body *> byOp;
  llvm::StringMap<Body *> byName;
  llvm::DenseMap<const Body *, Classes> resultClasses;
  std::set<std::pair<const Body *, unsigned>> late;
};

} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOAMPRT_BODY_H
