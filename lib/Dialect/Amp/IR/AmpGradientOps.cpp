//===- AmpGradientOps.cpp - Ops of differentiated graphs -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each check carries its label in dialects/Amp/SPEC.md.
#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "Stacked.h"

using namespace mlir;
using namespace amp;

bool amp::hasGradient(Type type) {
  if (auto list = dyn_cast<ListType>(type))
    return hasGradient(list.getElement());
  Type element = getElementTypeOrSelf(type);
  return (isa<RankedTensorType>(type) || element == type) &&
         (element.isF32() || element.isF64());
}

Value amp::getTape(Operation *op) {
  if (op->getNumResults() == 0)
    return {};
  Value last = op->getResults().back();
  return isa<TapeType>(last.getType()) ? last : Value();
}

BackwardOp amp::getBackward(Operation *op) {
  Value tape = getTape(op);
  if (!tape || !tape.hasOneUse())
    return {};
  return dyn_cast<BackwardOp>(*tape.getUsers().begin());
}

LogicalResult amp::verifyTape(Operation *op) {
  if (getTape(op) && !getBackward(op)) // tape_c1
    return op->emitOpError("expected its tape to be taken by one amp.backward");
  return success();
}

LogicalResult LossGradientOp::verify() {
  if (failed(LossOp::verifyTarget(*this, getKind(), getX(), getTarget())))
    return failure();
  if (getDl().getType() !=
      LossOp::typeFor(getX().getType())) // loss_gradient_c1
    return emitOpError("expected the gradient of the loss to be of type ")
           << LossOp::typeFor(getX().getType());
  return success();
}

/// Of a loop or map: the gradients that come, and those that leave.
static LogicalResult verifyBackward(BackwardOp op, TypeRange inputs,
                                    TypeRange results) {
  if (TypeRange(op.getInputs().getTypes()) != inputs ||
      TypeRange(op.getResultTypes()) != results) // backward_c3
    return op.emitOpError("expected inputs of types ")
           << inputs << " and results of types " << results;
  return success();
}

template <typename Node>
static SmallVector<Type> stacksOf(Node values) {
  SmallVector<Type> types;
  for (Value value : values)
    types.push_back(getStackedType(value.getType()));
  return types;
}

LogicalResult BackwardOp::verify() {
  Operation *node = getTape().getDefiningOp();
  if (!isa_and_nonnull<CallOp, LoopOp, MapOp>(node) ||
      node->getBlock() != (*this)->getBlock()) // backward_c1
    return emitOpError("expected the tape of a call, loop or map in the same "
                       "block");
  if (!getTape().hasOneUse()) { // backward_c2
    InFlightDiagnostic diag =
        emitOpError("expected to be the only one that uses the tape");
    diag.attachNote(node->getLoc()) << "the tape is made here";
    return diag;
  }
  auto pick = [](ArrayRef<int64_t> numbers, TypeRange values,
                 SmallVectorImpl<Type> &types) {
    for (int64_t number : numbers)
      if (number >= 0 && number < int64_t(values.size()))
        types.push_back(values[number]);
  };
  SmallVector<Type> inputs, results;
  if (auto map = dyn_cast<MapOp>(node)) {
    auto yield = cast<YieldOp>(map.getBody().front().getTerminator());
    pick(map.adjointsStacked(), map.getStacked().getTypes(), inputs);
    return verifyBackward(
        *this, inputs,
        stacksOf(yield.getValues().drop_front(map.getStacked().size())));
  }
  auto loop = dyn_cast<LoopOp>(node);
  if (!loop)
    return success(); // the call looks at both halves
  pick(loop.hasRange() ? loop.adjointsCarried() : loop.adjointsExit(),
       loop.getLast().getTypes(), inputs);
  pick(loop.adjointsStacked(), loop.getStacked().getTypes(), inputs);
  pick(loop.adjointsCarried(), loop.getInit().getTypes(), results);
  llvm::append_range(results, stacksOf(loop.getNext().getAdjoint().drop_front(
                                  loop.adjointsCarried().size())));
  return verifyBackward(*this, inputs, results);
}

//===----------------------------------------------------------------------===//
// Gradients of parameters
//===----------------------------------------------------------------------===//

static ParamOp findParam(Operation *op, FlatSymbolRefAttr name,
                         SymbolTableCollection &symbols) {
  auto param = symbols.lookupNearestSymbolFrom<ParamOp>(op, name);
  if (!param) // gradient_c1
    op->emitOpError("expected the name of an amp.param, but got ") << name;
  return param;
}

static LogicalResult refuseTypes(Operation *op, ParamOp param) {
  InFlightDiagnostic diag =
      op->emitOpError("expected types that fit the parameter's, ")
      << param.getTensorType();
  diag.attachNote(param.getLoc()) << "the parameter is here";
  return diag;
}

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

LogicalResult AddGradientOp::verifySymbolUses(SymbolTableCollection &symbols) {
  ParamOp param = findParam(*this, getParamAttr(), symbols);
  if (!param)
    return failure();
  RankedTensorType type = param.getTensorType(), value = typeOf(getValue());
  if (value.getElementType() != type.getElementType() ||
      value.getRank() < type.getRank() ||
      value.getShape().take_back(type.getRank()) !=
          type.getShape()) // add_gradient_c1
    return refuseTypes(*this, param);
  return success();
}

/// Whether rows of `k` and of `n` elements go with matrices [k, n].
static bool fitsProduct(ArrayRef<int64_t> matrix, RankedTensorType x,
                        RankedTensorType dy, Type element) {
  return x.getRank() >= 1 && x.getRank() == dy.getRank() &&
         x.getShape().back() == matrix[0] && dy.getShape().back() == matrix[1] &&
         succeeded(verifyCompatibleShape(x.getShape().drop_back(),
                                         dy.getShape().drop_back())) &&
         x.getElementType() == element && dy.getElementType() == element;
}

LogicalResult
LinearGradientOp::verifySymbolUses(SymbolTableCollection &symbols) {
  ParamOp param = findParam(*this, getParamAttr(), symbols);
  if (!param)
    return failure();
  RankedTensorType type = param.getTensorType();
  if (type.getRank() != 2 || !type.hasStaticShape() ||
      !fitsProduct(type.getShape(), typeOf(getX()), typeOf(getDy()),
                   type.getElementType())) // linear_gradient_c1
    return refuseTypes(*this, param);
  return success();
}

LogicalResult
GroupedLinearGradientOp::verifySymbolUses(SymbolTableCollection &symbols) {
  ParamOp param = findParam(*this, getParamAttr(), symbols);
  if (!param)
    return failure();
  RankedTensorType type = param.getTensorType();
  if (type.getRank() != 3 || !type.hasStaticShape() ||
      typeOf(getX()).getRank() != 2 || typeOf(getWhich()).getRank() != 1 ||
      !fitsProduct(type.getShape().drop_front(), typeOf(getX()),
                   typeOf(getDy()),
                   type.getElementType())) // grouped_linear_gradient_c1
    return refuseTypes(*this, param);
  return success();
}

LogicalResult RowGradientOp::verifySymbolUses(SymbolTableCollection &symbols) {
  ParamOp param = findParam(*this, getParamAttr(), symbols);
  if (!param)
    return failure();
  RankedTensorType type = param.getTensorType(), row = typeOf(getRow());
  auto indices = dyn_cast<RankedTensorType>(getIndex().getType());
  int64_t leading = indices ? 1 : 0;
  if (type.getRank() < 1 || row.getElementType() != type.getElementType() ||
      (indices && indices.getRank() != 1) ||
      row.getRank() != type.getRank() - 1 + leading ||
      row.getShape().drop_front(leading) !=
          type.getShape().drop_front()) // row_gradient_c1
    return refuseTypes(*this, param);
  return success();
}
