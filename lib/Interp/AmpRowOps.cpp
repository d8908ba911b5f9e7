//===- AmpRowOps.cpp - How rows of graphs and sequences are run -----------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include "amp/Dialect/Amp/IR/AmpOps.h"

#include <cmath>
#include <numeric>

using namespace amp;
using namespace amp::interp;
using namespace mlir;
using amprt::StatusCode;

/// Whether there is one of `indices` for each row; else fails.
static bool checkRows(const Array &x, const Array &indices, Step &step) {
  if (x.dims()[0] == indices.dims()[0])
    return true;
  step.fail(StatusCode::invalidArgument,
            "operands have different numbers of rows: " + x.typeString() +
                " and " + indices.typeString());
  return false;
}

/// Whether all of `indices` are in [0, limit); else fails, naming `what`.
static bool checkIndices(const Twine &what, const Array &indices, int64_t limit,
                         Step &step) {
  for (int64_t i = 0; i < indices.size(); ++i)
    if (!step.checkIndex(what, indices.signedAt(i), limit))
      return false;
  return true;
}

/// The number of elements of a row.
static int64_t rowSize(const Array &x) {
  return elementCount(llvm::ArrayRef<int64_t>(x.dims()).drop_front());
}

/// Gives the rows of `x` that `rows` name.
static void giveRows(const Array &x, llvm::ArrayRef<int64_t> rows, Step &step) {
  Shape dims = x.dims();
  dims[0] = rows.size();
  if (!step.checkDims(dims))
    return;
  std::vector<int64_t> positions;
  for (int64_t row : rows)
    for (int64_t i = 0; i < rowSize(x); ++i)
      positions.push_back(row * rowSize(x) + i);
  step.give(0, x.take(dims, positions));
}

static void runIota(IotaOp op, Step &step) {
  Shape dims{std::max<int64_t>(step.integer(op.getCount()), 0)};
  if (!step.checkDims(dims))
    return;
  Integers numbers(dims[0]);
  std::iota(numbers.begin(), numbers.end(), 0);
  step.give(Array(AMPRT_INDEX, dims, std::move(numbers)));
}

static void runGather(GatherOp op, Step &step) {
  const Array &x = step.in(op.getX()), &indices = step.in(op.getIndices());
  if (checkIndices("index", indices, x.dims()[0], step))
    giveRows(x, indices.integers(), step);
}

//===----------------------------------------------------------------------===//
// segment, pool
//===----------------------------------------------------------------------===//

/// Adds `x` to the sum or maximum of `count` numbers. The maximum is that of
/// arith.maximumf: NaN if one is, and +0 is larger than -0.
static double combine(Reduction kind, double total, int64_t count, double x) {
  if (kind != Reduction::Max)
    return total + x;
  bool isLarger = x > total || (x == total && std::signbit(total));
  return count == 0 || isLarger || std::isnan(x) ? x : total;
}

/// Row s is the reduction of those rows of `x` for which `segments` has s.
static Floats reduce(Reduction kind, const Array &x,
                     llvm::ArrayRef<int64_t> segments, int64_t count) {
  int64_t size = rowSize(x);
  Floats totals(count * size);
  Integers counts(count);
  for (auto [row, segment] : llvm::enumerate(segments)) {
    for (int64_t i = 0; i < size; ++i) {
      double &total = totals[segment * size + i];
      total = combine(kind, total, counts[segment], x.floats()[row * size + i]);
    }
    ++counts[segment];
  }
  if (kind == Reduction::Mean)
    for (int64_t i = 0; i < int64_t(totals.size()); ++i)
      totals[i] /= std::max<int64_t>(counts[i / size], 1);
  return totals;
}

static void runSegment(SegmentOp op, Step &step) {
  const Array &x = step.in(op.getX()), &segments = step.in(op.getSegments());
  int64_t count = std::max<int64_t>(step.integer(op.getCount()), 0);
  Shape dims = x.dims();
  dims[0] = count;
  if (checkRows(x, segments, step) &&
      checkIndices("segment", segments, count, step) && step.checkDims(dims))
    step.give(Array(x.dtype(), dims,
                    reduce(op.getKind(), x, segments.integers(), count)));
}

static void runPool(PoolOp op, Step &step) {
  const Array &x = step.in(op.getX());
  Integers segments(x.dims()[0], 0);
  step.give(Array(x.dtype(), Shape(llvm::drop_begin(x.dims())),
                  reduce(op.getKind(), x, segments, 1)));
}

//===----------------------------------------------------------------------===//
// grouped_linear
//===----------------------------------------------------------------------===//

static void runGroupedLinear(GroupedLinearOp op, Step &step) {
  const Array &x = step.in(op.getX()), &weights = step.in(op.getWeights());
  const Array &which = step.in(op.getWhich());
  const Array *biases = op.getBiases() ? &step.in(op.getBiases()) : nullptr;
  int64_t rows = x.dims()[0], groups = weights.dims()[0];
  int64_t depth = weights.dims()[1], columns = weights.dims()[2];
  if (!checkRows(x, which, step) || !checkIndices("index", which, groups, step))
    return;
  if (biases && !checkRows(weights, *biases, step))
    return;
  Shape dims{rows, columns};
  if (!step.checkDims(dims))
    return;
  Floats result(rows * columns);
  for (int64_t i = 0; i < rows; ++i) {
    int64_t group = which.integers()[i];
    for (int64_t n = 0; n < columns; ++n) {
      double &sum = result[i * columns + n];
      sum = biases ? biases->floats()[group * columns + n] : 0;
      for (int64_t k = 0; k < depth; ++k)
        sum += x.floats()[i * depth + k] *
               weights.floats()[(group * depth + k) * columns + n];
    }
  }
  step.give(Array(x.dtype(), dims, std::move(result)));
}

//===----------------------------------------------------------------------===//
// group, ungroup
//===----------------------------------------------------------------------===//

/// The rows of `x` in the order of their keys, and of their numbers where these
/// are equal; none, and a failure, if keys and rows do not fit.
static std::optional<Integers> orderByKey(const Array &x, const Array &keys,
                                          int64_t count, Step &step) {
  if (!checkRows(x, keys, step) || !checkIndices("key", keys, count, step))
    return std::nullopt;
  Integers order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](int64_t a, int64_t b) {
    return keys.integers()[a] < keys.integers()[b];
  });
  return order;
}

static void runGroup(GroupOp op, Step &step) {
  const Array &x = step.in(op.getX()), &keys = step.in(op.getKeys());
  int64_t count = std::max<int64_t>(step.integer(op.getCount()), 0);
  std::optional<Integers> order = orderByKey(x, keys, count, step);
  // One below the largest, so that the number of starts is one, too.
  int64_t limit = std::numeric_limits<int64_t>::max() - 1;
  Shape dims{std::min(count, limit) + 1};
  if (!order || !step.checkDims(dims))
    return;
  giveRows(x, *order, step);
  Integers starts(count + 1);
  for (int64_t key : keys.integers())
    ++starts[key + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  step.give(1, Array(AMPRT_INDEX, dims, std::move(starts)));
}

static void runUngroup(UngroupOp op, Step &step) {
  const Array &rows = step.in(op.getRows()), &keys = step.in(op.getKeys());
  int64_t count = std::max<int64_t>(step.integer(op.getCount()), 0);
  std::optional<Integers> order = orderByKey(rows, keys, count, step);
  if (!order)
    return;
  Integers inverse(order->size());
  for (auto [position, row] : llvm::enumerate(*order))
    inverse[row] = position;
  giveRows(rows, inverse, step);
}

//===----------------------------------------------------------------------===//
// loss
//===----------------------------------------------------------------------===//

/// log sum exp(x), by way of the largest one, so that nothing overflows.
static double logSumExp(llvm::ArrayRef<double> x) {
  for (double value : x)
    if (std::isnan(value))
      return value;
  double largest = *llvm::max_element(x), sum = 0;
  if (std::isinf(largest))
    return largest;
  for (double value : x)
    sum += std::exp(value - largest);
  return largest + std::log(sum);
}

static void runLoss(LossOp op, Step &step) {
  const Array &x = step.in(op.getX()), &target = step.in(op.getTarget());
  auto give = [&](double loss) {
    step.give(Array(*elementTypeOf(op.getType()), {}, Floats{loss}));
  };
  double loss = 0;
  if (!LossOp::hasClasses(op.getKind())) {
    if (!step.checkSameDims(x, target))
      return;
    bool isSquared = op.getKind() == LossKind::SquaredError;
    for (auto [a, b] : llvm::zip_equal(x.floats(), target.floats()))
      loss += isSquared ? (a - b) * (a - b) : std::abs(a - b);
    return give(loss);
  }
  if (Shape(llvm::drop_end(x.dims())) != target.dims())
    return step.fail(StatusCode::invalidArgument,
                     "operands have different numbers of rows: " +
                         x.typeString() + " and " + target.typeString());
  int64_t classes = x.dims().back();
  if (!checkIndices("target", target, classes, step))
    return;
  for (int64_t row = 0; row < target.size(); ++row) {
    llvm::ArrayRef<double> scores(&x.floats()[row * classes], classes);
    double right = scores[target.integers()[row]];
    if (op.getKind() == LossKind::CrossEntropy)
      loss += logSumExp(scores) - right;
    else // without the target's own margin
      for (double score : scores)
        loss += std::max(0.0, 1 + score - right);
    loss -= op.getKind() == LossKind::Hinge;
  }
  give(loss);
}

void amp::interp::addAmpRowOps(Registry &registry) {
  registry.add<IotaOp>(runIota);
  registry.add<GatherOp>(runGather);
  registry.add<SegmentOp>(runSegment);
  registry.add<PoolOp>(runPool);
  registry.add<GroupedLinearOp>(runGroupedLinear);
  registry.add<GroupOp>(runGroup);
  registry.add<UngroupOp>(runUngroup);
  registry.add<LossOp>(runLoss);
}
