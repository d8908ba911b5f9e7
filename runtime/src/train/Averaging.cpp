//===- Averaging.cpp - Replicas become the same again ---------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/Averaging.h"

#include "cpu/Vectorised.h"

#include <algorithm>

namespace amprt {

// Elements whose mean is in the first cache until all replicas have it.
static constexpr int64_t blockElements = 1 << 11;

namespace {
/// difference += other - first.
struct AddDifference {
  AMPRT_ALWAYS_INLINE void operator()(const float *__restrict first,
                                      const float *__restrict other,
                                      int64_t count,
                                      float *__restrict difference) const {
    for (int64_t i = 0; i < count; ++i)
      difference[i] += other[i] - first[i];
  }
};
} // namespace

/// Where all are the same they stay so, to the bit, which a sum and a division
/// do not guarantee.
static void averageArrays(const std::vector<float *> &arrays, int64_t begin,
                          int64_t end) {
  float mean[blockElements];
  for (; begin < end; begin += blockElements) {
    int64_t count = std::min(blockElements, end - begin);
    const float *first = arrays.front() + begin;
    std::fill_n(mean, count, 0.0f);
    for (size_t r = 1; r < arrays.size(); ++r)
      vectorised<AddDifference>(
          first, static_cast<const float *>(arrays[r] + begin), count, +mean);
    for (int64_t i = 0; i < count; ++i)
      mean[i] = first[i] + mean[i] / float(arrays.size());
    for (float *array : arrays)
      std::copy_n(mean, count, array + begin);
  }
}

Averaging::Averaging(const amprt_model_t &model,
                     std::vector<PreparedWeights> &prepared,
                     std::vector<Replica> &replicas, int workers)
    : model(model), prepared(prepared), replicas(replicas),
      barrier(size_t(workers), looksBeforeSleep), steps(model.param_count) {}

void Averaging::noteSteps() {
  for (uint32_t i = 0; i < steps.size(); ++i)
    steps[i] = replicas.front().params[i].step;
}

bool Averaging::isChanged(uint32_t param) const {
  return std::any_of(replicas.begin(), replicas.end(),
                     [&](const Replica &each) {
                       return each.params[param].step != steps[param];
                     });
}

/// What is no array becomes the same in all replicas.
void Averaging::joinProgress(uint32_t number) {
  TrainedParam &first = replicas.front().params[number];
  for (const Replica &each : replicas) {
    const TrainedParam &param = each.params[number];
    first.step = std::max(first.step, param.step);
    first.allLive |= param.allLive;
    for (size_t row = 0; row < first.isLive.size(); ++row)
      first.isLive[row] |= param.isLive[row];
  }
  for (Replica &each : replicas) {
    TrainedParam &param = each.params[number];
    param.step = first.step;
    param.allLive = first.allLive;
    param.isLive = first.isLive;
  }
}

void Averaging::plan() {
  ++times;
  tasks.clear();
  packs.clear();
  nextTask = nextPack = 0;
  std::vector<bool> changed(steps.size());
  for (uint32_t i = 0; i < steps.size(); ++i)
    if ((changed[i] = isChanged(i))) {
      joinProgress(i);
      addTasks(tasks, StepTask::Kind::elements, i,
               replicas.front().params[i].count, 1);
    }
  noteSteps();
  planPacking(model, changed, packs);
}

void Averaging::average(const StepTask &task) {
  auto averageOf = [&](auto arrayOf) {
    std::vector<float *> arrays;
    for (Replica &each : replicas)
      arrays.push_back(arrayOf(each.params[task.param]));
    averageArrays(arrays, task.begin, task.end);
  };
  averageOf([](TrainedParam &param) { return param.weights; });
  for (size_t i = 0; i < replicas.front().params[task.param].state.size(); ++i)
    averageOf([i](TrainedParam &param) {
      return static_cast<float *>(param.state[i].data());
    });
  for (Replica &each : replicas)
    each.params[task.param].round(task.begin, task.end - task.begin);
}

void Averaging::run() {
  barrier.wait([&] { plan(); });
  for (size_t i; (i = nextTask.fetch_add(1)) < tasks.size();)
    average(tasks[i]);
  barrier.wait();
  for (size_t i; (i = nextPack.fetch_add(1)) < packs.size() * prepared.size();)
    pack(model, prepared[i % prepared.size()], packs[i / prepared.size()]);
  barrier.wait();
}

} // namespace amprt
