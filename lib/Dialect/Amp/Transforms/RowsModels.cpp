//===- RowsModels.cpp - Ops on many rows at once -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/IR/AmpInterfaces.h"
#include "amp/Dialect/Amp/Transforms/RowsEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace amp;

namespace {

/// The same op on blocks of rows.
template <typename Op>
struct ElementwiseRows
    : RowsOpInterface::ExternalModel<ElementwiseRows<Op>, Op> {
  FailureOr<Value> emitRows(Operation *op, RowsEmitter &emitter) const {
    RankedTensorType type =
        RowsEmitter::rowsType(op->getResult(0).getType());
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      FailureOr<Value> rows = emitter.rows(operand);
      if (failed(rows))
        return failure();
      // The condition of a select may be one for a whole row.
      auto wide = type.clone(
          cast<RankedTensorType>(rows->getType()).getElementType());
      operands.push_back(emitter.repeat(op->getLoc(), *rows, wide));
    }
    OperationState state(op->getLoc(), op->getName().getStringRef(), operands,
                         type, op->getAttrs());
    return emitter.b.create(state)->getResult(0);
  }
};

struct ExtractRows
    : RowsOpInterface::ExternalModel<ExtractRows, tensor::ExtractOp> {
  FailureOr<Value> emitRows(Operation *op, RowsEmitter &emitter) const {
    auto extract = cast<tensor::ExtractOp>(op);
    Value tensor = extract.getTensor();
    if (!emitter.isVarying(tensor)) {
      if (extract.getIndices().size() != 1)
        return emitter.refuse(op, "takes elements of a tensor with more than "
                                  "one dimension");
      FailureOr<Value> outside = emitter.uniform(tensor);
      if (failed(outside))
        return failure();
      return emitter.pick(op->getLoc(), *outside, extract.getIndices()[0]);
    }
    // The same element of each.
    FailureOr<Value> rows = emitter.rows(tensor);
    if (failed(rows))
      return failure();
    auto type = cast<RankedTensorType>(tensor.getType());
    OpBuilder &b = emitter.b;
    SmallVector<OpFoldResult> offsets{b.getIndexAttr(0)};
    for (auto [index, size] :
         llvm::zip_equal(extract.getIndices(), type.getShape())) {
      std::optional<int64_t> known = getConstantIntValue(index);
      if (!known || *known < 0 || *known >= size)
        return emitter.refuse(op, "takes an element at an index that is not "
                                  "known");
      offsets.push_back(b.getIndexAttr(*known));
    }
    SmallVector<OpFoldResult> ones(offsets.size(), b.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes(ones);
    sizes[0] = emitter.count(op->getLoc());
    return tensor::ExtractSliceOp::create(
               b, op->getLoc(), RowsEmitter::rowsType(extract.getType()), *rows,
               offsets, sizes, ones)
        .getResult();
  }
};

struct ExtractSliceRows
    : RowsOpInterface::ExternalModel<ExtractSliceRows, tensor::ExtractSliceOp> {
  FailureOr<Value> emitRows(Operation *op, RowsEmitter &emitter) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    if (!emitter.isVarying(slice.getSource()))
      return emitRowOfUniform(slice, emitter);
    auto isKnown = [](OpFoldResult value) {
      return getConstantIntValue(value).has_value();
    };
    if (!llvm::all_of(slice.getMixedOffsets(), isKnown) ||
        !llvm::all_of(slice.getMixedSizes(), isKnown) ||
        !llvm::all_of(slice.getMixedStrides(), isKnown))
      return emitter.refuse(op, "is a slice at an offset that is not known");
    FailureOr<Value> rows = emitter.rows(slice.getSource());
    if (failed(rows))
      return failure();
    OpBuilder &b = emitter.b;
    auto with = [](OpFoldResult first, ArrayRef<OpFoldResult> rest) {
      SmallVector<OpFoldResult> all{first};
      llvm::append_range(all, rest);
      return all;
    };
    return tensor::ExtractSliceOp::create(
               b, op->getLoc(), RowsEmitter::rowsType(slice.getType()), *rows,
               with(b.getIndexAttr(0), slice.getMixedOffsets()),
               with(emitter.count(op->getLoc()), slice.getMixedSizes()),
               with(b.getIndexAttr(1), slice.getMixedStrides()))
        .getResult();
  }

private:
  /// One whole row of a tensor that all elements share.
  static FailureOr<Value> emitRowOfUniform(tensor::ExtractSliceOp slice,
                                           RowsEmitter &emitter) {
    RankedTensorType source = slice.getSourceType();
    SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
    SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
    auto index = dyn_cast<Value>(offsets[0]);
    bool isRow = index && slice.hasUnitStride() &&
                 isConstantIntValue(sizes[0], 1) &&
                 slice.getType().getRank() + 1 == source.getRank() &&
                 slice.getType().getShape() == source.getShape().drop_front();
    for (OpFoldResult offset : ArrayRef(offsets).drop_front())
      isRow &= isConstantIntValue(offset, 0);
    if (!isRow)
      return emitter.refuse(slice, "is not one whole row");
    FailureOr<Value> outside = emitter.uniform(slice.getSource());
    if (failed(outside))
      return failure();
    return emitter.pick(slice.getLoc(), *outside, index);
  }
};

struct ConcatRows
    : RowsOpInterface::ExternalModel<ConcatRows, tensor::ConcatOp> {
  FailureOr<Value> emitRows(Operation *op, RowsEmitter &emitter) const {
    auto concat = cast<tensor::ConcatOp>(op);
    SmallVector<Value> inputs;
    for (Value input : concat.getInputs()) {
      FailureOr<Value> rows = emitter.rows(input);
      if (failed(rows))
        return failure();
      inputs.push_back(*rows);
    }
    return tensor::ConcatOp::create(
               emitter.b, op->getLoc(),
               RowsEmitter::rowsType(concat.getResultType()),
               concat.getDim() + 1, inputs)
        .getResult();
  }
};

struct SplatRows : RowsOpInterface::ExternalModel<SplatRows, tensor::SplatOp> {
  FailureOr<Value> emitRows(Operation *op, RowsEmitter &emitter) const {
    FailureOr<Value> rows = emitter.rows(op->getOperand(0));
    if (failed(rows))
      return failure();
    return emitter.repeat(op->getLoc(), *rows,
                          RowsEmitter::rowsType(op->getResult(0).getType()));
  }
};

struct LookupRows : RowsOpInterface::ExternalModel<LookupRows, LookupOp> {
  FailureOr<Value> emitRows(Operation *op, RowsEmitter &emitter) const {
    auto lookup = cast<LookupOp>(op);
    if (emitter.isVarying(lookup.getTable()))
      return emitter.refuse(op, "looks up in a table of the element's own");
    FailureOr<Value> table = emitter.uniform(lookup.getTable());
    if (failed(table))
      return failure();
    return emitter.pick(op->getLoc(), *table, lookup.getIndex());
  }
};

struct SoftmaxRows : RowsOpInterface::ExternalModel<SoftmaxRows, SoftmaxOp> {
  FailureOr<Value> emitRows(Operation *op, RowsEmitter &emitter) const {
    FailureOr<Value> rows = emitter.rows(op->getOperand(0));
    if (failed(rows))
      return failure();
    return SoftmaxOp::create(emitter.b, op->getLoc(), *rows).getResult();
  }
};

/// A weight that all share is a product of all rows; one that a lookup takes from
/// several is a grouped product.
struct LinearRows : RowsOpInterface::ExternalModel<LinearRows, LinearOp> {
  FailureOr<Value> emitRows(Operation *op, RowsEmitter &emitter) const {
    auto linear = cast<LinearOp>(op);
    FailureOr<Value> x = emitter.rows(linear.getX());
    if (failed(x))
      return failure();
    Value bias = linear.getBias();
    FailureOr<Value> product = Value();
    if (!emitter.isVarying(linear.getWeight())) {
      FailureOr<Value> weight = emitter.uniform(linear.getWeight());
      if (failed(weight))
        return failure();
      Value shared;
      if (bias && !emitter.isVarying(bias)) {
        FailureOr<Value> outside = emitter.uniform(bias);
        if (failed(outside))
          return failure();
        shared = *outside;
        bias = nullptr;
      }
      product =
          LinearOp::create(emitter.b, op->getLoc(), *x, *weight, shared)
              .getResult();
    } else {
      product = emitGrouped(linear, *x, bias, emitter);
    }
    if (failed(product) || !bias)
      return product;
    FailureOr<Value> biases = emitter.rows(bias);
    if (failed(biases))
      return failure();
    return arith::AddFOp::create(emitter.b, op->getLoc(), *product, *biases)
        .getResult();
  }

private:
  static LookupOp sharedLookup(Value value, RowsEmitter &emitter) {
    auto lookup = value.getDefiningOp<LookupOp>();
    return lookup && !emitter.isVarying(lookup.getTable()) ? lookup
                                                           : LookupOp();
  }
  /// Clears `bias` if the product has it already.
  static FailureOr<Value> emitGrouped(LinearOp linear, Value x, Value &bias,
                                      RowsEmitter &emitter) {
    LookupOp weight = sharedLookup(linear.getWeight(), emitter);
    if (!weight || cast<RankedTensorType>(x.getType()).getRank() != 2)
      return emitter.refuse(linear, "has a weight of the element's own");
    FailureOr<Value> weights = emitter.uniform(weight.getTable());
    FailureOr<Value> which = emitter.rows(weight.getIndex());
    if (failed(weights) || failed(which))
      return failure();
    Value biases;
    LookupOp other = bias ? sharedLookup(bias, emitter) : LookupOp();
    if (other && other.getIndex() == weight.getIndex()) {
      FailureOr<Value> outside = emitter.uniform(other.getTable());
      if (failed(outside))
        return failure();
      auto rows = cast<RankedTensorType>(weights->getType()).getDimSize(0);
      if (cast<RankedTensorType>(outside->getType()).getDimSize(0) == rows) {
        biases = *outside;
        bias = nullptr;
      }
    }
    return GroupedLinearOp::create(emitter.b, linear.getLoc(), x, *weights,
                                   *which, biases)
        .getResult();
  }
};

template <typename... Ops> void attachElementwise(MLIRContext *context) {
  (Ops::template attachInterface<ElementwiseRows<Ops>>(*context), ...);
}
} // namespace

void amp::registerRowsModels(DialectRegistry &registry) {
  // Not integer division: a block cannot fail for one of its rows.
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    using namespace arith;
    attachElementwise<AddFOp, SubFOp, MulFOp, DivFOp, RemFOp, NegFOp,
                      MaximumFOp, MinimumFOp, MaxNumFOp, MinNumFOp, AddIOp,
                      SubIOp, MulIOp, AndIOp, OrIOp, XOrIOp, ShLIOp, ShRSIOp,
                      ShRUIOp, MaxSIOp, MaxUIOp, MinSIOp, MinUIOp, CmpIOp,
                      CmpFOp, SelectOp, ExtFOp, TruncFOp, ExtSIOp, ExtUIOp,
                      TruncIOp, SIToFPOp, UIToFPOp, FPToSIOp, FPToUIOp,
                      IndexCastOp, IndexCastUIOp, BitcastOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    using namespace math;
    attachElementwise<AbsFOp, AbsIOp, AtanOp, Atan2Op, CeilOp, CosOp, ErfOp,
                      ExpOp, Exp2Op, ExpM1Op, FloorOp, FmaOp, LogOp, Log10Op,
                      Log1pOp, Log2Op, PowFOp, RoundOp, RoundEvenOp, RsqrtOp,
                      SinOp, SqrtOp, TanOp, TanhOp, TruncOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    using namespace tensor;
    ExtractOp::attachInterface<ExtractRows>(*context);
    ExtractSliceOp::attachInterface<ExtractSliceRows>(*context);
    ConcatOp::attachInterface<ConcatRows>(*context);
    SplatOp::attachInterface<SplatRows>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, AmpDialect *) {
    attachElementwise<SigmoidOp>(context);
    LookupOp::attachInterface<LookupRows>(*context);
    LinearOp::attachInterface<LinearRows>(*context);
    SoftmaxOp::attachInterface<SoftmaxRows>(*context);
  });
}
