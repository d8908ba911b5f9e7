//===- Collector.cpp - Rows that are waited for ---------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Collector.h"

namespace amprt {

std::string describeMissingRows(const Collector *newest) {
  // The newest one is named: it is the innermost, which the others wait for.
  const amprt_collector *first = nullptr;
  int64_t others = 0;
  for (const amprt_collector *it = newest; it; it = it->next)
    if (it->missing > 0) {
      others += first != nullptr;
      first = first ? first : it;
    }
  if (!first)
    return "";
  std::string text = std::to_string(first->missing) + " of " +
                     std::to_string(first->rows) +
                     (first->rows == 1 ? " row is" : " rows are") +
                     " missing at " + first->where;
  if (others)
    text += " (and at " + std::to_string(others) + " other places)";
  return text;
}

} // namespace amprt
