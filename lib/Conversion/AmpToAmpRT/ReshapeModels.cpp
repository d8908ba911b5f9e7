//===- ReshapeModels.cpp - reshapes in cells and control steps ------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Conversion/CellEmitter.h"
#include "amp/Conversion/CellModels.h"
#include "amp/Conversion/ControlEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace amp;

static constexpr StringLiteral kUnfit = "the shape does not fit the tensor";

static Value both(OpBuilder &b, Location loc, Value x, Value y) {
  return arith::AndIOp::create(b, loc, x, y);
}

static Value isSame(OpBuilder &b, Location loc, Value x, Value y) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, y);
}

static Value add(OpBuilder &b, Location loc, Value x, Value y) {
  return arith::AddIOp::create(b, loc, x, y);
}

static Value multiply(OpBuilder &b, Location loc, Value x, Value y) {
  return arith::MulIOp::create(b, loc, x, y);
}

static Value product(OpBuilder &b, Location loc, Value one, ValueRange sizes) {
  for (Value size : sizes)
    one = multiply(b, loc, one, size);
  return one;
}

namespace {
//===----------------------------------------------------------------------===//
// expand_shape, collapse_shape
//===----------------------------------------------------------------------===//

/// Several dimensions of the result are one of the source.
struct ExpandShapeCell
    : CellOpInterface::ExternalModel<ExpandShapeCell, tensor::ExpandShapeOp> {
  /// All but the outermost dimension of each group are known.
  bool isBatchable(Operation *op) const {
    auto expand = cast<tensor::ExpandShapeOp>(op);
    for (ArrayRef<int64_t> group : expand.getReassociationIndices())
      for (int64_t dim : group.drop_front())
        if (expand.getResultType().isDynamicDim(dim))
          return false;
    return true;
  }
  Value emitElement(Operation *op, CellEmitter &emitter,
                    ArrayRef<Value> indices) const {
    auto expand = cast<tensor::ExpandShapeOp>(op);
    Location loc = op->getLoc();
    SmallVector<Value> from;
    for (ArrayRef<int64_t> group : expand.getReassociationIndices()) {
      Value linear = indices[group.front()];
      for (int64_t dim : group.drop_front()) {
        Value size = emitter.index(expand.getResultType().getDimSize(dim), loc);
        linear = add(emitter.b, loc, multiply(emitter.b, loc, linear, size),
                     indices[dim]);
      }
      from.push_back(linear);
    }
    return emitter.element(expand.getSrc(), from);
  }
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned,
                unsigned dim) const {
    auto expand = cast<tensor::ExpandShapeOp>(op);
    Location loc = op->getLoc();
    for (auto [source, group] :
         llvm::enumerate(expand.getReassociationIndices())) {
      if (group.front() != int64_t(dim))
        continue;
      int64_t inner = 1;
      for (int64_t each : ArrayRef(group).drop_front())
        inner *= expand.getResultType().getDimSize(each);
      Value size = emitter.dim(expand.getSrc(), source);
      if (inner == 1)
        return size;
      return arith::DivUIOp::create(
          emitter.b, loc, size,
          emitter.index(std::max<int64_t>(inner, 1), loc));
    }
    llvm_unreachable("only the outermost dimension of a group is open");
  }
};

/// One dimension of the result is several of the source.
struct CollapseShapeCell
    : CellOpInterface::ExternalModel<CollapseShapeCell,
                                     tensor::CollapseShapeOp> {
  bool isBatchable(Operation *op) const {
    auto collapse = cast<tensor::CollapseShapeOp>(op);
    for (ArrayRef<int64_t> group : collapse.getReassociationIndices())
      for (int64_t dim : group.drop_front())
        if (collapse.getSrcType().isDynamicDim(dim) ||
            collapse.getSrcType().getDimSize(dim) == 0)
          return false;
    return true;
  }
  Value emitElement(Operation *op, CellEmitter &emitter,
                    ArrayRef<Value> indices) const {
    auto collapse = cast<tensor::CollapseShapeOp>(op);
    Location loc = op->getLoc();
    SmallVector<Value> from(collapse.getSrcType().getRank(),
                            emitter.index(0, loc));
    for (auto [index, group] :
         llvm::zip_equal(indices, collapse.getReassociationIndices())) {
      Value rest = index;
      for (int64_t dim : llvm::reverse(ArrayRef(group).drop_front())) {
        Value size = emitter.index(collapse.getSrcType().getDimSize(dim), loc);
        from[dim] = arith::RemUIOp::create(emitter.b, loc, rest, size);
        rest = arith::DivUIOp::create(emitter.b, loc, rest, size);
      }
      from[group.front()] = rest;
    }
    return emitter.element(collapse.getSrc(), from);
  }
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned,
                unsigned dim) const {
    auto collapse = cast<tensor::CollapseShapeOp>(op);
    Value size;
    SmallVector<ReassociationIndices> groups =
        collapse.getReassociationIndices();
    for (int64_t each : groups[dim]) {
      Value part = emitter.dim(collapse.getSrc(), each);
      size = size ? multiply(emitter.b, op->getLoc(), size, part) : part;
    }
    return size;
  }
};

/// Either, of static shape: the same elements under other indices.
template <typename Op>
struct RegroupControl
    : ControlOpInterface::ExternalModel<RegroupControl<Op>, Op> {
  bool isControlStep(Operation *op) const {
    return cast<Op>(op).getSrcType().hasStaticShape() &&
           cast<Op>(op).getResultType().hasStaticShape();
  }
  void emitControl(Operation *op, ControlEmitter &emitter) const {
    emitter.setWords(op->getResult(0), emitter.address(op->getOperand(0)));
  }
};

//===----------------------------------------------------------------------===//
// reshape
//===----------------------------------------------------------------------===//

// The shape is a tensor, so whether it fits is seen by the instance only. Where
// it does not, the instance fails, and every open dimension is zero.

/// A copy, for a source that is made in the cell.
struct ReshapeCell
    : CellOpInterface::ExternalModel<ReshapeCell, tensor::ReshapeOp> {
  bool isVirtual(Operation *) const { return false; }
  /// The sizes are asked for before the cell has made any tensor.
  bool isBatchable(Operation *op) const {
    Value shape = cast<tensor::ReshapeOp>(op).getShape();
    Operation *maker = shape.getDefiningOp();
    return !maker || maker->hasTrait<OpTrait::ConstantLike>() ||
           isa<tensor::FromElementsOp>(maker);
  }
  void emitChecks(Operation *op, CellEmitter &emitter) const {
    auto reshape = cast<tensor::ReshapeOp>(op);
    emitter.check(op->getLoc(), kUnfit, emitFits(reshape, emitter));
  }
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned,
                unsigned dim) const {
    auto reshape = cast<tensor::ReshapeOp>(op);
    Location loc = op->getLoc();
    return arith::SelectOp::create(emitter.b, loc, emitFits(reshape, emitter),
                                   sizes(reshape, emitter)[dim],
                                   emitter.index(0, loc));
  }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    auto reshape = cast<tensor::ReshapeOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    emitter.ifTrue(loc, emitFits(reshape, emitter), [&] {
      SmallVector<Value> to = emitter.dims(reshape.getResult());
      SmallVector<Value> from = emitter.dims(reshape.getSource());
      emitter.loops(loc, to, /*parallel=*/true, [&](ArrayRef<Value> at) {
        Value linear = emitter.index(0, loc);
        for (auto [index, size] : llvm::zip_equal(at, to))
          linear = add(b, loc, multiply(b, loc, linear, size), index);
        SmallVector<Value> there(from.size());
        for (size_t i = from.size(); i-- > 0;) {
          there[i] = linear;
          if (i == 0)
            break;
          there[i] = arith::RemUIOp::create(b, loc, linear, from[i]);
          linear = arith::DivUIOp::create(b, loc, linear, from[i]);
        }
        emitter.store(loc, emitter.element(reshape.getSource(), there),
                      results[0], at);
      });
    });
    return {};
  }

private:
  /// What the shape says.
  static SmallVector<Value> sizes(tensor::ReshapeOp reshape,
                                  CellEmitter &emitter) {
    OpBuilder &b = emitter.b;
    Location loc = reshape.getLoc();
    SmallVector<Value> sizes;
    auto elements = reshape.getShape().getDefiningOp<tensor::FromElementsOp>();
    int64_t rank =
        cast<RankedTensorType>(reshape.getShape().getType()).getDimSize(0);
    for (int64_t i = 0; i < rank; ++i) {
      if (!elements) {
        sizes.push_back(
            emitter.indexElement(reshape.getShape(), emitter.index(i, loc)));
        continue;
      }
      Value size = emitter.scalar(elements.getElements()[i]);
      if (!size.getType().isIndex())
        size = arith::IndexCastOp::create(b, loc, b.getIndexType(), size);
      sizes.push_back(size);
    }
    return sizes;
  }
  static Value emitFits(tensor::ReshapeOp reshape, CellEmitter &emitter) {
    OpBuilder &b = emitter.b;
    Location loc = reshape.getLoc();
    auto type = cast<RankedTensorType>(reshape.getType());
    SmallVector<Value> to = sizes(reshape, emitter);
    SmallVector<Value> from = emitter.dims(reshape.getSource());
    Value one = emitter.index(1, loc);
    Value fits = both(
        b, loc, emitter.areSizes(loc, to),
        isSame(b, loc, product(b, loc, one, to), product(b, loc, one, from)));
    for (auto [size, known] : llvm::zip_equal(to, type.getShape()))
      if (!ShapedType::isDynamic(known))
        fits =
            both(b, loc, fits, isSame(b, loc, size, emitter.index(known, loc)));
    return fits;
  }
};

/// A view of a source that lies in memory, as the shape does.
struct ReshapeControl
    : ControlOpInterface::ExternalModel<ReshapeControl, tensor::ReshapeOp> {
  bool isControlStep(Operation *) const { return true; }
  void emitControl(Operation *op, ControlEmitter &emitter) const {
    auto reshape = cast<tensor::ReshapeOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    auto type = cast<RankedTensorType>(reshape.getType());
    auto source = cast<RankedTensorType>(reshape.getSource().getType());
    Value one = emitter.i64(loc, 1), count = one, rest = one;
    for (int64_t i = 0; i < source.getRank(); ++i)
      count = multiply(b, loc, count, emitter.dim(loc, reshape.getSource(), i));
    // The step ends at the first size that cannot be, so no product overflows.
    Value limit = emitter.i64(loc, (int64_t(1) << 28) + 1), product = one;
    SmallVector<Value> words{emitter.address(reshape.getSource())};
    for (int64_t i = 0; i < type.getRank(); ++i) {
      Value size = loadSize(emitter, reshape, i);
      emitter.checkRange(loc, "dimension's size", size, limit);
      rest = multiply(b, loc, rest, arith::MaxSIOp::create(b, loc, size, one));
      emitter.checkRange(loc, "tensor's number of elements", rest, limit);
      product = multiply(b, loc, product, size);
      if (type.isDynamicDim(i))
        words.push_back(size);
      else
        emitter.check(
            loc, kUnfit,
            isSame(b, loc, size, emitter.i64(loc, type.getDimSize(i))));
    }
    emitter.check(loc, kUnfit, isSame(b, loc, product, count));
    emitter.setWords(reshape.getResult(), words);
  }

private:
  static Value loadSize(ControlEmitter &emitter, tensor::ReshapeOp reshape,
                        int64_t number) {
    OpBuilder &b = emitter.b;
    Location loc = reshape.getLoc();
    Type type = getElementTypeOrSelf(reshape.getShape().getType());
    Value address = emitter.advance(loc, emitter.address(reshape.getShape()),
                                    type, emitter.i64(loc, number));
    if (type.isIndex())
      type = b.getI64Type();
    return emitter.toI64(loc, LLVM::LoadOp::create(b, loc, type, address));
  }
};
} // namespace

void amp::registerReshapeModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    using namespace tensor;
    ExpandShapeOp::attachInterface<ExpandShapeCell,
                                   RegroupControl<ExpandShapeOp>>(*context);
    CollapseShapeOp::attachInterface<CollapseShapeCell,
                                     RegroupControl<CollapseShapeOp>>(*context);
    ReshapeOp::attachInterface<ReshapeCell, ReshapeControl>(*context);
  });
}
