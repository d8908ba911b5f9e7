//===- LowerBound.cpp - Batches that a run needs at least -----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sched/LowerBound.h"

#include <algorithm>

namespace amprt {

static int64_t roundedUp(int64_t a, int64_t b) { return a / b + (a % b != 0); }

LowerBound::LowerBound(size_t cellCount, int64_t maxInFlight, int workers,
                       int64_t maxBatch)
    : maxOpen(roundedUp(maxInFlight, workers)), maxBatch(maxBatch),
      chains(cellCount) {}

void LowerBound::add(size_t cell, int64_t chain) {
  chains[cell].longest = std::max(chains[cell].longest, chain);
  chains[cell].sum += chain;
}

int64_t LowerBound::ofCell(size_t cell, int64_t activations) const {
  return std::max({chains[cell].longest, roundedUp(chains[cell].sum, maxOpen),
                   roundedUp(activations, maxBatch)});
}

} // namespace amprt
