//===- Updater.cpp - From gradients to new weights ------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/Updater.h"

#include "train/UpdateLoops.h"

#include <algorithm>
#include <cmath>

namespace amprt {

Updater::Updater(Engine &engine,
                 std::vector<std::unique_ptr<Gradients>> &gradients,
                 std::vector<TrainedParam> &params, const Optimiser &optimiser,
                 const Settings &settings)
    : engine(engine), gradients(gradients), params(params), settings(settings),
      paramSteps(params, optimiser, settings.lazy), barrier(gradients.size()) {}

/// Makes the first worker's gradients know what any worker has touched.
void Updater::mergeTouched() {
  for (uint32_t i = 0; i < params.size(); ++i) {
    Gradient &sum = sumOf(i);
    for (size_t w = 1; w < gradients.size(); ++w) {
      Gradient &other = (*gradients[w])[i];
      sum.touched = std::max(sum.touched, other.touched);
      for (int64_t r = 0; r < other.rowCount; ++r)
        sum.addRow(other.rows[r]);
    }
  }
}

void Updater::planSums() {
  sums.clear();
  for (uint32_t i = 0; i < params.size(); ++i) {
    const Gradient &sum = sumOf(i);
    if (sum.touched == Touched::everything)
      addTasks(sums, StepTask::Kind::elements, i, sum.count, 1);
    else if (sum.touched == Touched::rows)
      addTasks(sums, StepTask::Kind::listedRows, i, sum.rowCount,
               sum.rowLength);
  }
  squares.assign(sums.size(), 0);
}

void Updater::planSteps(float gradientScale, double rate) {
  scale = {gradientScale, settings.clipValue, 1};
  steps.clear();
  packs.clear();
  std::vector<bool> isChanged(params.size());
  for (uint32_t i = 0; i < params.size(); ++i) {
    isChanged[i] = paramSteps.plan(i, sumOf(i), rate, steps);
    paramSteps.setScale(i, scale);
  }
  planPacking(engine.state.descriptor(), isChanged, packs);
}

/// Runs tasks until all are taken.
template <typename Do> void Updater::takeTasks(size_t count, Do run) {
  for (size_t i;
       (i = nextTask.fetch_add(1, std::memory_order_relaxed)) < count;)
    run(i);
}

/// Adds the other workers' elements, which become zero, and returns the sum of
/// the squares if it is wanted.
double Updater::sumTask(const StepTask &task) {
  float *sum = sumOf(task.param).values;
  auto sumRange = [&](int64_t begin, int64_t end) {
    for (size_t w = 1; w < gradients.size(); ++w)
      if (Gradient &other = (*gradients[w])[task.param];
          other.touched != Touched::nothing)
        vectorised<MoveAndAdd>(other.values + begin, end - begin, sum + begin);
    return settings.measureNorm ? sumOfSquares(scale, sum + begin, end - begin)
                                : 0.0;
  };
  if (task.kind == StepTask::Kind::elements)
    return sumRange(task.begin, task.end);
  const Gradient &gradient = sumOf(task.param);
  double squares = 0;
  for (int64_t i = task.begin; i < task.end; ++i) {
    int64_t begin = gradient.rows[i] * gradient.rowLength;
    squares += sumRange(begin, begin + gradient.rowLength);
  }
  return squares;
}

/// All sums are there; one thread calls it.
void Updater::finishNorm() {
  nextTask = 0;
  if (!settings.measureNorm)
    return;
  double total = 0;
  for (double each : squares)
    total += each;
  norm = std::sqrt(total);
  isRefused = !std::isfinite(norm);
  // As PyTorch does it.
  scale.factor = float(std::min(1.0, settings.clipNorm / (norm + 1e-6)));
  for (uint32_t i = 0; i < params.size(); ++i)
    paramSteps.setScale(i, scale);
}

void Updater::run(int worker) {
  gradients[size_t(worker)]->flush();
  barrier.wait();
  // One worker's gradients are the sum already.
  if (settings.measureNorm || gradients.size() > 1)
    takeTasks(sums.size(), [&](size_t i) { squares[i] = sumTask(sums[i]); });
  barrier.wait([&] { finishNorm(); });
  if (isRefused)
    return;
  takeTasks(steps.size(),
            [&](size_t i) { paramSteps.run(steps[i], sumOf(steps[i].param)); });
  barrier.wait([&] { nextTask = 0; });
  takeTasks(packs.size(), [&](size_t i) {
    pack(engine.state.descriptor(), engine.state.replicas.front(), packs[i]);
  });
}

bool Updater::update(float gradientScale, double rate, double &measured) {
  mergeTouched();
  planSums();
  planSteps(gradientScale, rate);
  isRefused = false;
  nextTask = 0;
  engine.runOnWorkers([this](int worker) { run(worker); });
  measured = norm;
  if (isRefused) {
    for (uint32_t i = 0; i < params.size(); ++i)
      paramSteps.undo(i);
    discard();
    return false;
  }
  forgetTouched();
  return true;
}

/// Every gradient is zero again.
void Updater::forgetTouched() {
  for (std::unique_ptr<Gradients> &each : gradients)
    for (uint32_t i = 0; i < params.size(); ++i)
      each->forgetTouched(i);
}

void Updater::sum() {
  mergeTouched();
  planSums();
  nextTask = 0;
  engine.runOnWorkers([this](int worker) {
    gradients[size_t(worker)]->flush();
    barrier.wait();
    takeTasks(sums.size(), [&](size_t i) { (void)sumTask(sums[i]); });
  });
}

void Updater::repackAll() {
  packs.clear();
  planPacking(engine.state.descriptor(), std::vector<bool>(params.size(), true),
              packs);
  nextTask = 0;
  engine.runOnWorkers([this](int) {
    takeTasks(packs.size(), [&](size_t i) {
      for (PreparedWeights &each : engine.state.replicas)
        pack(engine.state.descriptor(), each, packs[i]);
    });
  });
}

void Updater::discard() {
  for (std::unique_ptr<Gradients> &each : gradients)
    each->discard();
}

} // namespace amprt
