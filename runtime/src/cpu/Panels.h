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

/// The model's panels, packed (amprt_panel_desc_t). Immutable but for repack,
/// so that workers share them.
class Panels {
public:
  /// Statuses: failedPrecondition, where a panel does not fit its parameters;
  /// resourceExhausted. `tensors`: of the model's parameters.
  static Expected<Panels> pack(const amprt_model_t &model,
                               const std::vector<Tensor> &tensors);

  /// Each panel's elements, in the table's order.
  const float *const *data() const { return panels.data(); }

  /// Groups of columns of a panel: they may be packed one by one.
  static int64_t groupCount(const amprt_panel_desc_t &panel);

  /// Packs the groups [begin, end) of a panel again, after its parameters have
  /// changed. Nobody may read them meanwhile.
  void repack(const amprt_model_t &model, const std::vector<Tensor> &tensors,
              uint32_t panel, int64_t begin, int64_t end);

private:
  std::unique_ptr<float[]> memory;
  std::vector<float *> panels;
};

} // namespace amprt

#endif // AMPRT_SRC_CPU_PANELS_H
