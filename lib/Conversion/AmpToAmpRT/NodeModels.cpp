//===- NodeModels.cpp - re-keys and losses ----------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Conversion/CellEmitter.h"
#include "amp/Conversion/CellModels.h"
#include "amp/Conversion/ControlEmitter.h"
#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace amp;

//===----------------------------------------------------------------------===//
// rekey
//===----------------------------------------------------------------------===//

/// What a region of scalar ops yields for `key`.
static Value emitKeyChange(ControlEmitter &emitter, Region &region, Value key) {
  Block &body = region.front();
  emitter.setWords(body.getArgument(0), key);
  for (Operation &op : body.without_terminator())
    if (!op.hasTrait<OpTrait::ConstantLike>())
      cast<ControlOpInterface>(op).emitControl(emitter);
  return emitter.scalar(body.getTerminator()->getOperand(0));
}

static bool isControl(Operation &op) {
  if (op.hasTrait<OpTrait::ConstantLike>())
    return true;
  auto control = dyn_cast<ControlOpInterface>(op);
  return control && control.isControlStep();
}

namespace {
struct RekeyControl : ControlOpInterface::ExternalModel<RekeyControl, RekeyOp> {
  bool isControlStep(Operation *op) const {
    auto rekey = cast<RekeyOp>(op);
    return llvm::all_of(rekey.getForward().front().without_terminator(),
                        isControl) &&
           llvm::all_of(rekey.getInverse().front().without_terminator(),
                        isControl);
  }
  void emitControl(Operation *op, ControlEmitter &emitter) const {
    auto rekey = cast<RekeyOp>(op);
    Location loc = op->getLoc();
    Value key = emitter.scalar(rekey.getKey());
    Value next = emitKeyChange(emitter, rekey.getForward(), key);
    Value back = emitKeyChange(emitter, rekey.getInverse(), next);
    emitter.check(loc, "the inverse of a re-key does not lead back to its key",
                  arith::CmpIOp::create(emitter.b, loc,
                                        arith::CmpIPredicate::eq, back, key));
    emitter.setWords(rekey.getResult(), next);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// loss
//===----------------------------------------------------------------------===//

/// The sum, over all indices in `dims`, of what `term` gives.
static Value sumOver(CellEmitter &emitter, Location loc, ArrayRef<Value> dims,
                     Value sum, SmallVector<Value> at,
                     llvm::function_ref<Value(ArrayRef<Value>)> term) {
  if (dims.empty())
    return arith::AddFOp::create(emitter.b, loc, sum, term(at));
  return emitter.reduce(
      loc, dims.front(), sum, [&](Value i, ValueRange so) -> SmallVector<Value> {
        SmallVector<Value> next(at);
        next.push_back(i);
        return {sumOver(emitter, loc, dims.drop_front(), so[0], next, term)};
      })[0];
}

/// The loss of one position, whose target is a class: log sum exp(x) - x[target],
/// or the margins of the others.
static Value lossOfClasses(CellEmitter &emitter, LossOp op, Type type,
                          ArrayRef<Value> position) {
  OpBuilder &b = emitter.b;
  Location loc = op.getLoc();
  Value x = op.getX();
  auto at = [&](Value i) {
    SmallVector<Value> indices(position);
    indices.push_back(i);
    return emitter.convert(loc, emitter.element(x, indices), type);
  };
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
  };
  Value classes =
      emitter.dim(x, cast<RankedTensorType>(x.getType()).getRank() - 1);
  Value target = isa<RankedTensorType>(op.getTarget().getType())
                     ? emitter.indexElement(op.getTarget(), position)
                     : emitter.scalar(op.getTarget());
  if (!target.getType().isIndex())
    target = arith::IndexCastOp::create(b, loc, b.getIndexType(), target);
  emitter.ifInRange(loc, "target", target, classes, [] {});
  // By comparison: a target that is none of the classes reads nothing.
  Value chosen = emitter.reduce(
      loc, classes, constant(0),
      [&](Value i, ValueRange so) -> SmallVector<Value> {
        Value here = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, i,
                                           target);
        return {arith::SelectOp::create(b, loc, here, at(i), so[0])};
      })[0];
  if (op.getKind() == LossKind::Hinge) {
    // The target's own margin, which is 1, is none.
    return emitter.sum(loc, classes, constant(-1), [&](Value i) -> Value {
      Value margin = arith::SubFOp::create(b, loc, at(i), chosen);
      margin = arith::AddFOp::create(b, loc, margin, constant(1));
      return arith::MaximumFOp::create(b, loc, margin, constant(0));
    });
  }
  Value max = emitter.max(loc, classes, type, at);
  Value sum = emitter.sum(loc, classes, constant(0), [&](Value i) -> Value {
    return math::ExpOp::create(b, loc,
                               arith::SubFOp::create(b, loc, at(i), max));
  });
  Value log = math::LogOp::create(b, loc, sum);
  return arith::SubFOp::create(
      b, loc, arith::AddFOp::create(b, loc, log, max), chosen);
}

namespace {
struct LossCell : CellOpInterface::ExternalModel<LossCell, LossOp> {
  bool isVirtual(Operation *) const { return false; }
  bool readsAgain(Operation *op, unsigned operand) const {
    return operand == 0 &&
           LossOp::hasClasses(cast<LossOp>(op).getKind());
  }
  void emitChecks(Operation *op, CellEmitter &emitter) const {
    Value x = op->getOperand(0), target = op->getOperand(1);
    auto type = dyn_cast<RankedTensorType>(target.getType());
    for (int64_t i = 0, e = type ? type.getRank() : 0; i < e; ++i)
      emitter.checkSameDim(op->getLoc(), x, i, target, i);
  }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer>) const {
    auto loss = cast<LossOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value x = loss.getX();
    Type type = loss.getLoss().getType();
    bool hasClasses = LossOp::hasClasses(loss.getKind());
    SmallVector<Value> dims;
    int64_t rank = cast<RankedTensorType>(x.getType()).getRank();
    for (int64_t i = 0, e = hasClasses ? rank - 1 : rank; i < e; ++i)
      dims.push_back(emitter.lesserDim(loc, x, i, loss.getTarget(), i));
    Value zero = arith::ConstantOp::create(b, loc, b.getFloatAttr(type, 0));
    return {sumOver(
        emitter, loc, dims, zero, {}, [&](ArrayRef<Value> at) -> Value {
          if (hasClasses)
            return lossOfClasses(emitter, loss, type, at);
          Value y = emitter.convert(loc, emitter.element(x, at), type);
          Value t =
              emitter.convert(loc, emitter.element(loss.getTarget(), at), type);
          Value difference = arith::SubFOp::create(b, loc, y, t);
          if (loss.getKind() == LossKind::AbsoluteError)
            return math::AbsFOp::create(b, loc, difference);
          return arith::MulFOp::create(b, loc, difference, difference);
        })};
  }
};
} // namespace

void amp::registerNodeModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, AmpDialect *) {
    RekeyOp::attachInterface<RekeyControl>(*context);
    LossOp::attachInterface<LossCell>(*context);
  });
}
