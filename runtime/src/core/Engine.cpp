//===- Engine.cpp - Workers and what they share ---------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Engine.h"

#include "core/Marshal.h"
#include "cpu/OneThread.h"
#include "io/PlacementFile.h"
#include "io/PolicyFile.h"
#include "io/RecordingFile.h"

#include <algorithm>
#include <new>
#include <system_error>

namespace amprt {

static Status checkOptions(const SessionOptions &options) {
  auto check = [](const char *name, int64_t value, int64_t most) -> Status {
    if (value >= 1 && value <= most)
      return {};
    return {StatusCode::invalidArgument,
            std::string(name) + " is " + std::to_string(value) +
                ", but must be at least 1 and at most " + std::to_string(most)};
  };
  for (Status status :
       {check("workers", options.workers, 1024),
        check("maxInFlight", options.maxInFlight, int64_t(1) << 32),
        check("maxWaiting", options.maxWaiting.value_or(1), int64_t(1) << 32),
        check("maxBatch", options.maxBatch, int64_t(1) << 32),
        check("stepLimit", options.stepLimit, int64_t(1) << 62),
        check("memoryLimit", options.memoryLimit, int64_t(1) << 40)})
    if (!status.ok())
      return status;
  auto isPolicy = parsePolicy(policyName(options.policy));
  if (!isPolicy)
    return isPolicy.status();
  if (options.policy == Policy::learned && options.policyFile.empty())
    return {StatusCode::invalidArgument, "policy 'learned' needs a policyFile"};
  return {};
}

static Status checkRemotes(const SessionOptions &options) {
  if (options.remotes.empty())
    return {};
  auto bad = [](const char *why) {
    return Status(StatusCode::invalidArgument, why);
  };
  if (options.placement != PlacementMode::model)
    return bad("workers in other processes need placement 'model'");
  if (size_t(options.workers) != options.remotes.size() + 1)
    return bad("with remotes, workers must be one more than they are");
  if (options.record || options.replay)
    return bad("a run in several processes can be neither recorded nor "
               "repeated");
  return {};
}

static void countResult(amprt_worker_t *worker, amprt_frame_t *frame,
                        uint32_t) {
  auto *host = static_cast<HostFrame *>(frame);
  if (--host->eventsLeft < 0)
    static_cast<Worker *>(worker)->fail(
        static_cast<Instance &>(*frame->instance), StatusCode::internal,
        "a result was delivered twice");
}

Status Engine::prepareReplicas(Weights weights, TrainingParts &training) {
  training.copies.insert(training.copies.begin(), std::move(weights));
  for (Weights &each : training.copies) {
    auto prepared =
        PreparedWeights::prepare(state.descriptor(), std::move(each));
    if (!prepared)
      return prepared.status();
    state.replicas.push_back(std::move(*prepared));
  }
  if (state.replicas.size() > 1 || training.cutEvery)
    state.meeting =
        std::make_unique<Meeting>(state.queue, state.options.workers,
                                  training.meetEvery, training.cutEvery);
  return {};
}

Status Engine::prepare() {
  const amprt_model_t &model = state.descriptor();
  if (state.options.policy == Policy::learned) {
    Expected<PolicyTable> table =
        loadPolicyTable(state.options.policyFile, model);
    if (!table)
      return table.status();
    state.policyTable = std::make_unique<PolicyTable>(std::move(*table));
  }

  // Where a word goes does not depend on the entry, so one site does for all.
  uint32_t events = 0, words = 0;
  for (const amprt_entry_t *entry :
       {model.predict, model.evaluate, model.train})
    if (entry) {
      events = std::max(events, entry->result_events);
      words = std::max(words, entry->result_words);
    }
  state.resultHandlers.assign(events, countResult);
  for (uint32_t i = 0; i < words; ++i)
    state.resultOffsets.push_back(
        uint32_t(sizeof(HostFrame) + i * sizeof(uint64_t)));
  state.resultSite = {state.resultHandlers.data(), state.resultOffsets.data()};
  return {};
}

size_t Engine::workersFor(const SessionOptions &options) {
  if (!options.remotes.empty())
    return 1;
  if (options.placement == PlacementMode::model)
    return size_t(options.workers); // Each has its cells.
  return size_t(std::min(int64_t(options.workers), options.maxInFlight));
}

SessionOptions Engine::complete(SessionOptions options) {
  if (!options.replay)
    return options;
  const Recording::Data &run = options.replay->contents();
  options.placement = PlacementMode::model;
  options.workers = int(run.decisions.size());
  options.maxInFlight = run.maxInFlight;
  options.maxBatch = run.maxBatch;
  if (auto policy = parsePolicy(run.policy))
    options.policy = *policy;
  return options;
}

/// What workers decide is noted, or known.
Status Engine::prepareLogs() {
  const SessionOptions &options = state.options;
  if (options.record && !state.isPlaced())
    return {StatusCode::invalidArgument,
            "only a run with placement 'model' can be recorded"};
  if (options.replay) {
    const Recording::Data &run = options.replay->contents();
    if (run.model != state.descriptor().name ||
        run.placement.owners.size() != state.descriptor().cell_count)
      return {StatusCode::failedPrecondition,
              "the recorded run is one of another model, '" + run.model + "'"};
    if (run.replicas != int64_t(state.replicas.size()))
      return {StatusCode::failedPrecondition,
              "the recorded run is one of training with " +
                  std::to_string(run.replicas) + " replicas"};
    for (const std::vector<Decision> &decisions : run.decisions) {
      state.logs.push_back(std::make_unique<DecisionLog>(decisions));
      state.logsToRepeat += !decisions.empty();
    }
  } else if (options.record) {
    for (int i = 0; i < options.workers; ++i)
      state.logs.push_back(std::make_unique<DecisionLog>());
  }
  return {};
}

Recording Engine::recording() const {
  Recording::Data data;
  data.model = state.descriptor().name;
  data.policy = policyName(state.options.policy);
  data.maxBatch = state.options.maxBatch;
  data.maxInFlight = state.options.maxInFlight;
  data.replicas = int64_t(state.replicas.size());
  data.meetEvery = state.meeting ? state.meeting->every : 0;
  data.placement = state.placement;
  for (const std::unique_ptr<DecisionLog> &log : state.logs)
    data.decisions.push_back(log->all());
  return Recording(std::make_shared<const Recording::Data>(std::move(data)));
}

Status Engine::place() {
  if (state.options.placement != PlacementMode::model)
    return {};
  if (state.options.probe)
    return {StatusCode::invalidArgument,
            "a depth probe needs placement 'instance'"};
  PlaceOptions how{state.teamSize(), !state.gradients.empty()};
  const amprt_model_t &model = state.descriptor();
  if (state.options.replay) {
    state.placement = state.options.replay->contents().placement;
    return checkPlacement(model, state.placement, how);
  }
  auto chosen = choosePlacement(model, state.options.placementFile, how);
  if (!chosen)
    return chosen.status();
  state.placement = std::move(*chosen);
  if (!streams.empty()) {
    describeCells();
    // A list means something in one address space only.
    for (size_t i = 0; i < cells.size(); ++i)
      if (!cells[i].mayTravel())
        state.placement.owners[i] = Placement::home;
  }
  return {};
}

Sleeper &Engine::addSleeper() {
  sleepers.push_back(std::make_unique<Sleeper>());
  sleepers.back()->wake = [this] { state.queue.wake(); };
  return *sleepers.back();
}

/// A queue from each worker to each other.
void Engine::connect() {
  size_t count = workers.size();
  queues.resize(count * count);
  for (size_t i = 0; i < count; ++i) {
    addSleeper();
    for (size_t k = 0; k < count; ++k)
      queues[i * count + k] = std::make_unique<MessageQueue>();
  }
  for (size_t i = 0; i < count; ++i) {
    std::vector<std::unique_ptr<Link>> links(count);
    for (size_t k = 0; k < count; ++k)
      if (k != i)
        links[k] = std::make_unique<ThreadLink>(
            *queues[k * count + i], *queues[i * count + k], *sleepers[k]);
    workers[i]->connect(
        std::make_unique<Exchange>(std::move(links), *sleepers[i]));
  }
}

void Engine::start() {
  // Together they may open maxInFlight instances.
  int64_t inFlight = state.options.maxInFlight;
  int64_t count = state.localWorkers;
  for (size_t i = 0; i < workersFor(state.options); ++i)
    workers.push_back(std::make_unique<Worker>(
        state, int(i),
        size_t(inFlight / count + (int64_t(i) < inFlight % count))));
  if (!streams.empty())
    connectRemotes();
  else if (state.isPlaced())
    connect();
  bell->connect([this] {
    for (std::unique_ptr<Worker> &worker : workers)
      worker->lookUp();
  });
  for (std::unique_ptr<Worker> &worker : workers)
    threads.emplace_back([&worker = *worker] { worker.run(); });
}

Engine::~Engine() {
  std::vector<Request> left = state.queue.stop();
  bell->ring();
  bell->connect(nullptr); // Who cancels later reaches nobody.
  for (std::thread &thread : threads)
    thread.join();
  for (std::unique_ptr<Worker> &worker : workers)
    worker->releaseParts();
  for (Request &request : left)
    refuse(request, {StatusCode::cancelled,
                     "the session ended before the instance was opened"});
}

Expected<std::unique_ptr<Engine>> Engine::create(Model model, Weights weights,
                                                 const SessionOptions &options,
                                                 TrainingParts training) {
  std::vector<std::unique_ptr<Stream>> streams;
  Status opened;
  for (int socket : options.remotes) {
    auto stream = Stream::open(socket);
    if (stream)
      streams.push_back(std::move(*stream));
    else
      opened = stream.status();
  }
  for (Status status : {opened, checkOptions(options), checkRemotes(options)})
    if (!status.ok())
      return status;
  if (!options.remotes.empty() && !training.gradients.empty())
    return Status(StatusCode::invalidArgument,
                  "cells in other processes cannot be trained");
  try {
    std::unique_ptr<Engine> engine(
        new Engine(std::move(model), complete(options)));
    engine->streams = std::move(streams);
    engine->state.gradients = training.gradients;
    if (Status status = engine->prepareReplicas(std::move(weights), training);
        !status.ok())
      return status;
    if (Status status = engine->prepare(); !status.ok())
      return status;
    if (Status status = engine->place(); !status.ok())
      return status;
    if (Status status = engine->prepareLogs(); !status.ok())
      return status;
    if (Status status = engine->introduce(); !status.ok())
      return status;
    engine->start();
    return engine;
  } catch (const std::bad_alloc &) {
    return Status(StatusCode::resourceExhausted, "no memory for the session");
  } catch (const std::system_error &error) {
    return Status(StatusCode::resourceExhausted,
                  std::string("cannot start a worker: ") + error.what());
  }
}

Request Engine::makeRequest(const amprt_entry_t *entry,
                            const SubmitOptions &options) {
  Request request;
  if (state.timesInstances())
    request.submitted = InstanceTimes::Clock::now();
  request.entry = entry;
  request.promise.emplace();
  request.control = std::make_shared<SubmissionControl>(options.deadline, bell);
  return request;
}

Status Engine::check(const Request &request) {
  if (request.control->deadline != SubmissionControl::never && !timer.start())
    return {StatusCode::resourceExhausted,
            "the system has no thread to look after the deadline"};
  return checkFields(*request.entry, request.fields());
}

void Engine::run(Request request, const std::future<Result> &result) {
  std::optional<size_t> lent = state.queue.lendWorker(request);
  if (!lent) {
    if (Status status = state.queue.push(request); !status.ok())
      refuse(request, std::move(status));
    return;
  }
  OneOpenMPThread alone;
  bool isQuiet = workers[*lent]->runLent(std::move(request), result);
  state.queue.takeBack(*lent, isQuiet);
}

Stats Engine::total() const {
  Stats stats = emptyStats(state.descriptor());
  for (const std::unique_ptr<Worker> &worker : workers)
    addTo(stats, worker->counters());
  return stats;
}

int64_t Engine::arenaBytes() const {
  int64_t bytes = 0;
  for (const std::unique_ptr<Worker> &worker : workers)
    bytes += worker->arenaBytes();
  return bytes;
}

void Engine::resetPeaks() {
  for (const std::unique_ptr<Worker> &worker : workers)
    worker->resetPeaks();
}

Status missingEntry(const amprt_model_t &model, Entry entry) {
  return {StatusCode::failedPrecondition,
          "the model '" + std::string(model.name) + "' cannot " +
              (entry == Entry::train ? "be trained" : "compute its loss") +
              ": it was compiled without --train"};
}

} // namespace amprt
