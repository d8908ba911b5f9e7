//===- PackedProduct.cpp - The bound that shares are taken of -------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// How fast a product y = x W of 64 rows runs on this computer: W is packed in
// panels, the rows are reached through pointers, a tile's sums stay in
// registers. Nothing that computes products in single precision is much faster,
// so this times the FLOP of a model's products bounds the model.
//
// tools/bench/native.py compiles it for this processor, for itself: not part
// of the build. Its argument is the number of threads, its output one line of
// JSON. GCC 12 spills the sums, and gets a third; clang does not.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {
#if defined(__AVX512F__)
constexpr int lanes = 16, tileVectors = 4;
constexpr const char *instructions = "AVX-512";
#elif defined(__AVX2__)
constexpr int lanes = 8, tileVectors = 2;
constexpr const char *instructions = "AVX2";
#else
constexpr int lanes = 4, tileVectors = 2;
constexpr const char *instructions = "other";
#endif
constexpr int tileRows = 6, tileColumns = lanes * tileVectors;
constexpr int k = 256, n = 384, rowCount = 64;
static_assert(n % tileColumns == 0);

using Vector __attribute__((vector_size(lanes * sizeof(float)),
                            aligned(sizeof(float)))) = float;

struct Product {
  std::vector<float> panels = std::vector<float>(k * n, 0.5f);
  std::vector<float> x = std::vector<float>(rowCount * k, 0.25f);
  std::vector<float> y = std::vector<float>(rowCount * n);
  std::vector<const float *> xRows;
  std::vector<float *> yRows;

  Product() {
    for (int row = 0; row < rowCount; ++row) {
      xRows.push_back(&x[row * k]);
      yRows.push_back(&y[row * n]);
    }
  }

  void run();
};
} // namespace

template <int rows>
static void tile(const float *const *x, const float *panel, float *const *y,
                 int column) {
  Vector sums[rows][tileVectors] = {};
  for (int i = 0; i < k; ++i)
    for (int row = 0; row < rows; ++row)
      for (int v = 0; v < tileVectors; ++v)
        sums[row][v] +=
            (x[row][i] - Vector{}) * *reinterpret_cast<const Vector *>(
                                         panel + i * tileColumns + v * lanes);
  for (int row = 0; row < rows; ++row)
    for (int v = 0; v < tileVectors; ++v)
      *reinterpret_cast<Vector *>(y[row] + column + v * lanes) = sums[row][v];
}

void Product::run() {
  constexpr int whole = rowCount / tileRows * tileRows;
  for (int column = 0; column < n; column += tileColumns) {
    const float *panel = &panels[column * k];
    for (int row = 0; row < whole; row += tileRows)
      tile<tileRows>(&xRows[row], panel, &yRows[row], column);
    tile<rowCount - whole>(&xRows[whole], panel, &yRows[whole], column);
  }
}

/// In GFLOP/s; the best of a number of tries, each of which is long enough to
/// be timed and short enough to be left alone once.
static double measure() {
  using Clock = std::chrono::steady_clock;
  Product product;
  constexpr int tries = 20, runs = 200;
  double best = 1e9;
  for (int i = 0; i < tries; ++i) {
    Clock::time_point start = Clock::now();
    for (int run = 0; run < runs; ++run)
      product.run();
    std::chrono::duration<double> seconds = Clock::now() - start;
    best = std::min(best, seconds.count() / runs);
  }
  return 2e-9 * k * n * rowCount / best;
}

int main(int argc, char **argv) {
  int threads = argc > 1 ? std::max(1, std::atoi(argv[1])) : 1;
  std::vector<double> speeds(threads);
  std::vector<std::thread> workers;
  for (double &speed : speeds)
    workers.emplace_back([&speed] { speed = measure(); });
  for (std::thread &worker : workers)
    worker.join();
  double sum = 0;
  for (double speed : speeds)
    sum += speed;
  std::printf("{\"gflops\": %.1f, \"threads\": %d, \"instructions\": \"%s\", "
              "\"compiler\": \"%s\"}\n",
              sum, threads, instructions, __VERSION__);
}
