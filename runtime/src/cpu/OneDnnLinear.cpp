//===- OneDnnLinear.cpp - Products by oneDNN ------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The only file of the library that knows oneDNN. It uses dnnl_sgemm, which
// oneDNN 2.x and 3.x declare alike, and not the matmul or inner-product
// primitives, because that measured best (bench/GemmBench.cpp, figures in
// README.md): with the weights copied once to rows that are an odd number of
// cache lines apart, it is the fastest form for every number of rows, while the
// primitives on a CPU without AVX-512 call the same kernels on weights that
// they do not pack, have to be created for each number of rows (90 to 300 us),
// and for N = 1024 run at a third of the speed (their rows are 4096 bytes
// apart, so that all of a column falls into one set of the cache).
//
//===----------------------------------------------------------------------===//

#include "cpu/LinearProvider.h"

#include "cpu/OneThread.h"
#include "cpu/RowPlan.h"

#include <dnnl.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <random>
#include <system_error>
#include <thread>

namespace amprt {

namespace {
struct PackedMatrix {
  std::unique_ptr<float[]> memory;
  float *elements = nullptr; ///< Aligned to 64 bytes.
  int64_t k = 0, n = 0;
  int64_t stride = 0; ///< Elements from row to row.
  RowPlan plan{1, 1, 1};
  bool singleAgrees = false; ///< A call with one row adds in the same order.
};

class OneDnnProvider final : public LinearProvider {
public:
  explicit OneDnnProvider(std::vector<PackedMatrix> linears)
      : linears(std::move(linears)) {}

  void prepareThread() const override { useOneOpenMPThread(); }
  void run(uint32_t linear, const float *x, float *y, int64_t rows,
           Scratch &scratch) const override;

private:
  std::vector<PackedMatrix> linears;
};
} // namespace

static void multiply(const PackedMatrix &w, const float *x, float *y,
                     int64_t rows) {
  dnnl_status_t status = dnnl_sgemm('N', 'N', rows, w.n, w.k, 1.0f, x, w.k,
                                    w.elements, w.stride, 0.0f, y, w.n);
  if (status != dnnl_success)
    for (int64_t i = 0; i < rows * w.n; ++i)
      y[i] = NAN;
}

/// Fewer rows than the least that a call may have.
static void multiplyFew(const PackedMatrix &w, const float *x, float *y,
                        int64_t rows, Scratch &scratch) {
  size_t least = size_t(w.plan.least), k = size_t(w.k), n = size_t(w.n);
  auto *memory = static_cast<float *>(
      scratch.allocate(int64_t(least * (k + n) * sizeof(float))));
  float *padded = memory, *result = memory + least * k;
  std::memcpy(padded, x, size_t(rows) * k * sizeof(float));
  std::memset(padded + size_t(rows) * k, 0,
              (least - size_t(rows)) * k * sizeof(float));
  multiply(w, padded, result, w.plan.least);
  std::memcpy(y, result, size_t(rows) * n * sizeof(float));
}

static void multiplyByPlan(const PackedMatrix &w, const float *x, float *y,
                           int64_t rows, Scratch &scratch) {
  if (rows < w.plan.least) {
    if (rows == 1 && w.singleAgrees)
      multiply(w, x, y, 1);
    else
      multiplyFew(w, x, y, rows, scratch);
    return;
  }
  int64_t done = 0;
  while (rows - done >= w.plan.least) {
    int64_t count = w.plan.callRows(rows - done);
    multiply(w, x + done * w.k, y + done * w.n, count);
    done += count;
  }
  if (done < rows) {
    done = rows - w.plan.least;
    multiply(w, x + done * w.k, y + done * w.n, w.plan.least);
  }
}

void OneDnnProvider::run(uint32_t linear, const float *x, float *y,
                         int64_t rows, Scratch &scratch) const {
  const PackedMatrix &w = linears[linear];
  if (rows <= 0 || w.n == 0)
    return;
  if (w.k == 0) {
    std::memset(y, 0, size_t(rows * w.n) * sizeof(float));
    return;
  }
  multiplyByPlan(w, x, y, rows, scratch);
}

static bool isSame(const float *a, const float *b, int64_t count) {
  return std::memcmp(a, b, size_t(count) * sizeof(float)) == 0;
}

/// Whether every call that the plan makes gives each row the same bits: all
/// calls are compared with those of the smallest one, at each position. Also
/// finds out about calls with a single row.
static bool holds(PackedMatrix &w, const float *x, float *y, float *expected) {
  const RowPlan &plan = w.plan;
  int64_t most = plan.most;
  for (int64_t row = 0; row < most; row += plan.least) {
    int64_t start = std::min(row, most - plan.least);
    multiply(w, x + start * w.k, expected + start * w.n, plan.least);
  }
  for (int64_t count = plan.least; count <= most; ++count) {
    if (!plan.mayCall(count))
      continue;
    // The last rows: with each number, a row comes at another position.
    multiply(w, x + (most - count) * w.k, y, count);
    if (!isSame(y, expected + (most - count) * w.n, count * w.n))
      return false;
  }
  w.singleAgrees = true;
  for (int64_t row = 0; row < plan.least && w.singleAgrees; ++row) {
    multiply(w, x + row * w.k, y, 1);
    w.singleAgrees = isSame(y, expected + row * w.n, w.n);
  }
  return true;
}

static PackedMatrix pack(const LinearWeights &linear) {
  constexpr int64_t line = 64 / sizeof(float);
  PackedMatrix w;
  w.k = linear.k;
  w.n = linear.n;
  int64_t lines = (linear.n + line - 1) / line;
  w.stride = (lines | 1) * line;
  w.memory.reset(new float[size_t(w.k * w.stride + line)]);
  auto address = reinterpret_cast<uintptr_t>(w.memory.get());
  w.elements = w.memory.get() + (-address & 63) / sizeof(float);
  for (int64_t row = 0; row < w.k; ++row) {
    float *to = w.elements + row * w.stride;
    std::memcpy(to, linear.elements + row * w.n, size_t(w.n) * sizeof(float));
    std::memset(to + w.n, 0, size_t(w.stride - w.n) * sizeof(float));
  }
  return w;
}

/// Tries the plans on a random matrix of that shape; what a kernel does depends
/// on nothing else.
static void choosePlan(PackedMatrix &w) {
  // oneDNN's kernel for AVX2 works on 6 rows; those for 4 and 5 add in the same
  // order, those for 1 to 3 do not. The later plans are for kernels that we
  // have not met; the last one holds always.
  static constexpr RowPlan candidates[] = {{6, 4, 24}, {8, 4, 24}, {16, 8, 32},
                                           {8, 8, 8},  {4, 4, 4},  {1, 1, 1}};
  constexpr int64_t most = 32;
  std::vector<float> x(size_t(most * w.k)), y(size_t(most * w.n)), expected(y);
  std::vector<float> elements(size_t(w.k * w.n));
  std::minstd_rand random(1);
  for (std::vector<float> *values : {&x, &elements})
    for (float &value : *values)
      value = float(random() % 2000001) * 1e-6f - 1;
  PackedMatrix trial = pack({elements.data(), w.k, w.n});
  for (const RowPlan &plan : candidates) {
    trial.plan = plan;
    if (holds(trial, x.data(), y.data(), expected.data()))
      break;
  }
  w.plan = trial.plan;
  w.singleAgrees = trial.singleAgrees;
}

static std::vector<PackedMatrix>
packAll(const std::vector<LinearWeights> &linears) {
  std::vector<PackedMatrix> packed;
  for (const LinearWeights &linear : linears) {
    PackedMatrix w = pack(linear);
    auto alike = std::find_if(packed.begin(), packed.end(), [&](auto &other) {
      return other.k == w.k && other.n == w.n;
    });
    if (alike != packed.end()) {
      w.plan = alike->plan;
      w.singleAgrees = alike->singleAgrees;
    } else if (w.k > 0 && w.n > 0) {
      choosePlan(w);
    }
    packed.push_back(std::move(w));
  }
  return packed;
}

Expected<std::unique_ptr<LinearProvider>>
createOneDnnProvider(const std::vector<LinearWeights> &linears) {
  std::vector<PackedMatrix> packed;
  bool hasMemory = true;
  auto work = [&] {
    // Of this thread only, so not of the caller's.
    useOneOpenMPThread();
    try {
      packed = packAll(linears);
    } catch (const std::bad_alloc &) {
      hasMemory = false;
    }
  };
  try {
    std::thread(work).join();
  } catch (const std::system_error &) {
    hasMemory = false;
  }
  if (!hasMemory)
    return Status(StatusCode::resourceExhausted,
                  "no memory for the packed weights");
  return std::unique_ptr<LinearProvider>(new OneDnnProvider(std::move(packed)));
}

} // namespace amprt
