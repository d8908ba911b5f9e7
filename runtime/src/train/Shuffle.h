//===- Shuffle.h - The order of an epoch ------------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_SHUFFLE_H
#define AMPRT_SRC_TRAIN_SHUFFLE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace amprt {

/// The numbers [0, count) in an order that depends on the seed and the epoch
/// alone, on every machine.
std::vector<size_t> shuffledOrder(size_t count, uint64_t seed, uint64_t epoch);

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_SHUFFLE_H
