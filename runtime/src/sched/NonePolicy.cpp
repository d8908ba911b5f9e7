//===- NonePolicy.cpp - One activation at a time --------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sched/BatchPolicy.h"

namespace amprt {

namespace {
/// The cells take turns, oldest activation first, so that no instance has to
/// wait for ever while others come and go.
class NonePolicy final : public BatchPolicy {
public:
  uint32_t keyMask() const override { return 0; }
  int64_t batchLimit(int64_t) const override { return 1; }

  Bucket *pick(const std::vector<Bucket *> &buckets) override {
    // The next cell that has something, by its number: the order of `buckets`
    // changes with every batch and would not be fair.
    Bucket *next = nullptr, *lowest = nullptr;
    for (Bucket *bucket : buckets) {
      if (bucket->cell > lastCell && (!next || bucket->cell < next->cell))
        next = bucket;
      if (!lowest || bucket->cell < lowest->cell)
        lowest = bucket;
    }
    Bucket *picked = next ? next : lowest;
    lastCell = picked->cell;
    return picked;
  }

private:
  uint32_t lastCell = UINT32_MAX;
};
} // namespace

std::unique_ptr<BatchPolicy> createNonePolicy() {
  return std::make_unique<NonePolicy>();
}

} // namespace amprt
