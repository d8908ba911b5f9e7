//===- PendingGradient.h - A gradient that waits for more -------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_PENDINGGRADIENT_H
#define AMPRT_SRC_TRAIN_PENDINGGRADIENT_H

#include "amprt/tensor.h"

#include <cstdint>
#include <vector>

namespace amprt {

/// Which elements of a gradient may differ from zero.
enum class Touched : uint8_t { nothing, rows, everything };

/// What a parameter has got since its last update, as Gradients holds it: what
/// is added up, and what is still to be multiplied. To the bit: rows that were
/// multiplied earlier, or in other company, would round differently.
struct PendingGradient {
  int64_t given = 0; ///< Rows of gradients.
  Touched touched = Touched::nothing;
  Tensor rows;           ///< i64: touched rows, in their order,
  int64_t rowCount = 0;  ///< so many,
  int64_t rowLength = 0; ///< of so many elements.
  /// f32: of all elements if `everything` is touched; else those of the touched
  /// rows, one after the other.
  Tensor values;

  /// The rows of a deferred product.
  struct Product {
    uint32_t number; ///< Of the model's gradients.
    int64_t used;    ///< Rows that wait.
    Tensor x, dy;    ///< f32, a row for each.
    Tensor which;    ///< i32: of which matrix; no elements where there is one.
  };
  std::vector<Product> products;

  int64_t valueCount(int64_t count, int64_t rowLength) const {
    return touched == Touched::everything ? count : rowCount * rowLength;
  }
};

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_PENDINGGRADIENT_H
