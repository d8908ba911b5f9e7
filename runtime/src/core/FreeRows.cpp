//===- FreeRows.cpp - Rows of an instance that were given back ------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/FreeRows.h"

#include "core/Poison.h"

#include <algorithm>
#include <new>

namespace amprt {

/// The bin of a block: all in it have at least as much as the smallest size that
/// belongs there.
int FreeRows::binOf(size_t bytes) {
  size_t units = bytes / unit;
  if (units <= size_t(exact))
    return int(units) - 1;
  int log = 63 - __builtin_clzll(units); // At least 4.
  int quarter = int(units >> (log - 2)) & 3;
  return std::min(exact + 4 * (log - 4) + quarter, binCount - 1);
}

void FreeRows::give(void *memory, size_t bytes) {
  int bin = binOf(bytes);
  bins[bin] = new (memory) Block{bins[bin], bytes};
  filled |= uint64_t(1) << bin;
  total += bytes;
  AMPRT_POISON(static_cast<char *>(memory) + sizeof(Block),
               bytes - sizeof(Block));
}

void *FreeRows::takeFrom(int bin, size_t bytes) {
  Block *block = bins[bin];
  size_t rest = block->bytes - bytes;
  bins[bin] = block->next;
  if (!block->next)
    filled &= ~(uint64_t(1) << bin);
  total -= block->bytes;
  AMPRT_UNPOISON(block, block->bytes);
  if (rest)
    give(reinterpret_cast<char *>(block) + bytes, rest);
  return block;
}

void *FreeRows::take(size_t bytes) {
  int bin = binOf(bytes);
  if (bins[bin] && bins[bin]->bytes >= bytes)
    return takeFrom(bin, bytes);
  // In any bin above, each block is larger.
  uint64_t above = bin + 1 < binCount ? filled >> (bin + 1) << (bin + 1) : 0;
  return above ? takeFrom(__builtin_ctzll(above), bytes) : nullptr;
}

void FreeRows::forget() {
  for (; filled; filled &= filled - 1)
    bins[__builtin_ctzll(filled)] = nullptr;
  total = 0;
}

} // namespace amprt
