//===- CellEntry.cpp - What a cell says of itself -------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CellEntry.h"

#include "FrameCode.h"

#include "amp/Dialect/Amp/IR/AmpInterfaces.h"

#include "amprt/abi.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace amp;

/// Cells on the longest path from `cell`, which counts, to the end of its
/// activation.
static int64_t longestPath(const Body &body, CellOp cell) {
  llvm::DenseMap<Operation *, int64_t> heights;
  for (Operation &op : llvm::reverse(*body.block)) {
    int64_t height = 0;
    for (Operation *user : op.getUsers())
      height = std::max(
          height, heights.lookup(body.block->findAncestorOpInBlock(*user)));
    height += isa<CellOp>(op);
    heights[&op] = height;
    if (&op == cell)
      return height;
  }
  llvm_unreachable("the cell stands in the body");
}

/// All that the compute function reads of frames but for the head of its own.
/// The index of a frame further up is a word like any other.
static rt::ValuesAttr readsOf(const Bodies &bodies, const Body &body,
                              CellOp cell) {
  MLIRContext *context = cell.getContext();
  llvm::SmallSetVector<rt::ValueAttr, 8> reads;
  for (Value input : cell.getInputs()) {
    input = throughBranches(input);
    if (isUniform(input))
      continue;
    Place place = placeOf(bodies, body, input);
    if (place.levels == 0 && place.offset < int64_t(sizeof(amprt_frame)))
      continue;
    reads.insert(rt::ValueAttr::get(context, input.getType(), place.offset,
                                    place.levels));
  }
  return rt::ValuesAttr::get(context, reads.getArrayRef());
}

/// All that it writes there.
static rt::ValuesAttr writesOf(const Body &body, CellOp cell) {
  SmallVector<rt::ValueAttr> writes;
  for (Value result : cell.getResults())
    writes.push_back(rt::ValueAttr::get(cell.getContext(), result.getType(),
                                        body.offsets.lookup(result),
                                        /*levels=*/0));
  return rt::ValuesAttr::get(cell.getContext(), writes);
}

void amp::emitCellEntry(OpBuilder &b, const Bodies &bodies, const Body &body,
                        CellOp cell, const CellAnalyses &analyses,
                        StringRef compute, StringRef complete,
                        bool hasProduct) {
  std::string summary;
  llvm::raw_string_ostream out(summary);
  uint64_t work = 0;
  llvm::interleave(
      llvm::make_filter_range(cell.getBody().front().without_terminator(),
                              [](Operation &op) { return !makesUniform(&op); }),
      out,
      [&](Operation &op) {
        out << op.getName();
        work =
            llvm::SaturatingAdd(work, cast<CellOpInterface>(op).estimateWork());
      },
      ", ");
  // As much as the runtime's table can say.
  work = std::min<uint64_t>(work, std::numeric_limits<uint32_t>::max());
  rt::CellOp::create(b, cell.getLoc(), cell.getName(), compute, complete,
                     hasProduct, analyses.gradients.reaches(cell),
                     longestPath(body, cell), work, readsOf(bodies, body, cell),
                     writesOf(body, cell),
                     b.getArrayAttr(analyses.paramReads.of(cell)), summary);
}
