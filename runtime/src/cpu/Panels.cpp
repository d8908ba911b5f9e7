//===- Panels.cpp - Weights for generated products ------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cpu/Panels.h"

#include "core/HalfFloat.h"
#include "cpu/Blocks.h"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

namespace amprt {

static constexpr int64_t lineFloats = 64 / sizeof(float);

static int64_t groupColumns(const amprt_panel_desc_t &panel) {
  return int64_t(panel.lanes) * panel.unroll;
}

int64_t Panels::groupCount(const amprt_panel_desc_t &panel) {
  int64_t columns = groupColumns(panel);
  return (panel.width + columns - 1) / columns;
}

/// Elements of the packed panel.
static int64_t packedSize(const amprt_panel_desc_t &panel) {
  return Panels::groupCount(panel) * panel.k * panel.part_count *
         groupColumns(panel);
}

/// A parameter as one matrix: its leading dimensions are one.
static int64_t rowsOf(const Tensor &tensor) {
  int64_t rows = 1;
  for (size_t i = 0; i + 1 < tensor.dims().size(); ++i)
    rows *= tensor.dims()[i];
  return rows;
}

static bool fits(const amprt_panel_desc_t &panel,
                 const amprt_panel_part_t &part,
                 const std::vector<Tensor> &tensors) {
  if (part.param >= tensors.size())
    return false;
  const Tensor &tensor = tensors[part.param];
  bool isFloat = tensor.dtype() == AMPRT_F32 || tensor.dtype() == AMPRT_BF16 ||
                 tensor.dtype() == AMPRT_F16;
  int64_t rows = part.transposed ? panel.width : panel.k;
  int64_t columns = part.transposed ? panel.k : panel.width;
  return isFloat && tensor.dims().size() >= 2 && part.row >= 0 &&
         part.column >= 0 && part.row <= rowsOf(tensor) - rows &&
         part.column <= tensor.dims().back() - columns;
}

static Status check(const amprt_model_t &model,
                    const std::vector<Tensor> &tensors) {
  for (uint32_t i = 0; i < model.panel_count; ++i) {
    const amprt_panel_desc_t &panel = model.panels[i];
    bool isRight = panel.lanes > 0 && panel.unroll > 0 && panel.k > 0 &&
                   panel.part_count > 0 && groupColumns(panel) <= panel.width &&
                   std::all_of(panel.parts, panel.parts + panel.part_count,
                               [&](const amprt_panel_part_t &part) {
                                 return fits(panel, part, tensors);
                               });
    if (!isRight)
      return {StatusCode::failedPrecondition,
              "panel " + std::to_string(i) +
                  " of the model does not fit its parameters"};
  }
  return {};
}

namespace {
/// A part's columns in one group: element (k, column) goes to
/// to[k * toStep + column].
struct GroupPart {
  int64_t first, kStep, columnStep; ///< Where it comes from.
  int64_t k, columns;
  float *to;
  int64_t toStep;
};
} // namespace

static void packAny(const GroupPart &part, const Tensor &tensor) {
  for (int64_t k = 0; k < part.k; ++k)
    for (int64_t c = 0; c < part.columns; ++c)
      part.to[k * part.toStep + c] =
          floatAt(tensor.data(), tensor.dtype(),
                  part.first + k * part.kStep + c * part.columnStep);
}

static void packPart(const GroupPart &part, const Tensor &tensor) {
  if (tensor.dtype() != AMPRT_F32)
    return packAny(part, tensor);
  const float *from = static_cast<const float *>(tensor.data()) + part.first;
  if (part.columnStep == 1)
    copyBlock(from, part.kStep, part.k, part.columns, part.to, part.toStep);
  else
    transposeBlock(from, part.columnStep, part.columns, part.k, part.to,
                   part.toStep);
}

/// `to`: of the first of the groups.
static void packGroups(const amprt_panel_desc_t &panel,
                       const std::vector<Tensor> &tensors, int64_t begin,
                       int64_t end, float *to) {
  int64_t columns = groupColumns(panel);
  int64_t step = columns * panel.part_count;
  for (int64_t group = begin; group < end; ++group, to += panel.k * step) {
    int64_t first = std::min(group * columns, panel.width - columns);
    for (uint32_t p = 0; p < panel.part_count; ++p) {
      const amprt_panel_part_t &part = panel.parts[p];
      const Tensor &tensor = tensors[part.param];
      int64_t stride = tensor.dims().back();
      GroupPart all = {part.row * stride + part.column,
                       stride,
                       1,
                       panel.k,
                       columns,
                       to + p * columns,
                       step};
      if (part.transposed)
        std::swap(all.kStep, all.columnStep);
      all.first += first * all.columnStep;
      packPart(all, tensor);
    }
  }
}

void Panels::repack(const amprt_model_t &model,
                    const std::vector<Tensor> &tensors, uint32_t panel,
                    int64_t begin, int64_t end) {
  const amprt_panel_desc_t &desc = model.panels[panel];
  int64_t size = desc.k * desc.part_count * groupColumns(desc);
  packGroups(desc, tensors, begin, end, panels[panel] + begin * size);
}

Expected<Panels> Panels::pack(const amprt_model_t &model,
                              const std::vector<Tensor> &tensors) {
  if (Status status = check(model, tensors); !status.ok())
    return status;
  auto padded = [](int64_t size) {
    return (size + lineFloats - 1) / lineFloats * lineFloats;
  };
  int64_t total = lineFloats;
  for (uint32_t i = 0; i < model.panel_count; ++i)
    total += padded(packedSize(model.panels[i]));
  Panels made;
  made.memory.reset(new (std::nothrow) float[size_t(total)]);
  if (!made.memory)
    return Status(StatusCode::resourceExhausted,
                  "no memory for the packed weights");
  auto address = reinterpret_cast<uintptr_t>(made.memory.get());
  float *to = made.memory.get() + (-address & 63) / sizeof(float);
  for (uint32_t i = 0; i < model.panel_count; ++i) {
    made.panels.push_back(to);
    packGroups(model.panels[i], tensors, 0, groupCount(model.panels[i]), to);
    to += padded(packedSize(model.panels[i]));
  }
  return made;
}

} // namespace amprt
