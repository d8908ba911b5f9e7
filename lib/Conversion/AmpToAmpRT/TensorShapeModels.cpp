//===- TensorShapeModels.cpp - reshapes, slices and pads in cells ---------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Conversion/CellEmitter.h"
#include "amp/Conversion/CellModels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace amp;

static Value add(CellEmitter &emitter, Location loc, Value a, Value b) {
  return arith::AddIOp::create(emitter.b, loc, a, b);
}
static Value multiply(CellEmitter &emitter, Location loc, Value a, Value b) {
  return arith::MulIOp::create(emitter.b, loc, a, b);
}

/// A number that an op is told, known or not.
static Value given(CellEmitter &emitter, Location loc, OpFoldResult value) {
  if (std::optional<int64_t> known = getConstantIntValue(value))
    return emitter.index(*known, loc);
  return emitter.scalar(cast<Value>(value));
}

static SmallVector<Value> given(CellEmitter &emitter, Location loc,
                                ArrayRef<OpFoldResult> values) {
  return llvm::map_to_vector(values, [&](OpFoldResult value) {
    return given(emitter, loc, value);
  });
}

/// Fails the instance unless a slice lies in a tensor of sizes `dims`; emits
/// `body` for the case that it does. One without elements lies anywhere in it.
static void ifFits(CellEmitter &emitter, Location loc, ArrayRef<Value> offsets,
                   ArrayRef<Value> sizes, ArrayRef<Value> strides,
                   ArrayRef<Value> dims, llvm::function_ref<void()> body) {
  OpBuilder &b = emitter.b;
  auto compare = [&](arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, predicate, x, y).getResult();
  };
  auto both = [&](Value x, Value y) {
    return x ? arith::AndIOp::create(b, loc, x, y).getResult() : y;
  };
  Value zero = emitter.index(0, loc), one = emitter.index(1, loc);
  Value fits;
  for (auto [offset, size, stride, dim] :
       llvm::zip_equal(offsets, sizes, strides, dims)) {
    Value steps = arith::MaxSIOp::create(
        b, loc, arith::SubIOp::create(b, loc, size, one), zero);
    Value last =
        add(emitter, loc, offset, multiply(emitter, loc, steps, stride));
    // The last element is inside, or there is none and the offset is.
    Value isEmpty = compare(arith::CmpIPredicate::eq, size, zero);
    Value limit = arith::SelectOp::create(b, loc, isEmpty,
                                          add(emitter, loc, dim, one), dim);
    fits = both(fits, compare(arith::CmpIPredicate::sge, offset, zero));
    fits = both(fits, compare(arith::CmpIPredicate::sge, size, zero));
    fits = both(fits, compare(arith::CmpIPredicate::sgt, stride, zero));
    fits = both(fits, compare(arith::CmpIPredicate::slt, last, limit));
  }
  if (!fits)
    return body();
  emitter.check(loc, "a slice is not inside its tensor", fits);
  emitter.ifTrue(loc, fits, body);
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
        Value size =
            emitter.index(expand.getResultType().getDimSize(dim), loc);
        linear = add(emitter, loc, multiply(emitter, loc, linear, size),
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
      return arith::DivUIOp::create(emitter.b, loc, size,
                                    emitter.index(std::max<int64_t>(inner, 1),
                                                  loc));
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
      size = size ? multiply(emitter, op->getLoc(), size, part) : part;
    }
    return size;
  }
};

//===----------------------------------------------------------------------===//
// insert_slice, pad
//===----------------------------------------------------------------------===//

/// The destination, and then the source over it.
struct InsertSliceCell
    : CellOpInterface::ExternalModel<InsertSliceCell, tensor::InsertSliceOp> {
  bool isVirtual(Operation *) const { return false; }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    auto insert = cast<tensor::InsertSliceOp>(op);
    Location loc = op->getLoc();
    emitter.fill(insert.getDest(), results[0]);
    SmallVector<Value> offsets =
        given(emitter, loc, insert.getMixedOffsets());
    SmallVector<Value> sizes = given(emitter, loc, insert.getMixedSizes());
    SmallVector<Value> strides =
        given(emitter, loc, insert.getMixedStrides());
    llvm::SmallBitVector dropped = insert.getDroppedDims();
    // What the source's type says of its sizes may not be what is there.
    unsigned next = 0;
    for (unsigned i = 0; i < sizes.size(); ++i)
      if (!dropped.test(i))
        sizes[i] = arith::MinUIOp::create(
            emitter.b, loc, sizes[i], emitter.dim(insert.getSource(), next++));
    ifFits(emitter, loc, offsets, sizes, strides,
           emitter.dims(insert.getDest()), [&] {
             emitter.loops(
                 loc, sizes, /*parallel=*/true, [&](ArrayRef<Value> at) {
                   SmallVector<Value> to, from;
                   for (unsigned i = 0; i < at.size(); ++i) {
                     to.push_back(
                         add(emitter, loc, offsets[i],
                             multiply(emitter, loc, at[i], strides[i])));
                     if (!dropped.test(i))
                       from.push_back(at[i]);
                   }
                   emitter.store(loc,
                                 emitter.element(insert.getSource(), from),
                                 results[0], to);
                 });
           });
    return {};
  }
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned,
                unsigned dim) const {
    return emitter.dim(cast<tensor::InsertSliceOp>(op).getDest(), dim);
  }
};

/// A constant everywhere, and then the source over it.
struct PadCell : CellOpInterface::ExternalModel<PadCell, tensor::PadOp> {
  bool isVirtual(Operation *) const { return false; }
  bool isBatchable(Operation *op) const {
    auto pad = cast<tensor::PadOp>(op);
    return static_cast<bool>(pad.getConstantPaddingValue());
  }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    auto pad = cast<tensor::PadOp>(op);
    Location loc = op->getLoc();
    SmallVector<Value> dims = emitter.dims(pad.getResult());
    Value constant = pad.getConstantPaddingValue();
    // One inside its region is no value of the cell.
    if (Operation *maker = constant.getDefiningOp();
        maker && pad->isProperAncestor(maker))
      constant = emitter.b.clone(*maker)->getResult(0);
    else
      constant = emitter.scalar(constant);
    emitter.loops(loc, dims, /*parallel=*/true, [&](ArrayRef<Value> at) {
      emitter.store(loc, constant, results[0], at);
    });
    SmallVector<Value> low = given(emitter, loc, pad.getMixedLowPad());
    SmallVector<Value> sizes = emitter.dims(pad.getSource());
    SmallVector<Value> ones(sizes.size(), emitter.index(1, loc));
    ifFits(emitter, loc, low, sizes, ones, dims, [&] {
      emitter.loops(loc, sizes, /*parallel=*/true, [&](ArrayRef<Value> at) {
        SmallVector<Value> to;
        for (auto [index, offset] : llvm::zip_equal(at, low))
          to.push_back(add(emitter, loc, index, offset));
        emitter.store(loc, emitter.element(pad.getSource(), at), results[0],
                      to);
      });
    });
    return {};
  }
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned,
                unsigned dim) const {
    auto pad = cast<tensor::PadOp>(op);
    Location loc = op->getLoc();
    Value size = add(emitter, loc, emitter.dim(pad.getSource(), dim),
                     given(emitter, loc, pad.getMixedLowPad()[dim]));
    size = add(emitter, loc, size,
               given(emitter, loc, pad.getMixedHighPad()[dim]));
    return emitter.rowCount(loc, size);
  }
  void emitChecks(Operation *op, CellEmitter &emitter) const {
    auto pad = cast<tensor::PadOp>(op);
    Location loc = op->getLoc();
    for (Value each : pad->getOperands().drop_front())
      emitter.checkRowCount(loc, emitter.scalar(each));
  }
};
} // namespace

void amp::emitSliceCopy(CellEmitter &emitter, tensor::ExtractSliceOp slice,
                        const CellBuffer &result) {
  Location loc = slice.getLoc();
  SmallVector<Value> offsets = given(emitter, loc, slice.getMixedOffsets());
  SmallVector<Value> sizes = given(emitter, loc, slice.getMixedSizes());
  SmallVector<Value> strides = given(emitter, loc, slice.getMixedStrides());
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  ifFits(emitter, loc, offsets, sizes, strides,
         emitter.dims(slice.getSource()), [&] {
           emitter.loops(
               loc, sizes, /*parallel=*/true, [&](ArrayRef<Value> at) {
                 SmallVector<Value> from, to;
                 for (unsigned i = 0; i < at.size(); ++i) {
                   from.push_back(
                       add(emitter, loc, offsets[i],
                           multiply(emitter, loc, at[i], strides[i])));
                   if (!dropped.test(i))
                     to.push_back(at[i]);
                 }
                 emitter.store(loc, emitter.element(slice.getSource(), from),
                               result, to);
               });
         });
}

void amp::registerTensorShapeModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    using namespace tensor;
    ExpandShapeOp::attachInterface<ExpandShapeCell>(*context);
    CollapseShapeOp::attachInterface<CollapseShapeCell>(*context);
    InsertSliceOp::attachInterface<InsertSliceCell>(*context);
    PadOp::attachInterface<PadCell>(*context);
  });
}
