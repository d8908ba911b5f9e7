//===- AmpGradientOps.cpp - How differentiated graphs are run --------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include "amp/Dialect/Amp/IR/AmpOps.h"
#include "amp/Dialect/Amp/IR/Dropout.h"

#include <cmath>

using namespace amp;
using namespace amp::interp;
using namespace mlir;
using amprt::StatusCode;

/// Each gradient goes to who waits for it when it is there.
static void runBackward(BackwardOp op, Step &step) {
  const Tape &tape = *step.token(op.getTape()).tape();
  for (auto [input, to] : llvm::zip_equal(op.getInputs(), tape.inputs)) {
    Token from = step.token(input);
    step.whenSettled(from, [from, to = to](Step &later) {
      later.fill(to, from);
    });
  }
  step.give(tape.results);
}

//===----------------------------------------------------------------------===//
// Gradients of parameters
//===----------------------------------------------------------------------===//

static void runAddGradient(AddGradientOp op, Step &step) {
  Floats &gradient = step.gradient(op.getParam());
  const Floats &value = step.in(op.getValue()).floats();
  for (size_t i = 0; i < value.size(); ++i)
    gradient[i % gradient.size()] += value[i];
}

/// Adds x_r^T dy_r to the matrix of each row r.
template <typename MatrixOf>
static void addProducts(Floats &gradient, const Array &x, const Array &dy,
                        MatrixOf matrixOf) {
  int64_t depth = x.dims().back(), columns = dy.dims().back();
  for (int64_t row = 0; row * depth < x.size(); ++row) {
    double *to = &gradient[matrixOf(row) * depth * columns];
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t n = 0; n < columns; ++n)
        to[k * columns + n] +=
            x.floats()[row * depth + k] * dy.floats()[row * columns + n];
  }
}

/// Whether both have the same rows; else fails.
static bool checkSameRows(const Array &a, const Array &b, Step &step) {
  if (llvm::drop_end(a.dims()).empty() ||
      ArrayRef(a.dims()).drop_back() == ArrayRef(b.dims()).drop_back())
    return true;
  step.fail(StatusCode::invalidArgument,
            "operands have different numbers of rows: " + a.typeString() +
                " and " + b.typeString());
  return false;
}

static void runLinearGradient(LinearGradientOp op, Step &step) {
  const Array &x = step.in(op.getX()), &dy = step.in(op.getDy());
  if (checkSameRows(x, dy, step))
    addProducts(step.gradient(op.getParam()), x, dy,
                [](int64_t) { return 0; });
}

static void runGroupedLinearGradient(GroupedLinearGradientOp op, Step &step) {
  const Array &x = step.in(op.getX()), &dy = step.in(op.getDy()),
              &which = step.in(op.getWhich());
  if (!checkSameRows(x, dy, step))
    return;
  Floats &gradient = step.gradient(op.getParam());
  int64_t groups =
      gradient.size() / (x.dims().back() * dy.dims().back());
  for (int64_t i = 0; i < which.size(); ++i)
    if (!step.checkIndex("group", which.signedAt(i), groups))
      return;
  addProducts(gradient, x, dy, [&](int64_t row) { return which.signedAt(row); });
}

static void runRowGradient(RowGradientOp op, Step &step) {
  const Array &index = step.in(op.getIndex()), &rows = step.in(op.getRow());
  if (index.size() == 0)
    return;
  Floats &gradient = step.gradient(op.getParam());
  int64_t size = rows.size() / index.size();
  for (int64_t i = 0; i < index.size(); ++i) {
    int64_t row = index.signedAt(i);
    if (!step.checkIndex("index", row, size ? gradient.size() / size : 0))
      return;
    for (int64_t k = 0; k < size; ++k)
      gradient[row * size + k] += rows.floats()[i * size + k];
  }
}

//===----------------------------------------------------------------------===//
// Losses and soft-max
//===----------------------------------------------------------------------===//

static void runLossGradient(LossGradientOp op, Step &step) {
  const Array &x = step.in(op.getX()), &target = step.in(op.getTarget());
  double scale = step.in(op.getDl()).floats()[0];
  Floats result = x.floats();
  if (!LossOp::hasClasses(op.getKind())) {
    if (!step.checkSameDims(x, target))
      return;
    for (size_t i = 0; i < result.size(); ++i) {
      double difference = result[i] - target.floats()[i];
      result[i] = scale * (op.getKind() == LossKind::SquaredError
                               ? 2 * difference
                               : (difference > 0) - (difference < 0));
    }
    return step.give(Array(x.dtype(), x.dims(), std::move(result)));
  }
  if (Shape(llvm::drop_end(x.dims())) != target.dims())
    return step.fail(StatusCode::invalidArgument,
                     "operands have different numbers of rows: " +
                         x.typeString() + " and " + target.typeString());
  size_t classes = x.dims().back();
  for (int64_t row = 0; row < target.size(); ++row) {
    int64_t right = target.integers()[row];
    if (!step.checkIndex("target", right, classes))
      return;
    llvm::MutableArrayRef<double> scores(&result[row * classes], classes);
    if (op.getKind() == LossKind::Hinge) {
      double wanted = scores[right], violations = 0;
      for (double &score : scores) {
        score = 1 + score - wanted > 0 ? scale : 0;
        violations += score;
      }
      scores[right] -= violations;
      continue;
    }
    double largest = *llvm::max_element(scores), sum = 0;
    for (double &score : scores)
      sum += score = std::exp(score - largest);
    for (double &score : scores)
      score *= scale / sum;
    scores[right] -= scale;
  }
  step.give(Array(x.dtype(), x.dims(), std::move(result)));
}

static void runSoftmaxGradient(SoftmaxGradientOp op, Step &step) {
  const Array &y = step.in(op.getY()), &dy = step.in(op.getDy());
  if (!step.checkSameDims(y, dy))
    return;
  Floats result = dy.floats();
  size_t size = y.dims().back();
  for (size_t begin = 0; begin < result.size(); begin += size) {
    double sum = 0;
    for (size_t i = begin; i < begin + size; ++i)
      sum += y.floats()[i] * result[i];
    for (size_t i = begin; i < begin + size; ++i)
      result[i] = y.floats()[i] * (result[i] - sum);
  }
  step.give(Array(y.dtype(), y.dims(), std::move(result)));
}

/// As the compiled mask (GradientModels.cpp), to the bit.
static void runDropoutMask(DropoutMaskOp op, Step &step) {
  const Array &like = step.in(op.getLike());
  uint64_t state = dropoutStart(step.instanceSeed(), op.getSalt());
  for (Value key : op.getKeys())
    state = dropoutNext(state, step.integer(key));
  Floats mask(like.size());
  double kept = 1 / (1 - op.getRate().convertToDouble());
  for (auto [i, value] : llvm::enumerate(mask))
    value = dropoutBits(uint32_t(state >> 32), uint32_t(i)) < op.getThreshold()
                ? 0
                : kept;
  step.give(Array(like.dtype(), like.dims(), std::move(mask)));
}

void amp::interp::addAmpGradientOps(Registry &registry) {
  registry.add<BackwardOp>(runBackward, /*awaited=*/1);
  registry.add<AddGradientOp>(runAddGradient);
  registry.add<LinearGradientOp>(runLinearGradient);
  registry.add<GroupedLinearGradientOp>(runGroupedLinearGradient);
  registry.add<RowGradientOp>(runRowGradient);
  registry.add<DropoutMaskOp>(runDropoutMask);
  registry.add<LossGradientOp>(runLossGradient);
  registry.add<SoftmaxGradientOp>(runSoftmaxGradient);
}
