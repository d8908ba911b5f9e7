//===- AmpDerivatives.cpp - Derivatives of amp ops ------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Derivatives.h"

#include "amp/Dialect/Amp/IR/AmpInterfaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace amp;

namespace {

template <typename Op, typename Model>
using Derivative = DerivativeOpInterface::ExternalModel<Model, Op>;

/// A parameter of matrices, these transposed.
Value transposed(AdjointEmitter &emitter, Location loc, Value weight) {
  auto type = cast<RankedTensorType>(weight.getType());
  SmallVector<int64_t> shape(type.getShape());
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return GetOp::create(emitter.b, loc, type.clone(shape),
                       AdjointEmitter::parameter(weight),
                       emitter.b.getUnitAttr());
}

LogicalResult refuseWeight(Operation *op) {
  return op->emitOpError("is differentiated only if its weight is a parameter "
                         "(amp.get)");
}

/// The rows [m, k] of a tensor [..., k].
Value asRows(AdjointEmitter &emitter, Location loc, Value x) {
  OpBuilder &b = emitter.b;
  auto type = cast<RankedTensorType>(x.getType());
  int64_t rank = type.getRank(), k = type.getShape().back();
  if (rank == 2)
    return x;
  if (rank == 1) {
    SmallVector<OpFoldResult> sizes{b.getIndexAttr(1), b.getIndexAttr(k)};
    return tensor::ExpandShapeOp::create(
        b, loc, type.clone({1, k}), x,
        ArrayRef<ReassociationIndices>{{0, 1}}, sizes);
  }
  int64_t rows = 1;
  for (int64_t size : type.getShape().drop_back())
    rows = ShapedType::isDynamic(size) || ShapedType::isDynamic(rows)
               ? ShapedType::kDynamic
               : rows * size;
  ReassociationIndices leading =
      llvm::to_vector<2>(llvm::seq<int64_t>(0, rank - 1));
  return tensor::CollapseShapeOp::create(
      b, loc, type.clone({rows, k}), x,
      ArrayRef<ReassociationIndices>{leading, {rank - 1}});
}

/// A matrix with its dimensions exchanged.
Value transpose(AdjointEmitter &emitter, Location loc, Value matrix) {
  OpBuilder &b = emitter.b;
  SmallVector<OpFoldResult> sizes = emitter.dims(loc, matrix);
  std::swap(sizes[0], sizes[1]);
  Value empty = tensor::EmptyOp::create(
      b, loc, sizes,
      cast<RankedTensorType>(matrix.getType()).getElementType());
  return linalg::TransposeOp::create(b, loc, matrix, empty,
                                     ArrayRef<int64_t>{1, 0})
      ->getResult(0);
}

/// x^T y, of the type of `like`.
Value transposedProduct(AdjointEmitter &emitter, Location loc, Value x, Value y,
                        Value like) {
  Value zeros = emitter.filled(loc, like, 0);
  return linalg::MatmulOp::create(
             emitter.b, loc, TypeRange{like.getType()},
             ValueRange{transpose(emitter, loc, x), y}, ValueRange{zeros})
      .getResult(0);
}

/// dx = dy W^T; W's gradient is the products of rows of x and dy.
struct Linear : Derivative<LinearOp, Linear> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto linear = cast<LinearOp>(op);
    Location loc = op->getLoc();
    Value x = linear.getX(), weight = linear.getWeight(),
          bias = linear.getBias(), gradient = emitter.adjoint(linear.getResult());
    FlatSymbolRefAttr name = AdjointEmitter::parameter(weight);
    if (emitter.wants(weight) && !name)
      emitter.add(weight, transposedProduct(
                              emitter, loc, asRows(emitter, loc, x),
                              asRows(emitter, loc, gradient), weight));
    else if (emitter.wants(weight))
      LinearGradientOp::create(emitter.b, loc, name, x, gradient);
    if (bias && emitter.wants(bias)) {
      Value rows = gradient;
      if (!AdjointEmitter::parameter(bias))
        for (int64_t rank = cast<RankedTensorType>(rows.getType()).getRank();
             rank > 1; --rank)
          rows = PoolOp::create(emitter.b, loc, Reduction::Sum, rows);
      emitter.add(bias, rows);
    }
    if (emitter.wants(x))
      emitter.add(x, LinearOp::create(emitter.b, loc, gradient,
                                      name ? transposed(emitter, loc, weight)
                                           : transpose(emitter, loc, weight),
                                      Value()));
    return success();
  }
};

struct GroupedLinear : Derivative<GroupedLinearOp, GroupedLinear> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto linear = cast<GroupedLinearOp>(op);
    Location loc = op->getLoc();
    Value x = linear.getX(), weights = linear.getWeights(),
          which = linear.getWhich(), biases = linear.getBiases(),
          gradient = emitter.adjoint(linear.getResult());
    FlatSymbolRefAttr name = AdjointEmitter::parameter(weights);
    FlatSymbolRefAttr biasName =
        biases ? AdjointEmitter::parameter(biases) : FlatSymbolRefAttr();
    bool wantsBiases = biases && emitter.wants(biases);
    if ((!name && (emitter.wants(x) || emitter.wants(weights))) ||
        (wantsBiases && !biasName))
      return refuseWeight(op);
    if (emitter.wants(weights))
      GroupedLinearGradientOp::create(emitter.b, loc, name, x, gradient, which);
    if (wantsBiases)
      RowGradientOp::create(emitter.b, loc, biasName, which, gradient);
    if (emitter.wants(x))
      emitter.add(x, GroupedLinearOp::create(emitter.b, loc, gradient,
                                             transposed(emitter, loc, weights),
                                             which, Value()));
    return success();
  }
};

struct Lookup : Derivative<LookupOp, Lookup> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto lookup = cast<LookupOp>(op);
    Value table = lookup.getTable(), index = lookup.getIndex();
    if (!emitter.wants(table))
      return success();
    Value gradient = emitter.adjoint(lookup.getRow());
    if (FlatSymbolRefAttr name = AdjointEmitter::parameter(table)) {
      RowGradientOp::create(emitter.b, op->getLoc(), name, index, gradient);
      return success();
    }
    if (!index.getType().isIndex())
      index = arith::IndexCastOp::create(emitter.b, op->getLoc(),
                                         emitter.b.getIndexType(), index);
    emitter.addRow(table, index, gradient);
    return success();
  }
};

/// The number of rows of a tensor.
Value rowsOf(AdjointEmitter &emitter, Location loc, Value tensor) {
  return getValueOrCreateConstantIndexOp(emitter.b, loc,
                                         emitter.dims(loc, tensor)[0]);
}

Value castTo(AdjointEmitter &emitter, Location loc, Type type, Value value) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(emitter.b, loc, type, value);
}

struct Gather : Derivative<GatherOp, Gather> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto gather = cast<GatherOp>(op);
    Location loc = op->getLoc();
    Value x = gather.getX(), indices = gather.getIndices();
    if (!emitter.wants(x))
      return success();
    Value gradient = emitter.adjoint(gather.getResult());
    if (FlatSymbolRefAttr name = AdjointEmitter::parameter(x)) {
      RowGradientOp::create(emitter.b, loc, name, indices, gradient);
      return success();
    }
    Value sum = SegmentOp::create(emitter.b, loc, Reduction::Sum, gradient,
                                  indices, rowsOf(emitter, loc, x));
    emitter.add(x, castTo(emitter, loc, x.getType(), sum));
    return success();
  }
};

/// Row r of `values` for each row of a segment r.
Value toRows(AdjointEmitter &emitter, SegmentOp segment, Value values) {
  Location loc = segment.getLoc();
  Value rows = GatherOp::create(emitter.b, loc, values, segment.getSegments());
  return castTo(emitter, loc, segment.getX().getType(), rows);
}

/// Where `x` is what `y` says, 1, else 0.
Value whereEqual(AdjointEmitter &emitter, Location loc, Value x, Value y) {
  Value equal = arith::CmpFOp::create(emitter.b, loc, arith::CmpFPredicate::OEQ,
                                      x, y);
  return arith::SelectOp::create(emitter.b, loc, equal,
                                 emitter.filled(loc, x, 1),
                                 emitter.filled(loc, x, 0));
}

/// A maximum's gradient goes to the greatest, in equal parts if there are
/// several.
struct Segment : Derivative<SegmentOp, Segment> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto segment = cast<SegmentOp>(op);
    Location loc = op->getLoc();
    OpBuilder &b = emitter.b;
    Value x = segment.getX();
    if (!emitter.wants(x))
      return success();
    Value gradient = emitter.adjoint(segment.getResult());
    if (segment.getKind() == Reduction::Sum) {
      emitter.add(x, toRows(emitter, segment, gradient));
      return success();
    }
    Value shares = segment.getKind() == Reduction::Mean
                       ? emitter.filled(loc, x, 1)
                       : whereEqual(emitter, loc, x,
                                    toRows(emitter, segment,
                                           segment.getResult()));
    Value counts = SegmentOp::create(b, loc, Reduction::Sum, shares,
                                     segment.getSegments(), segment.getCount());
    Value rows = arith::DivFOp::create(b, loc,
                                       toRows(emitter, segment, gradient),
                                       toRows(emitter, segment, counts));
    emitter.add(x, arith::MulFOp::create(b, loc, rows, shares));
    return success();
  }
};

/// As many copies of `row` as `like` has rows.
Value repeat(AdjointEmitter &emitter, Location loc, Value row, Value like) {
  OpBuilder &b = emitter.b;
  auto type = cast<RankedTensorType>(like.getType());
  Value empty = tensor::EmptyOp::create(b, loc, emitter.dims(loc, like),
                                        type.getElementType());
  return linalg::BroadcastOp::create(b, loc, row, empty, ArrayRef<int64_t>{0})
      ->getResult(0);
}

struct Pool : Derivative<PoolOp, Pool> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto pool = cast<PoolOp>(op);
    Location loc = op->getLoc();
    OpBuilder &b = emitter.b;
    Value x = pool.getX();
    if (!emitter.wants(x))
      return success();
    Value gradient = emitter.adjoint(pool.getResult());
    if (pool.getKind() == Reduction::Sum) {
      emitter.add(x, repeat(emitter, loc, gradient, x));
      return success();
    }
    Value shares = pool.getKind() == Reduction::Mean
                       ? emitter.filled(loc, x, 1)
                       : whereEqual(emitter, loc, x,
                                    repeat(emitter, loc, pool.getResult(), x));
    Value counts = PoolOp::create(b, loc, Reduction::Sum, shares);
    Value part = arith::DivFOp::create(b, loc, gradient, counts);
    emitter.add(x, arith::MulFOp::create(b, loc, repeat(emitter, loc, part, x),
                                         shares));
    return success();
  }
};

struct Softmax : Derivative<SoftmaxOp, Softmax> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    Value x = op->getOperand(0), y = op->getResult(0);
    if (emitter.wants(x))
      emitter.add(x, SoftmaxGradientOp::create(emitter.b, op->getLoc(), y,
                                               emitter.adjoint(y)));
    return success();
  }
};

struct Group : Derivative<GroupOp, Group> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto group = cast<GroupOp>(op);
    if (emitter.wants(group.getX()))
      emitter.add(group.getX(),
                  UngroupOp::create(emitter.b, op->getLoc(),
                                    emitter.adjoint(group.getRows()),
                                    group.getKeys(), group.getCount()));
    return success();
  }
};

struct Ungroup : Derivative<UngroupOp, Ungroup> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto ungroup = cast<UngroupOp>(op);
    if (emitter.wants(ungroup.getRows()))
      emitter.add(ungroup.getRows(),
                  GroupOp::create(emitter.b, op->getLoc(),
                                  emitter.adjoint(op->getResult(0)),
                                  ungroup.getKeys(), ungroup.getCount())
                      .getRows());
    return success();
  }
};

struct Loss : Derivative<LossOp, Loss> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto loss = cast<LossOp>(op);
    Location loc = op->getLoc();
    Value gradient;
    auto emit = [&] {
      if (!gradient)
        gradient = LossGradientOp::create(
            emitter.b, loc, loss.getKind(), loss.getX(), loss.getTarget(),
            emitter.adjoint(loss.getLoss()));
      return gradient;
    };
    if (emitter.wants(loss.getX()))
      emitter.add(loss.getX(), emit());
    if (emitter.wants(loss.getTarget()))
      emitter.add(loss.getTarget(),
                  arith::NegFOp::create(emitter.b, loc, emit()));
    return success();
  }
};
} // namespace

void amp::registerAmpDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, AmpDialect *) {
    LinearOp::attachInterface<Linear>(*context);
    GroupedLinearOp::attachInterface<GroupedLinear>(*context);
    LookupOp::attachInterface<Lookup>(*context);
    GatherOp::attachInterface<Gather>(*context);
    SegmentOp::attachInterface<Segment>(*context);
    PoolOp::attachInterface<Pool>(*context);
    SoftmaxOp::attachInterface<Softmax>(*context);
    GroupOp::attachInterface<Group>(*context);
    UngroupOp::attachInterface<Ungroup>(*context);
    LossOp::attachInterface<Loss>(*context);
  });
}

void amp::registerDerivativeModels(DialectRegistry &registry) {
  registerElementwiseDerivatives(registry);
  registerTensorDerivatives(registry);
  registerLinalgDerivatives(registry);
  registerListDerivatives(registry);
  registerAmpDerivatives(registry);
}
