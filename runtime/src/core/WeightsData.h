//===- WeightsData.h - What a Weights handle shares -------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CORE_WEIGHTSDATA_H
#define AMPRT_SRC_CORE_WEIGHTSDATA_H

#include "amprt/amprt.hpp"

namespace amprt {

struct Weights::Data {
  std::vector<Tensor> tensors;    ///< In the model's order.
  std::vector<std::string> names; ///< Of the parameters.
  std::vector<std::string> initialised, unused;
};

/// For a trainer, which changes weights while it alone holds them.
struct WeightsAccess {
  using Data = Weights::Data;
  static const Data &dataOf(const Weights &weights) { return *weights.data; }
  static Weights make(std::shared_ptr<const Data> data) {
    Weights weights;
    weights.data = std::move(data);
    return weights;
  }
};

} // namespace amprt

#endif // AMPRT_SRC_CORE_WEIGHTSDATA_H
