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

/// Gives results from number `first` on: result `first + k` stacks value
/// `first + k` of each row's tokens.
static void giveStacked(Operation *op, unsigned first,
                        const std::vector<Tokens> &rows, Step &step) {
  for (unsigned k = first; k < op->getNumResults(); ++k) {
    Shape dims(cast<RankedTensorType>(op->getResult(k).getType()).getShape());
    dims[0] = rows.size();
    if (!step.checkDims(dims))
      return;
    Tokens column;
    for (const Tokens &row : rows)
      column.push_back(row[k]);
    step.giveJoined(k, dims, std::move(column));
  }
}

static void runMap(MapOp op, Step &step) {
  std::vector<Tokens> rows;
  int64_t count = step.integer(op.getCount());
  for (int64_t i = 0; i < count && !step.failed(); ++i) {
    step.countStep();
    rows.push_back(step.run(op.getBody(), {Array::scalar(AMPRT_INDEX, i)}));
  }
  if (!step.failed())
    giveStacked(op, 0, rows, step);
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
  giveStacked(op, carriedCount, rows, step);
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
  registry.add<ScanOp>(runScan, /*awaited=*/2);
  registry.add<CollectorOp>(runCollector);
  registry.add<EmitOp>(runEmit);
  registry.add<CollectOp>(runCollect);
}
