//===- TensorShapeOps.cpp - How shapes of tensors are run -----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace amp::interp;
using namespace mlir;
using amprt::StatusCode;

/// Gives the same elements under other dimensions.
static void giveReshaped(const Array &source, const Shape &dims, Step &step) {
  if (!step.checkDims(dims))
    return;
  if (elementCount(dims) != source.size())
    return step.fail(StatusCode::invalidArgument,
                     "a " + source.typeString() + " cannot have " +
                         Twine(elementCount(dims)) + " elements");
  step.give(source.reshaped(dims));
}

static void runDim(tensor::DimOp op, Step &step) {
  const Array &source = step.in(op.getSource());
  int64_t number = step.integer(op.getIndex());
  if (step.checkIndex("dimension", number, source.dims().size()))
    step.give(Array::scalar(AMPRT_INDEX, source.dims()[number]));
}

static void runRank(tensor::RankOp op, Step &step) {
  step.give(Array::scalar(AMPRT_INDEX, step.in(op.getTensor()).dims().size()));
}

static void runCast(tensor::CastOp op, Step &step) {
  step.give(step.in(op.getSource()));
}

static void runExpandShape(tensor::ExpandShapeOp op, Step &step) {
  Shape dims = step.numbers(op.getStaticOutputShape(), op.getOutputShape());
  giveReshaped(step.in(op.getSrc()), dims, step);
}

static void runCollapseShape(tensor::CollapseShapeOp op, Step &step) {
  const Array &source = step.in(op.getSrc());
  Shape dims;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    dims.push_back(1);
    for (int64_t d : group)
      dims.back() *= source.dims()[d];
  }
  giveReshaped(source, dims, step);
}

static void runReshape(tensor::ReshapeOp op, Step &step) {
  const Integers &dims = step.in(op.getShape()).integers();
  giveReshaped(step.in(op.getSource()), Shape(dims.begin(), dims.end()), step);
}

void amp::interp::addTensorShapeOps(Registry &registry) {
  registry.add<tensor::DimOp>(runDim);
  registry.add<tensor::RankOp>(runRank);
  registry.add<tensor::CastOp>(runCast);
  registry.add<tensor::ExpandShapeOp>(runExpandShape);
  registry.add<tensor::CollapseShapeOp>(runCollapseShape);
  registry.add<tensor::ReshapeOp>(runReshape);
}
