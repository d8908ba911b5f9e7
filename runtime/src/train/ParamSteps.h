//===- ParamSteps.h - From a gradient to new weights ------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_PARAMSTEPS_H
#define AMPRT_SRC_TRAIN_PARAMSTEPS_H

#include "train/Gradients.h"
#include "train/TrainedParams.h"

#include <vector>

namespace amprt {

/// A part of a step: elements of one parameter, some of its rows, or places in
/// the list of those that were touched.
struct StepTask {
  enum class Kind { elements, rows, listedRows } kind;
  uint32_t param;
  int64_t begin, end;
};

/// Cuts [0, count) into tasks of about the same work; each is of `unit`
/// elements.
void addTasks(std::vector<StepTask> &tasks, StepTask::Kind kind, uint32_t param,
              int64_t count, int64_t unit);

/// Elements of a task: enough that taking it costs nothing, few enough that
/// workers end together.
constexpr int64_t taskElements = 1 << 15;

/// One step of the optimiser for single parameters, in parts that any thread
/// may take: those of different tasks, or parameters, do not touch the same
/// memory.
class ParamSteps {
public:
  /// All must outlive it.
  ParamSteps(std::vector<TrainedParam> &params, const Optimiser &optimiser,
             bool lazy)
      : params(params), optimiser(optimiser), lazy(lazy),
        coefficients(params.size()) {}

  /// Begins a step of the parameter by this gradient, and adds its tasks. False
  /// if no weight will change; then it may have no tasks.
  bool plan(uint32_t param, const Gradient &gradient, double rate,
            std::vector<StepTask> &tasks);
  void setScale(uint32_t param, const GradientScale &scale) {
    coefficients[param].scale = scale;
  }
  /// Takes back what plan has begun.
  void undo(uint32_t param) { params[param].step -= params[param].step > 0; }

  /// The elements of the gradient that it used become zero.
  void run(const StepTask &task, Gradient &gradient);

private:
  void stepElements(uint32_t param, Gradient &gradient, int64_t begin,
                    int64_t end);
  void stepZeros(uint32_t param, int64_t begin, int64_t end);
  void stepRows(const StepTask &task, Gradient &gradient);

  std::vector<TrainedParam> &params;
  const Optimiser &optimiser;
  const bool lazy;
  std::vector<Coefficients> coefficients; ///< By parameter.
};

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_PARAMSTEPS_H
