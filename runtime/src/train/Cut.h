//===- Cut.h - Training as it was at one moment -----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_CUT_H
#define AMPRT_SRC_TRAIN_CUT_H

#include "core/Instance.h"
#include "core/Pause.h"
#include "sched/SubmissionQueue.h"
#include "train/Barrier.h"
#include "train/LocalUpdates.h"

#include <atomic>
#include <memory>
#include <vector>

namespace amprt {

/// What has become of the instances of a pass, in their order.
struct PassProgress {
  enum State : uint8_t { open, ended, failed };
  std::vector<uint8_t> states;
  std::vector<double> losses; ///< Of those that have ended.

  void resize(size_t count) {
    states.assign(count, open);
    losses.assign(count, 0);
  }
};

/// What one worker owns, copied.
class OwnedCopy final : public CopyFirst {
public:
  struct Part {
    TrainedParam param; ///< Its tensor is `tensor`; only of the first replica.
    Tensor tensor;
    PendingGradient gradient;
    LocalUpdates::Counts counts;
  };

  /// All must outlive it. `hasWeights`: whether they are to be copied as well.
  OwnedCopy(std::vector<TrainedParam> &params, Gradients &gradients,
            LocalUpdates &local, bool hasWeights);

  /// Makes room; throws std::bad_alloc.
  void allocate();

  /// From now on all are copied as they are now. The owner, or while all is
  /// quiet.
  void begin();
  /// Copies what is left to copy. Any thread.
  void finish();

  LocalUpdates &updates() const { return local; }
  Gradients &gradientsOf() const { return gradients; }
  /// By place in updates().parameters(); whole after finish.
  Part &part(size_t place) { return *parts[place]; }

private:
  void copy(uint32_t param) override;

  std::vector<TrainedParam> &params;
  Gradients &gradients;
  LocalUpdates &local;
  const bool hasWeights;
  std::vector<std::unique_ptr<Part>> parts;
  std::vector<Part *> byParam; ///< Null: not owned.
};

/// All of asynchronous training as it was between two batches of each worker,
/// while instances are under way. What those that have ended then have given is
/// in the weights or waits in the gradients; the others count as not trained.
/// (Some of what those give may be in as well: it cannot be told apart from the
/// rest of a sum.) Workers stop until all are between two batches, and note
/// what there is to copy; copies are made as CopyFirst says.
class Cut {
public:
  /// `queue` outlives it.
  /// `teamSize`: workers of a replica.
  Cut(SubmissionQueue &queue, int workers, int teamSize)
      : queue(queue), teamSize(teamSize),
        barrier(size_t(workers), looksBeforeSleep) {}

  std::vector<std::unique_ptr<OwnedCopy>> owned; ///< One a worker.

  /// Makes room, once; throws std::bad_alloc.
  void allocate();

  /// The pass that runs from now on, or null. Not during a cut. Throws
  /// std::bad_alloc.
  void watch(const std::vector<Outcome> *outcomes);

  /// Each worker calls it, all at the same time, between two batches.
  void attend(int worker);

  /// Whether there is one that nobody is done with.
  bool isTaken() const { return taken.load(std::memory_order_acquire); }
  /// The same as all workers' attend, while all is quiet.
  void takeQuiet();
  /// Copies what workers have not; then all may be read. Any one thread.
  void finish();
  void doneWith() { taken.store(false, std::memory_order_release); }

  /// Of the pass; no instances between passes.
  const PassProgress &progress() const { return noted; }
  int64_t updates() const; ///< By owners, until then.
  /// The first replica's parameter, or null if nobody owns it, so that it does
  /// not change.
  TrainedParam *copyOf(uint32_t param) const;

  int64_t replicas() const { return int64_t(owned.size()) / teamSize; }
  int64_t replicaOf(int worker) const { return worker / teamSize; }

private:
  void noteProgress();

  SubmissionQueue &queue;
  const int teamSize;
  Barrier barrier;
  const std::vector<Outcome> *pass = nullptr;
  PassProgress noted;
  std::atomic<bool> taken{false};
  bool hasRoom = false;
};

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_CUT_H
