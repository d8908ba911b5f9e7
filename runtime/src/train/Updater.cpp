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

// Elements of a task: enough that taking it costs nothing, few enough that
// workers end together.
static constexpr int64_t taskElements = 1 << 15;
// Elements that are updated, cleared and rounded while they are in the first
// cache.
static constexpr int64_t blockElements = 1 << 11;

Updater::Updater(Engine &engine,
                 std::vector<std::unique_ptr<Gradients>> &gradients,
                 std::vector<TrainedParam> &params, const Optimiser &optimiser,
                 const Settings &settings)
    : engine(engine), gradients(gradients), params(params),
      optimiser(optimiser), settings(settings), barrier(gradients.size()),
      coefficients(params.size()) {}

/// Cuts [0, count) into tasks; each is of `unit` elements.
void Updater::addTasks(std::vector<Task> &tasks, Task::Kind kind,
                       uint32_t param, int64_t count, int64_t unit) {
  int64_t together =
      std::max<int64_t>(1, taskElements / std::max<int64_t>(1, unit));
  for (int64_t begin = 0; begin < count; begin += together)
    tasks.push_back({kind, param, begin, std::min(count, begin + together)});
}

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
      addTasks(sums, Task::Kind::elements, i, sum.count, 1);
    else if (sum.touched == Touched::rows)
      addTasks(sums, Task::Kind::listedRows, i, sum.rowCount, sum.rowLength);
  }
  squares.assign(sums.size(), 0);
}

void Updater::planSteps(float gradientScale, double rate) {
  scale = {gradientScale, settings.clipValue, 1};
  steps.clear();
  std::vector<bool> isChanged(params.size());
  bool onlyListed = settings.lazy || optimiser.ignoresZero();
  for (uint32_t i = 0; i < params.size(); ++i) {
    TrainedParam &param = params[i];
    const Gradient &sum = sumOf(i);
    bool isTouched = sum.touched != Touched::nothing;
    if (!param.weights || (param.step == 0 && !isTouched))
      continue;
    // A gradient of zero everywhere is one, too.
    coefficients[i] = optimiser.coefficients(++param.step, rate);
    if (!isTouched && onlyListed)
      continue;
    isChanged[i] = true;
    if (sum.touched == Touched::everything) {
      param.allLive = true;
      addTasks(steps, Task::Kind::elements, i, param.count, 1);
    } else if (onlyListed) {
      addTasks(steps, Task::Kind::listedRows, i, sum.rowCount, param.rowLength);
    } else {
      param.allLive |= !optimiser.startsInert();
      for (int64_t r = 0; r < sum.rowCount; ++r)
        param.isLive[size_t(sum.rows[r])] = 1;
      addTasks(steps, Task::Kind::rows, i, param.rows, param.rowLength);
    }
  }
  planPacking(isChanged);
}

void Updater::planPacking(const std::vector<bool> &isChanged) {
  packs.clear();
  const amprt_model_t &model = engine.state.descriptor();
  for (uint32_t i = 0; i < model.panel_count; ++i) {
    const amprt_panel_desc_t &panel = model.panels[i];
    if (std::none_of(panel.parts, panel.parts + panel.part_count,
                     [&](auto &part) { return isChanged[part.param]; }))
      continue;
    int64_t groups = Panels::groupCount(panel);
    int64_t elements = panel.k * panel.part_count * panel.lanes * panel.unroll;
    int64_t together = std::max<int64_t>(1, taskElements / elements);
    for (int64_t begin = 0; begin < groups; begin += together)
      packs.push_back({true, i, begin, std::min(groups, begin + together)});
  }
  for (uint32_t i = 0; i < model.linear_count; ++i)
    if (isChanged[model.linears[i].param])
      for (int64_t group = 0; group < model.linears[i].groups; ++group)
        packs.push_back({false, i, group, group + 1});
}

/// Runs tasks until all are taken.
template <typename Do> void Updater::takeTasks(size_t count, Do run) {
  for (size_t i;
       (i = nextTask.fetch_add(1, std::memory_order_relaxed)) < count;)
    run(i);
}

/// Adds the other workers' elements, which become zero, and returns the sum of
/// the squares if it is wanted.
double Updater::sumTask(const Task &task) {
  float *sum = sumOf(task.param).values;
  auto sumRange = [&](int64_t begin, int64_t end) {
    for (size_t w = 1; w < gradients.size(); ++w)
      if (Gradient &other = (*gradients[w])[task.param];
          other.touched != Touched::nothing)
        vectorised<MoveAndAdd>(other.values + begin, end - begin, sum + begin);
    return settings.measureNorm ? sumOfSquares(scale, sum + begin, end - begin)
                                : 0.0;
  };
  if (task.kind == Task::Kind::elements)
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
  float factor = float(std::min(1.0, settings.clipNorm / (norm + 1e-6)));
  for (Coefficients &each : coefficients)
    each.scale.factor = factor;
}

void Updater::stepElements(uint32_t number, int64_t begin, int64_t end) {
  TrainedParam &param = params[number];
  float *gradient = sumOf(number).values;
  for (; begin < end; begin += blockElements) {
    int64_t count = std::min(blockElements, end - begin);
    optimiser.update(coefficients[number],
                     param.elements(gradient, begin, count));
    param.round(begin, count);
    std::fill_n(gradient + begin, count, 0.0f);
  }
}

/// With gradients of zero, which need not be read.
void Updater::stepZeros(uint32_t number, int64_t begin, int64_t end) {
  static const float zeros[blockElements] = {};
  TrainedParam &param = params[number];
  for (; begin < end; begin += blockElements) {
    int64_t count = std::min(blockElements, end - begin);
    Elements elements = param.elements(nullptr, begin, count);
    elements.gradient = zeros;
    optimiser.update(coefficients[number], elements);
    param.round(begin, count);
  }
}

/// All rows but those that cannot change.
void Updater::stepRows(const Task &task) {
  const TrainedParam &param = params[task.param];
  const uint8_t *isListed = sumOf(task.param).isListed;
  auto isLive = [&](int64_t row) {
    return param.allLive || param.isLive[size_t(row)];
  };
  for (int64_t row = task.begin, first; row < task.end;) {
    first = row;
    bool live = isLive(row), listed = isListed[row];
    while (row < task.end && isLive(row) == live && isListed[row] == listed)
      ++row;
    int64_t begin = first * param.rowLength, end = row * param.rowLength;
    if (listed)
      stepElements(task.param, begin, end);
    else if (live)
      stepZeros(task.param, begin, end);
  }
}

void Updater::stepTask(const Task &task) {
  TrainedParam &param = params[task.param];
  int64_t length = param.rowLength;
  switch (task.kind) {
  case Task::Kind::elements:
    return stepElements(task.param, task.begin, task.end);
  case Task::Kind::listedRows:
    for (int64_t i = task.begin; i < task.end; ++i) {
      int64_t row = sumOf(task.param).rows[i];
      stepElements(task.param, row * length, (row + 1) * length);
    }
    return;
  case Task::Kind::rows:
    return stepRows(task);
  }
}

void Updater::packTask(const PackTask &task) {
  SessionState &state = engine.state;
  if (task.isPanel)
    state.panels.repack(state.descriptor(), state.weights.tensors(),
                        task.number, task.begin, task.end);
  else
    state.linears->repack(task.number, task.begin);
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
  takeTasks(steps.size(), [&](size_t i) { stepTask(steps[i]); });
  barrier.wait([&] { nextTask = 0; });
  takeTasks(packs.size(), [&](size_t i) { packTask(packs[i]); });
}

bool Updater::update(float gradientScale, double rate, double &measured) {
  mergeTouched();
  planSums();
  planSteps(gradientScale, rate);
  for (Coefficients &each : coefficients)
    each.scale = scale;
  isRefused = false;
  nextTask = 0;
  engine.runOnWorkers([this](int worker) { run(worker); });
  measured = norm;
  if (isRefused) {
    for (TrainedParam &param : params)
      param.step -= param.step > 0;
    discard();
    return false;
  }
  forgetTouched();
  return true;
}

/// Every gradient is zero again.
void Updater::forgetTouched() {
  for (std::unique_ptr<Gradients> &each : gradients)
    for (uint32_t i = 0; i < params.size(); ++i) {
      Gradient &gradient = (*each)[i];
      for (int64_t r = 0; r < gradient.rowCount; ++r)
        gradient.isListed[gradient.rows[r]] = 0;
      gradient.rowCount = 0;
      gradient.touched = Touched::nothing;
    }
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
  planPacking(std::vector<bool>(params.size(), true));
  nextTask = 0;
  engine.runOnWorkers([this](int) {
    takeTasks(packs.size(), [&](size_t i) { packTask(packs[i]); });
  });
}

void Updater::discard() {
  for (std::unique_ptr<Gradients> &each : gradients)
    each->discard();
}

} // namespace amprt
