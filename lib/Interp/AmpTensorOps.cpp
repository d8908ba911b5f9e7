//===- AmpTensorOps.cpp - How parameters and amp tensor ops are run -------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "amp/Dialect/Amp/IR/AmpOps.h"

#include <cmath>

using namespace amp;
using namespace amp::interp;
using namespace mlir;
using amprt::StatusCode;

static void runGet(GetOp op, Step &step) {
  step.give(op.getTransposed() ? step.program().transposed(op.getParam())
                               : step.program().parameter(op.getParam()));
}

static void runLookup(LookupOp op, Step &step) {
  const Array &table = step.in(op.getTable());
  int64_t row = step.integer(op.getIndex());
  if (!step.checkIndex("index", row, table.dims()[0]))
    return;
  Shape dims(llvm::drop_begin(table.dims()));
  int64_t size = elementCount(dims);
  std::vector<int64_t> positions;
  for (int64_t i = 0; i < size; ++i)
    positions.push_back(row * size + i);
  step.give(table.take(dims, positions));
}

static void runLinear(LinearOp op, Step &step) {
  const Array &x = step.in(op.getX());
  const Array &weight = step.in(op.getWeight());
  int64_t depth = weight.dims()[0], columns = weight.dims()[1];
  if (x.dims().back() != depth)
    return step.fail(StatusCode::invalidArgument,
                     "operands do not fit: " + x.typeString() + " and " +
                         weight.typeString());
  Shape dims = x.dims();
  dims.back() = columns;
  if (!step.checkDims(dims))
    return;

  Floats result(elementCount(dims));
  const double *from = x.floats().data();
  double *to = result.data();
  const double *toEnd = to + result.size();
  for (; to != toEnd; from += depth, to += columns) {
    if (op.getBias())
      llvm::copy(step.in(op.getBias()).floats(), to);
    const double *weightRow = weight.floats().data();
    for (int64_t k = 0; k < depth; ++k, weightRow += columns)
      for (int64_t n = 0; n < columns; ++n)
        to[n] += from[k] * weightRow[n];
  }
  step.give(Array(x.dtype(), dims, std::move(result)));
}

static void runSoftmax(SoftmaxOp op, Step &step) {
  const Array &x = step.in(op.getX());
  Floats result = x.floats();
  size_t size = x.dims().back();
  for (size_t begin = 0; begin < result.size(); begin += size) {
    llvm::MutableArrayRef<double> row(&result[begin], size);
    double largest = *llvm::max_element(row), sum = 0;
    for (double &value : row)
      sum += value = std::exp(value - largest);
    for (double &value : row)
      value /= sum;
  }
  step.give(Array(x.dtype(), x.dims(), std::move(result)));
}

static void runArgmax(ArgmaxOp op, Step &step) {
  const Floats &x = step.in(op.getX()).floats();
  if (x.empty())
    return step.fail(StatusCode::invalidArgument,
                     "the arg-max of an empty vector");
  size_t best = 0;
  for (size_t i = 1; i < x.size() && !std::isnan(x[best]); ++i)
    if (std::isnan(x[i]) || x[i] > x[best])
      best = i;
  step.give(Array::scalar(AMPRT_INDEX, best));
}

void amp::interp::addAmpTensorOps(Registry &registry) {
  registry.add<GetOp>(runGet);
  registry.add<DropoutOp>([](DropoutOp op, Step &step) {
    step.give(0, step.token(op.getX())); // it is not being trained
  });
  registry.add<LookupOp>(runLookup);
  registry.add<LinearOp>(runLinear);
  addFloatUnary<SigmoidOp>(registry,
                           [](double x) { return 1 / (1 + std::exp(-x)); });
  registry.add<SoftmaxOp>(runSoftmax);
  registry.add<ArgmaxOp>(runArgmax);
}
