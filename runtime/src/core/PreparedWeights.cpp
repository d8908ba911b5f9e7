//===- PreparedWeights.cpp - Weights as workers read them -----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/PreparedWeights.h"

#include "core/Types.h"

#include <string>

namespace amprt {

/// Whether the parameter is what the product expects as its right side.
static bool canMultiply(const amprt_linear_desc_t &linear,
                        const Tensor &tensor) {
  if (tensor.dtype() != AMPRT_F32 && tensor.dtype() != AMPRT_BF16 &&
      tensor.dtype() != AMPRT_F16)
    return false;
  int64_t rows = linear.transposed ? linear.n : linear.k;
  int64_t columns = linear.transposed ? linear.k : linear.n;
  const std::vector<int64_t> matrix = {rows, columns};
  const std::vector<int64_t> matrices = {linear.groups, rows, columns};
  return linear.groups >= 1 &&
         (tensor.dims() == matrices ||
          (linear.groups == 1 && tensor.dims() == matrix));
}

/// "tensor<3x4xf32>": what the product's parameter must be.
static std::string describeFactor(const amprt_linear_desc_t &linear) {
  int64_t rows = linear.transposed ? linear.n : linear.k;
  int64_t columns = linear.transposed ? linear.k : linear.n;
  return "tensor<" +
         (linear.groups > 1 ? std::to_string(linear.groups) + "x" : "") +
         std::to_string(rows) + "x" + std::to_string(columns) + "xf32>";
}

static Status checkType(const amprt_param_desc_t &param, const Tensor &tensor) {
  if (hasType(tensor, param.type))
    return {};
  return {StatusCode::failedPrecondition,
          "these are the weights of another model: parameter '" +
              std::string(param.name) + "' must be " +
              describeType(param.type) + ", but is " + describeTensor(tensor)};
}

/// The right sides of the model's products.
static Expected<std::vector<LinearWeights>>
factorsOf(const amprt_model_t &model, const std::vector<Tensor> &tensors) {
  std::vector<LinearWeights> linears;
  for (uint32_t i = 0; i < model.linear_count; ++i) {
    const amprt_linear_desc_t &linear = model.linears[i];
    const Tensor *tensor =
        linear.param < tensors.size() ? &tensors[linear.param] : nullptr;
    if (!tensor || !canMultiply(linear, *tensor))
      return Status(StatusCode::failedPrecondition,
                    "product " + std::to_string(i) +
                        " of the model is not with a parameter of type " +
                        describeFactor(linear) + ", or of bf16 or f16");
    linears.push_back({tensor->data(), linear.k, linear.n,
                       int64_t(linear.groups), tensor->dtype(),
                       linear.transposed != 0});
  }
  return linears;
}

Expected<PreparedWeights> PreparedWeights::prepare(const amprt_model_t &model,
                                                   Weights weights) {
  PreparedWeights made(std::move(weights));
  const std::vector<Tensor> &tensors = made.weights.tensors();
  if (tensors.size() != model.param_count)
    return Status(StatusCode::failedPrecondition,
                  "these are the weights of another model: it has " +
                      std::to_string(model.param_count) +
                      " parameters, they are " +
                      std::to_string(tensors.size()));
  for (uint32_t i = 0; i < model.param_count; ++i) {
    const Tensor &tensor = tensors[i];
    if (Status status = checkType(model.params[i], tensor); !status.ok())
      return status;
    made.params.push_back({const_cast<void *>(tensor.data()),
                           tensor.dims().empty() ? 1 : tensor.dims()[0]});
  }
  auto linears = factorsOf(model, tensors);
  if (!linears)
    return linears.status();
  auto provider = createOneDnnProvider(*linears);
  if (!provider)
    return provider.status();
  made.linears = std::move(*provider);
  auto panels = Panels::pack(model, tensors);
  if (!panels)
    return panels.status();
  made.panels = std::move(*panels);
  return made;
}

} // namespace amprt
