//===- Gradients.cpp - What a worker adds up for an update ----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/Gradients.h"

#include "cpu/GradientProduct.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>
#include <numeric>
#include <string>

namespace amprt {

// Rows that are multiplied together, measured (amprt-update-bench): from here
// on the product no longer gets faster, and the rows of a usual product, with
// those that they are copied from, still fit into the second cache.
static constexpr int64_t rowsTogether = 128;
// With a matrix for each row, as many rows on the mean for up to so many
// matrices.
static constexpr int64_t groupsTogether = 8;

Expected<std::unique_ptr<Gradients>>
Gradients::create(const amprt_model_t &model,
                  const std::vector<Tensor> &tensors) {
  try {
    auto made = std::make_unique<Gradients>();
    for (const Tensor &tensor : tensors) {
      Gradient &gradient = made->gradients.emplace_back();
      if (!isTrained(tensor))
        continue;
      gradient.count = tensor.elementCount();
      int64_t rows = tensor.dims().empty() ? 1 : tensor.dims()[0];
      gradient.rowLength = rows ? gradient.count / rows : 0;
      gradient.values = made->memory.allocate<float>(gradient.count);
      gradient.rows = made->memory.allocate<int64_t>(rows);
      gradient.isListed = made->memory.allocate<uint8_t>(rows);
    }
    for (uint32_t i = 0; i < model.gradient_count; ++i) {
      const amprt_gradient_desc_t &desc = model.gradients[i];
      if (desc.param >= tensors.size() || !isTrained(tensors[desc.param]))
        return Status(StatusCode::failedPrecondition,
                      "gradient " + std::to_string(i) +
                          " of the model is not of a parameter of f32, bf16 or "
                          "f16");
      if (Status status = made->addDeferred(desc, i, tensors[desc.param]);
          !status.ok())
        return status;
    }
    return made;
  } catch (const std::bad_alloc &) {
    return Status(StatusCode::resourceExhausted, "no memory for the gradients");
  }
}

Status Gradients::addDeferred(const amprt_gradient_desc_t &desc,
                              uint32_t number, const Tensor &tensor) {
  int64_t columns = tensor.dims().empty() ? 1 : tensor.dims().back();
  int64_t rows = columns ? tensor.elementCount() / columns : 0;
  bool isGrouped =
      tensor.dims().size() == 3 && tensor.dims()[0] == int64_t(desc.groups);
  bool fits = desc.groups >= 1 && (desc.groups == 1 || isGrouped) &&
              desc.k >= 0 && desc.n >= 0 && desc.row >= 0 && desc.column >= 0 &&
              desc.row <= rows / int64_t(desc.groups) - desc.k &&
              desc.column <= columns - desc.n;
  if (!fits)
    return {StatusCode::failedPrecondition,
            "gradient " + std::to_string(number) +
                " of the model does not fit its parameter"};
  Deferred made = {};
  made.desc = desc;
  made.stride = columns;
  made.between = rows / int64_t(desc.groups) * columns;
  made.target = gradients[desc.param].values + desc.row * columns + desc.column;
  made.capacity = rowsTogether * std::min<int64_t>(desc.groups, groupsTogether);
  made.x = memory.allocate<float>(made.capacity * desc.k);
  made.dy = memory.allocate<float>(made.capacity * desc.n);
  if (desc.groups > 1) {
    made.which = memory.allocate<int32_t>(made.capacity);
    made.ends = memory.allocate<int64_t>(desc.groups);
    made.sortedX = memory.allocate<float>(made.capacity * desc.k);
    made.sortedDy = memory.allocate<float>(made.capacity * desc.n);
  }
  products.push_back(made);
  return {};
}

void Gradients::addProduct(uint32_t number, const float *x, const float *dy,
                           int64_t rows, const int32_t *which) {
  Deferred &product = products[number];
  assert((which != nullptr) == (product.which != nullptr) &&
         "one matrix, or one for each row");
  int64_t k = product.desc.k, n = product.desc.n;
  if (rows <= 0 || k == 0 || n == 0)
    return;
  beforeChange(product.desc.param);
  gradients[product.desc.param].touched = Touched::everything;
  gradients[product.desc.param].given += rows;
  if (!which && product.used == 0 && rows >= product.capacity) {
    // Nothing to wait for, so nothing to copy.
    addGradientProduct({k, n, product.stride}, x, dy, rows, product.target);
    return;
  }
  while (rows > 0) {
    int64_t taken = std::min(rows, product.capacity - product.used);
    std::copy_n(x, taken * k, product.x + product.used * k);
    std::copy_n(dy, taken * n, product.dy + product.used * n);
    if (which) {
      std::copy_n(which, taken, product.which + product.used);
      which += taken;
    }
    x += taken * k;
    dy += taken * n;
    rows -= taken;
    product.used += taken;
    if (product.used == product.capacity)
      flush(product);
  }
}

void Gradients::flush(Deferred &product) {
  int64_t rows = product.used, k = product.desc.k, n = product.desc.n;
  product.used = 0;
  if (rows == 0)
    return;
  GradientShape shape = {k, n, product.stride};
  if (!product.which) {
    addGradientProduct(shape, product.x, product.dy, rows, product.target);
    return;
  }
  // By matrix, in their order (a counting sort).
  int64_t groups = product.desc.groups;
  std::fill_n(product.ends, groups, int64_t(0));
  for (int64_t i = 0; i < rows; ++i)
    ++product.ends[product.which[i]];
  std::exclusive_scan(product.ends, product.ends + groups, product.ends,
                      int64_t(0));
  for (int64_t i = 0; i < rows; ++i) {
    int64_t to = product.ends[product.which[i]]++;
    std::copy_n(product.x + i * k, k, product.sortedX + to * k);
    std::copy_n(product.dy + i * n, n, product.sortedDy + to * n);
  }
  for (int64_t group = 0, start = 0; group < groups;
       start = product.ends[group++])
    if (int64_t count = product.ends[group] - start)
      addGradientProduct(shape, product.sortedX + start * k,
                         product.sortedDy + start * n, count,
                         product.target + group * product.between);
}

void Gradients::flush() {
  for (Deferred &product : products)
    flush(product);
}

void Gradients::flush(uint32_t param) {
  for (Deferred &product : products)
    if (product.desc.param == param)
      flush(product);
}

void Gradients::addRows(uint32_t param, int64_t offset, const float *values,
                        int64_t rows, int64_t count) {
  Gradient &gradient = gradients[param];
  assert(
      (!gradient.values || (offset >= 0 && count <= gradient.count - offset)) &&
      "not elements of the parameter");
  if (rows <= 0 || !gradient.values)
    return;
  beforeChange(param);
  gradient.touched = Touched::everything;
  gradient.given += rows;
  sumRows(values, rows, count, gradient.values + offset);
}

void Gradients::addRow(uint32_t param, int64_t index, const float *row) {
  Gradient &gradient = gradients[param];
  if (!gradient.values)
    return;
  assert(index >= 0 && index * gradient.rowLength < gradient.count &&
         "not a row of the parameter");
  beforeChange(param);
  if (gradient.touched == Touched::nothing)
    gradient.touched = Touched::rows;
  gradient.addRow(index);
  ++gradient.given;
  sumRows(row, 1, gradient.rowLength,
          gradient.values + index * gradient.rowLength);
}

void Gradients::forgetTouched(uint32_t param) {
  Gradient &gradient = gradients[param];
  for (int64_t i = 0; i < gradient.rowCount; ++i)
    gradient.isListed[gradient.rows[i]] = 0;
  gradient.rowCount = 0;
  gradient.given = 0;
  gradient.touched = Touched::nothing;
}

void Gradients::clear(uint32_t param) {
  Gradient &gradient = gradients[param];
  forEachTouched(gradient, [&](int64_t begin, int64_t end) {
    std::fill(gradient.values + begin, gradient.values + end, 0.0f);
  });
  forgetTouched(param);
}

void Gradients::discard() {
  for (Deferred &product : products)
    product.used = 0;
  for (uint32_t i = 0; i < gradients.size(); ++i)
    clear(i);
}

} // namespace amprt
