//===- TensorDerivatives.cpp - Derivatives of tensor and linalg ops -------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Captures.h"
#include "Derivatives.h"

#include "amp/Dialect/Amp/IR/AmpInterfaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace amp;

namespace {

template <typename Op, typename Model>
using Derivative = DerivativeOpInterface::ExternalModel<Model, Op>;

/// A slice of zeros that the gradient is put into; or of a row, that row.
struct ExtractSlice : Derivative<tensor::ExtractSliceOp, ExtractSlice> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    Value source = slice.getSource();
    if (!emitter.wants(source))
      return success();
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value gradient = emitter.adjoint(slice.getResult());
    if (OpFoldResult row = usedRow(op, source)) {
      emitter.addRow(source, getValueOrCreateConstantIndexOp(b, loc, row),
                     gradient);
      return success();
    }
    emitter.add(source,
                tensor::InsertSliceOp::create(
                    b, loc, gradient, emitter.filled(loc, source, 0),
                    slice.getMixedOffsets(), slice.getMixedSizes(),
                    slice.getMixedStrides()));
    return success();
  }
};

struct InsertSlice : Derivative<tensor::InsertSliceOp, InsertSlice> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto insert = cast<tensor::InsertSliceOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value gradient = emitter.adjoint(insert.getResult());
    if (emitter.wants(insert.getSource()))
      emitter.add(insert.getSource(),
                  tensor::ExtractSliceOp::create(
                      b, loc, insert.getSourceType(), gradient,
                      insert.getMixedOffsets(), insert.getMixedSizes(),
                      insert.getMixedStrides()));
    if (emitter.wants(insert.getDest()))
      emitter.add(insert.getDest(),
                  tensor::InsertSliceOp::create(
                      b, loc, emitter.filled(loc, insert.getSource(), 0),
                      gradient, insert.getMixedOffsets(),
                      insert.getMixedSizes(), insert.getMixedStrides()));
    return success();
  }
};

struct Concat : Derivative<tensor::ConcatOp, Concat> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto concat = cast<tensor::ConcatOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value gradient = emitter.adjoint(concat.getResult());
    OpFoldResult offset = b.getIndexAttr(0);
    for (Value input : concat.getInputs()) {
      SmallVector<OpFoldResult> sizes = emitter.dims(loc, input);
      if (emitter.wants(input)) {
        SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
        SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
        offsets[concat.getDim()] = offset;
        emitter.add(input, tensor::ExtractSliceOp::create(
                               b, loc, cast<RankedTensorType>(input.getType()),
                               gradient, offsets, sizes, ones));
      }
      OpFoldResult size = sizes[concat.getDim()];
      auto a = getConstantIntValue(offset), c = getConstantIntValue(size);
      if (a && c)
        offset = b.getIndexAttr(*a + *c);
      else
        offset = arith::AddIOp::create(
                     b, loc, getValueOrCreateConstantIndexOp(b, loc, offset),
                     getValueOrCreateConstantIndexOp(b, loc, size))
                     .getResult();
    }
    return success();
  }
};

struct Extract : Derivative<tensor::ExtractOp, Extract> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto extract = cast<tensor::ExtractOp>(op);
    Value source = extract.getTensor();
    if (!emitter.wants(source))
      return success();
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value gradient = emitter.adjoint(extract.getResult());
    auto type = cast<RankedTensorType>(source.getType());
    if (type.getRank() == 1) {
      emitter.addRow(source, extract.getIndices()[0], gradient);
      return success();
    }
    SmallVector<int64_t> ones(type.getRank(), 1);
    Value one = tensor::FromElementsOp::create(b, loc, type.clone(ones),
                                               ValueRange{gradient});
    if (type.getRank() > 0) {
      SmallVector<OpFoldResult> unit(type.getRank(), b.getIndexAttr(1)),
          offsets(extract.getIndices().begin(), extract.getIndices().end());
      one = tensor::InsertSliceOp::create(
          b, loc, one, emitter.filled(loc, source, 0), offsets, unit, unit);
    }
    emitter.add(source, one);
    return success();
  }
};

struct FromElements : Derivative<tensor::FromElementsOp, FromElements> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value gradient = emitter.adjoint(op->getResult(0));
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(gradient.getType()).getShape();
    for (auto [number, element] : llvm::enumerate(op->getOperands())) {
      if (!emitter.wants(element))
        continue;
      SmallVector<Value> indices(shape.size());
      int64_t rest = number;
      for (int64_t dim = shape.size(); dim-- > 0; rest /= shape[dim])
        indices[dim] = arith::ConstantIndexOp::create(b, loc, rest % shape[dim]);
      emitter.add(element, tensor::ExtractOp::create(b, loc, gradient, indices));
    }
    return success();
  }
};

/// The sum of all elements, a scalar.
Value sumOf(AdjointEmitter &emitter, Location loc, Value tensor) {
  while (cast<RankedTensorType>(tensor.getType()).getRank() > 0)
    tensor = PoolOp::create(emitter.b, loc, Reduction::Sum, tensor);
  return tensor::ExtractOp::create(emitter.b, loc, tensor, ValueRange());
}

struct Splat : Derivative<tensor::SplatOp, Splat> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    Value input = cast<tensor::SplatOp>(op).getInput();
    if (emitter.wants(input))
      emitter.add(input, sumOf(emitter, op->getLoc(),
                               emitter.adjoint(op->getResult(0))));
    return success();
  }
};

struct Cast : Derivative<tensor::CastOp, Cast> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    Value source = op->getOperand(0);
    if (emitter.wants(source))
      emitter.add(source, tensor::CastOp::create(
                              emitter.b, op->getLoc(), source.getType(),
                              emitter.adjoint(op->getResult(0))));
    return success();
  }
};

struct ExpandShape : Derivative<tensor::ExpandShapeOp, ExpandShape> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto expand = cast<tensor::ExpandShapeOp>(op);
    if (emitter.wants(expand.getSrc()))
      emitter.add(expand.getSrc(),
                  tensor::CollapseShapeOp::create(
                      emitter.b, op->getLoc(), expand.getSrcType(),
                      emitter.adjoint(expand.getResult()),
                      expand.getReassociationIndices()));
    return success();
  }
};

struct CollapseShape : Derivative<tensor::CollapseShapeOp, CollapseShape> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto collapse = cast<tensor::CollapseShapeOp>(op);
    Location loc = op->getLoc();
    if (emitter.wants(collapse.getSrc()))
      emitter.add(collapse.getSrc(),
                  tensor::ExpandShapeOp::create(
                      emitter.b, loc, collapse.getSrcType(),
                      emitter.adjoint(collapse.getResult()),
                      collapse.getReassociationIndices(),
                      emitter.dims(loc, collapse.getSrc())));
    return success();
  }
};

/// Along new leading dimensions: the sum over these.
struct Broadcast : Derivative<linalg::BroadcastOp, Broadcast> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto broadcast = cast<linalg::BroadcastOp>(op);
    Value input = broadcast.getInput();
    if (!emitter.wants(input))
      return success();
    Value gradient = emitter.adjoint(op->getResult(0));
    for (auto [i, dim] : llvm::enumerate(broadcast.getDimensions()))
      if (dim != int64_t(i))
        return emitStructuredAdjoint(op, emitter);
    if (!AdjointEmitter::parameter(input))
      for (size_t i = 0; i < broadcast.getDimensions().size(); ++i)
        gradient =
            PoolOp::create(emitter.b, op->getLoc(), Reduction::Sum, gradient);
    emitter.add(input, gradient); // of a parameter, rows are summed there
    return success();
  }
};

/// What is around it takes no part.
struct Pad : Derivative<tensor::PadOp, Pad> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto pad = cast<tensor::PadOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value source = pad.getSource(), filler = pad.getConstantPaddingValue();
    if (!filler || emitter.wants(filler))
      return op->emitOpError("is not differentiated where what it fills with is "
                             "not a constant");
    if (!emitter.wants(source))
      return success();
    SmallVector<OpFoldResult> sizes = emitter.dims(loc, source);
    SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
    emitter.add(source, tensor::ExtractSliceOp::create(
                            b, loc, pad.getSourceType(),
                            emitter.adjoint(pad.getResult()),
                            pad.getMixedLowPad(), sizes, ones));
    return success();
  }
};

/// The element set has its gradient, and what was there none.
struct Insert : Derivative<tensor::InsertOp, Insert> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto insert = cast<tensor::InsertOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value gradient = emitter.adjoint(insert.getResult());
    if (emitter.wants(insert.getScalar()))
      emitter.add(insert.getScalar(), tensor::ExtractOp::create(
                                          b, loc, gradient, insert.getIndices()));
    if (emitter.wants(insert.getDest()))
      emitter.add(insert.getDest(),
                  tensor::InsertOp::create(
                      b, loc, emitter.filled(loc, insert.getScalar(), 0), gradient,
                      insert.getIndices()));
    return success();
  }
};

/// Back to the shape that it had.
struct Reshape : Derivative<tensor::ReshapeOp, Reshape> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto reshape = cast<tensor::ReshapeOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value source = reshape.getSource();
    if (!emitter.wants(source))
      return success();
    SmallVector<Value> sizes;
    for (OpFoldResult size : emitter.dims(loc, source))
      sizes.push_back(getValueOrCreateConstantIndexOp(b, loc, size));
    Value shape = tensor::FromElementsOp::create(
        b, loc,
        RankedTensorType::get({int64_t(sizes.size())}, b.getIndexType()), sizes);
    emitter.add(source, tensor::ReshapeOp::create(
                            b, loc, source.getType(),
                            emitter.adjoint(reshape.getResult()), shape));
    return success();
  }
};

struct Transpose : Derivative<linalg::TransposeOp, Transpose> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto transpose = cast<linalg::TransposeOp>(op);
    Value input = transpose.getInput();
    if (!emitter.wants(input))
      return success();
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    auto type = cast<RankedTensorType>(input.getType());
    Value empty = tensor::EmptyOp::create(b, loc, emitter.dims(loc, input),
                                          type.getElementType());
    SmallVector<int64_t> inverse =
        invertPermutationVector(transpose.getPermutation());
    emitter.add(input, linalg::TransposeOp::create(
                           b, loc, emitter.adjoint(op->getResult(0)), empty,
                           inverse)
                           ->getResult(0));
    return success();
  }
};
} // namespace

void amp::registerTensorDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::ExtractSliceOp::attachInterface<ExtractSlice>(*context);
    tensor::InsertSliceOp::attachInterface<InsertSlice>(*context);
    tensor::ConcatOp::attachInterface<Concat>(*context);
    tensor::ExtractOp::attachInterface<Extract>(*context);
    tensor::FromElementsOp::attachInterface<FromElements>(*context);
    tensor::SplatOp::attachInterface<Splat>(*context);
    tensor::CastOp::attachInterface<Cast>(*context);
    tensor::ExpandShapeOp::attachInterface<ExpandShape>(*context);
    tensor::CollapseShapeOp::attachInterface<CollapseShape>(*context);
    tensor::PadOp::attachInterface<Pad>(*context);
    tensor::InsertOp::attachInterface<Insert>(*context);
    tensor::ReshapeOp::attachInterface<Reshape>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    linalg::BroadcastOp::attachInterface<Broadcast>(*context);
    linalg::TransposeOp::attachInterface<Transpose>(*context);
  });
}
