//===- PhasePolicy.cpp - The cell that most waits for ---------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sched/PatientPolicy.h"

#include <tuple>

namespace amprt {

namespace {
/// Static priorities: the cell with the longest path to the end of its
/// activation goes first. So one on which nothing waits, an output's product,
/// runs when nothing else can, and all that has gathered until then runs
/// together. A batch that is full goes before all others, since it gains
/// nothing by waiting and holds memory. Ties: what has more activations, then
/// the lower number.
class PhasePolicy final : public PatientPolicy {
public:
  PhasePolicy(const amprt_model_t &model, int64_t maxBatch)
      : PatientPolicy(model), maxBatch(maxBatch) {}

private:
  Bucket *prefer(const std::vector<Bucket *> &buckets) override {
    Bucket *best = buckets.front();
    auto bestRank = rank(best);
    for (size_t i = 1; i < buckets.size(); ++i)
      if (auto candidate = rank(buckets[i]); candidate > bestRank) {
        best = buckets[i];
        bestRank = candidate;
      }
    return best;
  }

  std::tuple<bool, uint32_t, int64_t, uint32_t>
  rank(const Bucket *bucket) const {
    return {bucket->size() >= maxBatch, model.cells[bucket->cell].priority,
            bucket->size(), UINT32_MAX - bucket->cell};
  }

  const int64_t maxBatch;
};
} // namespace

std::unique_ptr<BatchPolicy> createPhasePolicy(const amprt_model_t &model,
                                               int64_t maxBatch) {
  return std::make_unique<PhasePolicy>(model, maxBatch);
}

} // namespace amprt
