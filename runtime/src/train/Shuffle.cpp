//===- Shuffle.cpp - The order of an epoch --------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/Shuffle.h"

#include "core/SplitMix.h"

#include <numeric>
#include <utility>

namespace amprt {

std::vector<size_t> shuffledOrder(size_t count, uint64_t seed, uint64_t epoch) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t(0));
  uint64_t state = mixBits(mixBits(seed + goldenRatio) ^ epoch);
  // Fisher and Yates; numbers beyond the last whole multiple are thrown away,
  // so that all orders are equally likely.
  for (size_t left = count; left > 1; --left) {
    uint64_t bits, most = UINT64_MAX - UINT64_MAX % left;
    do
      bits = mixBits(state += goldenRatio);
    while (bits >= most);
    std::swap(order[left - 1], order[bits % left]);
  }
  return order;
}

} // namespace amprt
