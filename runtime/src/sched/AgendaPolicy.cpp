//===- AgendaPolicy.cpp - The cell of least average depth -----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sched/BatchPolicy.h"

#include <tuple>

namespace amprt {

/// Both numbers are exact in a double, so equal averages compare equal.
static std::tuple<double, bool, uint32_t> rank(const amprt_model_t &model,
                                               const Bucket *bucket) {
  double average = double(bucket->depthSum) / double(bucket->size());
  bool hasProduct =
      model.cells[bucket->cell].flags & uint32_t(AMPRT_CELL_HAS_PRODUCT);
  return {average, hasProduct, bucket->cell};
}

Bucket *leastAverageDepth(const amprt_model_t &model,
                          const std::vector<Bucket *> &buckets) {
  Bucket *best = buckets.front();
  auto bestRank = rank(model, best);
  for (size_t i = 1; i < buckets.size(); ++i)
    if (auto candidate = rank(model, buckets[i]); candidate < bestRank) {
      best = buckets[i];
      bestRank = candidate;
    }
  return best;
}

namespace {
/// Neubig, Goldberg, Dyer 2017, section 3.2, "agenda-based batching": of all
/// cells with ready activations, the one whose ready activations have the least
/// average depth runs all of them. Ties: cells with a product last (their
/// batches gain most by growing), then the lower number.
class AgendaPolicy final : public BatchPolicy {
public:
  explicit AgendaPolicy(const amprt_model_t &model) : model(model) {}

  uint32_t keyMask() const override { return 0; }

  Bucket *pick(const std::vector<Bucket *> &buckets) override {
    return leastAverageDepth(model, buckets);
  }

private:
  const amprt_model_t &model;
};
} // namespace

std::unique_ptr<BatchPolicy> createAgendaPolicy(const amprt_model_t &model) {
  return std::make_unique<AgendaPolicy>(model);
}

} // namespace amprt
