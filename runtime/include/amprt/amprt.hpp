//===- amprt.hpp - The runtime's C++ API ------------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   auto model = amprt::Model::load("libtagger.so");      // or
//   Model::linked(..) auto weights = amprt::Weights::load(*model,
//   "w.safetensors", {}); auto session = amprt::Session::create(*model,
//   *weights, {}); amprt::Submission result =
//   session->submit(std::move(instance));
//
// Ownership: Model and Weights are cheap shared handles; a Session keeps both
// alive. Nothing here is global.
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_AMPRT_HPP
#define AMPRT_AMPRT_HPP

#include "amprt/abi.h"
#include "amprt/observer.h"
#include "amprt/probe.h"
#include "amprt/status.h"
#include "amprt/tensor.h"

#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace amprt {

/// The ways to run an instance. All but predict need a model that was compiled
/// with --train.
enum class Entry {
  predict,
  evaluate, ///< As predict, with the loss among the results.
  train,    ///< As evaluate; gradients are computed, and go nowhere unless a
            ///< Trainer (train.hpp) runs it.
};

/// A compiled model. Immutable; thread-safe.
class Model {
public:
  /// A model that is linked into this program: its symbol `amprt_model`. Of
  /// one for several processors, what this processor can run (descriptor()).
  /// Statuses: failedPrecondition (magic or ABI version differ, or the code is
  /// for other processors alone).
  static Expected<Model> linked(const amprt_model_t &descriptor);

  /// Loads a shared library made by `ampc --shared`; it is unloaded with the
  /// last handle. Statuses: notFound, failedPrecondition.
  static Expected<Model> load(const std::string &path);

  const amprt_model_t &descriptor() const { return *theDescriptor; }
  /// Null where the model has no such entry.
  const amprt_entry_t *entry(Entry entry) const;

private:
  Model() = default;
  const amprt_model_t *theDescriptor = nullptr;
  std::shared_ptr<void> library;
};

struct WeightsOptions {
  uint64_t seed = 1; ///< For parameters that the file lacks.
};

/// The parameters of a model. Immutable; thread-safe.
class Weights {
public:
  /// Reads a safetensors file; an empty path initialises every parameter.
  /// A parameter that the file lacks is initialised from the seed and its name
  /// (so that its values do not depend on the other parameters); one that the
  /// file must give (an open number of rows) makes it fail.
  /// Statuses: notFound; invalidArgument (not safetensors; a tensor of the
  /// wrong type or shape: named, with what was expected).
  static Expected<Weights> load(const Model &model, const std::string &path,
                                const WeightsOptions &options);

  const std::vector<Tensor> &tensors() const; ///< In the model's order.
  const std::vector<std::string> &initialised() const; ///< Not in the file.
  const std::vector<std::string> &unused() const;      ///< Not in the model.

  /// Writes a safetensors file with every parameter, which replaces an old one
  /// as a whole or not at all. Statuses: invalidArgument (it cannot be
  /// written).
  Status save(const std::string &path) const;

private:
  friend struct WeightsAccess;
  Weights() = default;
  struct Data;
  std::shared_ptr<const Data> data;
};

/// Which ready cell runs next, and which of its activations run together.
enum class Policy {
  none,   ///< One activation at a time: no batching.
  depth,  ///< Those of the lowest depth, of one cell (Neubig et al. 2017, 3.2).
  agenda, ///< All of the cell of the least average depth (same, "agenda").
  phase,  ///< All of the cell of the greatest static priority.
  greedy, ///< All of the cell with the most ready activations.
  learned, ///< What a file says that amp-learn-policy made of a recorded run.
};

/// The policy of that name, or invalidArgument with the names there are.
Expected<Policy> parsePolicy(std::string_view name);
const char *policyName(Policy policy);

/// Who runs what.
enum class PlacementMode {
  instance, ///< A worker runs whole instances.
  model, ///< Each cell and its parameters belong to one worker; activations are
         ///< sent there (AMPNet).
};

/// The placement of that name, or invalidArgument with the names there are.
Expected<PlacementMode> parsePlacementMode(std::string_view name);

/// In which order the workers of a run did what they did: with the same
/// instances, weights and options a run can do it again, to the bit, whatever
/// the computer has of cores. A cheap shared handle; immutable; thread-safe.
class Recording {
public:
  /// Statuses: notFound; invalidArgument (no recording).
  static Expected<Recording> load(const std::string &path);
  /// Replaces an old file as a whole or not at all. Statuses: invalidArgument
  /// (it cannot be written).
  Status save(const std::string &path) const;

  struct Data;
  explicit Recording(std::shared_ptr<const Data> data)
      : data(std::move(data)) {}
  const Data &contents() const { return *data; }

private:
  std::shared_ptr<const Data> data;
};

struct SessionOptions {
  Policy policy = Policy::agenda;
  std::string policyFile; ///< Of Policy::learned.
  int workers = 1;        ///< Threads.
  PlacementMode placement = PlacementMode::instance;
  /// Which worker owns which cell, as a file (JSON) says it; empty: what
  /// balances the estimated work. Of PlacementMode::model.
  std::string placementFile;
  /// Workers in other processes, with PlacementMode::model: for each a
  /// connected stream socket, which the session takes and closes. At its other
  /// end runs serveCells; those are workers 1, 2, ..., so `workers` is one more
  /// than they are. All instances are at home in worker 0, here.
  std::vector<int> remotes;
  bool record = false; ///< For recording(). Of PlacementMode::model.
  /// A run to repeat, with its number of workers and its placement. Instances
  /// that are not cancelled must come in the same order; where anything else
  /// differs they fail.
  std::optional<Recording> replay;
  int64_t maxInFlight = 64;               ///< Open instances, over all workers.
  /// Instances that wait to be opened when submit begins to block; by default
  /// twice maxInFlight, but at least 64, so that threads seldom wait for one
  /// another.
  std::optional<int64_t> maxWaiting;
  int64_t maxBatch = 1024;                ///< Activations in one batch.
  int64_t stepLimit = 100'000'000;        ///< Frames an instance may open.
  int64_t memoryLimit = int64_t(4) << 30; ///< Bytes of an instance's arena.
  bool timeCells = false;     ///< Measure each batch (two clock reads a batch).
  bool timeInstances = false; ///< Fill in Result::times (three an instance).
  /// Is told of each batch and each instance, with times; null: nobody. Must
  /// outlive the session.
  SessionObserver *observer = nullptr;
  /// Sees, and changes, the depth of each activation; null: nobody. Must
  /// outlive the session. With one, everything is somewhat slower.
  DepthProbe *probe = nullptr;
};

/// Sets the policy from text: a policy's name, or "learned:FILE". Statuses:
/// invalidArgument; then the options are as they were.
Status setPolicy(SessionOptions &options, std::string_view text);

struct CellStats {
  std::string name;
  int64_t batches = 0, activations = 0, rows = 0;
  double seconds = 0; ///< In compute functions; 0 unless timeCells.
  /// Batches by size: [0] holds size 1, [i] sizes in (2^(i-1), 2^i].
  std::vector<int64_t> histogram;
};

struct WorkerStats {
  int64_t batches = 0, activations = 0;
  int64_t messages = 0;      ///< Sent to other workers.
  double seconds = 0;        ///< Busy time, cells included.
  double cellSeconds = 0;    ///< Of it in compute functions (timeCells).
  double waitingSeconds = 0; ///< With nothing to do: looking for it, or asleep.
                             ///< A wait counts when it has ended.
  /// Between two batches a worker looks whether another has sent messages: how
  /// often one had, how many those were together, and at most at once.
  int64_t looks = 0, received = 0, mostReceived = 0;
  /// Asynchronous training: how often it stopped between two batches, together
  /// with all others, to average replicas or for a checkpoint, and for how long
  /// in all and at most at once.
  int64_t meetings = 0;
  double meetingSeconds = 0, longestMeetingSeconds = 0;

  /// Messages that waited when it looked, on the mean of the looks that found
  /// any; 0 if none did.
  double meanReceived() const {
    return looks ? double(received) / double(looks) : 0;
  }
};

/// What a session did since its start or the last reset.
struct Stats {
  int64_t instances = 0, failed = 0, frames = 0;
  int64_t batches = 0, activations = 0;
  double workerSeconds = 0;   ///< Busy time, over all workers, cells included.
  double cellSeconds = 0;     ///< Of it in compute functions (timeCells).
  int64_t peakArenaBytes = 0; ///< Largest arena of one instance.
  int64_t peakRowBytes = 0;   ///< Most bytes of rows that one instance had
                              ///< together, each row's rounded up to 64.
  int64_t arenaBytes = 0;     ///< Of all open instances, now: 0 when quiet.
  int64_t messages = 0;       ///< Between workers.
  std::vector<CellStats> cells;
  std::vector<WorkerStats> workers;
};

/// What became of one instance.
struct Result {
  Status status;
  Values values;       ///< Empty unless status is ok.
  InstanceTimes times; ///< With SessionOptions::timeInstances.
};

struct SubmitOptions {
  Entry entry = Entry::predict;
  /// From then on the instance ends with resourceExhausted, at the next point
  /// between two events or batches; also while it waits.
  std::chrono::steady_clock::time_point deadline =
      std::chrono::steady_clock::time_point::max();
};

struct SubmissionControl;

/// The result to come of one instance, and a way to do without it. May be moved
/// to a plain std::future. Thread-compatible, but for cancel.
class Submission : public std::future<Result> {
public:
  Submission() = default;

  /// Unless it has ended by then, the instance ends with `cancelled` at the
  /// next point between two events or batches; also while it waits. Any thread,
  /// at any time, also when the result was taken or the session has ended.
  void cancel() const;

private:
  friend class Session;
  Submission(std::future<Result> result,
             std::shared_ptr<SubmissionControl> control)
      : std::future<Result>(std::move(result)), control(std::move(control)) {}

  std::shared_ptr<SubmissionControl> control;
};

/// Runs instances of one model, batched on the fly. Thread-safe: any thread may
/// submit. Destruction cancels what has not ended.
class Session {
public:
  /// Statuses: invalidArgument (an option out of range; a policy's file that
  /// is none), notFound (a policy's file), failedPrecondition (weights or a
  /// policy of another model).
  static Expected<std::unique_ptr<Session>>
  create(Model model, Weights weights, const SessionOptions &options);
  ~Session();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  /// Queues an instance. Every field of the entry must be there with its type
  /// and shape, else the future is ready at once with invalidArgument and the
  /// field's name (or with failedPrecondition if the model has no such entry);
  /// fields that the model does not know are ignored. Blocks when
  /// SessionOptions::maxWaiting instances wait to be opened, until half of them
  /// are (back-pressure), but not beyond the deadline.
  Submission submit(Values instance, const SubmitOptions &options = {});

  /// The same for several instances at once, and without blocking. With one
  /// worker, and when nothing else is in the session, every step that follows
  /// is determined: the same instances make the same batches.
  std::vector<Submission> submitAll(std::vector<Values> instances,
                                    const SubmitOptions &options = {});

  /// What submit(instance, options).get() gives, for one instance whose result
  /// is wanted soon: while a worker has nothing to do, the calling thread does
  /// its work, so that none is woken; what others submit meanwhile joins in.
  /// With PlacementMode::model, workers do it all the same.
  Result run(const Values &instance, const SubmitOptions &options = {});

  /// Blocks until all that was submitted has ended.
  void wait();

  /// Of a quiet session with SessionOptions::record: what was done so far.
  Recording recording() const;

  /// Of a quiet session (after wait()): exact; else approximate.
  Stats stats() const;
  void resetStats();

private:
  Session();
  class Impl;
  std::unique_ptr<Impl> impl;
};

/// Is a worker of a session in another process (SessionOptions::remotes): runs
/// the cells that it is given on the calling thread, until that session or the
/// connection ends; then the status is ok. `socket` is taken. Model and weights
/// must be those of the session; of the options, policy, maxBatch and
/// memoryLimit count. Statuses: invalidArgument (an option; no such socket; not
/// a session at its other end), failedPrecondition (another model, other
/// weights), notFound (a policy's file). Both sides are told.
Status serveCells(Model model, Weights weights, const SessionOptions &options,
                  int socket);

} // namespace amprt

#endif // AMPRT_AMPRT_HPP
