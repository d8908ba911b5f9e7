//===- ParamReads.h - Who reads which parameters ----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A cell reads the parameters that its ops name, and those that its inputs
// point to: a row that a control step has looked up is an address (a *view*),
// and goes wherever values go. What is copied (the rows that a map, a collector
// or a flatmap puts together) is a view no more; control has read it by then.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOAMPRT_PARAMREADS_H
#define AMP_LIB_CONVERSION_AMPTOAMPRT_PARAMREADS_H

#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringMap.h"

namespace amp {

/// Of all cells and parameters of a module of graphs, whose cells are formed.
class ParamReads {
public:
  explicit ParamReads(mlir::ModuleOp module);

  /// References to what a cell may read or give gradients to, in the order of
  /// the module's parameters.
  llvm::SmallVector<mlir::Attribute> of(CellOp cell) const;

  /// Whether elements of it may be read outside of cells.
  bool isReadByControl(ParamOp param) const {
    return byControl.test(numbers.lookup(param.getSymName()));
  }

private:
  using Params = llvm::SmallBitVector;

  Params viewsOf(mlir::Value value) const;
  void add(mlir::Value to, const Params &more);
  void flow(mlir::Value from, mlir::Value to) { add(to, viewsOf(from)); }
  void flow(mlir::ValueRange from, mlir::ValueRange to);
  void flowAmong(mlir::ValueRange from, mlir::ValueRange to);
  void readByControl(mlir::ValueRange values);

  void visit(mlir::Operation *op);
  void visitCall(CallOp call);
  void visitLoop(LoopOp loop);
  void visitMap(mlir::Operation *map);
  void visitGradients(mlir::Operation *node, mlir::ValueRange given,
                      mlir::ValueRange arguments);
  void visitOp(mlir::Operation *op);

  llvm::SmallVector<ParamOp> params;
  llvm::StringMap<unsigned> numbers;
  llvm::DenseMap<mlir::Value, Params> views;
  llvm::StringMap<GraphOp> graphs;
  Params byControl;
  bool changed = false;
};

} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOAMPRT_PARAMREADS_H
