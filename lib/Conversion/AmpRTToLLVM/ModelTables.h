//===- ModelTables.h - Constants of the compiled model ----------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPRTTOLLVM_MODELTABLES_H
#define AMP_LIB_CONVERSION_AMPRTTOLLVM_MODELTABLES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace amp {
namespace rt {

/// What ops refer to by symbol, and the number or size that code needs of it.
/// A number is the position among the module's ops of that kind.
struct SymbolNumbers {
  explicit SymbolNumbers(mlir::ModuleOp module);

  llvm::DenseMap<mlir::StringAttr, uint32_t> cells, linears, panels, gradients, params;
  llvm::DenseMap<mlir::StringAttr, int64_t> frameBytes;
  llvm::DenseMap<mlir::StringAttr, mlir::Operation *> sites, functions;
};

/// Strings of the module, each once.
class StringTable {
public:
  /// The symbol of the null-terminated string.
  mlir::StringAttr symbol(mlir::MLIRContext *context, llvm::StringRef text);

  /// Its address, as code or in an initialiser.
  mlir::Value address(mlir::OpBuilder &builder, mlir::Location loc,
                      llvm::StringRef text);

  /// Makes a constant of each string, at the builder's place.
  void emit(mlir::OpBuilder &builder, mlir::Location loc) const;

private:
  llvm::MapVector<mlir::StringAttr, mlir::StringAttr> symbols; ///< By text.
};

/// Replaces the tables of `amprt`, and the parameters, by constants; the one
/// that is visible outside is `amprt_model`. Emits a diagnostic where a field
/// has a type that the descriptor cannot hold.
mlir::LogicalResult emitModelTables(mlir::ModuleOp module, StringTable &strings,
                                    const SymbolNumbers &numbers);

} // namespace rt
} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPRTTOLLVM_MODELTABLES_H
