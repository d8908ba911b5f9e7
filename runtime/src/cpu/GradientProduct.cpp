//===- GradientProduct.cpp - Sums over rows that gradients are made of ----===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cpu/GradientProduct.h"

#include "cpu/Vectorised.h"

#include <dnnl.h>

#include <algorithm>
#include <cmath>

namespace amprt {

void addGradientProduct(const GradientShape &shape, const float *x,
                        const float *dy, int64_t rows, float *dw) {
  dnnl_status_t status =
      dnnl_sgemm('T', 'N', shape.k, shape.n, rows, 1.0f, x, shape.k, dy,
                 shape.n, 1.0f, dw, shape.stride);
  if (status != dnnl_success)
    for (int64_t i = 0; i < shape.k; ++i)
      std::fill_n(dw + i * shape.stride, shape.n, NAN);
}

namespace {
struct SumRows {
  AMPRT_ALWAYS_INLINE void operator()(const float *__restrict values,
                                      int64_t rows, int64_t count,
                                      float *__restrict to) const {
    // Four rows at a time, so that sums are read and written less often.
    int64_t row = 0;
    for (; row + 4 <= rows; row += 4, values += 4 * count)
      for (int64_t j = 0; j < count; ++j)
        to[j] += (values[j] + values[count + j]) +
                 (values[2 * count + j] + values[3 * count + j]);
    for (; row < rows; ++row, values += count)
      for (int64_t j = 0; j < count; ++j)
        to[j] += values[j];
  }
};
} // namespace

void sumRows(const float *values, int64_t rows, int64_t count, float *to) {
  vectorised<SumRows>(values, rows, count, to);
}

} // namespace amprt
