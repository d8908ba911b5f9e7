//===- GreedyPolicy.cpp - The cell with most to do ------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sched/PatientPolicy.h"

namespace amprt {

namespace {
/// The cell with the most ready activations; ties: the lower number.
class GreedyPolicy final : public PatientPolicy {
public:
  using PatientPolicy::PatientPolicy;

private:
  Bucket *prefer(const std::vector<Bucket *> &buckets) override {
    Bucket *best = buckets.front();
    for (Bucket *bucket : buckets)
      if (bucket->size() > best->size() ||
          (bucket->size() == best->size() && bucket->cell < best->cell))
        best = bucket;
    return best;
  }
};
} // namespace

std::unique_ptr<BatchPolicy> createGreedyPolicy(const amprt_model_t &model) {
  return std::make_unique<GreedyPolicy>(model);
}

} // namespace amprt
