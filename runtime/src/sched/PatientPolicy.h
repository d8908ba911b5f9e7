//===- PatientPolicy.h - Policies by rank that starve nobody ----*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_SCHED_PATIENTPOLICY_H
#define AMPRT_SRC_SCHED_PATIENTPOLICY_H

#include "sched/BatchPolicy.h"

#include <vector>

namespace amprt {

/// A policy that prefers some cells to others whatever their depth, but lets
/// none wait for ever while new instances keep coming: a cell that had
/// something ready and was passed over `patience` times in a row goes next, the
/// one that has waited longest first. A cell's activations run in the order
/// they came.
///
/// So an activation that finds n of its cell before it is in one of the next
/// (n / maxBatch + 1) * (patience + cells) batches of its worker, whatever else
/// arrives.
class PatientPolicy : public BatchPolicy {
public:
  /// Small, since that also lets instances end, and others take their place,
  /// that wait for what is liked least: see the README for what it is worth.
  static constexpr uint32_t usualPatience = 8;

  explicit PatientPolicy(const amprt_model_t &model,
                         uint32_t patience = usualPatience)
      : model(model), patience(patience), waitingSince(model.cell_count) {}

  uint32_t keyMask() const final { return 0; }
  void opened(Bucket *bucket) final { waitingSince[bucket->cell] = picks; }
  Bucket *pick(const std::vector<Bucket *> &buckets) final;

protected:
  /// The bucket to run if nobody has waited too long.
  virtual Bucket *prefer(const std::vector<Bucket *> &buckets) = 0;

  const amprt_model_t &model;

private:
  const uint32_t patience;
  uint64_t picks = 0;
  /// The number of picks when the cell's bucket was opened or picked last.
  std::vector<uint64_t> waitingSince;
};

} // namespace amprt

#endif // AMPRT_SRC_SCHED_PATIENTPOLICY_H
