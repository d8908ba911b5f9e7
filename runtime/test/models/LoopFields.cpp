//===- LoopFields.cpp - Inputs of the loop --------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Apart from the loop: it goes into a shared library that has nothing of the
// C++ API.
//
//===----------------------------------------------------------------------===//

#include "models/Control.h"

namespace models {

static constexpr int64_t modulus = 1000003;

amprt::Values loopFields(const std::vector<int32_t> &input) {
  return {{"input", vectorOf(AMPRT_I32, input)}};
}

int64_t loopExpected(const std::vector<int32_t> &input) {
  int64_t x = 0;
  for (int32_t value : input)
    x = (3 * x + value) % modulus;
  return x;
}

} // namespace models
