//===- ParamSteps.cpp - From a gradient to new weights --------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/ParamSteps.h"

#include <algorithm>

namespace amprt {

// Elements that are updated, cleared and rounded while they are in the first
// cache.
static constexpr int64_t blockElements = 1 << 11;

void addTasks(std::vector<StepTask> &tasks, StepTask::Kind kind, uint32_t param,
              int64_t count, int64_t unit) {
  int64_t together =
      std::max<int64_t>(1, taskElements / std::max<int64_t>(1, unit));
  for (int64_t begin = 0; begin < count; begin += together)
    tasks.push_back({kind, param, begin, std::min(count, begin + together)});
}

bool ParamSteps::plan(uint32_t number, const Gradient &gradient, double rate,
                      std::vector<StepTask> &tasks) {
  TrainedParam &param = params[number];
  bool isTouched = gradient.touched != Touched::nothing;
  if (!param.weights || (param.step == 0 && !isTouched))
    return false;
  // A gradient of zero everywhere is one, too.
  coefficients[number] = optimiser.coefficients(++param.step, rate);
  bool onlyListed = lazy || optimiser.ignoresZero();
  if (!isTouched && onlyListed)
    return false;
  if (gradient.touched == Touched::everything) {
    param.allLive = true;
    addTasks(tasks, StepTask::Kind::elements, number, param.count, 1);
  } else if (onlyListed) {
    addTasks(tasks, StepTask::Kind::listedRows, number, gradient.rowCount,
             param.rowLength);
  } else {
    param.allLive |= !optimiser.startsInert();
    for (int64_t r = 0; r < gradient.rowCount; ++r)
      param.isLive[size_t(gradient.rows[r])] = 1;
    addTasks(tasks, StepTask::Kind::rows, number, param.rows, param.rowLength);
  }
  return true;
}

void ParamSteps::stepElements(uint32_t number, Gradient &from, int64_t begin,
                              int64_t end) {
  TrainedParam &param = params[number];
  float *gradient = from.values;
  for (; begin < end; begin += blockElements) {
    int64_t count = std::min(blockElements, end - begin);
    optimiser.update(coefficients[number],
                     param.elements(gradient, begin, count));
    param.round(begin, count);
    std::fill_n(gradient + begin, count, 0.0f);
  }
}

/// With gradients of zero, which need not be read.
void ParamSteps::stepZeros(uint32_t number, int64_t begin, int64_t end) {
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
void ParamSteps::stepRows(const StepTask &task, Gradient &gradient) {
  const TrainedParam &param = params[task.param];
  const uint8_t *isListed = gradient.isListed;
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
      stepElements(task.param, gradient, begin, end);
    else if (live)
      stepZeros(task.param, begin, end);
  }
}

void ParamSteps::run(const StepTask &task, Gradient &gradient) {
  int64_t length = params[task.param].rowLength;
  switch (task.kind) {
  case StepTask::Kind::elements:
    return stepElements(task.param, gradient, task.begin, task.end);
  case StepTask::Kind::listedRows:
    for (int64_t i = task.begin; i < task.end; ++i)
      stepElements(task.param, gradient, gradient.rows[i] * length,
                   (gradient.rows[i] + 1) * length);
    return;
  case StepTask::Kind::rows:
    return stepRows(task, gradient);
  }
}

} // namespace amprt
