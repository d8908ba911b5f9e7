//===- MatmulForms.h - Forms of a product by oneDNN -------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_BENCH_MATMULFORMS_H
#define AMPRT_BENCH_MATMULFORMS_H

#include <cstdint>
#include <functional>

enum class MatmulForm { paddedSgemm, sgemm, exactMatmul, bucketMatmul };

/// A function y = x W for so many rows, everything prepared.
std::function<void(const float *x, float *y)>
prepareMatmul(MatmulForm form, const float *w, int64_t k, int64_t n,
              int64_t rows);

#endif // AMPRT_BENCH_MATMULFORMS_H
