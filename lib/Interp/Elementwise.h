//===- Elementwise.h - One function for each element ------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_INTERP_ELEMENTWISE_H
#define AMP_LIB_INTERP_ELEMENTWISE_H

#include "Execution.h"

namespace amp::interp {

/// The array whose element `i` is `function(i)`. T is double for floating-point
/// elements, else int64_t.
template <typename T, typename F>
Array elementwise(amprt_dtype_t dtype, const Shape &dims, F function) {
  std::vector<T> elements(elementCount(dims));
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = function(i);
  return Array(dtype, dims, std::move(elements));
}

/// Has OpT run as `function(x)` on doubles.
template <typename OpT, typename F>
void addFloatUnary(Registry &registry, F function) {
  registry.add<OpT>([function](OpT op, Step &step) {
    const Array &x = step.in(op->getOperand(0));
    const Floats &from = x.floats();
    step.give(elementwise<double>(x.dtype(), x.dims(),
                                  [&](size_t i) { return function(from[i]); }));
  });
}

/// Has OpT run as `function(a, b)` on doubles.
template <typename OpT, typename F>
void addFloatBinary(Registry &registry, F function) {
  registry.add<OpT>([function](OpT op, Step &step) {
    const Array &a = step.in(op->getOperand(0));
    const Array &b = step.in(op->getOperand(1));
    if (!step.checkSameDims(a, b))
      return;
    const Floats &left = a.floats(), &right = b.floats();
    step.give(elementwise<double>(a.dtype(), a.dims(), [&](size_t i) {
      return function(left[i], right[i]);
    }));
  });
}

/// Has OpT run as `function(x)` on an APInt of the type's width.
template <typename OpT, typename F>
void addIntegerUnary(Registry &registry, F function) {
  registry.add<OpT>([function](OpT op, Step &step) {
    const Array &x = step.in(op->getOperand(0));
    step.give(elementwise<int64_t>(x.dtype(), x.dims(), [&](size_t i) {
      return llvm::APInt(function(x.bits(i))).getSExtValue();
    }));
  });
}

/// Has OpT run as `function(step, a, b)` on APInts of the type's width.
template <typename OpT, typename F>
void addIntegerBinary(Registry &registry, F function) {
  registry.add<OpT>([function](OpT op, Step &step) {
    const Array &a = step.in(op->getOperand(0));
    const Array &b = step.in(op->getOperand(1));
    if (!step.checkSameDims(a, b))
      return;
    step.give(elementwise<int64_t>(a.dtype(), a.dims(), [&](size_t i) {
      return llvm::APInt(function(step, a.bits(i), b.bits(i))).getSExtValue();
    }));
  });
}

} // namespace amp::interp

#endif // AMP_LIB_INTERP_ELEMENTWISE_H
