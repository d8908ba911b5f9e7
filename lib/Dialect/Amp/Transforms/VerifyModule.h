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

/// Whether the module has one entry, a public `Function`, which says the names
/// of its arguments and results.
template <typename Function>
mlir::LogicalResult verifyEntry(mlir::ModuleOp module) {
  Function entry;
  for (auto function : module.getOps<Function>()) {
    if (!function.isPublic())
      continue;
    if (entry) { // entry_c1
      mlir::InFlightDiagnostic diag = function.emitOpError(
          "expected to be private, because the entry is another one");
      diag.attachNote(entry.getLoc()) << "the entry is here";
      return diag;
    }
    entry = function;
  }
  if (!entry) // entry_c1
    return module.emitError("expected a public ")
           << Function::getOperationName() << ", the entry";
  if (mlir::failed(verifyNames(entry, "argument", entry.getArgAttrsAttr(),
                               entry.getArgumentTypes())))
    return mlir::failure();
  return verifyNames(entry, "result", entry.getResAttrsAttr(),
                     entry.getResultTypes());
}

} // namespace amp

#endif // AMP_LIB_DIALECT_AMP_TRANSFORMS_VERIFYMODULE_H
