//===- BatchPolicy.h - What runs next ---------------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_SCHED_BATCHPOLICY_H
#define AMPRT_SRC_SCHED_BATCHPOLICY_H

#include "amprt/abi.h"
#include "amprt/amprt.hpp"
#include "sched/ReadySet.h"

#include <memory>

namespace amprt {

/// Chooses among the ready activations. Called once a batch (pick) and once a
/// bucket (opened, closed), never once an activation: what it needs of each of
/// those is in the buckets. One a worker; not thread-safe. Choices may depend
/// on nothing but the calls, so that one worker is deterministic.
class BatchPolicy {
public:
  virtual ~BatchPolicy() = default;

  /// Activations of a cell share a bucket if their depths agree in these bits.
  virtual uint32_t keyMask() const = 0;

  /// At most this many of the picked bucket run together.
  virtual int64_t batchLimit(int64_t maxBatch) const { return maxBatch; }

  /// A bucket has got its first activation; the one picked last has lost its
  /// last one.
  virtual void opened(Bucket *) {}
  virtual void closed(Bucket *) {}

  /// Buckets vanished, or lost activations, without being picked.
  virtual void changed(const std::vector<Bucket *> &) {}

  /// The bucket to run, out of at least one.
  virtual Bucket *pick(const std::vector<Bucket *> &buckets) = 0;
};

/// The bucket that agenda picks.
Bucket *leastAverageDepth(const amprt_model_t &model,
                          const std::vector<Bucket *> &buckets);

struct PolicyTable;

// The model and the table outlive the policy.
std::unique_ptr<BatchPolicy> createNonePolicy();
std::unique_ptr<BatchPolicy> createDepthPolicy();
std::unique_ptr<BatchPolicy> createAgendaPolicy(const amprt_model_t &model);
std::unique_ptr<BatchPolicy> createPhasePolicy(const amprt_model_t &model,
                                               int64_t maxBatch);
std::unique_ptr<BatchPolicy> createGreedyPolicy(const amprt_model_t &model);
std::unique_ptr<BatchPolicy> createLearnedPolicy(const amprt_model_t &model,
                                                 const PolicyTable &table);

/// `maxBatch`: as the session's options say. `table`: for Policy::learned, else
/// not looked at.
std::unique_ptr<BatchPolicy> createBatchPolicy(Policy policy,
                                               const amprt_model_t &model,
                                               int64_t maxBatch,
                                               const PolicyTable *table);

} // namespace amprt

#endif // AMPRT_SRC_SCHED_BATCHPOLICY_H
