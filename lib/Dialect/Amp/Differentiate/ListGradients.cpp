//===- ListGradients.cpp - Gradients of lists -----------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ListGradients.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace amp;

/// A loop over [lower, upper) with carried lists; `body` gets the index and these,
/// and gives the next ones.
static ValueRange
loopOver(OpBuilder &b, Location loc, Value lower, Value upper, ValueRange init,
         llvm::function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto loop = LoopOp::create(b, loc, init.getTypes(), TypeRange(), lower, upper,
                             one, init, ValueRange(), false);
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&loop.getBody());
  Value index = block->addArgument(b.getIndexType(), loc);
  for (Value value : init)
    block->addArgument(value.getType(), loc);
  SmallVector<Value> next = body(index, block->getArguments().drop_front());
  NextOp::create(b, loc, Value(), next, ValueRange(), ValueRange());
  return loop.getLast();
}

Value amp::sumOfLists(OpBuilder &b, Location loc, Value x, Value y) {
  if (x.getDefiningOp<ListOp>())
    return y;
  if (y.getDefiningOp<ListOp>())
    return x;
  auto type = cast<ListType>(x.getType());
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value lengthX = LengthOp::create(b, loc, x), lengthY = LengthOp::create(b, loc, y);
  Value common = arith::MinUIOp::create(b, loc, lengthX, lengthY);
  auto pop = [&](Value list) {
    return PopOp::create(b, loc, type, type.getElement(), list);
  };
  // The sums come in reverse; then they are put on what is left of the longer one.
  Value none = ListOp::create(b, loc, type);
  ValueRange parts =
      loopOver(b, loc, zero, common, {x, y, none}, [&](Value, ValueRange lists) {
        PopOp lastX = pop(lists[0]), lastY = pop(lists[1]);
        Value sum;
        if (isa<ListType>(type.getElement()))
          sum = sumOfLists(b, loc, lastX.getValue(), lastY.getValue());
        else
          sum = arith::AddFOp::create(b, loc, lastX.getValue(), lastY.getValue());
        Value sums = PushOp::create(b, loc, sum, lists[2]);
        return SmallVector<Value>{lastX.getRest(), lastY.getRest(), sums};
      });
  Value isLonger = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt,
                                         lengthX, lengthY);
  Value rest = arith::SelectOp::create(b, loc, isLonger, parts[0], parts[1]);
  return loopOver(b, loc, zero, common, {rest, parts[2]},
                  [&](Value, ValueRange lists) {
                    PopOp last = pop(lists[1]);
                    Value whole =
                        PushOp::create(b, loc, last.getValue(), lists[0]);
                    return SmallVector<Value>{whole, last.getRest()};
                  })[0];
}

/// Whether `index` is the list's length less one.
static bool isLast(Value list, Value index) {
  auto sub = index.getDefiningOp<arith::SubIOp>();
  auto length = sub ? sub.getLhs().getDefiningOp<LengthOp>() : LengthOp();
  return length && length.getList() == list &&
         isConstantIntValue(sub.getRhs(), 1);
}

Value amp::gradientOfElement(AdjointEmitter &emitter, Location loc, Value list,
                             Value index, Value gradient) {
  OpBuilder &b = emitter.b;
  auto type = cast<ListType>(list.getType());
  Value none = ListOp::create(b, loc, type);
  Value only = PushOp::create(b, loc, gradient, none);
  if (isLast(list, index))
    return only;
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value behind = arith::AddIOp::create(b, loc, index, one);
  Value length = LengthOp::create(b, loc, list);
  return loopOver(b, loc, behind, length, only, [&](Value i, ValueRange lists) {
    Value like = AtOp::create(b, loc, type.getElement(), list, i);
    Value zero = emitter.filled(loc, like, 0);
    if (like.use_empty())
      like.getDefiningOp()->erase();
    return SmallVector<Value>{PushOp::create(b, loc, zero, lists[0])};
  })[0];
}

Value amp::listOfRows(OpBuilder &b, Location loc, ListType type, Value rows,
                      Value count) {
  return pushRows(b, loc, ListOp::create(b, loc, type), rows, count);
}

Value amp::pushRows(OpBuilder &b, Location loc, Value list, Value rows,
                    Value count) {
  auto type = cast<ListType>(list.getType());
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  return loopOver(b, loc, zero, count, list, [&](Value i, ValueRange lists) {
    Value row;
    if (auto element = dyn_cast<RankedTensorType>(type.getElement())) {
      SmallVector<OpFoldResult> offsets{i}, sizes{b.getIndexAttr(1)};
      for (int64_t size : element.getShape()) {
        offsets.push_back(b.getIndexAttr(0));
        sizes.push_back(b.getIndexAttr(size));
      }
      SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
      row = tensor::ExtractSliceOp::create(b, loc, element, rows, offsets, sizes,
                                           ones);
    } else {
      row = tensor::ExtractOp::create(b, loc, rows, i);
    }
    return SmallVector<Value>{PushOp::create(b, loc, row, lists[0])};
  })[0];
}
