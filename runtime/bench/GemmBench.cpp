//===- GemmBench.cpp - Forms of a product by oneDNN -----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Which form of oneDNN's products serves rows of any number best: what
// src/cpu/OneDnnLinear.cpp does is decided here. Forms: provider (ours: sgemm
// on weights with padded rows, a fixed order of accumulation), padded (the same
// without the fixed order), sgemm (weights as they come), matmul (the
// primitive, weights in the format that it asks for, made for the exact number
// of rows), buckets (that, made for the next power of two; rows are padded by
// copying). Also grouped products, of ours only.
//
//===----------------------------------------------------------------------===//

#include "MatmulForms.h"

#include "cpu/LinearProvider.h"
#include "cpu/OneThread.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>

using namespace amprt;

namespace {
struct Matrices {
  std::vector<float> w, x, y;

  Matrices(int64_t k, int64_t n, int64_t rows)
      : w(size_t(k * n)), x(size_t(rows * k)), y(size_t(rows * n)) {
    std::minstd_rand random(1);
    for (std::vector<float> *values : {&w, &x})
      for (float &value : *values)
        value = float(random() % 2001) * 1e-3f - 1;
  }
};
} // namespace

template <typename Run>
static void measure(benchmark::State &state, int64_t k, int64_t n, int64_t rows,
                    Run run) {
  for (auto _ : state) {
    run();
    benchmark::ClobberMemory();
  }
  state.counters["GFLOPS"] = benchmark::Counter(2e-9 * double(k * n * rows) *
                                                    double(state.iterations()),
                                                benchmark::Counter::kIsRate);
}

static void provider(benchmark::State &state) {
  int64_t k = state.range(0), n = state.range(1), rows = state.range(2);
  Matrices m(k, n, rows);
  auto linear = createOneDnnProvider({{m.w.data(), k, n}});
  OneOpenMPThread alone;
  Scratch scratch;
  measure(state, k, n, rows, [&] {
    (*linear)->run(0, m.x.data(), m.y.data(), rows, scratch);
    scratch.reset();
  });
}

static const int64_t groups = 8;

/// Rows that each choose one of eight matrices at random; with `sorted`, rows
/// that come sorted by matrix. To compare: `provider` of the same shape, which
/// has one matrix.
static void grouped(benchmark::State &state, bool sorted) {
  int64_t k = state.range(0), n = state.range(1), rows = state.range(2);
  Matrices m(k, n * groups, rows);
  std::vector<int32_t> which(static_cast<size_t>(rows));
  std::minstd_rand random(2);
  for (int32_t &group : which)
    group = int32_t(random() % groups);
  if (sorted)
    std::sort(which.begin(), which.end());
  auto linear = createOneDnnProvider({{m.w.data(), k, n, groups}});
  OneOpenMPThread alone;
  Scratch scratch;
  measure(state, k, n, rows, [&] {
    (*linear)->runGrouped(0, m.x.data(), m.y.data(), rows, which.data(),
                          scratch);
    scratch.reset();
  });
}
static void groupedMixed(benchmark::State &state) { grouped(state, false); }
static void groupedSorted(benchmark::State &state) { grouped(state, true); }

static void primitive(benchmark::State &state, MatmulForm form) {
  int64_t k = state.range(0), n = state.range(1), rows = state.range(2);
  Matrices m(k, n, rows);
  OneOpenMPThread alone;
  auto run = prepareMatmul(form, m.w.data(), k, n, rows);
  measure(state, k, n, rows, [&] { run(m.x.data(), m.y.data()); });
}

static void padded(benchmark::State &state) {
  primitive(state, MatmulForm::paddedSgemm);
}
static void sgemm(benchmark::State &state) {
  primitive(state, MatmulForm::sgemm);
}
static void matmul(benchmark::State &state) {
  primitive(state, MatmulForm::exactMatmul);
}
static void buckets(benchmark::State &state) {
  primitive(state, MatmulForm::bucketMatmul);
}

static void shapes(benchmark::internal::Benchmark *benchmark) {
  benchmark->ArgNames({"k", "n", "rows"});
  constexpr int64_t kn[][2] = {{128, 384}, {256, 384}, {256, 1024},
                               {20, 256},  {50, 200},  {128, 5}};
  for (auto [k, n] : kn)
    for (int64_t rows : {1, 2, 3, 4, 5, 8, 16, 32, 64, 256})
      benchmark->Args({k, n, rows});
}
BENCHMARK(provider)->Apply(shapes);
BENCHMARK(padded)->Apply(shapes);
BENCHMARK(sgemm)->Apply(shapes);
BENCHMARK(matmul)->Apply(shapes);
BENCHMARK(buckets)->Apply(shapes);

static void groupedShapes(benchmark::internal::Benchmark *benchmark) {
  benchmark->ArgNames({"k", "n", "rows"});
  constexpr int64_t kn[][2] = {{100, 100}, {128, 384}};
  for (auto [k, n] : kn)
    for (int64_t rows : {1, 8, 32, 64, 256, 1024, 4096})
      benchmark->Args({k, n, rows});
}
BENCHMARK(groupedMixed)->Apply(groupedShapes);
BENCHMARK(groupedSorted)->Apply(groupedShapes);
BENCHMARK(provider)->Name("ungrouped")->Apply(groupedShapes);

/// What a session pays for each shape of its products.
static void create(benchmark::State &state) {
  int64_t k = state.range(0), n = state.range(1);
  Matrices m(k, n, 1);
  for (auto _ : state)
    benchmark::DoNotOptimize(createOneDnnProvider({{m.w.data(), k, n}}));
}
BENCHMARK(create)
    ->ArgNames({"k", "n"})
    ->Args({128, 384})
    ->Args({256, 1024})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
