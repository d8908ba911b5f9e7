//===- AmpModels.cpp - amp ops in cells and control steps -*- C++ -*-===//
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

static Value constant(OpBuilder &b, Location loc, Type type, double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
}

/// 1 / (1 + exp(-x)) for x >= 0, else exp(x) / (1 + exp(x)): nothing overflows,
/// so small results keep their precision.
static Value emitSigmoid(OpBuilder &b, Location loc, Value x) {
  Value zero = constant(b, loc, x.getType(), 0);
  Value one = constant(b, loc, x.getType(), 1);
  Value magnitude = math::AbsFOp::create(b, loc, x);
  Value e =
      math::ExpOp::create(b, loc, arith::NegFOp::create(b, loc, magnitude));
  Value negative =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, x, zero);
  Value numerator = arith::SelectOp::create(b, loc, negative, e, one);
  return arith::DivFOp::create(b, loc, numerator,
                               arith::AddFOp::create(b, loc, one, e));
}

namespace {

struct SigmoidCell : CellOpInterface::ExternalModel<SigmoidCell, SigmoidOp> {
  Value emitElement(Operation *op, CellEmitter &emitter,
                    ArrayRef<Value> indices) const {
    return emitSigmoid(emitter.b, op->getLoc(),
                       emitter.element(op->getOperand(0), indices));
  }
};
struct SigmoidControl
    : ControlOpInterface::ExternalModel<SigmoidControl, SigmoidOp> {
  bool isControlStep(Operation *op) const {
    return isa<FloatType>(op->getResult(0).getType());
  }
  void emitControl(Operation *op, ControlEmitter &emitter) const {
    emitter.setWords(op->getResult(0),
                     emitSigmoid(emitter.b, op->getLoc(),
                                 emitter.scalar(op->getOperand(0))));
  }
};

/// A product with a parameter is one call over all rows, plus the bias here;
/// any other is a loop.
struct LinearCell : CellOpInterface::ExternalModel<LinearCell, LinearOp> {
  bool isVirtual(Operation *) const { return false; }
  FlatSymbolRefAttr getProductParam(Operation *op) const {
    auto linear = cast<LinearOp>(op);
    auto get = linear.getWeight().getDefiningOp<GetOp>();
    auto type = cast<RankedTensorType>(linear.getWeight().getType());
    if (!get || !type.hasStaticShape() || !type.getElementType().isF32())
      return {};
    return get.getParamAttr();
  }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    auto linear = cast<LinearOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Type type = results[0].element;
    emitter.loops(
        loc, emitter.dims(linear.getResult()), /*parallel=*/false,
        [&](ArrayRef<Value> indices) {
          Value start = linear.getBias()
                            ? emitter.element(linear.getBias(), indices.back())
                            : constant(b, loc, type, 0);
          auto step = [&](Value k, ValueRange sum) -> SmallVector<Value> {
            SmallVector<Value> at(indices);
            at.back() = k;
            Value x = emitter.element(linear.getX(), at);
            Value w = emitter.element(linear.getWeight(), {k, indices.back()});
            Value product = arith::MulFOp::create(b, loc, x, w);
            return {arith::AddFOp::create(b, loc, sum[0], product)};
          };
          Value k = emitter.dim(linear.getWeight(), 0);
          Value sum = emitter.reduce(loc, k, start, step)[0];
          emitter.store(loc, sum, results[0], indices);
        });
    return {};
  }
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned dim) const {
    return emitter.dim(op->getOperand(0),
                       dim); // never the last one (linear_c3)
  }
};

struct SoftmaxCell : CellOpInterface::ExternalModel<SoftmaxCell, SoftmaxOp> {
  bool isVirtual(Operation *) const { return false; }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value x = op->getOperand(0);
    Type type = results[0].element;
    SmallVector<Value> dims = emitter.dims(x);
    Value count = dims.pop_back_val();
    emitter.loops(loc, dims, /*parallel=*/false, [&](ArrayRef<Value> outer) {
      auto at = [&](Value i) {
        SmallVector<Value> indices(outer);
        indices.push_back(i);
        return indices;
      };
      Value least = constant(b, loc, type, -INFINITY);
      Value max = emitter.reduce(
          loc, count, least, [&](Value i, ValueRange so) -> SmallVector<Value> {
            return {arith::MaximumFOp::create(b, loc, so[0],
                                              emitter.element(x, at(i)))};
          })[0];
      emitter.loops(loc, count, /*parallel=*/true, [&](ArrayRef<Value> i) {
        Value shifted =
            arith::SubFOp::create(b, loc, emitter.element(x, at(i[0])), max);
        emitter.store(loc, math::ExpOp::create(b, loc, shifted), results[0],
                      at(i[0]));
      });
      Value zero = constant(b, loc, type, 0);
      Value sum = emitter.reduce(
          loc, count, zero, [&](Value i, ValueRange so) -> SmallVector<Value> {
            return {arith::AddFOp::create(
                b, loc, so[0], emitter.load(loc, results[0], at(i)))};
          })[0];
      emitter.loops(loc, count, /*parallel=*/true, [&](ArrayRef<Value> i) {
        Value e = emitter.load(loc, results[0], at(i[0]));
        emitter.store(loc, arith::DivFOp::create(b, loc, e, sum), results[0],
                      at(i[0]));
      });
    });
    return {};
  }
};

struct ArgmaxCell : CellOpInterface::ExternalModel<ArgmaxCell, ArgmaxOp> {
  bool isVirtual(Operation *) const { return false; }
  bool isBatchable(Operation *op) const { // an empty vector would fail
    auto type = cast<RankedTensorType>(op->getOperand(0).getType());
    return type.hasStaticShape() && type.getDimSize(0) > 0;
  }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer>) const {
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value x = op->getOperand(0);
    Value zero = emitter.index(0, loc);
    // Not `x <= best`: true for a NaN as well. Once the best is a NaN it stays.
    SmallVector<Value> best = emitter.reduce(
        loc, emitter.dim(x, 0), {emitter.element(x, zero), zero},
        [&](Value i, ValueRange so) -> SmallVector<Value> {
          Value e = emitter.element(x, i);
          Value larger = arith::CmpFOp::create(
              b, loc, arith::CmpFPredicate::UGT, e, so[0]);
          Value number = arith::CmpFOp::create(
              b, loc, arith::CmpFPredicate::ORD, so[0], so[0]);
          Value take = arith::AndIOp::create(b, loc, larger, number);
          return {arith::SelectOp::create(b, loc, take, e, so[0]),
                  arith::SelectOp::create(b, loc, take, i, so[1])};
        });
    return {best[1]};
  }
};

/// A row of a table: an address, once the index is checked.
struct LookupControl
    : ControlOpInterface::ExternalModel<LookupControl, LookupOp> {
  bool isControlStep(Operation *) const { return true; }
  void emitControl(Operation *op, ControlEmitter &emitter) const {
    auto lookup = cast<LookupOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value index = emitter.toI64(loc, emitter.scalar(lookup.getIndex()));
    emitter.checkRange(loc, "index", index,
                       emitter.dim(loc, lookup.getTable(), 0));
    auto row = cast<RankedTensorType>(lookup.getType());
    SmallVector<Value> words(1);
    for (unsigned i = 0, e = row.getRank(); i < e; ++i) {
      Value size = emitter.dim(loc, lookup.getTable(), i + 1);
      index = arith::MulIOp::create(b, loc, index, size);
      if (row.isDynamicDim(i))
        words.push_back(size);
    }
    words[0] = emitter.advance(loc, emitter.address(lookup.getTable()),
                               row.getElementType(), index);
    emitter.setWords(lookup.getResult(), words);
  }
};
} // namespace

void amp::registerAmpModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, AmpDialect *) {
    SigmoidOp::attachInterface<SigmoidCell, SigmoidControl>(*context);
    LinearOp::attachInterface<LinearCell>(*context);
    SoftmaxOp::attachInterface<SoftmaxCell>(*context);
    ArgmaxOp::attachInterface<ArgmaxCell>(*context);
    LookupOp::attachInterface<LookupControl>(*context);
  });
}

void amp::registerCellModels(DialectRegistry &registry) {
  registerElementwiseModels(registry);
  registerTensorModels(registry);
  registerAmpModels(registry);
}
