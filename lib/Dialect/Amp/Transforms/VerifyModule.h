//===- VerifyModule.h - What programs and graphs must share -----*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_TRANSFORMS_VERIFYMODULE_H
#define AMP_LIB_DIALECT_AMP_TRANSFORMS_VERIFYMODULE_H

#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "amp/Dialect/Amp/IR/Entries.h"

#include "llvm/ADT/StringMap.h"

namespace amp {

/// The attribute that names an argument or result of the entry.
inline constexpr llvm::StringLiteral nameAttr = "amp.name";

/// Whether arguments or results of the entry, `what`, with attributes `dicts`
/// and types `types`, can be the fields or results of an instance.
inline mlir::LogicalResult verifyNames(mlir::Operation *entry,
                                       llvm::StringRef what,
                                       mlir::ArrayAttr dicts,
                                       mlir::TypeRange types) {
  llvm::StringMap<unsigned> seen;
  for (auto [index, type] : llvm::enumerate(types)) {
    mlir::StringAttr name;
    if (dicts)
      name = llvm::cast<mlir::DictionaryAttr>(dicts[index])
                 .getAs<mlir::StringAttr>(nameAttr);
    if (!name) // entry_c2
      return entry->emitOpError("expected attribute amp.name on ")
             << what << " " << index << " of the entry";
    auto [other, isNew] = seen.try_emplace(name.getValue(), index);
    if (!isNew) // entry_c3
      return entry->emitOpError("expected ")
             << what << "s of different names, but " << other->second << " and "
             << index << " are both called " << name;
    if (llvm::isa<CollectorType, ListType>(type)) // entry_c4
      return entry->emitOpError("expected ")
             << what << " " << name << " to be a scalar or tensor, but got "
             << type;
  }
  return mlir::success();
}

/// Whether at most one result is marked as the loss, and that is a scalar.
inline mlir::LogicalResult verifyLoss(mlir::Operation *entry,
                                      mlir::ArrayAttr dicts,
                                      mlir::TypeRange types) {
  bool found = false;
  for (auto [index, type] : llvm::enumerate(types)) {
    if (!dicts || !llvm::cast<mlir::DictionaryAttr>(dicts[index]).get(lossAttr))
      continue;
    if (found) // entry_c5
      return entry->emitOpError("expected one result with attribute amp.loss, "
                                "but got several");
    if (!type.isF32() && !type.isF64()) // entry_c6
      return entry->emitOpError("expected the loss to be an f32 or f64, but got ")
             << type;
    found = true;
  }
  return mlir::success();
}

/// Whether the module has one entry of each role, a public `Function`, which says the names
/// of its arguments and results.
template <typename Function>
mlir::LogicalResult verifyEntry(mlir::ModuleOp module) {
  Function entries[3];
  for (auto function : module.getOps<Function>()) {
    if (!function.isPublic())
      continue;
    Function &entry = entries[unsigned(roleOf(function))];
    if (entry) { // entry_c1
      mlir::InFlightDiagnostic diag = function.emitOpError(
          "expected to be private, because the entry is another one");
      diag.attachNote(entry.getLoc()) << "the entry is here";
      return diag;
    }
    entry = function;
  }
  if (!entries[unsigned(Role::predict)]) // entry_c1
    return module.emitError("expected a public ")
           << Function::getOperationName() << ", the entry";
  for (Function entry : entries)
    if (entry &&
        (mlir::failed(verifyNames(entry, "argument", entry.getArgAttrsAttr(),
                                  entry.getArgumentTypes())) ||
         mlir::failed(verifyNames(entry, "result", entry.getResAttrsAttr(),
                                  entry.getResultTypes())) ||
         mlir::failed(verifyLoss(entry, entry.getResAttrsAttr(),
                                 entry.getResultTypes()))))
      return mlir::failure();
  return mlir::success();
}

} // namespace amp

#endif // AMP_LIB_DIALECT_AMP_TRANSFORMS_VERIFYMODULE_H
