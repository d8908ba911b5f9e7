//===- UpdateBench.cpp - Gradient products and optimisers alone -----------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   amprt-update-bench --benchmark_filter=product/128x384
//
// How many rows should be multiplied together, and what an optimiser costs for
// each element, in the first cache and in memory.
//
//===----------------------------------------------------------------------===//

#include "cpu/GradientProduct.h"
#include "cpu/OneThread.h"
#include "train/Optimiser.h"

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

using namespace amprt;

static std::vector<float> filled(int64_t count) {
  std::vector<float> values(static_cast<size_t>(count));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = float(int(i * 7919 % 2001) - 1000) * 1e-3f;
  return values;
}

/// With the copies that deferring takes.
static void runProduct(benchmark::State &state, int64_t k, int64_t n,
                       int64_t rows) {
  OneOpenMPThread alone;
  std::vector<float> x = filled(rows * k), dy = filled(rows * n), dw(k * n);
  std::vector<float> xCopy(x.size()), dyCopy(dy.size());
  for (auto _ : state) {
    std::copy(x.begin(), x.end(), xCopy.begin());
    std::copy(dy.begin(), dy.end(), dyCopy.begin());
    addGradientProduct({k, n, n}, xCopy.data(), dyCopy.data(), rows, dw.data());
    benchmark::DoNotOptimize(dw.data());
  }
  state.counters["GFLOP/s"] = benchmark::Counter(2e-9 * double(rows * k * n) *
                                                     double(state.iterations()),
                                                 benchmark::Counter::kIsRate);
}

static void runOptimiser(benchmark::State &state, OptimiserKind kind,
                         int64_t count) {
  OptimiserOptions options;
  options.kind = kind;
  auto optimiser = createOptimiser(options);
  std::vector<float> w = filled(count), g = filled(count), a(w.size()),
                     b(w.size());
  Coefficients coefficients = (*optimiser)->coefficients(10, 1e-3);
  for (auto _ : state) {
    (*optimiser)
        ->update(coefficients,
                 {w.data(), g.data(), {a.data(), b.data()}, count});
    benchmark::DoNotOptimize(w.data());
  }
  state.counters["ns/element"] = benchmark::Counter(
      1e-9 * double(count) * double(state.iterations()),
      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

int main(int argc, char **argv) {
  for (auto [k, n] : {std::pair<int64_t, int64_t>{256, 1024},
                      {256, 384},
                      {128, 384},
                      {128, 128},
                      {50, 200},
                      {128, 5}})
    for (int64_t rows : {16, 64, 128, 256, 512, 1024})
      benchmark::RegisterBenchmark(("product/" + std::to_string(k) + "x" +
                                    std::to_string(n) + "/" +
                                    std::to_string(rows))
                                       .c_str(),
                                   runProduct, k, n, rows);
  for (OptimiserKind kind :
       {OptimiserKind::sgd, OptimiserKind::momentum, OptimiserKind::adam,
        OptimiserKind::adamw, OptimiserKind::adagrad})
    for (int64_t count : {2048, 1 << 22})
      benchmark::RegisterBenchmark(("optimiser/" +
                                    std::string(optimiserName(kind)) + "/" +
                                    std::to_string(count))
                                       .c_str(),
                                   runOptimiser, kind, count);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
