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

Type amp::accumulatorType(Type element) {
  if (element.isBF16() || element.isF16())
    return Float32Type::get(element.getContext());
  return element;
}

/// Of a float or a vector of floats.
static Value constant(OpBuilder &b, Location loc, Type type, double value) {
  TypedAttr attr = b.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, Attribute(attr));
  return arith::ConstantOp::create(b, loc, attr);
}

/// 1 / (1 + exp(-x)), in a form that amp-expand-math knows.
static Value emitSigmoid(OpBuilder &b, Location loc, Value x) {
  Type narrow = x.getType();
  if (accumulatorType(narrow) != narrow) {
    x = arith::ExtFOp::create(b, loc, accumulatorType(narrow), x);
    return arith::TruncFOp::create(b, loc, narrow, emitSigmoid(b, loc, x));
  }
  Value one = constant(b, loc, x.getType(), 1);
  Value e = math::ExpOp::create(b, loc, arith::NegFOp::create(b, loc, x));
  return arith::DivFOp::create(b, loc, one,
                               arith::AddFOp::create(b, loc, e, one));
}

/// The parameter that a weight is, if products with it can be one call.
static FlatSymbolRefAttr productParam(Value weight) {
  auto get = weight.getDefiningOp<GetOp>();
  auto type = cast<RankedTensorType>(weight.getType());
  if (!get || !type.hasStaticShape() || type.getElementType().isF64())
    return {};
  return get.getParamAttr();
}

/// Row `row` of `result`: start(j) + sum over k of x(k) w(k, j), each element's
/// sum in the order of k.
static void emitRowTimes(CellEmitter &emitter, Location loc,
                         const CellBuffer &result, ArrayRef<Value> row,
                         Value columns, Value depth,
                         llvm::function_ref<Value(Value)> start,
                         llvm::function_ref<Value(Value)> x,
                         llvm::function_ref<Value(Value, Value)> w) {
  OpBuilder &b = emitter.b;
  Type type = accumulatorType(result.element);
  auto at = [&](Value j) {
    SmallVector<Value> indices(row);
    indices.push_back(j);
    return indices;
  };
  auto first = [&](Value j) {
    Value value = start(j);
    return value ? emitter.convert(loc, value, type)
                 : constant(b, loc, type, 0);
  };
  auto product = [&](Value factor, Value k, Value j) -> Value {
    return arith::MulFOp::create(b, loc, factor,
                                 emitter.convert(loc, w(k, j), type));
  };
  if (type != result.element) { // sums stay in a register, or they would round
    emitter.loops(loc, columns, /*parallel=*/false, [&](ArrayRef<Value> j) {
      Value sum =
          emitter.reduce(loc, depth, first(j[0]),
                         [&](Value k, ValueRange so) -> SmallVector<Value> {
                           Value factor = emitter.convert(loc, x(k), type);
                           return {arith::AddFOp::create(
                               b, loc, so[0], product(factor, k, j[0]))};
                         })[0];
      emitter.store(loc, sum, result, at(j[0]));
    });
    return;
  }
  emitter.loops(loc, columns, /*parallel=*/true, [&](ArrayRef<Value> j) {
    emitter.store(loc, first(j[0]), result, at(j[0]));
  });
  emitter.loops(loc, depth, /*parallel=*/false, [&](ArrayRef<Value> k) {
    Value factor = x(k[0]);
    emitter.loops(loc, columns, /*parallel=*/true, [&](ArrayRef<Value> j) {
      Value sum =
          arith::AddFOp::create(b, loc, emitter.load(loc, result, at(j[0])),
                                product(factor, k[0], j[0]));
      emitter.store(loc, sum, result, at(j[0]));
    });
  });
}

namespace {

struct SigmoidCell : CellOpInterface::ExternalModel<SigmoidCell, SigmoidOp> {
  bool emitsRuns(Operation *, SmallVectorImpl<RunOperand> &operands) const {
    operands.push_back({0, 0});
    return true;
  }
  Value emitElement(Operation *op, CellEmitter &emitter,
                    ArrayRef<Value> indices) const {
    Value x = op->getOperand(0);
    return emitSigmoid(emitter.b, op->getLoc(),
                       isa<RankedTensorType>(x.getType())
                           ? emitter.element(x, indices)
                           : emitter.scalar(x));
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
  bool readsAgain(Operation *op, unsigned operand) const {
    return !getProductParam(op) && operand < 2;
  }
  uint64_t estimateWork(Operation *op) const {
    return workOfProduct(op->getOperand(0), op->getResult(0));
  }
  FlatSymbolRefAttr getProductParam(Operation *op) const {
    return productParam(cast<LinearOp>(op).getWeight());
  }
  Value getProductBias(Operation *op) const {
    return cast<LinearOp>(op).getBias();
  }
  Value emitProductBias(Operation *op, CellEmitter &emitter,
                        ArrayRef<Value> indices) const {
    Value bias = cast<LinearOp>(op).getBias();
    return bias ? emitter.element(bias, indices.back()) : Value();
  }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    auto linear = cast<LinearOp>(op);
    Location loc = op->getLoc();
    SmallVector<Value> rows = emitter.dims(linear.getResult());
    Value columns = rows.pop_back_val();
    emitter.loops(loc, rows, /*parallel=*/false, [&](ArrayRef<Value> row) {
      emitRowTimes(
          emitter, loc, results[0], row, columns,
          emitter.dim(linear.getWeight(), 0),
          [&](Value j) { return emitProductBias(op, emitter, j); },
          [&](Value k) {
            SmallVector<Value> at(row);
            at.push_back(k);
            return emitter.element(linear.getX(), at);
          },
          [&](Value k, Value j) {
            return emitter.element(linear.getWeight(), {k, j});
          });
    });
    return {};
  }
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned,
                unsigned dim) const {
    return emitter.dim(op->getOperand(0), dim); // never the last (linear_c3)
  }
};

struct GroupedLinearCell
    : CellOpInterface::ExternalModel<GroupedLinearCell, GroupedLinearOp> {
  bool isVirtual(Operation *) const { return false; }
  bool readsAgain(Operation *op, unsigned operand) const {
    return !getProductParam(op) && operand < 2;
  }
  uint64_t estimateWork(Operation *op) const {
    return workOfProduct(op->getOperand(0), op->getResult(0));
  }
  FlatSymbolRefAttr getProductParam(Operation *op) const {
    return productParam(cast<GroupedLinearOp>(op).getWeights());
  }
  Value getProductChoice(Operation *op) const {
    return cast<GroupedLinearOp>(op).getWhich();
  }
  void emitChecks(Operation *op, CellEmitter &emitter) const {
    auto linear = cast<GroupedLinearOp>(op);
    emitter.checkSameDim(op->getLoc(), linear.getX(), 0, linear.getWhich(), 0);
  }
  Value emitProductBias(Operation *op, CellEmitter &emitter,
                        ArrayRef<Value> indices) const {
    auto linear = cast<GroupedLinearOp>(op);
    if (!linear.getBiases())
      return {};
    // Of a group that does not exist, which fails: any bias that does.
    Location loc = op->getLoc();
    Value group = emitter.indexElement(linear.getWhich(), indices[0]);
    Value zero = emitter.index(0, loc);
    Value exists =
        arith::CmpIOp::create(emitter.b, loc, arith::CmpIPredicate::ult, group,
                              emitter.dim(linear.getBiases(), 0));
    group = arith::SelectOp::create(emitter.b, loc, exists, group, zero);
    return emitter.element(linear.getBiases(), {group, indices[1]});
  }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    auto linear = cast<GroupedLinearOp>(op);
    Location loc = op->getLoc();
    SmallVector<Value> dims = emitter.dims(linear.getResult());
    emitter.loops(loc, dims[0], /*parallel=*/false, [&](ArrayRef<Value> row) {
      Value group = emitter.indexElement(linear.getWhich(), row);
      emitter.ifInRange(
          loc, "group", group, emitter.dim(linear.getWeights(), 0), [&] {
            emitRowTimes(
                emitter, loc, results[0], row, dims[1],
                emitter.dim(linear.getWeights(), 1),
                [&](Value j) {
                  return linear.getBiases()
                             ? emitter.element(linear.getBiases(), {group, j})
                             : Value();
                },
                [&](Value k) {
                  return emitter.element(linear.getX(), {row[0], k});
                },
                [&](Value k, Value j) {
                  return emitter.element(linear.getWeights(), {group, k, j});
                });
          });
    });
    return {};
  }
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned, unsigned) const {
    auto linear = cast<GroupedLinearOp>(op);
    Value rows = emitter.dim(linear.getX(), 0);
    Value choices = emitter.dim(linear.getWhich(), 0);
    if (rows == choices)
      return rows;
    return arith::MinUIOp::create(emitter.b, op->getLoc(), rows, choices);
  }
};

struct SoftmaxCell : CellOpInterface::ExternalModel<SoftmaxCell, SoftmaxOp> {
  bool isVirtual(Operation *) const { return false; }
  bool readsAgain(Operation *, unsigned) const { return true; }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value x = op->getOperand(0);
    Type type = accumulatorType(results[0].element);
    SmallVector<Value> dims = emitter.dims(x);
    Value count = dims.pop_back_val();
    emitter.loops(loc, dims, /*parallel=*/false, [&](ArrayRef<Value> outer) {
      auto at = [&](Value i) {
        SmallVector<Value> indices(outer);
        indices.push_back(i);
        return indices;
      };
      auto given = [&](Value i) {
        return emitter.convert(loc, emitter.element(x, at(i)), type);
      };
      auto exponential = [&](Value i, Value max) -> Value {
        return math::ExpOp::create(
            b, loc, arith::SubFOp::create(b, loc, given(i), max));
      };
      Value max = emitter.max(loc, count, type, given);
      bool keeps = type == results[0].element; // or rounding would be summed
      if (keeps)
        emitter.loops(loc, count, /*parallel=*/true, [&](ArrayRef<Value> i) {
          emitter.store(loc, exponential(i[0], max), results[0], at(i[0]));
        });
      Value zero = constant(b, loc, type, 0);
      Value sum = emitter.sum(loc, count, zero, [&](Value i) {
        return keeps ? emitter.load(loc, results[0], at(i))
                     : exponential(i, max);
      });
      emitter.loops(loc, count, /*parallel=*/true, [&](ArrayRef<Value> i) {
        Value e = keeps ? emitter.load(loc, results[0], at(i[0]))
                        : exponential(i[0], max);
        emitter.store(loc, arith::DivFOp::create(b, loc, e, sum), results[0],
                      at(i[0]));
      });
    });
    return {};
  }
};

struct ArgmaxCell : CellOpInterface::ExternalModel<ArgmaxCell, ArgmaxOp> {
  bool isVirtual(Operation *) const { return false; }
  bool readsAgain(Operation *, unsigned) const { return true; }
  void emitChecks(Operation *op, CellEmitter &emitter) const {
    Value x = op->getOperand(0);
    auto type = cast<RankedTensorType>(x.getType());
    if (type.hasStaticShape() && type.getDimSize(0) > 0)
      return;
    Location loc = op->getLoc();
    emitter.check(
        loc, "the arg-max of an empty vector",
        arith::CmpIOp::create(emitter.b, loc, arith::CmpIPredicate::ne,
                              emitter.dim(x, 0), emitter.index(0, loc)));
  }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer>) const {
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value x = op->getOperand(0);
    Type type =
        accumulatorType(cast<RankedTensorType>(x.getType()).getElementType());
    Value count = emitter.dim(x, 0), one = emitter.index(1, loc);
    auto given = [&](Value i) {
      return emitter.convert(loc, emitter.element(x, i), type);
    };
    // Two loops, which are vectorised, as one that carries a place is not. A
    // NaN is the greatest of all, and stays.
    Value max = emitter.max(loc, count, type, given);
    Value last = arith::SubIOp::create(
        b, loc, arith::MaxUIOp::create(b, loc, count, one), one);
    SmallVector<Value> first = emitter.reduce(
        loc, count, last, [&](Value i, ValueRange so) -> SmallVector<Value> {
          Value e = given(i);
          Value isMax =
              arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, e, max);
          Value isNaN =
              arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, e, e);
          Value place = arith::SelectOp::create(
              b, loc, arith::OrIOp::create(b, loc, isMax, isNaN), i, last);
          return {arith::MinUIOp::create(b, loc, so[0], place)};
        });
    return first;
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
    GroupedLinearOp::attachInterface<GroupedLinearCell>(*context);
    SoftmaxOp::attachInterface<SoftmaxCell>(*context);
    ArgmaxOp::attachInterface<ArgmaxCell>(*context);
    LookupOp::attachInterface<LookupControl>(*context);
  });
}

void amp::registerCellModels(DialectRegistry &registry) {
  registerElementwiseModels(registry);
  registerTensorModels(registry);
  registerSliceModels(registry);
  registerReshapeModels(registry);
  registerGenerateModels(registry);
  registerLinalgModels(registry);
  registerAmpModels(registry);
  registerRowModels(registry);
  registerGradientModels(registry);
  registerListModels(registry);
  registerNodeModels(registry);
}
