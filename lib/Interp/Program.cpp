//===- Program.cpp - A module, ready to be run ----------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace amp;
using namespace amp::interp;
using namespace mlir;

/// Whether tokens can hold values of this type.
static bool isKnown(Type type) {
  while (auto list = dyn_cast<ListType>(type))
    type = list.getElement();
  return isa<CollectorType, TapeType>(type) || elementTypeOf(type);
}

std::unique_ptr<Program>
Program::create(ModuleOp module,
                const std::map<std::string, amprt::Tensor> &parameters,
                Role role) {
  auto program = std::make_unique<Program>();
  FailureOr<Signature> signature = readSignature(module, role);
  if (failed(signature))
    return nullptr;
  program->theSignature = std::move(*signature);
  addAmpGradientOps(program->registry);
  addAmpListOps(program->registry);
  addAmpNodeOps(program->registry);
  addAmpRowOps(program->registry);
  addAmpStructureOps(program->registry);
  addAmpTensorOps(program->registry);
  addArithCasts(program->registry);
  addArithOps(program->registry);
  addFuncOps(program->registry);
  addLinalgOps(program->registry);
  addMathOps(program->registry);
  addScfOps(program->registry);
  addTensorOps(program->registry);
  addTensorShapeOps(program->registry);
  if (failed(program->checkOps(module)) ||
      failed(program->setParameters(parameters)))
    return nullptr;
  return program;
}

LogicalResult Program::checkOps(ModuleOp module) {
  bool known = true;
  for (Operation &op : *module.getBody()) {
    if (isa<ParamOp>(op))
      continue;
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!isa<func::FuncOp, GraphOp>(op) || function.isExternal()) {
      op.emitError("the interpreter knows parameters, graphs, and functions "
                   "with a body, but not this");
      known = false;
      continue;
    }
    Region &body = function.getFunctionBody();
    functions[function.getName()] = &body;
    body.walk([&](Operation *inner) { known &= succeeded(checkOp(inner)); });
    for (Type type : function.getArgumentTypes())
      if (!isKnown(type)) {
        op.emitError() << "the interpreter does not know type " << type;
        known = false;
      }
  }
  return success(known);
}

LogicalResult Program::checkOp(Operation *op) {
  // Terminators that only hand values to the op around them have no handler.
  if (!op->hasTrait<OpTrait::IsTerminator>() && !registry.find(op))
    return op->emitError("the interpreter does not know this op");
  for (Type type : op->getResultTypes())
    if (!isKnown(type))
      return op->emitError("the interpreter does not know type ") << type;
  for (Region &region : op->getRegions())
    if (!region.empty() && !region.hasOneBlock())
      return op->emitError("the interpreter knows no branches between blocks");
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(op->getRegions(), used);
  if (!used.empty())
    captures[op] = std::vector<Value>(used.begin(), used.end());
  if (auto get = dyn_cast<GetOp>(op); get && get.getTransposed())
    transposedParameters.try_emplace(get.getParam());
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (isa<ElementsAttr>(constant.getValue()) &&
        !isa<DenseElementsAttr>(constant.getValue()))
      return op->emitError("the interpreter knows dense constants only");
    constants[constant.getValue()] = Array::fromAttribute(constant.getValue());
  }
  return success();
}

LogicalResult
Program::setParameters(const std::map<std::string, amprt::Tensor> &given) {
  for (const NamedType &param : theSignature.params) {
    auto found = given.find(param.name);
    if (found == given.end())
      return emitError(param.loc)
             << "no value is given for parameter '" << param.name << "'";
    Array value = Array::fromTensor(found->second);
    if (!value.hasType(param.type))
      return emitError(param.loc)
             << "expected a value of type " << param.type << " for parameter '"
             << param.name << "', but got " << value.typeString();
    setParameter(param.name, value);
  }
  return success();
}

static Array transpose(const Array &value) {
  Shape dims = value.dims();
  int64_t rows = dims[dims.size() - 2], columns = dims[dims.size() - 1];
  std::swap(dims[dims.size() - 2], dims[dims.size() - 1]);
  std::vector<int64_t> positions;
  for (int64_t matrix = 0; matrix < value.size(); matrix += rows * columns)
    for (int64_t column = 0; column < columns; ++column)
      for (int64_t row = 0; row < rows; ++row)
        positions.push_back(matrix + row * columns + column);
  return value.take(dims, positions);
}

void Program::setParameter(StringRef name, Array value) {
  if (auto old = transposedParameters.find(name);
      old != transposedParameters.end())
    old->second = transpose(value);
  parameters[name] = std::move(value);
}
