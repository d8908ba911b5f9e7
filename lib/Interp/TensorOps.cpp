//===- TensorOps.cpp - How elements and slices of tensors are run ---------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace amp::interp;
using namespace mlir;
using amprt::StatusCode;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// The position that `indices` name; none, and a failure, if it is outside.
static std::optional<int64_t> checkedPosition(const Array &array,
                                              ValueRange indices, Step &step) {
  Shape index;
  for (auto [d, operand] : llvm::enumerate(indices)) {
    index.push_back(step.integer(operand));
    if (!step.checkIndex("index", index.back(), array.dims()[d]))
      return std::nullopt;
  }
  return positionOf(index, array.dims());
}

static void runExtract(tensor::ExtractOp op, Step &step) {
  const Array &array = step.in(op.getTensor());
  if (auto position = checkedPosition(array, op.getIndices(), step))
    step.give(array.take({}, *position));
}

static void runInsert(tensor::InsertOp op, Step &step) {
  const Array &array = step.in(op.getDest());
  if (auto position = checkedPosition(array, op.getIndices(), step))
    step.give(array.with(*position, step.in(op.getScalar())));
}

static void runFromElements(tensor::FromElementsOp op, Step &step) {
  step.giveJoined(0, Shape(op.getType().getShape()),
                  step.tokens(op.getElements()));
}

static void runSplat(tensor::SplatOp op, Step &step) {
  Shape dims = step.numbers(op.getType().getShape(), op.getDynamicSizes());
  if (step.checkDims(dims))
    step.give(Array::filled(dims, step.in(op.getInput())));
}

/// Its elements are anything; here they are zeros.
static void runEmpty(tensor::EmptyOp op, Step &step) {
  Shape dims = step.numbers(op.getType().getShape(), op.getDynamicSizes());
  if (step.checkDims(dims))
    step.give(Array::zeros(*elementTypeOf(op.getType()), dims));
}

/// Runs the body of a generate or pad op for an element.
static Token runElement(Region &body, ArrayRef<int64_t> index, Step &step) {
  step.countStep();
  Tokens arguments;
  for (int64_t i : index)
    arguments.push_back(Array::scalar(AMPRT_INDEX, i));
  return step.run(body, arguments).front();
}

static void runGenerate(tensor::GenerateOp op, Step &step) {
  Shape dims = step.numbers(cast<RankedTensorType>(op.getType()).getShape(),
                            op.getDynamicExtents());
  if (!step.checkDims(dims))
    return;
  Tokens elements;
  forEachIndex(dims, [&](ArrayRef<int64_t> index) {
    elements.push_back(runElement(op.getBody(), index, step));
    return !step.failed();
  });
  step.giveJoined(0, dims, std::move(elements));
}

static void runPad(tensor::PadOp op, Step &step) {
  const Array &source = step.in(op.getSource());
  Shape low = step.numbers(op.getStaticLow(), op.getLow());
  Shape high = step.numbers(op.getStaticHigh(), op.getHigh());
  if (!step.checkDims(low) || !step.checkDims(high))
    return;
  Shape dims;
  for (auto [before, dim, after] : llvm::zip_equal(low, source.dims(), high))
    dims.push_back(before + dim + after);
  if (!step.checkDims(dims))
    return;
  Tokens elements;
  forEachIndex(dims, [&](ArrayRef<int64_t> index) {
    Shape inner;
    bool isInside = true;
    for (size_t d = 0; d < dims.size(); ++d) {
      inner.push_back(index[d] - low[d]);
      isInside &= 0 <= inner[d] && inner[d] < source.dims()[d];
    }
    elements.push_back(isInside
                           ? source.take({}, positionOf(inner, source.dims()))
                           : runElement(op.getRegion(), index, step));
    return !step.failed();
  });
  step.giveJoined(0, dims, std::move(elements));
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

namespace {
struct Slice {
  Shape offsets, sizes, strides;

  /// Whether it lies inside an array of these dimensions; else fails.
  bool check(const Shape &dims, Step &step) const {
    if (!step.checkDims(sizes))
      return false;
    if (llvm::is_contained(sizes, 0))
      return true; // Nothing is read.
    for (size_t d = 0; d < dims.size(); ++d)
      if (!step.checkIndex("index", offsets[d], dims[d]) ||
          !step.checkIndex("index", last(d), dims[d]))
        return false;
    return true;
  }

  /// The last index along dimension `d`; where it is too large for a number,
  /// the largest one.
  int64_t last(size_t d) const {
    int64_t index;
    if (llvm::MulOverflow(sizes[d] - 1, strides[d], index) ||
        llvm::AddOverflow(index, offsets[d], index))
      return std::numeric_limits<int64_t>::max();
    return index;
  }

  /// Where its elements lie in an array of these dimensions.
  std::vector<int64_t> positions(const Shape &dims) const {
    std::vector<int64_t> positions;
    forEachIndex(sizes, [&](ArrayRef<int64_t> index) {
      Shape outer;
      for (size_t d = 0; d < dims.size(); ++d)
        outer.push_back(offsets[d] + index[d] * strides[d]);
      positions.push_back(positionOf(outer, dims));
      return true;
    });
    return positions;
  }

  /// Its dimensions without those that a rank-reduced tensor leaves out.
  Shape reducedDims(const llvm::SmallBitVector &dropped) const {
    Shape dims;
    for (size_t d = 0; d < sizes.size(); ++d)
      if (!dropped[d])
        dims.push_back(sizes[d]);
    return dims;
  }
};
} // namespace

template <typename OpT> static Slice sliceOf(OpT op, Step &step) {
  return {step.numbers(op.getStaticOffsets(), op.getOffsets()),
          step.numbers(op.getStaticSizes(), op.getSizes()),
          step.numbers(op.getStaticStrides(), op.getStrides())};
}

static void runExtractSlice(tensor::ExtractSliceOp op, Step &step) {
  const Array &source = step.in(op.getSource());
  Slice slice = sliceOf(op, step);
  if (slice.check(source.dims(), step))
    step.give(source.take(slice.reducedDims(op.getDroppedDims()),
                          slice.positions(source.dims())));
}

static void runInsertSlice(tensor::InsertSliceOp op, Step &step) {
  const Array &source = step.in(op.getSource());
  const Array &dest = step.in(op.getDest());
  Slice slice = sliceOf(op, step);
  if (!slice.check(dest.dims(), step))
    return;
  if (slice.reducedDims(op.getDroppedDims()) != source.dims())
    return step.fail(StatusCode::invalidArgument,
                     "the source is a " + source.typeString() +
                         ", which is not the slice's size");
  step.give(dest.with(slice.positions(dest.dims()), source));
}

static void runConcat(tensor::ConcatOp op, Step &step) {
  uint64_t along = op.getDim();
  Shape dims = step.in(op.getInputs()[0]).dims();
  dims[along] = 0;
  for (Value input : op.getInputs())
    dims[along] += step.in(input).dims()[along];
  if (!step.checkDims(dims))
    return;
  Array result = Array::zeros(*elementTypeOf(op.getType()), dims);
  Slice slice{Shape(dims.size(), 0), {}, Shape(dims.size(), 1)};
  for (Value input : op.getInputs()) {
    const Array &array = step.in(input);
    slice.sizes = dims;
    slice.sizes[along] = array.dims()[along];
    if (slice.sizes != array.dims())
      return step.fail(StatusCode::invalidArgument,
                       "operands have different dimensions beside the one "
                       "that they are put together along");
    result = result.with(slice.positions(dims), array);
    slice.offsets[along] += array.dims()[along];
  }
  step.give(result);
}

void amp::interp::addTensorOps(Registry &registry) {
  registry.add<tensor::ExtractOp>(runExtract);
  registry.add<tensor::InsertOp>(runInsert);
  registry.add<tensor::FromElementsOp>(runFromElements);
  registry.add<tensor::SplatOp>(runSplat);
  registry.add<tensor::EmptyOp>(runEmpty);
  registry.add<tensor::GenerateOp>(runGenerate);
  registry.add<tensor::PadOp>(runPad);
  registry.add<tensor::ExtractSliceOp>(runExtractSlice);
  registry.add<tensor::InsertSliceOp>(runInsertSlice);
  registry.add<tensor::ConcatOp>(runConcat);
}
