//===- Entries.cpp - The ways to run a model ------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/IR/Entries.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace amp;

StringRef amp::roleName(Role role) {
  switch (role) {
  case Role::predict:
    return "predict";
  case Role::evaluate:
    return "evaluate";
  case Role::train:
    return "train";
  }
  llvm_unreachable("all roles are handled");
}

Role amp::roleOf(Operation *entry) {
  auto name = entry->getAttrOfType<StringAttr>(roleAttr);
  for (Role role : {Role::evaluate, Role::train})
    if (name && name.getValue() == roleName(role))
      return role;
  return Role::predict;
}

void amp::setRole(Operation *entry, Role role) {
  entry->setAttr(roleAttr, StringAttr::get(entry->getContext(), roleName(role)));
}

std::optional<unsigned> amp::lossResult(FunctionOpInterface entry) {
  for (unsigned i = 0; i < entry.getNumResults(); ++i)
    if (entry.getResultAttr(i, lossAttr))
      return i;
  return std::nullopt;
}
