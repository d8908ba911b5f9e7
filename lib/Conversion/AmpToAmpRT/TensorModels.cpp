//===- TensorModels.cpp - tensor ops in cells and control steps -*- C++ -*-===//
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

namespace {

/// A size that an op is told must not be negative.
static void checkSize(CellEmitter &emitter, Location loc, Value size) {
  emitter.check(loc, "a tensor's size is negative",
                arith::CmpIOp::create(emitter.b, loc, arith::CmpIPredicate::sge,
                                      emitter.scalar(size),
                                      emitter.index(0, loc)));
  emitter.checkRowCount(loc, emitter.scalar(size));
}
static Value sizeOf(CellEmitter &emitter, Location loc, Value size) {
  return emitter.rowCount(loc, emitter.scalar(size));
}

/// Filled part by part (CellEmitter::fill), never element by element.
struct ConcatCell
    : CellOpInterface::ExternalModel<ConcatCell, tensor::ConcatOp> {
  bool isVirtual(Operation *) const { return false; }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    Location loc = op->getLoc();
    auto fill = [&] { emitter.fill(op->getResult(0), results[0]); };
    Value fits = emitFits(cast<tensor::ConcatOp>(op), emitter);
    if (!fits) {
      fill();
      return {};
    }
    emitter.check(loc, "operands' sizes do not fit", fits);
    emitter.ifTrue(loc, fits, fill);
    return {};
  }
  /// Whether the inputs agree in all dimensions but the one that they are
  /// joined in; null if their types say so.
  static Value emitFits(tensor::ConcatOp concat, CellEmitter &emitter) {
    Location loc = concat.getLoc();
    OpBuilder &b = emitter.b;
    Value first = concat.getInputs().front(), fits;
    for (Value input : concat.getInputs().drop_front())
      for (int64_t i = 0, e = concat.getResultType().getRank(); i < e; ++i) {
        auto type = cast<RankedTensorType>(input.getType());
        auto other = cast<RankedTensorType>(first.getType());
        if (i == int64_t(concat.getDim()) ||
            (!type.isDynamicDim(i) && !other.isDynamicDim(i)))
          continue;
        Value same =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                  emitter.dim(first, i), emitter.dim(input, i));
        fits =
            fits ? arith::AndIOp::create(b, loc, fits, same).getResult() : same;
      }
    return fits;
  }
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned,
                unsigned dim) const {
    auto concat = cast<tensor::ConcatOp>(op);
    if (dim != concat.getDim())
      return emitter.dim(concat.getInputs().front(), dim);
    Value sum;
    for (Value input : concat.getInputs()) {
      Value size = emitter.dim(input, dim);
      sum = sum ? arith::AddIOp::create(emitter.b, op->getLoc(), sum, size)
                : size;
    }
    return sum;
  }
};

struct SplatCell : CellOpInterface::ExternalModel<SplatCell, tensor::SplatOp> {
  void emitChecks(Operation *op, CellEmitter &emitter) const {
    for (Value size : cast<tensor::SplatOp>(op).getDynamicSizes())
      checkSize(emitter, op->getLoc(), size);
  }
  Value emitElement(Operation *op, CellEmitter &emitter,
                    ArrayRef<Value>) const {
    return emitter.scalar(op->getOperand(0));
  }
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned,
                unsigned dim) const {
    auto splat = cast<tensor::SplatOp>(op);
    return sizeOf(
        emitter, op->getLoc(),
        splat.getDynamicSizes()[splat.getType().getDynamicDimIndex(dim)]);
  }
};

struct FromElementsCell
    : CellOpInterface::ExternalModel<FromElementsCell, tensor::FromElementsOp> {
  bool isVirtual(Operation *) const { return false; }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    for (auto [linear, operand] : llvm::enumerate(op->getOperands())) {
      SmallVector<Value> indices(type.getRank());
      int64_t rest = linear;
      for (int64_t i = type.getRank() - 1; i >= 0; --i) {
        indices[i] = emitter.index(rest % type.getDimSize(i), op->getLoc());
        rest /= type.getDimSize(i);
      }
      emitter.store(op->getLoc(), emitter.scalar(operand), results[0], indices);
    }
    return {};
  }
};

/// Not yet any elements: zeros, so that nothing depends on what was there
/// before.
struct EmptyCell : CellOpInterface::ExternalModel<EmptyCell, tensor::EmptyOp> {
  void emitChecks(Operation *op, CellEmitter &emitter) const {
    for (Value size : cast<tensor::EmptyOp>(op).getDynamicSizes())
      checkSize(emitter, op->getLoc(), size);
  }
  Value emitElement(Operation *op, CellEmitter &emitter,
                    ArrayRef<Value>) const {
    return arith::ConstantOp::create(emitter.b, op->getLoc(),
                                     emitter.b.getZeroAttr(elementOf(op)));
  }
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned,
                unsigned dim) const {
    auto empty = cast<tensor::EmptyOp>(op);
    return sizeOf(
        emitter, op->getLoc(),
        empty.getDynamicSizes()[empty.getType().getDynamicDimIndex(dim)]);
  }

private:
  static Type elementOf(Operation *op) {
    return cast<tensor::EmptyOp>(op).getType().getElementType();
  }
};

/// A tensor with one element replaced.
struct InsertCell
    : CellOpInterface::ExternalModel<InsertCell, tensor::InsertOp> {
  void emitChecks(Operation *op, CellEmitter &emitter) const {
    auto insert = cast<tensor::InsertOp>(op);
    for (auto [i, index] : llvm::enumerate(insert.getIndices()))
      emitter.ifInRange(op->getLoc(), "index", emitter.scalar(index),
                        emitter.dim(insert.getDest(), i), [] {});
  }
  Value emitElement(Operation *op, CellEmitter &emitter,
                    ArrayRef<Value> indices) const {
    auto insert = cast<tensor::InsertOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value here;
    for (auto [i, index] : llvm::enumerate(insert.getIndices())) {
      Value same = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                         indices[i], emitter.scalar(index));
      here =
          here ? arith::AndIOp::create(b, loc, here, same).getResult() : same;
    }
    Value scalar = emitter.scalar(insert.getScalar());
    if (!here)
      return scalar;
    return arith::SelectOp::create(b, loc, here, scalar,
                                   emitter.element(insert.getDest(), indices));
  }
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned,
                unsigned dim) const {
    return emitter.dim(cast<tensor::InsertOp>(op).getDest(), dim);
  }
};

/// Element of a tensor that lies in memory.
struct ExtractControl
    : ControlOpInterface::ExternalModel<ExtractControl, tensor::ExtractOp> {
  bool isControlStep(Operation *) const { return true; }
  void emitControl(Operation *op, ControlEmitter &emitter) const {
    auto extract = cast<tensor::ExtractOp>(op);
    Location loc = op->getLoc();
    OpBuilder &b = emitter.b;
    Value linear = emitter.i64(loc, 0);
    for (auto [i, index] : llvm::enumerate(extract.getIndices())) {
      Value at = emitter.toI64(loc, emitter.scalar(index));
      Value limit = emitter.dim(loc, extract.getTensor(), i);
      emitter.checkRange(loc, "index", at, limit);
      linear = i == 0 ? at
                      : arith::AddIOp::create(
                            b, loc,
                            arith::MulIOp::create(b, loc, linear, limit), at);
    }
    Type type = extract.getType();
    Value address = emitter.advance(loc, emitter.address(extract.getTensor()),
                                    type, linear);
    Value element;
    if (type.isIndex())
      element = arith::IndexCastOp::create(
          b, loc, type, LLVM::LoadOp::create(b, loc, b.getI64Type(), address));
    else if (type.isInteger(1))
      element = arith::TruncIOp::create(
          b, loc, type, LLVM::LoadOp::create(b, loc, b.getI8Type(), address));
    else
      element = LLVM::LoadOp::create(b, loc, type, address);
    emitter.setWords(extract.getResult(), element);
  }
};

struct DimControl
    : ControlOpInterface::ExternalModel<DimControl, tensor::DimOp> {
  bool isControlStep(Operation *op) const {
    return isa<RankedTensorType>(cast<tensor::DimOp>(op).getSource().getType());
  }
  void emitControl(Operation *op, ControlEmitter &emitter) const {
    auto dim = cast<tensor::DimOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value source = dim.getSource(), size;
    int64_t rank = cast<RankedTensorType>(source.getType()).getRank();
    if (std::optional<int64_t> known = dim.getConstantIndex();
        known && *known >= 0 && *known < rank) {
      size = emitter.dim(loc, source, *known);
    } else {
      Value index = emitter.toI64(loc, emitter.scalar(dim.getIndex()));
      emitter.checkRange(loc, "dimension", index, emitter.i64(loc, rank));
      size = emitter.i64(loc, 0);
      for (int64_t i = 0; i < rank; ++i) {
        Value here = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                           index, emitter.i64(loc, i));
        size = arith::SelectOp::create(b, loc, here,
                                       emitter.dim(loc, source, i), size);
      }
    }
    emitter.setWords(dim.getResult(), ValueRange(arith::IndexCastOp::create(
                                          b, loc, dim.getType(), size)));
  }
};

/// A cast between types that differ in what is known of the shape. The sizes
/// that the result's type promises are checked.
struct CastControl
    : ControlOpInterface::ExternalModel<CastControl, tensor::CastOp> {
  bool isControlStep(Operation *op) const {
    return isa<RankedTensorType>(op->getOperand(0).getType()) &&
           isa<RankedTensorType>(op->getResult(0).getType());
  }
  void emitControl(Operation *op, ControlEmitter &emitter) const {
    Location loc = op->getLoc();
    Value source = op->getOperand(0);
    auto from = cast<RankedTensorType>(source.getType());
    auto to = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<Value> words{emitter.address(source)};
    for (unsigned i = 0, e = to.getRank(); i < e; ++i) {
      Value size = emitter.dim(loc, source, i);
      if (to.isDynamicDim(i))
        words.push_back(size);
      else if (from.isDynamicDim(i))
        emitter.check(
            loc, "the tensor does not have the shape that the cast says",
            arith::CmpIOp::create(emitter.b, loc, arith::CmpIPredicate::eq,
                                  size, emitter.i64(loc, to.getDimSize(i))));
    }
    emitter.setWords(op->getResult(0), words);
  }
};

} // namespace

void amp::registerTensorModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    using namespace tensor;
    ConcatOp::attachInterface<ConcatCell>(*context);
    EmptyOp::attachInterface<EmptyCell>(*context);
    InsertOp::attachInterface<InsertCell>(*context);
    SplatOp::attachInterface<SplatCell>(*context);
    FromElementsOp::attachInterface<FromElementsCell>(*context);
    ExtractOp::attachInterface<ExtractControl>(*context);
    DimOp::attachInterface<DimControl>(*context);
    CastOp::attachInterface<CastControl>(*context);
  });
}
