//===- Packing.h - Packed weights that follow the weights -------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_PACKING_H
#define AMPRT_SRC_TRAIN_PACKING_H

#include "core/PreparedWeights.h"

#include <vector>

namespace amprt {

/// A part of what is packed of the weights.
struct PackTask {
  bool isPanel; ///< Or a matrix of a product.
  uint32_t number;
  int64_t begin, end; ///< Groups.
};

/// What depends on the changed parameters.
void planPacking(const amprt_model_t &model, const std::vector<bool> &isChanged,
                 std::vector<PackTask> &tasks);

/// Packs it again, into the same memory; different tasks do not touch the same.
void pack(const amprt_model_t &model, PreparedWeights &weights,
          const PackTask &task);

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_PACKING_H
