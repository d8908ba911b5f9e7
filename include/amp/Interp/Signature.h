//===- Signature.h - Fields, results, parameters ----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_INTERP_SIGNATURE_H
#define AMP_INTERP_SIGNATURE_H

#include "amp/Dialect/Amp/IR/Entries.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"

#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace amp {

/// A field of an instance, one of its results, or a parameter.
struct NamedType {
  std::string name;
  mlir::Type type;
  mlir::Location loc;
};

/// What a program (level A) or graph (level B) takes and gives.
struct Signature {
  /// The one public function or graph.
  mlir::Operation *entry = nullptr;
  std::vector<NamedType> fields;  ///< Its arguments, in order.
  std::vector<NamedType> results; ///< In order.
  std::vector<NamedType> params;  ///< The amp.params, in the module's order.
};

/// Reads the signature of a verified module of functions or of graphs. The
/// entry is its one public func.func or amp.graph; the attribute `amp.name`
/// names each argument and result. Emits a diagnostic where the module has both
/// kinds, where there is no entry or more than one, where a name is missing or
/// given twice, or where the type is one that no file can hold.
mlir::FailureOr<Signature> readSignature(mlir::ModuleOp module,
                                         Role role = Role::predict);

} // namespace amp

#endif // AMP_INTERP_SIGNATURE_H
