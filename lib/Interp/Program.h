//===- Program.h - A module, ready to be run --------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_INTERP_PROGRAM_H
#define AMP_LIB_INTERP_PROGRAM_H

#include "Array.h"
#include "Registry.h"

#include "amp/Dialect/Amp/IR/AmpOps.h"
#include "amp/Interp/Signature.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <map>

namespace amp::interp {

/// A checked module with all that is the same for every instance. Immutable
/// once made.
class Program {
public:
  /// Emits diagnostics for what the interpreter does not know and for
  /// parameters that do not fit.
  static std::unique_ptr<Program>
  create(mlir::ModuleOp module,
         const std::map<std::string, amprt::Tensor> &parameters, Role role);

  const Signature &signature() const { return theSignature; }
  const Handler &handler(mlir::Operation *op) const {
    return *registry.find(op);
  }
  /// Whether it is one of graphs (level B), not of functions.
  bool isGraph() const { return llvm::isa<GraphOp>(theSignature.entry); }
  /// Of a function or graph.
  mlir::Region &body(llvm::StringRef function) const {
    return *functions.lookup(function);
  }
  /// The values from outside that the op's regions use.
  llvm::ArrayRef<mlir::Value> captured(mlir::Operation *op) const {
    auto found = captures.find(op);
    if (found == captures.end())
      return {};
    return found->second;
  }
  const Array &parameter(llvm::StringRef name) const {
    return parameters.find(name)->second;
  }
  /// The same with its last two dimensions exchanged.
  const Array &transposed(llvm::StringRef name) const {
    return transposedParameters.find(name)->second;
  }
  /// Replaces a parameter's value by one of its type.
  void setParameter(llvm::StringRef name, Array value);
  const Array &constant(mlir::Attribute value) const {
    return constants.find(value)->second;
  }

private:
  mlir::LogicalResult checkOps(mlir::ModuleOp module);
  mlir::LogicalResult checkOp(mlir::Operation *op);
  mlir::LogicalResult
  setParameters(const std::map<std::string, amprt::Tensor> &given);

  Registry registry;
  Signature theSignature;
  llvm::StringMap<mlir::Region *> functions;
  llvm::DenseMap<mlir::Operation *, std::vector<mlir::Value>> captures;
  llvm::StringMap<Array> parameters, transposedParameters;
  llvm::DenseMap<mlir::Attribute, Array> constants;
};

} // namespace amp::interp

#endif // AMP_LIB_INTERP_PROGRAM_H
