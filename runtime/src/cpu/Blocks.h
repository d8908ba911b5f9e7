//===- Blocks.h - Copies of blocks of matrices ------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CPU_BLOCKS_H
#define AMPRT_SRC_CPU_BLOCKS_H

#include <cstdint>

namespace amprt {

/// to[i][j] = from[i][j] for i < rows, j < columns; rows lie `fromStep` and
/// `toStep` elements apart. Fast where there are 8, 16, 32 or 64 columns.
void copyBlock(const float *from, int64_t fromStep, int64_t rows,
               int64_t columns, float *to, int64_t toStep);

/// to[j][i] = from[i][j], for the same.
void transposeBlock(const float *from, int64_t fromStep, int64_t rows,
                    int64_t columns, float *to, int64_t toStep);

} // namespace amprt

#endif // AMPRT_SRC_CPU_BLOCKS_H
