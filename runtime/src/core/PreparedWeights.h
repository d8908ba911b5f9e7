//===- PreparedWeights.h - Weights as workers read them ---------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CORE_PREPAREDWEIGHTS_H
#define AMPRT_SRC_CORE_PREPAREDWEIGHTS_H

#include "amprt/amprt.hpp"
#include "cpu/LinearProvider.h"
#include "cpu/Panels.h"

#include <memory>
#include <vector>

namespace amprt {

/// Weights as workers read them: their elements, and what is packed of them.
/// Constant while instances run, but for a trainer.
struct PreparedWeights {
  explicit PreparedWeights(Weights weights) : weights(std::move(weights)) {}

  /// Statuses: failedPrecondition (they are of another model, or the model is
  /// wrong about them), resourceExhausted.
  static Expected<PreparedWeights> prepare(const amprt_model_t &model,
                                           Weights weights);

  Weights weights;
  std::vector<amprt_param_view_t> params;
  std::unique_ptr<LinearProvider> linears;
  Panels panels;
};

} // namespace amprt

#endif // AMPRT_SRC_CORE_PREPAREDWEIGHTS_H
