//===- LinalgOps.cpp - How structured ops are run -------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// linalg.generic and every named op say by their interface which loops they
// are, which element each operand has at each point, and what is done with them
// there.
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace amp::interp;
using namespace mlir;
using amprt::StatusCode;

/// How often each loop runs; none, and a failure, if operands do not fit.
static std::optional<Shape> extentsOf(linalg::LinalgOp op, Step &step) {
  Shape sizes;
  for (Value operand : op->getOperands())
    llvm::append_range(sizes, step.in(operand).dims());
  Shape extents(op.getShapesToLoopsMap().compose(sizes));
  for (OpOperand &operand : op->getOpOperands()) {
    const Array &array = step.in(operand.get());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [d, index] : llvm::enumerate(map.getResults())) {
      // An index computed from several loops is checked where it is used.
      auto loop = dyn_cast<AffineDimExpr>(index);
      if (!loop || array.dims()[d] == extents[loop.getPosition()])
        continue;
      step.fail(StatusCode::invalidArgument,
                "operand " + Twine(operand.getOperandNumber()) + " is a " +
                    array.typeString() + ", but dimension " + Twine(d) +
                    " must be " + Twine(extents[loop.getPosition()]));
      return std::nullopt;
    }
  }
  return extents;
}

/// Where the operand's element lies at a point; none, and a failure, if that is
/// outside.
static std::optional<int64_t> positionAt(AffineMap map, ArrayRef<int64_t> point,
                                         const Array &array, Step &step) {
  Shape index(map.compose(point));
  for (auto [i, dim] : llvm::zip_equal(index, array.dims()))
    if (!step.checkIndex("index", i, dim))
      return std::nullopt;
  return positionOf(index, array.dims());
}

namespace {
/// One run of an op: the elements of its results change from point to point.
class Loops {
public:
  Loops(linalg::LinalgOp op, Step &step)
      : op(op), step(step), body(op->getRegion(0)),
        maps(op.getIndexingMapsArray()) {
    for (Value init : op.getDpsInits()) {
      const Array &array = step.in(init);
      std::vector<Array> &elements = results.emplace_back();
      for (int64_t i = 0; i < array.size(); ++i)
        elements.push_back(array.take({}, i));
    }
  }

  /// Runs the body once; false after a failure.
  bool runPoint(ArrayRef<int64_t> point);

  void giveResults() {
    for (auto [k, init] : llvm::enumerate(op.getDpsInits())) {
      const Array &array = step.in(init);
      step.give(k, Array::joined(array.dtype(), array.dims(), results[k]));
    }
  }

private:
  linalg::LinalgOp op;
  Step &step;
  Region &body;
  SmallVector<AffineMap> maps; ///< Of each operand.
  std::vector<std::vector<Array>> results;
};
} // namespace

bool Loops::runPoint(ArrayRef<int64_t> point) {
  step.countStep();
  Tokens elements;
  std::vector<Array *> changed; // The results' elements at this point.
  for (OpOperand &operand : op->getOpOperands()) {
    const Array &array = step.in(operand.get());
    std::optional<int64_t> position =
        positionAt(maps[operand.getOperandNumber()], point, array, step);
    if (!position)
      return false;
    if (op.isDpsInput(&operand)) {
      elements.push_back(array.take({}, *position));
      continue;
    }
    changed.push_back(&results[changed.size()][*position]);
    elements.push_back(*changed.back());
  }
  // The body of linalg.map does not see what it writes.
  elements.resize(body.getNumArguments());
  Tokens values = step.run(body, elements, Shape(point));
  if (step.failed())
    return false;
  for (auto [element, value] : llvm::zip_equal(changed, values))
    *element = value.array();
  return true;
}

static void runStructured(linalg::LinalgOp op, Step &step) {
  std::optional<Shape> extents = extentsOf(op, step);
  if (!extents)
    return;
  Loops loops(op, step);
  forEachIndex(*extents,
               [&](ArrayRef<int64_t> point) { return loops.runPoint(point); });
  if (!step.failed())
    loops.giveResults();
}

void amp::interp::addLinalgOps(Registry &registry) {
  registry.addInterface<linalg::LinalgOp>(runStructured);
  registry.add<linalg::IndexOp>([](linalg::IndexOp op, Step &step) {
    step.give(Array::scalar(AMPRT_INDEX, step.pointOf(op.getDim())));
  });
}
