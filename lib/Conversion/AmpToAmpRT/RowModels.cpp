//===- RowModels.cpp - rows of graphs and sequences in cells ----------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Conversion/CellEmitter.h"
#include "amp/Conversion/CellModels.h"
#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace amp;

static Value constant(OpBuilder &b, Location loc, Type type, double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
}

/// `first`, then `rest`.
static SmallVector<Value> join(Value first, ValueRange rest) {
  SmallVector<Value> all{first};
  llvm::append_range(all, rest);
  return all;
}

/// A number of rows that an op is told.
static Value countOf(CellEmitter &emitter, Location loc, Value count) {
  return emitter.rowCount(loc, emitter.scalar(count));
}
static void checkCount(CellEmitter &emitter, Location loc, Value count) {
  emitter.checkRowCount(loc, emitter.scalar(count));
}

/// Copies row `from` of `x` to row `to` of the buffer.
static void copyRow(CellEmitter &emitter, Location loc, Value x, Value from,
                    const CellBuffer &buffer, Value to) {
  SmallVector<Value> inner = emitter.dims(x);
  inner.erase(inner.begin());
  emitter.loops(loc, inner, /*parallel=*/true, [&](ArrayRef<Value> at) {
    emitter.store(loc, emitter.element(x, join(from, at)), buffer,
                  join(to, at));
  });
}

//===----------------------------------------------------------------------===//
// iota, gather
//===----------------------------------------------------------------------===//

namespace {
struct IotaCell : CellOpInterface::ExternalModel<IotaCell, IotaOp> {
  void emitChecks(Operation *op, CellEmitter &emitter) const {
    checkCount(emitter, op->getLoc(), cast<IotaOp>(op).getCount());
  }
  Value emitElement(Operation *, CellEmitter &,
                    ArrayRef<Value> indices) const {
    return indices[0];
  }
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned,
                unsigned) const {
    return countOf(emitter, op->getLoc(), cast<IotaOp>(op).getCount());
  }
};

struct GatherCell : CellOpInterface::ExternalModel<GatherCell, GatherOp> {
  bool isVirtual(Operation *) const { return false; }
  bool readsAgain(Operation *, unsigned operand) const { return operand == 0; }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    auto gather = cast<GatherOp>(op);
    Location loc = op->getLoc();
    Value rows = emitter.dim(gather.getX(), 0);
    emitter.loops(loc, emitter.dim(gather.getIndices(), 0), /*parallel=*/false,
                  [&](ArrayRef<Value> i) {
                    Value from = emitter.indexElement(gather.getIndices(), i);
                    emitter.ifInRange(loc, "index", from, rows, [&] {
                      copyRow(emitter, loc, gather.getX(), from, results[0],
                              i[0]);
                    });
                  });
    return {};
  }
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned,
                unsigned dim) const {
    auto gather = cast<GatherOp>(op);
    return dim == 0 ? emitter.dim(gather.getIndices(), 0)
                    : emitter.dim(gather.getX(), dim);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// segment, pool
//===----------------------------------------------------------------------===//

/// What a sum begins with; `max` is taken of 0 and nothing, so that segments
/// without rows are 0 in all three.
static Value combine(OpBuilder &b, Location loc, Reduction kind, Value sum,
                     Value e) {
  if (kind == Reduction::Max)
    return arith::MaximumFOp::create(b, loc, sum, e);
  return arith::AddFOp::create(b, loc, sum, e);
}

/// 1 / count, or 1 where there is nothing to divide.
static Value meanFactor(CellEmitter &emitter, Location loc, Type type,
                        Value count) {
  OpBuilder &b = emitter.b;
  Value least = arith::MaxUIOp::create(b, loc, count, emitter.index(1, loc));
  Value wide = arith::IndexCastOp::create(b, loc, b.getI64Type(), least);
  return arith::SIToFPOp::create(b, loc, type, wide);
}

namespace {
struct SegmentCell : CellOpInterface::ExternalModel<SegmentCell, SegmentOp> {
  bool isVirtual(Operation *) const { return false; }
  void emitChecks(Operation *op, CellEmitter &emitter) const {
    auto segment = cast<SegmentOp>(op);
    emitter.checkSameDim(op->getLoc(), segment.getX(), 0,
                         segment.getSegments(), 0);
    checkCount(emitter, op->getLoc(), segment.getCount());
  }
  /// Sums are made in memory of the accumulator's type: the result itself, or
  /// of the same shape beside it.
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    auto segment = cast<SegmentOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value result = segment.getResult();
    SmallVector<Value> dims = emitter.dims(result);
    Value count = dims[0];
    CellBuffer sums = results[0];
    Type type = accumulatorType(sums.element);
    if (type != sums.element)
      sums = emitter.temporary(loc, type, dims);
    emitter.loops(loc, dims, /*parallel=*/true, [&](ArrayRef<Value> at) {
      emitter.store(loc, constant(b, loc, type, 0), sums, at);
    });
    // How many rows each segment has, so far.
    CellBuffer sizes = emitter.temporary(loc, b.getIndexType(), count);
    emitter.loops(loc, count, /*parallel=*/true, [&](ArrayRef<Value> at) {
      emitter.store(loc, emitter.index(0, loc), sizes, at);
    });
    ArrayRef<Value> inner = ArrayRef(dims).drop_front();
    Value rows = emitDimOfRows(op, emitter);
    emitter.loops(loc, rows, /*parallel=*/false, [&](ArrayRef<Value> i) {
      Value s = emitter.indexElement(segment.getSegments(), i);
      emitter.ifInRange(loc, "segment", s, count, [&] {
        Value before = emitter.load(loc, sizes, s);
        Value isFirst =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, before,
                                  emitter.index(0, loc));
        Value now =
            arith::AddIOp::create(b, loc, before, emitter.index(1, loc));
        emitter.store(loc, now, sizes, s);
        emitter.loops(loc, inner, /*parallel=*/true, [&](ArrayRef<Value> at) {
          Value e = emitter.convert(
              loc, emitter.element(segment.getX(), join(i[0], at)), type);
          Value sum = emitter.load(loc, sums, join(s, at));
          Value both = combine(b, loc, segment.getKind(), sum, e);
          if (segment.getKind() == Reduction::Max)
            both = arith::SelectOp::create(b, loc, isFirst, e, both);
          emitter.store(loc, both, sums, join(s, at));
        });
      });
    });
    bool isMean = segment.getKind() == Reduction::Mean;
    if (!isMean && type == results[0].element)
      return {};
    emitter.loops(loc, count, /*parallel=*/false, [&](ArrayRef<Value> s) {
      Value size = meanFactor(emitter, loc, type, emitter.load(loc, sizes, s));
      emitter.loops(loc, inner, /*parallel=*/true, [&](ArrayRef<Value> at) {
        Value sum = emitter.load(loc, sums, join(s[0], at));
        if (isMean)
          sum = arith::DivFOp::create(b, loc, sum, size);
        emitter.store(loc, sum, results[0], join(s[0], at));
      });
    });
    return {};
  }
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned,
                unsigned dim) const {
    auto segment = cast<SegmentOp>(op);
    return dim == 0 ? countOf(emitter, op->getLoc(), segment.getCount())
                    : emitter.dim(segment.getX(), dim);
  }

private:
  static Value emitDimOfRows(Operation *op, CellEmitter &emitter) {
    return emitter.lesserDim(op->getLoc(), op->getOperand(0), 0,
                             op->getOperand(1), 0);
  }
};

struct PoolCell : CellOpInterface::ExternalModel<PoolCell, PoolOp> {
  bool isVirtual(Operation *) const { return false; }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    auto pool = cast<PoolOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value x = pool.getX();
    Type type = accumulatorType(results[0].element);
    SmallVector<Value> inner = emitter.dims(x);
    Value rows = inner.front();
    inner.erase(inner.begin());
    CellBuffer sums = results[0];
    if (type != sums.element)
      sums = emitter.temporary(loc, type, inner);
    emitter.loops(loc, inner, /*parallel=*/true, [&](ArrayRef<Value> at) {
      emitter.store(loc, constant(b, loc, type, 0), sums, at);
    });
    emitter.loops(loc, rows, /*parallel=*/false, [&](ArrayRef<Value> i) {
      Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                            i[0], emitter.index(0, loc));
      emitter.loops(loc, inner, /*parallel=*/true, [&](ArrayRef<Value> at) {
        Value e =
            emitter.convert(loc, emitter.element(x, join(i[0], at)), type);
        Value both = combine(b, loc, pool.getKind(),
                             emitter.load(loc, sums, at), e);
        if (pool.getKind() == Reduction::Max)
          both = arith::SelectOp::create(b, loc, isFirst, e, both);
        emitter.store(loc, both, sums, at);
      });
    });
    bool isMean = pool.getKind() == Reduction::Mean;
    if (!isMean && type == results[0].element)
      return {};
    Value size = meanFactor(emitter, loc, type, rows);
    emitter.loops(loc, inner, /*parallel=*/true, [&](ArrayRef<Value> at) {
      Value sum = emitter.load(loc, sums, at);
      if (isMean)
        sum = arith::DivFOp::create(b, loc, sum, size);
      emitter.store(loc, sum, results[0], at);
    });
    return {};
  }
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned,
                unsigned dim) const {
    return emitter.dim(op->getOperand(0), dim + 1);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// group, ungroup
//===----------------------------------------------------------------------===//

/// Runs `body` for each row in its order, with its place among the rows by key:
/// a counting sort. `starts` has count + 1 places for the keys' first rows, and
/// keeps them.
static void
forEachGrouped(CellEmitter &emitter, Location loc, Value keys, Value rows,
               Value count, const CellBuffer &starts,
               llvm::function_ref<void(Value row, Value place)> body) {
  OpBuilder &b = emitter.b;
  Value zero = emitter.index(0, loc), one = emitter.index(1, loc);
  auto add = [&](Value a, Value c) -> Value {
    return arith::AddIOp::create(b, loc, a, c);
  };
  emitter.loops(loc, add(count, one), /*parallel=*/true,
                [&](ArrayRef<Value> at) {
                  emitter.store(loc, zero, starts, at);
                });
  emitter.loops(loc, rows, /*parallel=*/false, [&](ArrayRef<Value> i) {
    Value key = emitter.indexElement(keys, i);
    emitter.ifInRange(loc, "key", key, count, [&] {
      Value next = add(key, one);
      emitter.store(loc, add(emitter.load(loc, starts, next), one), starts,
                    next);
    });
  });
  CellBuffer next = emitter.temporary(loc, b.getIndexType(), count);
  emitter.loops(loc, count, /*parallel=*/false, [&](ArrayRef<Value> key) {
    Value here = emitter.load(loc, starts, key);
    emitter.store(loc, here, next, key);
    Value after = add(key[0], one);
    emitter.store(loc, add(emitter.load(loc, starts, after), here), starts,
                  after);
  });
  emitter.loops(loc, rows, /*parallel=*/false, [&](ArrayRef<Value> i) {
    Value key = emitter.indexElement(keys, i);
    emitter.ifInRange(loc, "key", key, count, [&] {
      Value place = emitter.load(loc, next, key);
      emitter.store(loc, add(place, one), next, key);
      body(i[0], place);
    });
  });
}

namespace {
struct GroupCell : CellOpInterface::ExternalModel<GroupCell, GroupOp> {
  bool isVirtual(Operation *) const { return false; }
  void emitChecks(Operation *op, CellEmitter &emitter) const {
    emitter.checkSameDim(op->getLoc(), op->getOperand(0), 0, op->getOperand(1),
                         0);
    checkCount(emitter, op->getLoc(), op->getOperand(2));
  }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    auto group = cast<GroupOp>(op);
    Location loc = op->getLoc();
    forEachGrouped(emitter, loc, group.getKeys(),
                   emitter.lesserDim(loc, group.getX(), 0, group.getKeys(), 0),
                   countOf(emitter, loc, group.getCount()), results[1],
                   [&](Value row, Value place) {
                     copyRow(emitter, loc, group.getX(), row, results[0],
                             place);
                   });
    return {};
  }
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned result,
                unsigned dim) const {
    auto group = cast<GroupOp>(op);
    Location loc = op->getLoc();
    if (result == 1)
      return arith::AddIOp::create(emitter.b, loc,
                                   countOf(emitter, loc, group.getCount()),
                                   emitter.index(1, loc));
    return emitter.dim(group.getX(), dim);
  }
};

struct UngroupCell : CellOpInterface::ExternalModel<UngroupCell, UngroupOp> {
  bool isVirtual(Operation *) const { return false; }
  bool readsAgain(Operation *, unsigned operand) const { return operand == 0; }
  void emitChecks(Operation *op, CellEmitter &emitter) const {
    emitter.checkSameDim(op->getLoc(), op->getOperand(0), 0, op->getOperand(1),
                         0);
    checkCount(emitter, op->getLoc(), op->getOperand(2));
  }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    auto ungroup = cast<UngroupOp>(op);
    Location loc = op->getLoc();
    Value count = countOf(emitter, loc, ungroup.getCount());
    Value places = arith::AddIOp::create(emitter.b, loc, count,
                                         emitter.index(1, loc));
    CellBuffer starts =
        emitter.temporary(loc, emitter.b.getIndexType(), places);
    forEachGrouped(
        emitter, loc, ungroup.getKeys(),
        emitter.lesserDim(loc, ungroup.getRows(), 0, ungroup.getKeys(), 0),
        count, starts, [&](Value row, Value place) {
          copyRow(emitter, loc, ungroup.getRows(), place, results[0], row);
        });
    return {};
  }
};
} // namespace

void amp::registerRowModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, AmpDialect *) {
    IotaOp::attachInterface<IotaCell>(*context);
    GatherOp::attachInterface<GatherCell>(*context);
    SegmentOp::attachInterface<SegmentCell>(*context);
    PoolOp::attachInterface<PoolCell>(*context);
    GroupOp::attachInterface<GroupCell>(*context);
    UngroupOp::attachInterface<UngroupCell>(*context);
  });
}
