//===- Scratch.cpp - Memory of one call of a cell -------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Scratch.h"

#include <algorithm>
#include <sys/mman.h>

namespace amprt {

static constexpr size_t firstBytes = 256 << 10;

Scratch::~Scratch() {
  for (const Block &block : blocks)
    munmap(block.memory, block.bytes);
}

bool Scratch::addBlock(size_t bytes) {
  // Pages of its own, so that a request is met whatever the overcommit policy
  // is: a compute function has no way to report that it got no memory.
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  blocks.push_back({memory, bytes});
  start = cursor = static_cast<char *>(memory);
  end = start + bytes;
  return true;
}

void *Scratch::allocateSlow(int64_t bytes) {
  if (bytes < 0 || bytes > int64_t(1) << 46)
    return nullptr;
  size_t rounded = (size_t(bytes) + 63) & ~size_t(63);
  size_t size = blocks.empty() ? firstBytes : 2 * blocks.back().bytes;
  size = std::max(size, (rounded + 4095) & ~size_t(4095));
  if (!addBlock(size))
    return nullptr;
  cursor += rounded;
  return start;
}

void Scratch::merge() {
  size_t total = 0;
  for (const Block &block : blocks) {
    total += block.bytes;
    munmap(block.memory, block.bytes);
  }
  blocks.clear();
  start = cursor = end = nullptr;
  addBlock(total); // If not, the next call begins with nothing.
}

} // namespace amprt
