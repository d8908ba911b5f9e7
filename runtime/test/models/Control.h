//===- Control.h - Models of control steps and loops ------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_TEST_MODELS_CONTROL_H
#define AMPRT_TEST_MODELS_CONTROL_H

#include "models/Kit.h"

namespace models {

/// Recursion without any cell: depth(n) = n == 0 ? 0 : depth(n - 1) + 1.
/// Field n: index, result depth: i64. With n < 0 it never ends.
const amprt_model_t &recursionModel();

/// x = 3 x + input[i] (modulo 1000003) over the input, one cell an iteration.
/// Field input: tensor<?xi32>, result last: i64.
const amprt_model_t &loopModel();
amprt::Values loopFields(const std::vector<int32_t> &input);
int64_t loopExpected(const std::vector<int32_t> &input);

/// What misuseModel does; results is an i64 that is 7 if all goes well.
enum class Misuse : int32_t {
  nothing,
  neverDelivers, ///< Stalls.
  deliversTwice,
  negativeSize,   ///< Asks for -1 bytes of rows.
  hugeSize,       ///< Asks for 2^60 bytes of rows.
  takesMemory,    ///< Takes rows of 1 MiB, 100 of them, and writes to each.
  takesFrames,    ///< Opens 100000 frames in one handler, unasked.
  failsInCompute, ///< Its cell fails it, twice: the first message counts.
  deliversEarly,  ///< Delivers while a cell of it has yet to run.
};

/// Field what: i32, result value: i64.
const amprt_model_t &misuseModel();
amprt::Values misuseFields(Misuse what);

/// Every type that a field can have, handed back: s32, s64, f, b scalars; t:
/// tensor<?x2xf32>; u: tensor<3x?xi64>.
const amprt_model_t &echoModel();

} // namespace models

#endif // AMPRT_TEST_MODELS_CONTROL_H
