//===- JsonResults.h - Results to JSON Lines --------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_IO_JSONRESULTS_H
#define AMPRT_SRC_IO_JSONRESULTS_H

#include "amprt/tensor.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace amprt {

/// Appends one line, with its end, to `out`: an object with the model's results
/// in the model's order. Floating-point numbers are the shortest text that
/// reads back as the same number of their type, always with a point or an
/// exponent. What JSON has no number for (NaN, infinities) is null: the names
/// of results with such elements are added to `notFinite`.
void appendResultLine(std::string &out, const amprt_field_t *results,
                      size_t count, const Values &values,
                      std::vector<std::string> &notFinite);

/// Appends {"error": message} and the end of the line. What is not UTF-8 in the
/// message is replaced.
void appendErrorLine(std::string &out, std::string_view message);

} // namespace amprt

#endif // AMPRT_SRC_IO_JSONRESULTS_H
