//===- DepthPolicy.cpp - The lowest depth first ---------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sched/BatchPolicy.h"

#include <algorithm>
#include <cassert>

namespace amprt {

namespace {
/// Neubig, Goldberg, Dyer 2017, section 3.2, "depth-based batching": of all
/// ready activations those of the lowest depth run first, together if they are
/// of one cell. Between cells of the same depth the order makes no difference
/// to the batches (whatever they make ready is deeper); the lower number goes
/// first.
class DepthPolicy final : public BatchPolicy {
public:
  uint32_t keyMask() const override { return UINT32_MAX; }

  void opened(Bucket *bucket) override {
    heap.push_back(entry(bucket));
    std::push_heap(heap.begin(), heap.end(), isLater);
  }

  void closed([[maybe_unused]] Bucket *bucket) override {
    assert(heap.front().bucket == bucket && "not the bucket that was picked");
    std::pop_heap(heap.begin(), heap.end(), isLater);
    heap.pop_back();
  }

  void changed(const std::vector<Bucket *> &buckets) override {
    heap.clear();
    for (Bucket *bucket : buckets)
      heap.push_back(entry(bucket));
    std::make_heap(heap.begin(), heap.end(), isLater);
  }

  Bucket *pick(const std::vector<Bucket *> &) override {
    return heap.front().bucket;
  }

private:
  struct Entry {
    uint64_t order; ///< Depth, then cell: no two are equal.
    Bucket *bucket;
  };
  static Entry entry(Bucket *bucket) {
    return {uint64_t(bucket->key) << 32 | bucket->cell, bucket};
  }
  static bool isLater(const Entry &a, const Entry &b) {
    return a.order > b.order;
  }

  std::vector<Entry> heap;
};
} // namespace

std::unique_ptr<BatchPolicy> createDepthPolicy() {
  return std::make_unique<DepthPolicy>();
}

} // namespace amprt
