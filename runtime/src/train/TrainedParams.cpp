//===- TrainedParams.cpp - Parameters and what an optimiser knows of them -===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/TrainedParams.h"

#include "core/HalfFloat.h"
#include "train/Gradients.h"

#include <algorithm>
#include <cstring>

namespace amprt {

static float *floatsOf(Tensor &tensor) {
  return static_cast<float *>(tensor.data());
}

Elements TrainedParam::elements(const float *gradient, int64_t begin,
                                int64_t size) {
  Elements made = {
      weights + begin, gradient ? gradient + begin : nullptr, {}, size};
  for (size_t i = 0; i < state.size(); ++i)
    made.state[i] = floatsOf(state[i]) + begin;
  return made;
}

void TrainedParam::round(int64_t begin, int64_t size) {
  if (tensor->dtype() == AMPRT_F32)
    return;
  auto *to = static_cast<uint16_t *>(tensor->data());
  bool isBF16 = tensor->dtype() == AMPRT_BF16;
  for (int64_t i = begin; i < begin + size; ++i)
    to[i] = isBF16 ? bf16OfFloat(weights[i]) : f16OfFloat(weights[i]);
}

void TrainedParam::findLiveRows() {
  std::fill(isLive.begin(), isLive.end(), uint8_t(0));
  allLive = false;
  for (Tensor &each : state)
    for (int64_t row = 0; row < rows; ++row) {
      const float *values = floatsOf(each) + row * rowLength;
      isLive[size_t(row)] |= std::any_of(values, values + rowLength,
                                         [](float x) { return x != 0; });
    }
}

static void copyElements(const Tensor &from, Tensor &to) {
  if (from.byteCount())
    std::memcpy(to.data(), from.data(), from.byteCount());
}

void TrainedParam::copyFrom(const TrainedParam &other) {
  copyElements(*other.tensor, *tensor);
  copyElements(other.master, master);
  for (size_t i = 0; i < state.size(); ++i)
    copyElements(other.state[i], state[i]);
  step = other.step;
  isLive = other.isLive;
  allLive = other.allLive;
}

std::vector<TrainedParam> makeTrainedParams(WeightsAccess::Data &weights,
                                            const Optimiser &optimiser) {
  std::vector<TrainedParam> params(weights.tensors.size());
  for (size_t i = 0; i < params.size(); ++i) {
    TrainedParam &param = params[i];
    Tensor &tensor = weights.tensors[i];
    param.tensor = &tensor;
    if (!isTrained(tensor))
      continue;
    param.count = tensor.elementCount();
    param.rows = tensor.dims().empty() ? 1 : tensor.dims()[0];
    param.rowLength = param.rows ? param.count / param.rows : 0;
    param.isLive.resize(size_t(param.rows));
    for (size_t s = 0; s < optimiser.states().size(); ++s)
      param.state.emplace_back(AMPRT_F32, tensor.dims());
    if (tensor.dtype() == AMPRT_F32) {
      param.weights = floatsOf(tensor);
      continue;
    }
    param.master = Tensor(AMPRT_F32, tensor.dims());
    param.weights = floatsOf(param.master);
    for (int64_t e = 0; e < param.count; ++e)
      param.weights[e] = floatAt(tensor.data(), tensor.dtype(), e);
  }
  return params;
}

} // namespace amprt
