//===- AmpStructureOps.cpp - How maps, scans and collectors are run -------===//
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

/// What the body of a map or flatmap yields for each index of [0, count).
static std::vector<Tokens> runElements(Region &body, int64_t count,
                                       Step &step) {
  std::vector<Tokens> elements;
  for (int64_t i = 0; i < count && !step.failed(); ++i) {
    step.countStep();
    elements.push_back(step.run(body, {Array::scalar(AMPRT_INDEX, i)}));
  }
  return elements;
}

/// Each element's gradients are rows of what the backward half is given, and what
/// it yields behind its rows is stacked for that.
static void runMap(MapOp op, Step &step) {
  auto tape = std::make_shared<Tape>();
  if (op.getTape())
    step.promise();
  tape->inputs.resize(op.getAdjointArgs().size());
  std::vector<Tokens> rows;
  int64_t count = step.integer(op.getCount());
  for (int64_t i = 0; i < count && !step.failed(); ++i) {
    step.countStep();
    Tokens arguments{Array::scalar(AMPRT_INDEX, i)};
    for (const Token &stack : tape->inputs) {
      arguments.emplace_back();
      step.giveRow(stack, i, arguments.back());
    }
    rows.push_back(step.run(op.getBody(), arguments));
  }
  unsigned stacked = op.getStacked().size();
  for (unsigned k = 0; k < stacked && !step.failed(); ++k)
    step.giveStacked(k, columnOf(rows, k));
  if (!op.getTape() || step.failed())
    return;
  for (Value result : getBackward(op).getResults())
    tape->results.push_back(step.stacked(
        result.getType(), columnOf(rows, stacked + tape->results.size())));
  step.give(stacked, tape);
}

/// How many rows there are is known when all parts have arrived.
static void runFlatmap(FlatmapOp op, Step &step) {
  std::vector<Tokens> parts =
      runElements(op.getBody(), step.integer(op.getCount()), step);
  if (step.failed())
    return;
  for (auto [k, type] : llvm::enumerate(op.getResultTypes()))
    step.giveMade(
        k, columnOf(parts, k),
        [step, rows = cast<RankedTensorType>(type)](ArrayRef<Array> arrays) {
          Shape dims(rows.getShape());
          dims[0] = 0;
          for (const Array &array : arrays)
            dims[0] += array.dims()[0];
          if (!step.checkDims(dims))
            return Array();
          return Array::joined(*elementTypeOf(rows), dims, arrays);
        });
}

static void runScan(ScanOp op, Step &step) {
  int64_t lower = step.integer(op.getLower());
  int64_t upper = step.integer(op.getUpper());
  uint64_t count = lower < upper ? uint64_t(upper) - uint64_t(lower) : 0;
  unsigned carriedCount = op.getInit().size();

  Tokens carried = step.tokens(op.getInit());
  std::vector<Tokens> rows; // In the order of the iterations.
  for (uint64_t i = 0; i < count && !step.failed(); ++i) {
    step.countStep();
    int64_t index = op.getReverse() ? upper - 1 - i : lower + i;
    Tokens arguments{Array::scalar(AMPRT_INDEX, index)};
    llvm::append_range(arguments, carried);
    rows.push_back(step.run(op.getBody(), arguments));
    carried.assign(rows.back().begin(), rows.back().begin() + carriedCount);
  }
  if (step.failed())
    return;
  for (unsigned k = 0; k < carriedCount; ++k)
    step.give(k, carried[k]);
  if (op.getReverse())
    std::reverse(rows.begin(), rows.end());
  for (unsigned k = carriedCount; k < op->getNumResults(); ++k)
    step.giveStacked(k, columnOf(rows, k));
}

static void runCollector(CollectorOp op, Step &step) {
  RankedTensorType row = op.getType().getRow();
  int64_t count = std::max<int64_t>(step.integer(op.getCount()), 0);
  Shape dims{count};
  llvm::append_range(dims, row.getShape());
  if (step.checkDims(dims))
    step.give(0, step.makeCollector(row, count));
}

static void runEmit(EmitOp op, Step &step) {
  Collector &collector = *step.token(op.getCollector()).collector();
  int64_t index = step.integer(op.getIndex());
  if (step.checkIndex("index", index, collector.rows.size()))
    step.giveRow(collector, index, step.in(op.getRow()));
}

static void runCollect(CollectOp op, Step &step) {
  step.give(0, step.token(op.getCollector()).collector()->all);
}

void amp::interp::addAmpStructureOps(Registry &registry) {
  registry.add<MapOp>(runMap);
  registry.add<FlatmapOp>(runFlatmap);
  registry.add<ScanOp>(runScan, /*awaited=*/2);
  registry.add<CollectorOp>(runCollector);
  registry.add<EmitOp>(runEmit);
  registry.add<CollectOp>(runCollect);
}
