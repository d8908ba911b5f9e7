//===- StackedList.h - A list's elements as rows ----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cache that grows by a row in each step is read as a whole in each step. Its
// rows lie in a block with room behind them, which lists share as they share
// elements: a longer one adds its own behind those of the shorter one. Only one
// can; another that goes on from there gets a block of its own.
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CORE_STACKEDLIST_H
#define AMPRT_SRC_CORE_STACKEDLIST_H

#include "amprt/abi.h"

#include <cstring>
#include <new>

/// Rows of a list and perhaps of longer ones. They follow, aligned as it is.
struct alignas(64) amprt_list_rows {
  int64_t capacity; ///< Rows that there is memory for.
  int64_t used;     ///< Rows that are there.

  char *data() { return reinterpret_cast<char *>(this + 1); }
};

namespace amprt {

/// The rows of `list` (amprt_list_stack); null if it is empty, or if
/// `allocate(bytes)`, whose memory is aligned to 64 bytes, returns null.
template <typename Allocate>
amprt_list_rows *stackList(amprt_list_t *list, int64_t bytes, bool byAddress,
                           const Allocate &allocate) {
  if (!list)
    return nullptr;
  const amprt_list_t *known = list;
  while (known && !known->stacked)
    known = known->rest;
  int64_t done = known ? known->length : 0;
  amprt_list_rows *rows = known ? known->stacked : nullptr;
  if (known == list)
    return rows;
  if (!rows || rows->used != done || rows->capacity < list->length) {
    // Most lists are stacked once; one that is stacked again may go on growing.
    int64_t capacity = known ? 2 * list->length : list->length, size = 0;
    if (__builtin_mul_overflow(capacity, bytes, &size) ||
        __builtin_add_overflow(size, int64_t(sizeof(amprt_list_rows)), &size))
      size = INT64_MAX; // More than any instance gets.
    void *memory = allocate(size);
    if (!memory)
      return nullptr;
    auto *made = new (memory) amprt_list_rows{capacity, 0};
    if (rows)
      std::memcpy(made->data(), rows->data(), size_t(done * bytes));
    rows = made;
  }
  for (const amprt_list_t *each = list; each != known; each = each->rest) {
    const void *value = each + 1;
    if (byAddress)
      std::memcpy(&value, value, sizeof value);
    std::memcpy(rows->data() + (each->length - 1) * bytes, value,
                size_t(bytes));
  }
  rows->used = list->length;
  list->stacked = rows;
  return rows;
}

} // namespace amprt

#endif // AMPRT_SRC_CORE_STACKEDLIST_H
