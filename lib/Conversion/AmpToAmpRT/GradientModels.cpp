//===- GradientModels.cpp - Gradients in cells -----------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CellCode.h"

#include "amp/Conversion/CellEmitter.h"
#include "amp/Conversion/CellModels.h"
#include "amp/Dialect/Amp/IR/AmpOps.h"
#include "amp/Dialect/Amp/IR/Dropout.h"
#include "amp/Dialect/AmpRT/IR/AmpRTOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace amp;

namespace {

Value toI64(CellEmitter &emitter, Location loc, Value index) {
  return arith::IndexCastOp::create(emitter.b, loc, emitter.b.getI64Type(),
                                    index);
}

/// How many rows a tensor has whose last `inner` dimensions are one (i64).
Value rowsOf(CellEmitter &emitter, Value tensor, int64_t inner) {
  Location loc = tensor.getLoc();
  Value rows = emitter.index(1, loc);
  for (Value size : ArrayRef(emitter.dims(tensor)).drop_back(inner))
    rows = arith::MulIOp::create(emitter.b, loc, rows, size);
  return toI64(emitter, loc, rows);
}

/// Of ops that only give gradients of parameters to the runtime.
template <typename Model, typename Op>
struct GradientModel : CellOpInterface::ExternalModel<Model, Op> {
  bool isVirtual(Operation *) const { return false; }
  bool isBatchable(Operation *op) const {
    return llvm::all_of(op->getOperandTypes(), [](Type type) {
      return !getElementTypeOrSelf(type).isF64();
    });
  }
  bool readsAgain(Operation *, unsigned) const { return true; }
};

struct AddGradient : GradientModel<AddGradient, AddGradientOp> {
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer>) const {
    auto add = cast<AddGradientOp>(op);
    Location loc = op->getLoc();
    auto param = SymbolTable::lookupNearestSymbolFrom<ParamOp>(
        op, add.getParamAttr());
    int64_t inner = param.getTensorType().getRank();
    Value count = emitter.index(1, loc);
    for (Value size : ArrayRef(emitter.dims(add.getValue())).take_back(inner))
      count = arith::MulIOp::create(emitter.b, loc, count, size);
    rt::GradientAddOp::create(emitter.b, loc, emitter.getWorker(),
                              add.getParamAttr(),
                              emitter.inMemory(add.getValue()).base,
                              rowsOf(emitter, add.getValue(), inner),
                              toI64(emitter, loc, count));
    return {};
  }
};

struct LinearGradient : GradientModel<LinearGradient, LinearGradientOp> {
  uint64_t estimateWork(Operation *op) const {
    return workOfProduct(op->getOperand(0), op->getOperand(1));
  }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer>) const {
    auto gradient = cast<LinearGradientOp>(op);
    rt::GradientProductOp::create(
        emitter.b, op->getLoc(), emitter.getWorker(),
        gradientName(gradient.getParam()),
        emitter.inMemory(gradient.getX()).base,
        emitter.inMemory(gradient.getDy()).base,
        rowsOf(emitter, gradient.getDy(), 1));
    return {};
  }
};

struct GroupedLinearGradient
    : GradientModel<GroupedLinearGradient, GroupedLinearGradientOp> {
  uint64_t estimateWork(Operation *op) const {
    return workOfProduct(op->getOperand(0), op->getOperand(1));
  }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer>) const {
    auto gradient = cast<GroupedLinearGradientOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    auto param = SymbolTable::lookupNearestSymbolFrom<ParamOp>(
        op, gradient.getParamAttr());
    Value groups =
        emitter.index(param.getTensorType().getDimSize(0), loc);
    // As i32, and in range: the product itself has checked them.
    Value rows = emitter.dim(gradient.getDy(), 0);
    CellBuffer which = emitter.temporary(loc, b.getI32Type(), {rows});
    emitter.loops(loc, rows, /*parallel=*/false, [&](ArrayRef<Value> i) {
      emitter.store(loc, arith::ConstantIntOp::create(b, loc, 0, 32), which, i);
      Value group = emitter.indexElement(gradient.getWhich(), i);
      emitter.ifInRange(loc, "group", group, groups, [&] {
        emitter.store(
            loc, arith::IndexCastOp::create(b, loc, b.getI32Type(), group),
            which, i);
      });
    });
    rt::GradientGroupedOp::create(
        b, loc, emitter.getWorker(), gradientName(gradient.getParam()),
        emitter.inMemory(gradient.getX()).base,
        emitter.inMemory(gradient.getDy()).base, toI64(emitter, loc, rows),
        which.base);
    return {};
  }
};

struct RowGradient : GradientModel<RowGradient, RowGradientOp> {
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer>) const {
    auto gradient = cast<RowGradientOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    FlatSymbolRefAttr name = gradient.getParamAttr();
    auto param = SymbolTable::lookupNearestSymbolFrom<ParamOp>(op, name);
    RankedTensorType type = param.getTensorType();
    Value limit;
    if (type.isDynamicDim(0)) {
      auto loaded = rt::ParamOp::create(
          b, loc, LLVM::LLVMPointerType::get(op->getContext()), b.getI64Type(),
          emitter.getWorker(), name);
      limit = arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                         loaded.getRows());
    } else {
      limit = emitter.index(type.getDimSize(0), loc);
    }
    CellBuffer rows = emitter.inMemory(gradient.getRow());
    auto add = [&](Value index, Value row) {
      emitter.ifInRange(loc, "index", index, limit, [&] {
        rt::GradientRowOp::create(b, loc, emitter.getWorker(), name,
                                  toI64(emitter, loc, index), row);
      });
    };
    Value index = gradient.getIndex();
    if (!isa<RankedTensorType>(index.getType())) {
      Value number = emitter.scalar(index);
      if (!number.getType().isIndex())
        number = arith::IndexCastOp::create(b, loc, b.getIndexType(), number);
      add(number, rows.base);
      return {};
    }
    emitter.loops(loc, emitter.dim(index, 0), /*parallel=*/false,
                  [&](ArrayRef<Value> i) {
                    SmallVector<Value> first(rows.shape.size(),
                                             emitter.index(0, loc));
                    first[0] = i[0];
                    add(emitter.indexElement(index, i),
                        emitter.address(loc, rows, first));
                  });
    return {};
  }
};

//===----------------------------------------------------------------------===//
// Losses and soft-max
//===----------------------------------------------------------------------===//

Value number(OpBuilder &b, Location loc, Type type, double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
}

struct LossGradient : CellOpInterface::ExternalModel<LossGradient, LossGradientOp> {
  bool isVirtual(Operation *op) const {
    return !LossOp::hasClasses(cast<LossGradientOp>(op).getKind());
  }
  bool readsAgain(Operation *op, unsigned operand) const {
    return !isVirtual(op) && operand == 0;
  }
  void emitChecks(Operation *op, CellEmitter &emitter) const {
    auto loss = cast<LossGradientOp>(op);
    auto target = dyn_cast<RankedTensorType>(loss.getTarget().getType());
    for (int64_t i = 0; target && i < target.getRank(); ++i)
      emitter.checkSameDim(op->getLoc(), loss.getX(), i, loss.getTarget(), i);
  }
  Value emitElement(Operation *op, CellEmitter &emitter,
                    ArrayRef<Value> indices) const {
    auto loss = cast<LossGradientOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value x = emitter.element(loss.getX(), indices);
    Value difference = arith::SubFOp::create(
        b, loc, x, emitter.element(loss.getTarget(), indices));
    if (loss.getKind() == LossKind::AbsoluteError) {
      Value zero = number(b, loc, x.getType(), 0);
      Value size = emitter.scalar(loss.getDl());
      auto where = [&](arith::CmpFPredicate predicate, Value then, Value other) {
        Value is = arith::CmpFOp::create(b, loc, predicate, difference, zero);
        return arith::SelectOp::create(b, loc, is, then, other).getResult();
      };
      Value below = arith::NegFOp::create(b, loc, size);
      return where(arith::CmpFPredicate::OGT, size,
                   where(arith::CmpFPredicate::OLT, below, zero));
    }
    Value scale = arith::MulFOp::create(b, loc, emitter.scalar(loss.getDl()),
                                        number(b, loc, x.getType(), 2));
    return arith::MulFOp::create(b, loc, difference, scale);
  }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    auto loss = cast<LossGradientOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Type type = results[0].element;
    Value scale = emitter.scalar(loss.getDl());
    SmallVector<Value> rows = emitter.dims(loss.getX());
    Value classes = rows.pop_back_val();
    emitter.loops(loc, rows, /*parallel=*/false, [&](ArrayRef<Value> row) {
      auto at = [&](Value i) {
        SmallVector<Value> indices(row);
        indices.push_back(i);
        return indices;
      };
      Value right;
      if (isa<RankedTensorType>(loss.getTarget().getType())) {
        right = emitter.indexElement(loss.getTarget(), row);
      } else {
        right = emitter.scalar(loss.getTarget());
        if (!right.getType().isIndex())
          right = arith::IndexCastOp::create(b, loc, b.getIndexType(), right);
      }
      if (loss.getKind() == LossKind::Hinge) {
        emitter.ifInRange(loc, "target", right, classes, [&] {
          emitHinge(loss, emitter, results[0], at, right);
        });
        return;
      }
      Value largest = emitter.max(loc, classes, type, [&](Value i) {
        return emitter.element(loss.getX(), at(i));
      });
      emitter.loops(loc, classes, /*parallel=*/true, [&](ArrayRef<Value> i) {
        Value x = emitter.element(loss.getX(), at(i[0]));
        Value e = math::ExpOp::create(
            b, loc, arith::SubFOp::create(b, loc, x, largest));
        emitter.store(loc, e, results[0], at(i[0]));
      });
      Value sum =
          emitter.sum(loc, classes, number(b, loc, type, 0), [&](Value i) {
            return emitter.load(loc, results[0], at(i));
          });
      Value factor = arith::DivFOp::create(b, loc, scale, sum);
      emitter.loops(loc, classes, /*parallel=*/true, [&](ArrayRef<Value> i) {
        Value e = emitter.load(loc, results[0], at(i[0]));
        emitter.store(loc, arith::MulFOp::create(b, loc, e, factor), results[0],
                      at(i[0]));
      });
      emitter.ifInRange(loc, "target", right, classes, [&] {
        Value p = emitter.load(loc, results[0], at(right));
        emitter.store(loc, arith::SubFOp::create(b, loc, p, scale), results[0],
                      at(right));
      });
    });
    return {};
  }

private:
  /// Each class within the margin gets `dl`, the target less of it for each.
  static void emitHinge(LossGradientOp loss, CellEmitter &emitter,
                        const CellBuffer &result,
                        llvm::function_ref<SmallVector<Value>(Value)> at,
                        Value right) {
    OpBuilder &b = emitter.b;
    Location loc = loss.getLoc();
    Type type = result.element;
    Value scale = emitter.scalar(loss.getDl());
    Value zero = number(b, loc, type, 0), one = number(b, loc, type, 1);
    Value classes = emitter.dims(loss.getX()).back();
    Value wanted = emitter.element(loss.getX(), at(right));
    Value sum = emitter.reduce(
        loc, classes, zero, [&](Value i, ValueRange so) -> SmallVector<Value> {
          Value margin = arith::SubFOp::create(
              b, loc, emitter.element(loss.getX(), at(i)), wanted);
          margin = arith::AddFOp::create(b, loc, margin, one);
          Value is = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT,
                                           margin, zero);
          Value share = arith::SelectOp::create(b, loc, is, scale, zero);
          emitter.store(loc, share, result, at(i));
          return {arith::AddFOp::create(b, loc, so[0], share)};
        })[0];
    Value own = emitter.load(loc, result, at(right));
    emitter.store(loc, arith::SubFOp::create(b, loc, own, sum), result,
                  at(right));
  }
};

/// Bits as Dropout.h says.
struct DropoutMask : CellOpInterface::ExternalModel<DropoutMask, DropoutMaskOp> {
  Value emitElement(Operation *op, CellEmitter &emitter,
                    ArrayRef<Value> indices) const {
    auto mask = cast<DropoutMaskOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value state = emitter.instanceSeed(loc);
    auto wide = [&](uint64_t n) -> Value {
      return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(n));
    };
    auto narrow = [&](uint32_t n) -> Value {
      return arith::ConstantOp::create(b, loc,
                                       b.getI32IntegerAttr(int32_t(n)));
    };
    auto mix = [&](Value z, Value shift, Value factor) -> Value {
      Value high = arith::ShRUIOp::create(b, loc, z, shift);
      z = arith::XOrIOp::create(b, loc, z, high);
      return factor ? arith::MulIOp::create(b, loc, z, factor).getResult() : z;
    };
    auto next = [&](Value from, Value n) {
      Value z = arith::AddIOp::create(b, loc, from, wide(kDropoutGamma));
      z = arith::AddIOp::create(b, loc, z, n);
      z = mix(z, wide(30), wide(kDropoutMix1));
      z = mix(z, wide(27), wide(kDropoutMix2));
      return mix(z, wide(31), Value());
    };
    state = next(next(wide(0), state), wide(mask.getSalt()));
    for (Value key : mask.getKeys()) {
      Value n = emitter.scalar(key);
      if (n.getType().isIndex())
        n = arith::IndexCastOp::create(b, loc, b.getI64Type(), n);
      else if (n.getType().isInteger(32))
        n = arith::ExtSIOp::create(b, loc, b.getI64Type(), n);
      state = next(state, n);
    }
    state = arith::TruncIOp::create(
        b, loc, b.getI32Type(),
        arith::ShRUIOp::create(b, loc, state, wide(32)));
    Value place = emitter.index(0, loc);
    for (auto [index, size] : llvm::zip_equal(indices, emitter.dims(mask.getLike())))
      place = arith::AddIOp::create(
          b, loc, arith::MulIOp::create(b, loc, place, size), index);
    Value bits = arith::IndexCastOp::create(b, loc, b.getI32Type(), place);
    bits = arith::MulIOp::create(b, loc, bits, narrow(kDropoutPlace));
    bits = arith::AddIOp::create(b, loc, bits, state);
    bits = mix(bits, narrow(16), narrow(kDropoutBits1));
    bits = mix(bits, narrow(13), narrow(kDropoutBits2));
    bits = mix(bits, narrow(16), Value());
    Value drop = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, bits,
                                       narrow(mask.getThreshold()));
    Type type = cast<RankedTensorType>(mask.getType()).getElementType();
    double kept = 1 / (1 - mask.getRate().convertToDouble());
    return arith::SelectOp::create(b, loc, drop, number(b, loc, type, 0),
                                   number(b, loc, type, kept));
  }
};

struct SoftmaxGradient
    : CellOpInterface::ExternalModel<SoftmaxGradient, SoftmaxGradientOp> {
  bool isVirtual(Operation *) const { return false; }
  bool readsAgain(Operation *, unsigned) const { return true; }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    auto softmax = cast<SoftmaxGradientOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Type type = results[0].element;
    SmallVector<Value> rows = emitter.dims(softmax.getY());
    Value count = rows.pop_back_val();
    emitter.loops(loc, rows, /*parallel=*/false, [&](ArrayRef<Value> row) {
      auto at = [&](Value i) {
        SmallVector<Value> indices(row);
        indices.push_back(i);
        return indices;
      };
      auto y = [&](Value i) { return emitter.element(softmax.getY(), at(i)); };
      auto dy = [&](Value i) { return emitter.element(softmax.getDy(), at(i)); };
      Value sum = emitter.sum(
          loc, count, number(b, loc, type, 0), [&](Value i) -> Value {
            return arith::MulFOp::create(b, loc, y(i), dy(i));
          });
      emitter.loops(loc, count, /*parallel=*/true, [&](ArrayRef<Value> i) {
        Value d = arith::SubFOp::create(b, loc, dy(i[0]), sum);
        emitter.store(loc, arith::MulFOp::create(b, loc, y(i[0]), d),
                      results[0], at(i[0]));
      });
    });
    return {};
  }
};
} // namespace

std::string amp::gradientName(StringRef param) {
  return (param + ".gradient").str();
}

void amp::registerGradientModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, AmpDialect *) {
    AddGradientOp::attachInterface<AddGradient>(*context);
    LinearGradientOp::attachInterface<LinearGradient>(*context);
    GroupedLinearGradientOp::attachInterface<GroupedLinearGradient>(*context);
    RowGradientOp::attachInterface<RowGradient>(*context);
    LossGradientOp::attachInterface<LossGradient>(*context);
    DropoutMaskOp::attachInterface<DropoutMask>(*context);
    SoftmaxGradientOp::attachInterface<SoftmaxGradient>(*context);
  });
}
