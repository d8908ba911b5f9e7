//===- LocalUpdates.h - Updates that an owner makes by itself ---*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_LOCALUPDATES_H
#define AMPRT_SRC_TRAIN_LOCALUPDATES_H

#include "sched/OwnerHooks.h"
#include "train/Packing.h"
#include "train/ParamSteps.h"

#include <vector>

namespace amprt {

/// The updates of the parameters that one worker owns, each for itself (Gaunt
/// et al. 2017, "AMPNet", section 3): when enough rows of gradients have come
/// for a parameter, it is updated, at the next end of an instance. So all that
/// an instance gives is in its update if no other is active, which is
/// minibatches of one. Its worker's thread alone, but when all is quiet.
class LocalUpdates final : public OwnerHooks {
public:
  struct Settings {
    float clipValue = HUGE_VALF;
    double clipNorm = HUGE_VAL; ///< Of a parameter's gradient.
    bool isMean = true; ///< Over the instances that ended since its first row.
    bool lazy = false;
    double rate = 0; ///< Before the schedule.
    ScheduleOptions schedule;
    int64_t scheduleBatch = 1; ///< Instances that count as one update for it.
    int64_t replicas = 1; ///< Each of which has its share of the instances.
    std::vector<int64_t> frequency; ///< By parameter: rows before an update.
  };

  /// All must outlive it. `params`: those of the worker's replica, as are
  /// `weights`. `owned`: parameters.
  LocalUpdates(const amprt_model_t &model, PreparedWeights &weights,
               Gradients &gradients, std::vector<TrainedParam> &params,
               const Optimiser &optimiser, const Settings &settings,
               std::vector<uint32_t> owned);

  void begin(OwnerNotes &notes) override;
  void end(const OwnerNotes &notes) override;

  /// So many instances have ended in all, as the schedule counts them.
  void resumeAfter(int64_t instances) { ended = instances / settings.replicas; }

  /// How many updates a parameter had between an instance's coming and its
  /// end, counted over instances: [0], [1], then (2^(i-2), 2^(i-1)].
  struct Staleness {
    static constexpr size_t size = 24;
    int64_t counts[size] = {};
    int64_t total = 0, greatest = 0;
    void add(int64_t updates);
  };
  struct Owned {
    uint32_t param;
    uint32_t updates = 0;
    int64_t instances = 0; ///< Ended since its first row that waits.
    int64_t rows = 0;      ///< Of gradients, in all updates.
    Staleness staleness;
    std::vector<PackTask> packs;
  };
  const std::vector<Owned> &parameters() const { return owned; }

  /// What a checkpoint must know of a parameter, beside its gradient.
  struct Counts {
    int64_t instances = 0; ///< As Owned's.
    int64_t ended = 0;     ///< At the owner, as the schedule counts them.
    int64_t late =
        0; ///< Have ended elsewhere, and the owner is yet to hear it.
    int64_t updates = 0;
  };
  /// While nothing ends here, and all workers meet or all is quiet.
  Counts countsOf(const Owned &each) const {
    return {each.instances, ended, endsUnderWay.load(std::memory_order_relaxed),
            each.updates};
  }
  /// Goes on from there. Weights and gradients must be those of then: what is
  /// late ends now, and may update them.
  /// `counts`: by place in parameters().
  void resume(const std::vector<Counts> &counts);

private:
  void countEnd(Owned &each);
  void update(Owned &each);

  const amprt_model_t &model;
  PreparedWeights &weights;
  Gradients &gradients;
  const std::vector<TrainedParam> &params;
  const Settings settings;
  ParamSteps steps;
  std::vector<Owned> owned;
  std::vector<StepTask> tasks;
  int64_t ended = 0;
};

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_LOCALUPDATES_H
