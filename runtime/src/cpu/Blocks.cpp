//===- Blocks.cpp - Copies of blocks of matrices --------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cpu/Blocks.h"

#include <algorithm>
#include <cstring>

namespace amprt {

// Lines of memory that lie far apart come late, and processors do not foresee
// them. Who copies one block of a matrix often copies the block to its right
// next; its lines are asked for here.

/// `columns`: known here, as a call for so few elements costs more than they.
template <int64_t columns>
static void copyRows(const float *from, int64_t fromStep, int64_t rows,
                     float *to, int64_t toStep) {
  for (int64_t i = 0; i < rows; ++i, from += fromStep, to += toStep) {
    __builtin_prefetch(from + columns);
    std::memcpy(to, from, columns * sizeof(float));
  }
}

void copyBlock(const float *from, int64_t fromStep, int64_t rows,
               int64_t columns, float *to, int64_t toStep) {
  switch (columns) {
  case 8:
    return copyRows<8>(from, fromStep, rows, to, toStep);
  case 16:
    return copyRows<16>(from, fromStep, rows, to, toStep);
  case 32:
    return copyRows<32>(from, fromStep, rows, to, toStep);
  case 64:
    return copyRows<64>(from, fromStep, rows, to, toStep);
  default:
    for (int64_t i = 0; i < rows; ++i, from += fromStep, to += toStep)
      std::copy_n(from, columns, to);
  }
}

using Four __attribute__((vector_size(16), aligned(4), may_alias)) = float;

static Four &four(float *at) { return *reinterpret_cast<Four *>(at); }

static void transposeFour(const float *from, int64_t fromStep, float *to,
                          int64_t toStep) {
  Four in[4], pairs[4];
  for (int64_t i = 0; i < 4; ++i)
    std::memcpy(&in[i], from + i * fromStep, sizeof(Four));
  for (int64_t i = 0; i < 4; i += 2) {
    pairs[i] = __builtin_shufflevector(in[i], in[i + 1], 0, 4, 1, 5);
    pairs[i + 1] = __builtin_shufflevector(in[i], in[i + 1], 2, 6, 3, 7);
  }
  for (int64_t i = 0; i < 2; ++i, to += 2 * toStep) {
    four(to) = __builtin_shufflevector(pairs[i], pairs[i + 2], 0, 1, 4, 5);
    four(to + toStep) =
        __builtin_shufflevector(pairs[i], pairs[i + 2], 2, 3, 6, 7);
  }
}

// A line of `from` is read once: rows that lie a power of two apart are in one
// another's way in a cache.
void transposeBlock(const float *from, int64_t fromStep, int64_t rows,
                    int64_t columns, float *to, int64_t toStep) {
  constexpr int64_t line = 64 / sizeof(float);
  int64_t wholeRows = rows / 4 * 4, wholeColumns = columns / 4 * 4;
  for (int64_t first = 0; first < wholeColumns; first += line) {
    int64_t end = std::min(first + line, wholeColumns);
    for (int64_t i = 0; i < wholeRows; i += 4) {
      for (int64_t row = i; row < i + 4; ++row)
        __builtin_prefetch(from + row * fromStep + end);
      for (int64_t j = first; j < end; j += 4)
        transposeFour(from + i * fromStep + j, fromStep, to + j * toStep + i,
                      toStep);
    }
  }
  for (int64_t j = 0; j < columns; ++j)
    for (int64_t i = j < wholeColumns ? wholeRows : 0; i < rows; ++i)
      to[j * toStep + i] = from[i * fromStep + j];
}

} // namespace amprt
