//===- Collector.h - Rows that are waited for -------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CORE_COLLECTOR_H
#define AMPRT_SRC_CORE_COLLECTOR_H

#include "amprt/abi.h"
#include "core/Instance.h"

#include <string>

/// Lies in its instance's arena, as do its rows.
struct amprt_collector {
  amprt_frame_t *owner;
  amprt_handler_t handler;
  int64_t rows, missing, rowBytes;
  char *data;
  uint64_t *given; ///< A bit a row.
  const char *where;
  uint32_t depth;        ///< Of its deepest row.
  amprt_collector *next; ///< The instance's older one.
};

namespace amprt {

struct Collector : amprt_collector {};

/// For an instance that cannot go on: which rows it waits for, or "".
std::string describeMissingRows(const Collector *newest);

} // namespace amprt

#endif // AMPRT_SRC_CORE_COLLECTOR_H
