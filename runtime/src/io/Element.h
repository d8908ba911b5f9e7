//===- Element.h - Numbers as elements of a tensor --------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_IO_ELEMENT_H
#define AMPRT_SRC_IO_ELEMENT_H

#include "amprt/abi.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace amprt {

/// Whether elements of `dtype` are floating-point numbers.
bool isFloatDtype(amprt_dtype_t dtype);

/// Writes `value` as one element of `dtype` to `to`. False, and nothing is
/// written, where it does not fit (an integer out of range).
bool storeInteger(amprt_dtype_t dtype, int64_t value, unsigned char *to);

/// The same for a finite floating-point number, rounded to nearest, ties to
/// even. `token` is its decimal text: f32 is rounded once, not by way of f64.
/// False where `dtype` has no such number: an integer type, or the number would
/// become infinite.
bool storeFloat(amprt_dtype_t dtype, double value, std::string_view token,
                unsigned char *to);

} // namespace amprt

#endif // AMPRT_SRC_IO_ELEMENT_H
