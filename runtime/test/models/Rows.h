//===- Rows.h - Models of row blocks and products ---------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_TEST_MODELS_ROWS_H
#define AMPRT_TEST_MODELS_ROWS_H

#include "models/Kit.h"

namespace models {

enum class Collecting : int32_t {
  sound,
  oneMissing, ///< The last row is never put: stalls.
  oneTwice,
  oneOutside,
  negative, ///< Asks for a collector of -1 rows.
};

/// A map: rows i * i for i in [0, n), by a cell, collected. Fields n: index,
/// what: i32; result squares: tensor<?x2xi64> (i, i * i).
const amprt_model_t &mapModel();
amprt::Values mapFields(int64_t n, Collecting what = Collecting::sound);

/// x = x A, then x B, so often as asked: A is [24, 40], B [40, 24], parameters.
/// Fields x: tensor<24xf32>, steps: index. Result x: tensor<24xf32>. Parameter
/// table: tensor<?x24xf32> is in no product.
const amprt_model_t &productModel();
/// Without the parameter of open size, so that it can be initialised.
const amprt_model_t &closedProductModel();
amprt::Values productFields(const std::vector<float> &x, int64_t steps);

/// x = x M[which[i]] over all i, with M: tensor<5x24x24xf32> for even i and
/// H: tensor<5x24x24xbf16> for odd i, parameters. Fields x: tensor<24xf32>,
/// which: tensor<?xi32>. Result x: tensor<24xf32>. A number outside [0, 5)
/// fails the instance.
const amprt_model_t &groupedModel();
constexpr int32_t groupCount = 5;
amprt::Values groupedFields(const std::vector<float> &x,
                            const std::vector<int32_t> &which);

} // namespace models

#endif // AMPRT_TEST_MODELS_ROWS_H
