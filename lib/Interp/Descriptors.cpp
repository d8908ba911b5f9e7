//===- Descriptors.cpp - The program as the runtime describes models ------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Descriptors.h"

#include "Array.h"

#include "amp/Dialect/Amp/IR/AmpOps.h"

using namespace amp;
using namespace amp::interp;
using namespace mlir;

static_assert(AMPRT_INIT_GLOROT == unsigned(InitKind::Glorot),
              "the kinds have the same numbers");

/// MLIR spells an open dimension differently; a tensor with one has `dims` to
/// keep them in.
static amprt_type_t describe(Type type, std::vector<int64_t> &dims) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return {*elementTypeOf(type), -1, nullptr};
  for (int64_t dim : tensor.getShape())
    dims.push_back(ShapedType::isDynamic(dim) ? AMPRT_DYNAMIC : dim);
  return {*elementTypeOf(type), int32_t(dims.size()), dims.data()};
}

Descriptors::Descriptors(ModuleOp module, const Signature &signature) {
  auto describeAll = [&](const std::vector<NamedType> &from,
                         std::vector<amprt_field_t> &to) {
    for (const NamedType &value : from)
      to.push_back(
          {value.name.c_str(), describe(value.type, shapes.emplace_back()), 0});
  };
  describeAll(signature.fields, fields);
  describeAll(signature.results, results);
  for (const NamedType &value : signature.params) {
    InitAttr init = module.lookupSymbol<ParamOp>(value.name).getInit();
    params.push_back({value.name.c_str(),
                      describe(value.type, shapes.emplace_back()),
                      uint32_t(init.getKind()), /*flags=*/0,
                      init.getA().convertToDouble(),
                      init.getB().convertToDouble()});
  }
}
