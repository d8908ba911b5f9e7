//===- RuntimeFunctions.h - What generated code calls -----------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPRTTOLLVM_RUNTIMEFUNCTIONS_H
#define AMP_LIB_CONVERSION_AMPRTTOLLVM_RUNTIMEFUNCTIONS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include <bitset>

namespace amp {
namespace rt {

/// The functions of runtime/include/amprt/abi.h, in its order.
enum class RuntimeFunction : unsigned {
  frameNew,
  rowsNew,
  rowsRelease,
  enqueue,
  post,
  failRange,
  fail,
  scratch,
  linear,
  linearGrouped,
  gradientProduct,
  gradientGrouped,
  gradientAdd,
  gradientRow,
  listPush,
  listAt,
  listStack,
  concatRows,
  collectorNew,
  collectorData,
  collectorRows,
  collectorPut,
  count
};

/// Makes calls of the runtime, and declarations for what was called.
class RuntimeFunctions {
public:
  /// Calls `function`; the result is null for functions that return nothing.
  mlir::Value call(mlir::OpBuilder &builder, mlir::Location loc,
                   RuntimeFunction function, mlir::ValueRange arguments);

  /// Declares each function that was called at the module's start.
  void declare(mlir::ModuleOp module) const;

private:
  std::bitset<static_cast<unsigned>(RuntimeFunction::count)> called;
};

} // namespace rt
} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPRTTOLLVM_RUNTIMEFUNCTIONS_H
