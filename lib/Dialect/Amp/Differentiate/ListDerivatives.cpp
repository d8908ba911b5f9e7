//===- ListDerivatives.cpp - Derivatives of list ops ----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Derivatives.h"
#include "ListGradients.h"

#include "amp/Dialect/Amp/IR/AmpInterfaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace amp;

namespace {

template <typename Op, typename Model>
using Derivative = DerivativeOpInterface::ExternalModel<Model, Op>;

/// A pop; of what has no last element, whose gradient is zero then.
struct Push : Derivative<PushOp, Push> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto push = cast<PushOp>(op);
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value gradient = emitter.adjoint(push.getResult());
    auto type = cast<ListType>(gradient.getType());
    Value none = ListOp::create(b, loc, type);
    Value zeros = PushOp::create(
        b, loc, emitter.filled(loc, push.getValue(), 0), none);
    Value length = LengthOp::create(b, loc, gradient);
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value isEmpty = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          length, zero);
    Value filled =
        arith::SelectOp::create(b, loc, isEmpty, zeros, gradient);
    auto pop = PopOp::create(b, loc, type, type.getElement(), filled);
    if (emitter.wants(push.getValue()))
      emitter.add(push.getValue(), pop.getValue());
    if (emitter.wants(push.getList()))
      emitter.add(push.getList(), pop.getRest());
    return success();
  }
};

struct Pop : Derivative<PopOp, Pop> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto pop = cast<PopOp>(op);
    if (!emitter.wants(pop.getList()))
      return success();
    Location loc = op->getLoc();
    Value rest = emitter.adjoint(pop.getRest());
    Value last = emitter.adjoint(pop.getValue());
    if (!rest)
      rest = emitter.filled(loc, pop.getRest(), 0);
    if (!last)
      last = emitter.filled(loc, pop.getValue(), 0);
    emitter.add(pop.getList(), PushOp::create(emitter.b, loc, last, rest));
    return success();
  }
};

struct At : Derivative<AtOp, At> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto at = cast<AtOp>(op);
    if (!emitter.wants(at.getList()))
      return success();
    Value index = at.getIndex();
    if (!index.getType().isIndex())
      index = arith::IndexCastOp::create(emitter.b, op->getLoc(),
                                         emitter.b.getIndexType(), index);
    emitter.addRow(at.getList(), index, emitter.adjoint(at.getValue()));
    return success();
  }
};

struct Stack : Derivative<StackOp, Stack> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto stack = cast<StackOp>(op);
    Value list = stack.getList();
    if (!emitter.wants(list))
      return success();
    Location loc = op->getLoc();
    Value gradient = emitter.adjoint(stack.getRows());
    Value length = LengthOp::create(emitter.b, loc, list);
    emitter.add(list, listOfRows(emitter.b, loc, cast<ListType>(list.getType()),
                                 gradient, length));
    return success();
  }
};
} // namespace

void amp::registerListDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, AmpDialect *) {
    PushOp::attachInterface<Push>(*context);
    PopOp::attachInterface<Pop>(*context);
    AtOp::attachInterface<At>(*context);
    StackOp::attachInterface<Stack>(*context);
  });
}
