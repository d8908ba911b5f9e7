//===- Reductions.cpp - Sums and maxima in lanes --------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM may not change the order of additions, so a sum that is written as one
// waits for itself at each term. Here it is written as many, whose terms are
// neighbours: loops over lanes become vectors. A row's bits must not depend on
// what LLVM makes of the loop that it stands in (batch invariance), so the
// order is all said here, and does not depend on the processor either.
//
//===----------------------------------------------------------------------===//

#include "amp/Conversion/CellEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <cmath>

using namespace mlir;
using namespace amp;

/// Lanes for so many terms, or for a number that is not known; 1: too few.
static int64_t lanesFor(std::optional<int64_t> count) {
  if (!count)
    return 8;
  int64_t lanes = 64;
  while (lanes > 4 && *count < 2 * lanes)
    lanes /= 2;
  return lanes > 4 ? lanes : 1;
}

/// Memory of the function's own, which LLVM turns into registers.
static CellBuffer onStack(OpBuilder &b, Location loc, Type type, Value count) {
  OpBuilder::InsertionGuard guard(b);
  Operation *function = b.getBlock()->getParentOp();
  while (!isa<FunctionOpInterface>(function))
    function = function->getParentOp();
  b.setInsertionPointToStart(&function->getRegion(0).front());
  Value size = LLVM::ConstantOp::create(b, loc, b.getI64Type(),
                                        *getConstantIntValue(count));
  Value base = LLVM::AllocaOp::create(
      b, loc, LLVM::LLVMPointerType::get(b.getContext()), type, size,
      /*alignment=*/64);
  return {base, type, {arith::ConstantIndexOp::create(b, loc, 0)}, {count}};
}

namespace {
/// One reduction; `combine` is associative but for rounding.
class Reduction {
public:
  Reduction(CellEmitter &emitter, Location loc, Value neutral,
            llvm::function_ref<Value(Value, Value)> combine,
            llvm::function_ref<Value(Value)> term)
      : emitter(emitter), loc(loc), neutral(neutral), combine(combine),
        term(term) {}

  Value emit(Value count, Value init) {
    int64_t lanes = lanesFor(getConstantIntValue(count));
    if (lanes == 1)
      return emitRest(emitter.index(0, loc), count, init);
    OpBuilder &b = emitter.b;
    Value width = emitter.index(lanes, loc);
    parts = onStack(b, loc, neutral.getType(), width);
    overLanes(width, [&](Value) { return neutral; });
    Value rounds = arith::DivUIOp::create(b, loc, count, width);
    emitter.loops(loc, rounds, /*parallel=*/false, [&](ArrayRef<Value> round) {
      Value first = arith::MulIOp::create(b, loc, round[0], width);
      overLanes(width, [&](Value lane) {
        return combine(part(lane), term(plus(first, lane)));
      });
    });
    Value done = arith::MulIOp::create(b, loc, rounds, width);
    Value left = arith::SubIOp::create(b, loc, count, done);
    Value rest = emitRest(done, left, init);
    return combine(rest, foldLanes(lanes));
  }

private:
  Value plus(Value x, Value y) {
    return arith::AddIOp::create(emitter.b, loc, x, y);
  }
  Value part(Value lane) { return emitter.load(loc, parts, lane); }
  void overLanes(Value width, llvm::function_ref<Value(Value)> value) {
    emitter.loops(
        loc, width, /*parallel=*/true,
        [&](ArrayRef<Value> lane) {
          emitter.store(loc, value(lane[0]), parts, lane[0]);
        },
        /*areLanes=*/true);
  }

  /// One after the other.
  Value emitRest(Value first, Value count, Value init) {
    return emitter.reduce(loc, count, init,
                          [&](Value i, ValueRange so) -> SmallVector<Value> {
                            return {combine(so[0], term(plus(first, i)))};
                          })[0];
  }

  /// By halves.
  Value foldLanes(int64_t lanes) {
    for (; lanes > 8; lanes /= 2) {
      Value half = emitter.index(lanes / 2, loc);
      overLanes(half, [&](Value lane) {
        return combine(part(lane), part(plus(lane, half)));
      });
    }
    SmallVector<Value> values;
    for (int64_t lane = 0; lane < lanes; ++lane)
      values.push_back(part(emitter.index(lane, loc)));
    for (; lanes > 1; lanes /= 2)
      for (int64_t lane = 0; lane < lanes / 2; ++lane)
        values[lane] = combine(values[lane], values[lane + lanes / 2]);
    return values[0];
  }

  CellEmitter &emitter;
  Location loc;
  Value neutral;
  llvm::function_ref<Value(Value, Value)> combine;
  llvm::function_ref<Value(Value)> term;
  CellBuffer parts;
};
} // namespace

Value CellEmitter::sum(Location loc, Value count, Value init,
                       llvm::function_ref<Value(Value)> term) {
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(init.getType()));
  auto add = [&](Value x, Value y) -> Value {
    return arith::AddFOp::create(b, loc, x, y);
  };
  return Reduction(*this, loc, zero, add, term).emit(count, init);
}

Value CellEmitter::max(Location loc, Value count, Type type,
                       llvm::function_ref<Value(Value)> term) {
  Value least =
      arith::ConstantOp::create(b, loc, b.getFloatAttr(type, -INFINITY));
  auto greater = [&](Value x, Value y) -> Value {
    return arith::MaximumFOp::create(b, loc, x, y);
  };
  return Reduction(*this, loc, least, greater, term).emit(count, least);
}
