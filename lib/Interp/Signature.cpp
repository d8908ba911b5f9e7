//===- Signature.cpp - Fields, results, parameters ------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Interp/Signature.h"

#include "Array.h"

#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace amp;
using namespace mlir;

/// The one public function or graph, or null with a diagnostic.
static FunctionOpInterface findSignature(ModuleOp module, Role role) {
  FunctionOpInterface entry, first;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (!first)
      first = function;
    if (first->getName() != function->getName()) {
      InFlightDiagnostic diag = function.emitError(
          "expected functions only or graphs only, but here both are");
      diag.attachNote(first.getLoc()) << "this is one of the others";
      return {};
    }
    if (!function.isPublic() || roleOf(function) != role)
      continue;
    if (entry) {
      InFlightDiagnostic diag = function.emitError(
          "expected one public function, the entry, but this is another one");
      diag.attachNote(entry.getLoc()) << "the first one is here";
      return {};
    }
    entry = function;
  }
  if (!entry)
    module.emitError("expected a public func.func or amp.graph, the entry");
  return entry;
}

/// Appends a field or result whose attributes are `attributes`.
static LogicalResult append(std::vector<NamedType> &list, StringRef what,
                            unsigned index, DictionaryAttr attributes,
                            Type type, Location loc) {
  auto name =
      attributes ? attributes.getAs<StringAttr>("amp.name") : StringAttr();
  if (!name)
    return emitError(loc) << "expected " << what << " " << index
                          << " to have a name: the string attribute amp.name";
  if (!interp::elementTypeOf(type))
    return emitError(loc) << "expected " << what << " " << name
                          << " to be a scalar or a tensor, but got " << type;
  for (const NamedType &other : list)
    if (other.name == name.getValue())
      return emitError(loc) << what << " " << name << " is there twice";
  list.push_back({name.str(), type, loc});
  return success();
}

FailureOr<Signature> amp::readSignature(ModuleOp module, Role role) {
  FunctionOpInterface entry = findSignature(module, role);
  if (!entry)
    return failure();
  Signature signature;
  signature.entry = entry;
  for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes())) {
    Location loc =
        entry.isExternal() ? entry.getLoc() : entry.getArgument(i).getLoc();
    if (failed(append(signature.fields, "field", i,
                      function_interface_impl::getArgAttrDict(entry, i), type,
                      loc)))
      return failure();
  }
  for (auto [i, type] : llvm::enumerate(entry.getResultTypes()))
    if (failed(append(signature.results, "result", i,
                      function_interface_impl::getResultAttrDict(entry, i),
                      type, entry.getLoc())))
      return failure();
  for (auto param : module.getOps<ParamOp>())
    signature.params.push_back(
        {param.getSymName().str(), param.getType(), param.getLoc()});
  return signature;
}
