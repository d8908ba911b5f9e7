//===- train.hpp - Training a model -----------------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A trainer runs minibatches of instances through the model's train entry,
// batched on the fly as a session does, adds up exact gradients, and updates
// the weights. The instances of an update and those that are open at once
// (SessionOptions::maxInFlight) are independent of one another.
//
// With one worker everything is reproducible to the bit on one kind of
// processor. With several, each adds up the gradients of the instances that it
// happens to get, so that updates agree up to rounding.
//
// Parameters are trained in f32. Those of bf16 or f16 have f32 masters, which
// are rounded after each update; those of other types stay as they are.
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_TRAIN_HPP
#define AMPRT_TRAIN_HPP

#include "amprt/amprt.hpp"

#include <functional>
#include <map>
#include <optional>

namespace amprt {

/// The formulas and defaults are PyTorch's.
enum class OptimiserKind {
  sgd,      ///< w -= rate g
  momentum, ///< b = momentum b + g; w -= rate b (Nesterov: g + momentum b)
  adam,     ///< Kingma and Ba 2015; epsilon outside of the root
  adamw,    ///< The same with decoupled weight decay (Loshchilov and Hutter).
  adagrad,  ///< s += g^2; w -= rate g / (sqrt(s) + epsilon)
};

/// The kind of that name ("adam"), or invalidArgument with the names there are.
Expected<OptimiserKind> parseOptimiser(std::string_view name);
const char *optimiserName(OptimiserKind kind);

/// What is not set has the default of the kind.
struct OptimiserOptions {
  OptimiserKind kind = OptimiserKind::adam;
  std::optional<double> learningRate; ///< 0.001; adagrad: 0.01.
  /// Times the weights, added to the gradient; adamw: the share by which
  /// weights shrink, times the learning rate. 0; adamw: 0.01.
  std::optional<double> weightDecay;
  double momentum = 0.9;             ///< Of momentum.
  bool nesterov = false;             ///< Of momentum.
  double beta1 = 0.9, beta2 = 0.999; ///< Of adam and adamw.
  std::optional<double> epsilon;     ///< adam, adamw: 1e-8; adagrad: 1e-10.
  double learningRateDecay = 0;      ///< Of adagrad.
  /// Rows of a table that no lookup of the update has touched stay as they are,
  /// with their state. Off, all rows do what their zero gradient demands: with
  /// momentum or Adam they move on. sgd and adagrad without weight decay touch
  /// no other rows either way.
  bool lazy = false;

  double rate() const;
  double decay() const;
  double smallest() const; ///< Epsilon.
};

/// How the learning rate changes from update to update.
struct ScheduleOptions {
  enum class Kind {
    constant,
    step,        ///< Times `factor` every `period` updates.
    exponential, ///< The same, but a little with each update.
    cosine,      ///< Half a cosine down to `least` times the rate in `period`
                 ///< updates, and constant from there on.
  };
  Kind kind = Kind::constant;
  int64_t period = 1;
  double factor = 1;
  double least = 0;
  /// Before all that, so many updates in which the rate grows linearly: to
  /// 1 / warmup in the first, to 1 in the last.
  int64_t warmup = 0;
};

/// What the learning rate is multiplied by in update number `update`, from 0.
double scheduledFactor(const ScheduleOptions &schedule, int64_t update);

/// What is minimised: the mean of the losses of an update's instances, or their
/// sum.
enum class Reduction { mean, sum };

class Trainer;

/// Training without steps of the whole (Gaunt et al. 2017, "AMPNet"): each
/// parameter belongs to one worker, which updates it by itself while instances
/// are under way. TrainOptions::session.maxInFlight is the paper's
/// max_active_keys; with 1 and a frequency of 1, an update has what one
/// instance gives, as in minibatches of one.
struct AsyncOptions {
  /// The paper's min_update_frequency: rows of gradients that a parameter gets
  /// before it is updated (an activation of a cell gives one, or as many as its
  /// row block has). It is updated when an instance ends.
  int64_t minUpdateFrequency = 1;
  std::map<std::string, int64_t> frequencyOf; ///< Of single parameters.
  /// Instances that count as one update for the schedule.
  int64_t scheduleBatch = 1;
  /// Copies of all cells with their parameters (the paper's replicas). They
  /// divide the workers into teams of workers / replicas each: an instance
  /// stays with the team of the worker that took it up, and the team updates
  /// its own copy. With as many as workers, no message goes from one to
  /// another.
  int replicas = 1;
  /// Instances, over all replicas, between two averagings: workers come
  /// together between two batches, instances under way go on with the new
  /// weights. Each element of each parameter becomes the arithmetic mean over
  /// the replicas, and so does the optimiser's state (moments, sums of
  /// squares); its count of steps becomes the greatest. 0: only at the end of
  /// each pass, where it is always done, so that between two passes all
  /// replicas are the same.
  int64_t averageEvery = 0;
  /// Instances, over all replicas, between two checkpoints amid a pass; 0:
  /// none. Workers stop until all are between two batches, and note what there
  /// is to copy; it is copied by the thread that called pass, but for what a
  /// worker is about to change. While a checkpoint is being written no other
  /// begins. Replicas are averaged for each. Takes as much memory again as
  /// weights, optimiser's state and gradients. Not together with
  /// SessionOptions::record or replay.
  int64_t checkpointEvery = 0;
  /// Called for each, on the thread that called pass, while workers go on.
  /// There Trainer::save, CheckpointFolder::save and Trainer::updates are of
  /// that moment, and nothing else of the trainer may be called. What it
  /// returns, if it is not ok, pass returns at its end. Must not throw.
  std::function<Status(const Trainer &)> onCheckpoint;
};

struct TrainOptions {
  SessionOptions session;
  OptimiserOptions optimiser;
  ScheduleOptions schedule;
  Reduction reduction = Reduction::mean;
  double clipValue = 0; ///< Greatest magnitude of a gradient's element; 0: any.
  double clipNorm = 0;  ///< Greatest norm of all gradients together; 0: any.
                        ///< After clipValue.
  bool measureNorm = false; ///< Fill in UpdateResult::gradientNorm.
  /// An update with instances that fail is run again without them. Off, it is
  /// refused. Either way, none of their gradients gets into the weights.
  bool skipFailed = false;
  /// Trainer::pass instead of update. Placement is by model.
  std::optional<AsyncOptions> async;
};

/// An instance to train on or to evaluate. Its fields must live until the call
/// that got it has returned.
struct Example {
  const Values *values;
  uint64_t seed = 0; ///< For what is random in it: see exampleSeed.
  uint64_t line = 0; ///< Of a file, for messages; 0: its number in the batch.
};

/// A seed for an instance, so that what is random (dropout) differs per
/// instance and epoch and depends on nothing else.
uint64_t exampleSeed(uint64_t runSeed, uint64_t epoch, uint64_t number);

/// An instance that failed.
struct ExampleFailure {
  size_t index; ///< In the batch.
  Status status;
};

struct EvaluateResult {
  double lossSum = 0;
  int64_t instances = 0; ///< That are in it.
  double seconds = 0;
  std::vector<ExampleFailure> failures; ///< TrainOptions::skipFailed.

  double meanLoss() const { return lossSum / double(instances); }
};

struct UpdateResult : EvaluateResult {
  double learningRate = 0;
  /// Of all gradients, before clipping by norm; NaN unless it was needed.
  double gradientNorm = 0;
};

/// What became of a parameter in asynchronous training, since the beginning.
struct ParamUpdates {
  std::string name;
  int worker = 0; ///< That owns it, or this replica of it.
  int64_t updates = 0;
  int64_t rows = 0;      ///< Of gradients that went into them.
  int64_t instances = 0; ///< That ended at its owner.
  /// Updates between an instance's coming to the owner and its end there:
  /// instances by number of updates. [0] holds 0, [1] 1, [i] those in
  /// (2^(i-2), 2^(i-1)].
  std::vector<int64_t> staleness;
  double meanStaleness = 0;
  int64_t greatestStaleness = 0;
};

struct PassResult : EvaluateResult {
  int64_t updates = 0;     ///< Of all parameters together.
  int64_t averagings = 0;  ///< Of replicas.
  int64_t checkpoints = 0; ///< Amid the pass.
};

/// Trains one model. Thread-compatible: one call at a time.
class Trainer {
public:
  /// Copies the weights. Statuses: as Session::create; failedPrecondition (the
  /// model was compiled without --train, or has no loss); invalidArgument (an
  /// option out of range).
  static Expected<std::unique_ptr<Trainer>>
  create(Model model, const Weights &weights, const TrainOptions &options);
  ~Trainer();
  Trainer(const Trainer &) = delete;
  Trainer &operator=(const Trainer &) = delete;

  /// Computes the loss and its gradients on a minibatch and updates the
  /// weights. On an error they, and all state, are as they were before: an
  /// instance has failed (its own status, with its number in the batch), or the
  /// loss or the norm of the gradients is not finite (failedPrecondition, with
  /// the number of the update). An empty batch is invalidArgument.
  Expected<UpdateResult> update(const std::vector<Example> &batch);

  /// The same; seeds come from `seed` and the number of instances so far.
  Expected<UpdateResult> update(const std::vector<Values> &batch,
                                uint64_t seed = 1);

  /// Trains on the instances asynchronously, in their order as far as workers
  /// take them up, and returns when all have ended; see AsyncOptions. Rows that
  /// are too few for an update are kept for the next pass. What an instance
  /// that fails has given stays in the weights; unless skipFailed, its error is
  /// returned when the others have ended. At the end replicas are averaged.
  /// After a restore of a checkpoint that was made amid a pass, the instances
  /// must be those of that pass: it goes on with those that had not ended, and
  /// the result is of all. Those that were under way begin again; what they had
  /// given until then may be in the weights twice, unless maxInFlight is 1.
  /// Statuses: as update; failedPrecondition (another number of instances);
  /// those of onCheckpoint.
  Expected<PassResult> pass(const std::vector<Example> &instances);

  /// Of all parameters that are trained asynchronously; replica by replica.
  std::vector<ParamUpdates> paramUpdates() const;

  /// The loss with the weights as they are. Statuses: as update, but for the
  /// norm; failedPrecondition (no evaluate entry).
  Expected<EvaluateResult> evaluate(const std::vector<Example> &instances);

  /// What update would multiply by the learning rate, and no more: the gradient
  /// of each parameter, in f32, after reduction and before clipping. A
  /// parameter that is not trained has a tensor without elements. Statuses: as
  /// update.
  Expected<std::vector<Tensor>> gradients(const std::vector<Example> &batch);

  /// A copy of the weights as they are now.
  Weights weights() const;

  /// That were made, before a restore as well; of parameters, if asynchronous.
  int64_t updates() const;

  /// Writes weights, the optimiser's state and `notes` (the caller's own) into
  /// one safetensors file, which replaces the old one as a whole or not at all.
  /// If asynchronous, also the gradients that wait for an update; for that it
  /// copies all (resourceExhausted).
  /// Statuses: invalidArgument (it cannot be written; the old one is intact).
  Status save(const std::string &path,
              const std::map<std::string, std::string> &notes = {}) const;

  /// Takes up a file of save, and returns its notes. Gradients that wait in one
  /// of another number of replicas are left out. On an error nothing has
  /// changed. Statuses: notFound; invalidArgument (broken, or not a file of
  /// save); failedPrecondition (of another model or optimiser).
  Expected<std::map<std::string, std::string>> restore(const std::string &path);

  Recording recording() const; ///< As Session::recording.

  Stats stats() const; ///< As Session::stats.
  void resetStats();

private:
  Trainer();
  class Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace amprt

#endif // AMPRT_TRAIN_HPP
