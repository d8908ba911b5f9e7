//===- GradientProduct.h - Sums over rows that gradients are made of *- C++
//-*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CPU_GRADIENTPRODUCT_H
#define AMPRT_SRC_CPU_GRADIENTPRODUCT_H

#include <cstdint>

namespace amprt {

/// A block [k, n] of a larger matrix whose rows are `stride` elements apart.
struct GradientShape {
  int64_t k, n, stride;
};

/// dw += x^T dy over `rows` rows: x is [rows, k], dy is [rows, n], both dense.
/// Runs on the calling thread, in one order. A failure of the library leaves
/// NaN in dw.
void addGradientProduct(const GradientShape &shape, const float *x,
                        const float *dy, int64_t rows, float *dw);

/// to[j] += the sum over all rows of values[row][j], for j < count.
void sumRows(const float *values, int64_t rows, int64_t count, float *to);

} // namespace amprt

#endif // AMPRT_SRC_CPU_GRADIENTPRODUCT_H
