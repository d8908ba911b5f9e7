//===- ElementwiseModels.cpp - arith and math in cells and control steps -*- C++
//-*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Division.h"

#include "amp/Conversion/CellEmitter.h"
#include "amp/Conversion/CellModels.h"
#include "amp/Conversion/ControlEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace amp;

/// The same op on other operands: scalars, or vectors of one size among which
/// scalars stand for equal elements.
static Value cloneScalar(OpBuilder &b, Operation *op, ValueRange given) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  SmallVector<Value> operands(given);
  auto vector = llvm::find_if(
      operands, [](Value each) { return isa<VectorType>(each.getType()); });
  if (vector != operands.end()) {
    auto shape = cast<VectorType>(vector->getType()).getShape();
    for (Value &operand : operands)
      if (!isa<VectorType>(operand.getType()))
        operand = vector::BroadcastOp::create(
            b, op->getLoc(), VectorType::get(shape, operand.getType()),
            operand);
    type = VectorType::get(shape, type);
  }
  OperationState state(op->getLoc(), op->getName().getStringRef(), operands,
                       type, op->getAttrs());
  return b.create(state)->getResult(0);
}

/// Whether it is a select of one of two tensors (or lists) as a whole.
static bool choosesWhole(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  return select && select.getCondition().getType().isInteger(1) &&
         !select.getType().isIntOrIndexOrFloat();
}

/// The chosen one's words: no element moves.
static void emitChoice(Operation *op, ControlEmitter &emitter) {
  auto select = cast<arith::SelectOp>(op);
  Value condition = emitter.scalar(select.getCondition());
  SmallVector<Value> words;
  for (auto [onTrue, onFalse] :
       llvm::zip_equal(emitter.words(select.getTrueValue()),
                       emitter.words(select.getFalseValue())))
    words.push_back(arith::SelectOp::create(emitter.b, op->getLoc(), condition,
                                            onTrue, onFalse));
  emitter.setWords(select.getResult(), words);
}

void amp::emitDivisionChecks(OpBuilder &b, Operation *op, Value left,
                             Value right,
                             llvm::function_ref<void(StringRef, Value)> check) {
  Location loc = op->getLoc();
  Type type = right.getType();
  auto differs = [&](Value value, const APInt &from) -> Value {
    return arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::ne, value,
        arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, from)));
  };
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  check("integer division by zero", differs(right, APInt::getZero(width)));
  if (isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op))
    return;
  check("integer division overflows",
        arith::OrIOp::create(b, loc, differs(right, APInt::getAllOnes(width)),
                             differs(left, APInt::getSignedMinValue(width))));
}

Value amp::emitDivision(OpBuilder &b, Operation *op, Value left, Value right) {
  return cloneScalar(b, op, {left, right});
}

namespace {
/// Any element-wise op: one element at a time in a cell, itself on scalars.
template <typename Op>
struct ElementwiseCell
    : CellOpInterface::ExternalModel<ElementwiseCell<Op>, Op> {
  /// One condition that chooses between tensors of open sizes is no
  /// element-wise work: the sizes may differ.
  bool isBatchable(Operation *op) const {
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    return !choosesWhole(op) || (type && type.hasStaticShape());
  }
  bool emitsRuns(Operation *op, SmallVectorImpl<RunOperand> &operands) const {
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      operands.push_back({i, 0});
    return true;
  }
  Value emitElement(Operation *op, CellEmitter &emitter,
                    ArrayRef<Value> indices) const {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(isa<RankedTensorType>(operand.getType())
                             ? emitter.element(operand, indices)
                             : emitter.scalar(operand));
    return cloneScalar(emitter.b, op, operands);
  }
  /// All tensor operands have one shape; what the types leave open is checked.
  void emitChecks(Operation *op, CellEmitter &emitter) const {
    SmallVector<Value> tensors = tensorOperands(op);
    if (tensors.empty())
      return;
    for (Value other : ArrayRef(tensors).drop_front())
      for (unsigned i = 0, e = rankOf(other); i < e; ++i)
        emitter.checkSameDim(op->getLoc(), tensors[0], i, other, i);
  }
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned,
                unsigned dim) const {
    // The least of them: where they differ, nothing may be read past an end.
    Value least;
    for (Value operand : tensorOperands(op))
      least = emitter.lesser(op->getLoc(), least, emitter.dim(operand, dim));
    return least;
  }

private:
  static SmallVector<Value> tensorOperands(Operation *op) {
    return llvm::to_vector(
        llvm::make_filter_range(op->getOperands(), [](Value each) {
          return isa<RankedTensorType>(each.getType());
        }));
  }
  static unsigned rankOf(Value tensor) {
    return cast<RankedTensorType>(tensor.getType()).getRank();
  }
};

template <typename Op>
struct ElementwiseControl
    : ControlOpInterface::ExternalModel<ElementwiseControl<Op>, Op> {
  bool isControlStep(Operation *op) const {
    return op->getResult(0).getType().isIntOrIndexOrFloat() || choosesWhole(op);
  }
  void emitControl(Operation *op, ControlEmitter &emitter) const {
    if (choosesWhole(op))
      return emitChoice(op, emitter);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(emitter.scalar(operand));
    emitter.setWords(op->getResult(0), cloneScalar(emitter.b, op, operands));
  }
};

template <typename Op>
struct DivisionControl
    : ControlOpInterface::ExternalModel<DivisionControl<Op>, Op> {
  bool isControlStep(Operation *op) const {
    return op->getResult(0).getType().isIntOrIndex();
  }
  void emitControl(Operation *op, ControlEmitter &emitter) const {
    Value left = emitter.scalar(op->getOperand(0));
    Value right = emitter.scalar(op->getOperand(1));
    emitDivisionChecks(emitter.b, op, left, right,
                       [&](StringRef message, Value condition) {
                         emitter.check(op->getLoc(), message, condition);
                       });
    emitter.setWords(op->getResult(0),
                     emitDivision(emitter.b, op, left, right));
  }
};

/// A scalar constant is a control step of no cost; constants of tensors are
/// uniform and handled where they are used.
struct ConstantControl
    : ControlOpInterface::ExternalModel<ConstantControl, arith::ConstantOp> {
  bool isControlStep(Operation *op) const {
    return op->getResult(0).getType().isIntOrIndexOrFloat();
  }
  void emitControl(Operation *op, ControlEmitter &emitter) const {
    emitter.setWords(op->getResult(0), emitter.b.clone(*op)->getResult(0));
  }
};

template <typename... Ops> void attachElementwise(MLIRContext *context) {
  (Ops::template attachInterface<ElementwiseCell<Ops>, ElementwiseControl<Ops>>(
       *context),
   ...);
}
template <typename... Ops> void attachDivisions(MLIRContext *context) {
  (Ops::template attachInterface<DivisionControl<Ops>>(*context), ...);
}
} // namespace

void amp::registerElementwiseModels(DialectRegistry &registry) {
  using namespace arith;
  registry.addExtension(+[](MLIRContext *context, ArithDialect *) {
    attachElementwise<AddFOp, SubFOp, MulFOp, DivFOp, RemFOp, NegFOp,
                      MaximumFOp, MinimumFOp, MaxNumFOp, MinNumFOp, AddIOp,
                      SubIOp, MulIOp, AndIOp, OrIOp, XOrIOp, ShLIOp, ShRSIOp,
                      ShRUIOp, MaxSIOp, MaxUIOp, MinSIOp, MinUIOp, CmpIOp,
                      CmpFOp, SelectOp, ExtFOp, TruncFOp, ExtSIOp, ExtUIOp,
                      TruncIOp, SIToFPOp, UIToFPOp, FPToSIOp, FPToUIOp,
                      IndexCastOp, IndexCastUIOp, BitcastOp>(context);
    attachDivisions<DivSIOp, DivUIOp, RemSIOp, RemUIOp, CeilDivSIOp,
                    CeilDivUIOp, FloorDivSIOp>(context);
    ConstantOp::attachInterface<ConstantControl>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    using namespace math;
    attachElementwise<AbsFOp, AbsIOp, AtanOp, Atan2Op, CeilOp, CosOp, ErfOp,
                      ExpOp, Exp2Op, ExpM1Op, FloorOp, FmaOp, LogOp, Log10Op,
                      Log1pOp, Log2Op, PowFOp, RoundOp, RoundEvenOp, RsqrtOp,
                      SinOp, SqrtOp, TanOp, TanhOp, TruncOp>(context);
  });
}
