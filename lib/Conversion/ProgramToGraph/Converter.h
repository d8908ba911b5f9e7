//===- Converter.h - One function to one graph ------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_PROGRAMTOGRAPH_CONVERTER_H
#define AMP_LIB_CONVERSION_PROGRAMTOGRAPH_CONVERTER_H

#include "Router.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace amp {

/// Writes the nodes of a function's ops into a graph, in program order.
/// Recursion is over regions only. The function is left as it is.
class Converter {
public:
  explicit Converter(mlir::SymbolTable &symbols) : symbols(symbols) {}

  /// Null if something cannot be converted; a diagnostic has said what. The
  /// graph stands before the function.
  GraphOp convert(mlir::func::FuncOp function);

private:
  mlir::LogicalResult convertBlock(mlir::Block &block, Scope &scope);
  mlir::LogicalResult convertOp(mlir::Operation *op, Scope &scope);
  mlir::LogicalResult convertBare(mlir::Operation *op, Scope &scope);
  mlir::LogicalResult convertCall(mlir::func::CallOp op, Scope &scope);
  mlir::LogicalResult convertIf(mlir::scf::IfOp op, Scope &scope);
  mlir::LogicalResult convertSwitch(mlir::scf::IndexSwitchOp op, Scope &scope);

  // ConvertLoops.cpp
  mlir::LogicalResult convertFor(mlir::scf::ForOp op, Scope &scope);
  mlir::LogicalResult convertScan(ScanOp op, Scope &scope);
  mlir::LogicalResult convertWhile(mlir::scf::WhileOp op, Scope &scope);
  template <typename Map> // MapOp, FlatmapOp
  mlir::LogicalResult convertMap(Map op, Scope &scope);

  /// Operands that open a node's activation, and the others.
  struct Operands {
    llvm::SmallVector<mlir::Value> values;
    llvm::SmallVector<mlir::Value> after;
  };
  /// The tokens of `opening`, then those of `others`. A node in an arm may open
  /// its activations only where the arm runs. Tensors and `others` may follow
  /// later, so if no scalar or collector in `opening` is guarded, `after` has a
  /// token that is.
  Operands useToOpen(mlir::ValueRange opening, mlir::ValueRange others,
                     Scope &scope, mlir::Location loc);

  /// Makes the body of `node`, which must stand last at `scope`'s level, and
  /// writes what `write` writes into it.
  mlir::LogicalResult writeBody(
      mlir::Operation *node, mlir::TypeRange arguments, Scope &scope,
      llvm::function_ref<mlir::LogicalResult(Scope &, mlir::Block &)> write);

  llvm::SmallVector<mlir::Value> useAll(mlir::ValueRange values, Scope &scope,
                                        mlir::Location loc);
  llvm::SmallVector<mlir::Value>
  useAllGuarded(mlir::ValueRange values, Scope &scope, mlir::Location loc);
  void defineAll(mlir::ValueRange values, mlir::ValueRange tokens,
                 Scope *scope);

  mlir::SymbolTable &symbols;
  Router router;
};

} // namespace amp

#endif // AMP_LIB_CONVERSION_PROGRAMTOGRAPH_CONVERTER_H
