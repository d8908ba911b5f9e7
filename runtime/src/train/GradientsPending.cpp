//===- GradientsPending.cpp - Gradients that wait, copied -----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/Gradients.h"

#include <algorithm>
#include <string>

namespace amprt {

template <typename T> static T *dataOf(Tensor &tensor) {
  return static_cast<T *>(tensor.data());
}
template <typename T> static const T *dataOf(const Tensor &tensor) {
  return static_cast<const T *>(tensor.data());
}

PendingGradient Gradients::makePending(uint32_t param) const {
  const Gradient &gradient = gradients[param];
  PendingGradient made;
  int64_t rows = gradient.rowLength ? gradient.count / gradient.rowLength : 0;
  made.rows = Tensor(AMPRT_I64, {rows});
  made.values = Tensor(AMPRT_F32, {gradient.count});
  for (size_t i = 0; i < products.size(); ++i) {
    const Deferred &product = products[i];
    if (product.desc.param != param)
      continue;
    made.products.push_back(
        {uint32_t(i), 0, Tensor(AMPRT_F32, {product.capacity, product.desc.k}),
         Tensor(AMPRT_F32, {product.capacity, product.desc.n}),
         Tensor(AMPRT_I32, {product.which ? product.capacity : 0})});
  }
  return made;
}

void Gradients::copyPending(uint32_t param, PendingGradient &to) const {
  const Gradient &gradient = gradients[param];
  to.given = gradient.given;
  to.rowLength = gradient.rowLength;
  to.touched = gradient.touched;
  to.rowCount = to.touched == Touched::rows ? gradient.rowCount : 0;
  std::copy_n(gradient.rows, to.rowCount, dataOf<int64_t>(to.rows));
  auto *values = dataOf<float>(to.values);
  forEachTouched(gradient, [&](int64_t begin, int64_t end) {
    values = std::copy(gradient.values + begin, gradient.values + end, values);
  });
  for (PendingGradient::Product &each : to.products) {
    const Deferred &product = products[each.number];
    each.used = product.used;
    std::copy_n(product.x, each.used * product.desc.k, dataOf<float>(each.x));
    std::copy_n(product.dy, each.used * product.desc.n, dataOf<float>(each.dy));
    if (product.which)
      std::copy_n(product.which, each.used, dataOf<int32_t>(each.which));
  }
}

void Gradients::takePending(uint32_t param, const PendingGradient &from) {
  Gradient &gradient = gradients[param];
  clear(param);
  gradient.given = from.given;
  gradient.touched = from.touched;
  for (int64_t i = 0; i < from.rowCount; ++i)
    gradient.addRow(dataOf<int64_t>(from.rows)[i]);
  auto *values = dataOf<float>(from.values);
  forEachTouched(gradient, [&](int64_t begin, int64_t end) {
    std::copy_n(values, end - begin, gradient.values + begin);
    values += end - begin;
  });
  for (const PendingGradient::Product &each : from.products) {
    Deferred &product = products[each.number];
    product.used = each.used;
    std::copy_n(dataOf<float>(each.x), each.used * product.desc.k, product.x);
    std::copy_n(dataOf<float>(each.dy), each.used * product.desc.n, product.dy);
    if (product.which)
      std::copy_n(dataOf<int32_t>(each.which), each.used, product.which);
  }
}

Status Gradients::checkPending(uint32_t param,
                               const PendingGradient &from) const {
  const Gradient &gradient = gradients[param];
  auto invalid = [&](const char *what) {
    return Status(StatusCode::invalidArgument,
                  "the gradient that waits for parameter " +
                      std::to_string(param) + " has " + what);
  };
  if (from.given < 0 || from.touched > Touched::everything)
    return invalid("a count that cannot be");
  int64_t rows = gradient.rowLength ? gradient.count / gradient.rowLength : 0;
  std::vector<bool> isListed(static_cast<size_t>(rows));
  for (int64_t i = 0; i < from.rowCount; ++i) {
    int64_t row = dataOf<int64_t>(from.rows)[i];
    if (row < 0 || row >= rows || isListed[size_t(row)])
      return invalid("a row that cannot be");
    isListed[size_t(row)] = true;
  }
  if (from.values.elementCount() !=
      from.valueCount(gradient.count, gradient.rowLength))
    return invalid("too few or too many elements");
  for (const PendingGradient::Product &each : from.products) {
    const Deferred &product = products[each.number];
    if (product.desc.param != param || each.used >= product.capacity)
      return invalid("rows of a product that is not its own, or too many");
    for (int64_t i = 0; product.which && i < each.used; ++i) {
      int32_t which = dataOf<int32_t>(each.which)[i];
      if (which < 0 || which >= int64_t(product.desc.groups))
        return invalid("a row of a matrix that is not there");
    }
  }
  return {};
}

} // namespace amprt
