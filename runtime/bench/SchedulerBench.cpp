//===- SchedulerBench.cpp - What the runtime costs by itself --------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The counters: ns_activation is the processor time of the whole process for
// each activation of a cell, everything included: frames, rows, events, queues,
// policies, the collector, submitting, opening and ending instances with their
// fields and results. Processor time, because computers are shared. batch is
// the mean number of activations in a batch.
//
//===----------------------------------------------------------------------===//

#include "TreeShape.h"

#include "models/Control.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>

using namespace amprt;

static double processorSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

static void runAndCount(benchmark::State &state,
                        const amprt_model_t &descriptor,
                        const std::vector<Values> &instances, Policy policy,
                        int64_t maxInFlight) {
  SessionOptions options;
  options.policy = policy;
  options.maxInFlight = maxInFlight;
  auto model = Model::linked(descriptor);
  auto weights = Weights::load(*model, "", {});
  auto session = Session::create(*model, *weights, options);
  if (!session) {
    state.SkipWithError(session.status().message().c_str());
    return;
  }
  for (std::future<Result> &future : (*session)->submitAll(instances))
    if (Result result = future.get(); !result.status.ok()) {
      state.SkipWithError(result.status.message().c_str());
      return;
    }
  (*session)->wait();
  (*session)->resetStats();
  double least = 1e9;
  for (auto _ : state) {
    std::vector<Values> copy = instances;
    double start = processorSeconds();
    std::vector<Submission> futures = (*session)->submitAll(std::move(copy));
    (*session)->wait();
    double seconds = processorSeconds() - start;
    state.SetIterationTime(seconds);
    least = std::min(least, seconds);
  }
  Stats stats = (*session)->stats();
  // Of the best round: the others were disturbed.
  double perRound = least * 1e9 * double(state.iterations());
  state.counters["ns_instance"] = perRound / double(stats.instances);
  if (stats.activations) {
    state.counters["ns_activation"] = perRound / double(stats.activations);
    state.counters["batch"] = double(stats.activations) / double(stats.batches);
  }
  state.SetLabel(policyName(policy));
}

static void treeShape(benchmark::State &state) {
  static const std::vector<Values> instances = treeShapeInstances(2000);
  runAndCount(state, treeShapeModel(), instances, Policy(state.range(0)),
              state.range(1));
}

/// What an instance costs before it has an activation: submitting, two fields
/// and a result.
static void emptyInstance(benchmark::State &state) {
  static const std::vector<Values> instances(2000,
                                             treeShapeInstances(1).front());
  runAndCount(state, emptyShapeModel(), instances, Policy(state.range(0)),
              state.range(1));
}

/// Loops of 50 iterations: the depth policy opens a bucket for each batch.
static void loopShape(benchmark::State &state) {
  static const std::vector<Values> instances(
      2000, models::loopFields(std::vector<int32_t>(50, 1)));
  runAndCount(state, models::loopModel(), instances, Policy(state.range(0)),
              state.range(1));
}

static const std::vector<int64_t> policies = {
    int64_t(Policy::none), int64_t(Policy::depth), int64_t(Policy::agenda),
    int64_t(Policy::phase), int64_t(Policy::greedy)};
BENCHMARK(treeShape)
    ->ArgNames({"policy", "inFlight"})
    ->ArgsProduct({policies, {1, 16, 64, 256}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(emptyInstance)
    ->ArgNames({"policy", "inFlight"})
    ->Args({int64_t(Policy::agenda), 64})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(loopShape)
    ->ArgNames({"policy", "inFlight"})
    ->ArgsProduct({policies, {1, 64}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
