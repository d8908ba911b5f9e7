//===- SliceModels.cpp - slices and pads in cells and control steps -------===//
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
  return llvm::map_to_vector(
      values, [&](OpFoldResult value) { return given(emitter, loc, value); });
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

/// Whether a slice is a run of consecutive elements: unit strides, and all of
/// every dimension behind the first one that is not one element long.
static bool isContiguous(tensor::ExtractSliceOp op) {
  RankedTensorType source = op.getSourceType();
  if (!llvm::all_of(op.getMixedStrides(),
                    [](OpFoldResult s) { return isConstantIntValue(s, 1); }))
    return false;
  bool whole = false; // the rest must be taken whole
  for (auto [i, size] : llvm::enumerate(op.getMixedSizes())) {
    std::optional<int64_t> known = getConstantIntValue(size);
    if (whole) {
      if (!known || source.isDynamicDim(i) || *known != source.getDimSize(i))
        return false;
    } else if (known != 1) {
      whole = true;
    }
  }
  return true;
}

/// Whether a dimension of a slice, which is open, begins where its source does:
/// whether it fits is checked.
static bool isPrefix(tensor::ExtractSliceOp slice, unsigned i) {
  return !getConstantIntValue(slice.getMixedSizes()[i]) &&
         isConstantIntValue(slice.getMixedOffsets()[i], 0) &&
         isConstantIntValue(slice.getMixedStrides()[i], 1);
}

/// Whether a slice lies in its source along dimension `i`, whatever the
/// instance.
static bool isKnownToFit(tensor::ExtractSliceOp slice, unsigned i) {
  RankedTensorType source = slice.getSourceType();
  std::optional<int64_t> offset =
      getConstantIntValue(slice.getMixedOffsets()[i]);
  std::optional<int64_t> size = getConstantIntValue(slice.getMixedSizes()[i]);
  std::optional<int64_t> stride =
      getConstantIntValue(slice.getMixedStrides()[i]);
  return offset && size && stride && !source.isDynamicDim(i) && *offset >= 0 &&
         *stride >= 1 &&
         (*size <= 0 || *offset + (*size - 1) * *stride < source.getDimSize(i));
}

/// Copies between a slice, whose place is not known, and a tensor of its
/// `sizes`, if it is inside `whole`; else the instance fails. `copy` gets an
/// element's indices in the one and in the other.
template <typename Op>
static void
overSlice(CellEmitter &emitter, Op op, Value whole, ArrayRef<Value> sizes,
          llvm::function_ref<void(ArrayRef<Value>, ArrayRef<Value>)> copy) {
  Location loc = op.getLoc();
  SmallVector<Value> offsets = given(emitter, loc, op.getMixedOffsets());
  SmallVector<Value> strides = given(emitter, loc, op.getMixedStrides());
  llvm::SmallBitVector dropped = op.getDroppedDims();
  ifFits(emitter, loc, offsets, sizes, strides, emitter.dims(whole), [&] {
    emitter.loops(loc, sizes, /*parallel=*/true, [&](ArrayRef<Value> at) {
      SmallVector<Value> inside, alone;
      for (unsigned i = 0; i < at.size(); ++i) {
        inside.push_back(add(emitter, loc, offsets[i],
                             multiply(emitter, loc, at[i], strides[i])));
        if (!dropped.test(i))
          alone.push_back(at[i]);
      }
      copy(inside, alone);
    });
  });
}

namespace {

/// In a cell: an element of the source, shifted; a checked copy where the slice
/// may not fit.
struct ExtractSliceCell
    : CellOpInterface::ExternalModel<ExtractSliceCell, tensor::ExtractSliceOp> {
  bool isVirtual(Operation *op) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    return llvm::all_of(llvm::seq<unsigned>(0, slice.getSourceType().getRank()),
                        [&](unsigned i) {
                          return isKnownToFit(slice, i) || isPrefix(slice, i);
                        });
  }
  void emitChecks(Operation *op, CellEmitter &emitter) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    Location loc = op->getLoc();
    for (unsigned i = 0, e = slice.getSourceType().getRank(); i < e; ++i) {
      if (!isVirtual(op) || isKnownToFit(slice, i))
        continue;
      // As unsigned numbers, a negative size is larger than any dimension.
      Value fits = arith::CmpIOp::create(
          emitter.b, loc, arith::CmpIPredicate::ule, sizeAt(slice, emitter, i),
          emitter.dim(slice.getSource(), i));
      emitter.check(loc, "a slice is not inside its tensor", fits);
    }
  }
  /// Of whole rows, or of columns of them.
  bool emitsRuns(Operation *op, SmallVectorImpl<RunOperand> &operands) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    unsigned rank = slice.getSourceType().getRank();
    if (rank == 0 || !isVirtual(op) || slice.getDroppedDims().any() ||
        !isConstantIntValue(slice.getMixedStrides().back(), 1))
      return false;
    for (unsigned i = 0; i + 1 < rank; ++i)
      if (!isPrefix(slice, i))
        return false;
    operands.push_back(
        {0, *getConstantIntValue(slice.getMixedOffsets().back())});
    return true;
  }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    Location loc = op->getLoc();
    overSlice(emitter, slice, slice.getSource(),
              given(emitter, loc, slice.getMixedSizes()),
              [&](ArrayRef<Value> from, ArrayRef<Value> to) {
                emitter.store(loc, emitter.element(slice.getSource(), from),
                              results[0], to);
              });
    return {};
  }
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned,
                unsigned dim) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    unsigned next = 0;
    for (unsigned i = 0, e = slice.getSourceType().getRank(); i < e; ++i) {
      if (dropped.test(i) || next++ != dim)
        continue;
      OpFoldResult size = slice.getMixedSizes()[i];
      if (std::optional<int64_t> known = getConstantIntValue(size))
        return emitter.index(*known, op->getLoc());
      Value count =
          emitter.rowCount(op->getLoc(), emitter.scalar(cast<Value>(size)));
      if (!isVirtual(op))
        return count;
      // Where it does not fit, nothing may be read past an end all the same.
      return arith::MinUIOp::create(emitter.b, op->getLoc(), count,
                                    emitter.dim(slice.getSource(), i));
    }
    llvm_unreachable("each dimension of a slice is one of its source");
  }
  Value emitElement(Operation *op, CellEmitter &emitter,
                    ArrayRef<Value> indices) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    Location loc = op->getLoc();
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<Value> at;
    unsigned next = 0;
    for (auto [i, offset] : llvm::enumerate(slice.getMixedOffsets())) {
      Value shift = emitter.index(*getConstantIntValue(offset), loc);
      if (dropped.test(i)) {
        at.push_back(shift);
        continue;
      }
      Value index = indices[next++];
      int64_t stride = *getConstantIntValue(slice.getMixedStrides()[i]);
      if (stride != 1)
        index = arith::MulIOp::create(emitter.b, loc, index,
                                      emitter.index(stride, loc));
      at.push_back(isConstantIntValue(offset, 0)
                       ? index
                       : arith::AddIOp::create(emitter.b, loc, index, shift));
    }
    return emitter.element(slice.getSource(), at);
  }

private:
  static Value sizeAt(tensor::ExtractSliceOp slice, CellEmitter &emitter,
                      unsigned i) {
    OpFoldResult size = slice.getMixedSizes()[i];
    if (std::optional<int64_t> known = getConstantIntValue(size))
      return emitter.index(*known, slice.getLoc());
    return emitter.scalar(cast<Value>(size));
  }
};

/// As a control step: a view, so no element moves.
struct ExtractSliceControl
    : ControlOpInterface::ExternalModel<ExtractSliceControl,
                                        tensor::ExtractSliceOp> {
  bool isControlStep(Operation *op) const {
    return isContiguous(cast<tensor::ExtractSliceOp>(op));
  }
  void emitControl(Operation *op, ControlEmitter &emitter) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    Location loc = op->getLoc();
    OpBuilder &b = emitter.b;
    Value source = slice.getSource();
    auto value = [&](OpFoldResult from) -> Value {
      if (std::optional<int64_t> known = getConstantIntValue(from))
        return emitter.i64(loc, *known);
      return emitter.toI64(loc, emitter.scalar(cast<Value>(from)));
    };
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<Value> words(1);
    Value linear;
    unsigned resultDim = 0;
    for (unsigned i = 0, e = slice.getSourceType().getRank(); i < e; ++i) {
      Value offset = value(slice.getMixedOffsets()[i]);
      Value size = value(slice.getMixedSizes()[i]);
      Value limit = emitter.dim(loc, source, i);
      // offset in [0, dim - size], and size >= 0.
      Value last = arith::AddIOp::create(
          b, loc, arith::SubIOp::create(b, loc, limit, size),
          emitter.i64(loc, 1));
      emitter.checkRange(loc, "slice offset", offset, last);
      if (!getConstantIntValue(slice.getMixedSizes()[i]))
        emitter.checkRange(
            loc, "slice size", size,
            arith::AddIOp::create(b, loc, limit, emitter.i64(loc, 1)));
      linear = linear
                   ? arith::AddIOp::create(
                         b, loc, arith::MulIOp::create(b, loc, linear, limit),
                         offset)
                   : offset;
      if (dropped.test(i))
        continue;
      if (slice.getType().isDynamicDim(resultDim++))
        words.push_back(size);
    }
    words[0] = linear
                   ? emitter.advance(loc, emitter.address(source),
                                     slice.getType().getElementType(), linear)
                   : emitter.address(source);
    emitter.setWords(slice.getResult(), words);
  }
};

/// The destination, and then the source over it.
struct InsertSliceCell
    : CellOpInterface::ExternalModel<InsertSliceCell, tensor::InsertSliceOp> {
  bool isVirtual(Operation *) const { return false; }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    auto insert = cast<tensor::InsertSliceOp>(op);
    Location loc = op->getLoc();
    emitter.fill(insert.getDest(), results[0]);
    SmallVector<Value> sizes = given(emitter, loc, insert.getMixedSizes());
    llvm::SmallBitVector dropped = insert.getDroppedDims();
    // What the source's type says of its sizes may not be what is there.
    unsigned next = 0;
    for (unsigned i = 0; i < sizes.size(); ++i)
      if (!dropped.test(i))
        sizes[i] = emitter.lesser(loc, sizes[i],
                                  emitter.dim(insert.getSource(), next++));
    overSlice(emitter, insert, insert.getDest(), sizes,
              [&](ArrayRef<Value> to, ArrayRef<Value> from) {
                emitter.store(loc, emitter.element(insert.getSource(), from),
                              results[0], to);
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

void amp::registerSliceModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    using namespace tensor;
    ExtractSliceOp::attachInterface<ExtractSliceCell, ExtractSliceControl>(
        *context);
    InsertSliceOp::attachInterface<InsertSliceCell>(*context);
    PadOp::attachInterface<PadCell>(*context);
  });
}
