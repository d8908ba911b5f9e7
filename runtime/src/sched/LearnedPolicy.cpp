//===- LearnedPolicy.cpp - What a table says ------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sched/PatientPolicy.h"
#include "sched/PolicyTable.h"

namespace amprt {

namespace {
/// A finite-state policy that was trained off line (see learn/). In a state
/// that the training never met, it does what agenda does.
class LearnedPolicy final : public PatientPolicy {
public:
  LearnedPolicy(const amprt_model_t &model, const PolicyTable &table)
      : PatientPolicy(model, table.patience), table(table),
        encoder(table.encoding) {}

private:
  Bucket *prefer(const std::vector<Bucket *> &buckets) override {
    if (buckets.size() == 1)
      return buckets.front();
    if (auto known = table.cells.find(encoder.encode(buckets));
        known != table.cells.end())
      for (Bucket *bucket : buckets)
        if (bucket->cell == known->second)
          return bucket;
    return leastAverageDepth(model, buckets);
  }

  const PolicyTable &table;
  StateEncoder encoder;
};
} // namespace

std::unique_ptr<BatchPolicy> createLearnedPolicy(const amprt_model_t &model,
                                                 const PolicyTable &table) {
  return std::make_unique<LearnedPolicy>(model, table);
}

} // namespace amprt
