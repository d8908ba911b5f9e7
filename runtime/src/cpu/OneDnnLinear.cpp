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

#include "core/HalfFloat.h"
#include "cpu/OneThread.h"
#include "cpu/RowPlan.h"

#include <dnnl.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <new>
#include <numeric>
#include <random>
#include <system_error>
#include <thread>

namespace amprt {

namespace {
/// The matrices of a product, all of one shape.
struct PackedMatrices {
  LinearWeights source = {};
  std::unique_ptr<float[]> memory;
  float *elements = nullptr; ///< Aligned to 64 bytes, as each matrix.
  int64_t k = 0, n = 0, groups = 1;
  int64_t stride = 0; ///< Elements from row to row.
  RowPlan plan{1, 1, 1};
  bool singleAgrees = false; ///< A call with one row adds in the same order.

  const float *matrix(int64_t group) const {
    return elements + group * k * stride;
  }
  /// Rows that a call must have to compute `count` of them.
  int64_t calledRows(int64_t count) const {
    return count == 1 && singleAgrees ? 1 : std::max(count, plan.least);
  }
};

class OneDnnProvider final : public LinearProvider {
public:
  explicit OneDnnProvider(std::vector<PackedMatrices> linears)
      : linears(std::move(linears)) {}

  void run(uint32_t linear, const float *x, float *y, int64_t rows,
           Scratch &scratch) const override;
  void runGrouped(uint32_t linear, const float *x, float *y, int64_t rows,
                  const int32_t *which, Scratch &scratch) const override;
  void repack(uint32_t linear, int64_t group) override;

private:
  std::vector<PackedMatrices> linears;
};
} // namespace

static void multiply(const PackedMatrices &w, int64_t group, const float *x,
                     float *y, int64_t rows) {
  dnnl_status_t status = dnnl_sgemm('N', 'N', rows, w.n, w.k, 1.0f, x, w.k,
                                    w.matrix(group), w.stride, 0.0f, y, w.n);
  if (status != dnnl_success)
    std::fill_n(y, rows * w.n, NAN);
}

namespace {
/// Dense memory for the rows of one call, for rows that lie apart or are too
/// few for a call.
class Gathered {
public:
  Gathered(const PackedMatrices &w, Scratch &scratch) : w(w) {
    int64_t most = std::max(w.plan.most, w.plan.least);
    x = static_cast<float *>(
        scratch.allocate(most * (w.k + w.n) * int64_t(sizeof(float))));
    y = x + most * w.k;
  }

  /// Multiplies rows row(0), ..., row(count - 1) of `from`, into those of `to`.
  template <typename Row>
  void multiply(int64_t group, const float *from, float *to, int64_t count,
                Row row) const {
    for (int64_t i = 0; i < count; ++i)
      std::copy_n(from + row(i) * w.k, w.k, x + i * w.k);
    int64_t called = w.calledRows(count);
    std::fill(x + count * w.k, x + called * w.k, 0.0f);
    amprt::multiply(w, group, x, y, called);
    for (int64_t i = 0; i < count; ++i)
      std::copy_n(y + i * w.n, w.n, to + row(i) * w.n);
  }

private:
  const PackedMatrices &w;
  float *x, *y;
};
} // namespace

/// All rows with one matrix.
static void multiplyDense(const PackedMatrices &w, int64_t group,
                          const float *x, float *y, int64_t rows,
                          Scratch &scratch) {
  w.plan.forEachCall(rows, [&](int64_t first, int64_t count) {
    if (w.calledRows(count) == count)
      multiply(w, group, x + first * w.k, y + first * w.n, count);
    else
      Gathered(w, scratch).multiply(group, x, y, count, [=](int64_t i) {
        return first + i;
      });
  });
}

/// The rows `order` with one matrix. They ascend.
static void multiplyApart(const PackedMatrices &w, int64_t group,
                          const float *x, float *y, const int64_t *order,
                          int64_t rows, const Gathered &gathered) {
  w.plan.forEachCall(rows, [&](int64_t first, int64_t count) {
    int64_t start = order[first];
    bool isDense = order[first + count - 1] - start == count - 1;
    if (isDense && w.calledRows(count) == count)
      multiply(w, group, x + start * w.k, y + start * w.n, count);
    else
      gathered.multiply(group, x, y, count,
                        [=](int64_t i) { return order[first + i]; });
  });
}

/// Whether there is nothing to add up; then y is as it must be.
static bool isTrivial(const PackedMatrices &w, float *y, int64_t rows) {
  if (rows <= 0 || w.n == 0)
    return true;
  if (w.k > 0)
    return false;
  std::fill_n(y, rows * w.n, 0.0f);
  return true;
}

void OneDnnProvider::run(uint32_t linear, const float *x, float *y,
                         int64_t rows, Scratch &scratch) const {
  const PackedMatrices &w = linears[linear];
  if (!isTrivial(w, y, rows))
    multiplyDense(w, 0, x, y, rows, scratch);
}

void OneDnnProvider::runGrouped(uint32_t linear, const float *x, float *y,
                                int64_t rows, const int32_t *which,
                                Scratch &scratch) const {
  const PackedMatrices &w = linears[linear];
  if (isTrivial(w, y, rows))
    return;
  assert(std::all_of(which, which + rows,
                     [&](int32_t g) { return g >= 0 && g < w.groups; }) &&
         "no such matrix");
  if (std::all_of(which + 1, which + rows,
                  [&](int32_t group) { return group == *which; })) {
    multiplyDense(w, *which, x, y, rows, scratch);
    return;
  }
  // Rows by group, in their order: ends[g] moves from the start of the group's
  // part of `order` to its end.
  auto *ends = static_cast<int64_t *>(
      scratch.allocate((w.groups + rows) * int64_t(sizeof(int64_t))));
  int64_t *order = ends + w.groups;
  std::fill_n(ends, w.groups, int64_t(0));
  for (int64_t i = 0; i < rows; ++i)
    ++ends[which[i]];
  std::exclusive_scan(ends, ends + w.groups, ends, int64_t(0));
  for (int64_t i = 0; i < rows; ++i)
    order[ends[which[i]]++] = i;

  Gathered gathered(w, scratch);
  for (int64_t group = 0, start = 0; group < w.groups; start = ends[group++])
    multiplyApart(w, group, x, y, order + start, ends[group] - start, gathered);
}

static bool isSame(const float *a, const float *b, int64_t count) {
  return std::memcmp(a, b, size_t(count) * sizeof(float)) == 0;
}

/// Whether every call that the plan makes gives each row the same bits: all
/// calls are compared with those of the smallest one, at each position. Also
/// finds out about calls with a single row.
static bool holds(PackedMatrices &w, const float *x, float *y,
                  float *expected) {
  const RowPlan &plan = w.plan;
  int64_t most = plan.most;
  for (int64_t row = 0; row < most; row += plan.least) {
    int64_t start = std::min(row, most - plan.least);
    multiply(w, 0, x + start * w.k, expected + start * w.n, plan.least);
  }
  for (int64_t count = plan.least; count <= most; ++count) {
    if (!plan.mayCall(count))
      continue;
    // The last rows: with each number, a row comes at another position.
    multiply(w, 0, x + (most - count) * w.k, y, count);
    if (!isSame(y, expected + (most - count) * w.n, count * w.n))
      return false;
  }
  w.singleAgrees = true;
  for (int64_t row = 0; row < plan.least && w.singleAgrees; ++row) {
    multiply(w, 0, x + row * w.k, y, 1);
    w.singleAgrees = isSame(y, expected + row * w.n, w.n);
  }
  return true;
}

/// Copies one matrix from where it came from.
static void copyMatrix(PackedMatrices &w, int64_t group) {
  const LinearWeights &from = w.source;
  int64_t start = group * w.k * w.n;
  for (int64_t row = 0; row < w.k; ++row) {
    float *to = w.elements + (group * w.k + row) * w.stride;
    int64_t first = start + (from.transposed ? row : row * w.n);
    int64_t step = from.transposed ? w.k : 1;
    if (from.dtype == AMPRT_F32)
      for (int64_t column = 0; column < w.n; ++column)
        to[column] =
            static_cast<const float *>(from.elements)[first + column * step];
    else
      for (int64_t column = 0; column < w.n; ++column)
        to[column] = floatAt(from.elements, from.dtype, first + column * step);
    std::fill(to + w.n, to + w.stride, 0.0f);
  }
}

static PackedMatrices pack(const LinearWeights &linear) {
  constexpr int64_t line = 64 / sizeof(float);
  PackedMatrices w;
  w.source = linear;
  w.k = linear.k;
  w.n = linear.n;
  w.groups = linear.groups;
  int64_t lines = (linear.n + line - 1) / line;
  w.stride = (lines | 1) * line;
  int64_t rows = w.groups * w.k;
  w.memory.reset(new float[size_t(rows * w.stride + line)]);
  auto address = reinterpret_cast<uintptr_t>(w.memory.get());
  w.elements = w.memory.get() + (-address & 63) / sizeof(float);
  for (int64_t group = 0; group < w.groups; ++group)
    copyMatrix(w, group);
  return w;
}

void OneDnnProvider::repack(uint32_t linear, int64_t group) {
  copyMatrix(linears[linear], group);
}

/// Tries the plans on a random matrix of that shape; what a kernel does depends
/// on nothing else.
static void choosePlan(PackedMatrices &w) {
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
  PackedMatrices trial = pack({elements.data(), w.k, w.n});
  for (const RowPlan &plan : candidates) {
    trial.plan = plan;
    if (holds(trial, x.data(), y.data(), expected.data()))
      break;
  }
  w.plan = trial.plan;
  w.singleAgrees = trial.singleAgrees;
}

static std::vector<PackedMatrices>
packAll(const std::vector<LinearWeights> &linears) {
  std::vector<PackedMatrices> packed;
  for (const LinearWeights &linear : linears) {
    PackedMatrices w = pack(linear);
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
  std::vector<PackedMatrices> packed;
  bool hasMemory = true;
  auto work = [&] {
    OneOpenMPThread alone;
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
