//===- Engine.h - Workers and what they share -------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CORE_ENGINE_H
#define AMPRT_SRC_CORE_ENGINE_H

#include "msg/ProcessLink.h"
#include "msg/ThreadLink.h"
#include "sched/DeadlineTimer.h"
#include "sched/SessionState.h"
#include "sched/Worker.h"

#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <vector>

namespace amprt {

/// What a trainer adds to an engine.
struct TrainingParts {
  std::vector<Gradients *> gradients; ///< One for each of workersFor(options);
                                      ///< they outlive the engine.
  /// The weights of further replicas; how many there are, with the first,
  /// divides the workers.
  std::vector<Weights> copies;
  int64_t meetEvery = 0, cutEvery = 0; ///< As Meeting's.
};

/// The workers of a model and what they share: what a session and a trainer
/// have in common. Thread-safe, but for runOnWorkers.
class Engine {
public:
  /// Statuses: as Session::create.
  static Expected<std::unique_ptr<Engine>> create(Model model, Weights weights,
                                                  const SessionOptions &options,
                                                  TrainingParts training);
  ~Engine();
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;

  /// See amprt::serveCells.
  static Status serve(Model model, Weights weights, SessionOptions options,
                      int socket);

  /// The options with what a recorded run demands.
  static SessionOptions complete(SessionOptions options);

  /// Workers that there will be: one that could open no instance is not made.
  static size_t workersFor(const SessionOptions &options);

  /// `entry`: or null, where the model lacks it; check() says so.
  Request makeRequest(const amprt_entry_t *entry, const SubmitOptions &options);
  /// Whether the instance may be queued.
  Status check(const Request &request);

  /// Runs an instance on the calling thread if it can have a worker for that,
  /// else queues it. `result`: of its promise.
  void run(Request request, const std::future<Result> &result);

  /// Runs `job(worker)` once on each worker's thread, and returns when all have
  /// ended. No instance may be unended, or be submitted meanwhile.
  void runOnWorkers(const std::function<void(int)> &job) {
    (void)state.queue.runOnWorkers(job, workers.size());
  }

  /// All must be quiet.
  Recording recording() const;

  Stats total() const;
  int64_t arenaBytes() const;
  void resetPeaks();

  SessionState state;
  const std::shared_ptr<AttentionBell> bell = std::make_shared<AttentionBell>();
  DeadlineTimer timer{*bell};

private:
  Engine(Model model, const SessionOptions &options)
      : state(std::move(model), options) {}
  Status prepare();
  Status prepareReplicas(Weights weights, TrainingParts &training);
  Status place();
  void describeCells();
  Status prepareLogs();
  /// Agrees with the workers in other processes on what they are to do.
  Status introduce();
  /// For another worker of this process.
  Sleeper &addSleeper();
  void connect();
  void connectRemotes();
  void runRemote(int number, std::unique_ptr<Stream> stream);
  void start();

  // Between workers, with model placement: from one to another (row by row),
  // and by worker.
  std::vector<std::unique_ptr<MessageQueue>> queues;
  std::vector<std::unique_ptr<Sleeper>> sleepers;
  // With other processes; the streams until there are links.
  std::vector<std::unique_ptr<Stream>> streams;
  std::vector<CellValues> cells;
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<std::thread> threads;
};

/// Why the model has no such entry.
Status missingEntry(const amprt_model_t &model, Entry entry);

} // namespace amprt

#endif // AMPRT_SRC_CORE_ENGINE_H
