//===- Entries.h - The ways to run a model ----------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_ENTRIES_H
#define AMP_DIALECT_AMP_IR_ENTRIES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>

namespace amp {

/// The attribute of the entry's result that is the loss.
inline constexpr llvm::StringLiteral lossAttr = "amp.loss";
/// The attribute of a public graph that says its role.
inline constexpr llvm::StringLiteral roleAttr = "amp.role";

/// What an entry is for: to predict (without the loss); to evaluate, which has
/// all results; to train, which has the loss, and adds to gradients.
enum class Role { predict, evaluate, train };

llvm::StringRef roleName(Role role);
/// A public graph without the attribute predicts.
Role roleOf(mlir::Operation *entry);
void setRole(mlir::Operation *entry, Role role);

/// The number of the result that is the loss, if there is one.
std::optional<unsigned> lossResult(mlir::FunctionOpInterface entry);

/// The public function or graph with that role, or null.
template <typename Function>
Function findEntry(mlir::ModuleOp module, Role role) {
  for (auto function : module.getOps<Function>())
    if (function.isPublic() && roleOf(function) == role)
      return function;
  return {};
}

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_ENTRIES_H
