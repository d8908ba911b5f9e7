//===- AmpListOps.cpp - How persistent lists are run ----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include "amp/Dialect/Amp/IR/AmpOps.h"

using namespace amp;
using namespace amp::interp;
using namespace mlir;
using amprt::StatusCode;

static void runPop(PopOp op, Step &step) {
  const List &list = step.list(op.getList());
  if (list.length() == 0)
    return step.fail(StatusCode::invalidArgument, "pop of an empty list");
  step.give(0, list.rest());
  step.give(1, list.last());
}

static void runAt(AtOp op, Step &step) {
  const List &list = step.list(op.getList());
  int64_t index = step.integer(op.getIndex());
  if (step.checkIndex("index", index, list.length()))
    step.give(0, list.at(index));
}

static void runStack(StackOp op, Step &step) {
  const List &list = step.list(op.getList());
  Shape dims(op.getType().getShape());
  dims[0] = list.length();
  if (!step.checkDims(dims))
    return;
  Tokens rows;
  for (int64_t i = 0; i < list.length(); ++i)
    rows.push_back(list.at(i));
  step.giveJoined(0, dims, std::move(rows));
}

void amp::interp::addAmpListOps(Registry &registry) {
  registry.add<ListOp>([](ListOp, Step &step) { step.give(0, List()); });
  registry.add<PushOp>([](PushOp op, Step &step) {
    step.give(0, step.list(op.getList()).push(step.token(op.getValue())));
  });
  registry.add<PopOp>(runPop);
  registry.add<AtOp>(runAt);
  registry.add<LengthOp>([](LengthOp op, Step &step) {
    step.give(Array::scalar(AMPRT_INDEX, step.list(op.getList()).length()));
  });
  registry.add<StackOp>(runStack);
}
