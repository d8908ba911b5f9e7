//===- Panels.h - Weights for generated products ----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CPU_PANELS_H
#define AMPRT_SRC_CPU_PANELS_H

#include "amprt/amprt.hpp"

#include <memory>
#include <vector>

namespace amprt {

/// The model's panels, packed (amprt_panel_desc_t). Immutable once made, so
/// that workers share them.
class Panels {
public:
  /// Statuses: failedPrecondition, where a panel does not fit its parameters;
  /// resourceExhausted. `tensors`: of the model's parameters.
  static Expected<Panels> pack(const amprt_model_t &model,
                               const std::vector<Tensor> &tensors);

  /// Each panel's elements, in the table's order.
  const float *const *data() const { return panels.data(); }

private:
  std::unique_ptr<float[]> memory;
  std::vector<const float *> panels;
};

} // namespace amprt

#endif // AMPRT_SRC_CPU_PANELS_H
