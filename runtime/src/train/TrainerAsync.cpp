//===- TrainerAsync.cpp - Training without steps of the whole -------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/RecordingFile.h"
#include "train/TrainerImpl.h"

#include <chrono>
#include <cmath>

namespace amprt {

using Clock = std::chrono::steady_clock;

static constexpr int32_t nobody = -2;

/// The worker of each parameter's cells, in its team.
static std::vector<int32_t> ownersOf(const SessionState &state) {
  const amprt_model_t &model = state.descriptor();
  std::vector<int32_t> owners(model.param_count, nobody);
  for (uint32_t cell = 0; cell < model.cell_count; ++cell)
    for (uint32_t i = 0; i < model.cells[cell].param_count; ++i)
      owners[model.cells[cell].params[i]] = state.placement.owners[cell];
  return owners;
}

Status Trainer::Impl::prepareReplicas(const Weights &from,
                                      const SessionOptions &session,
                                      TrainingParts &training) {
  int64_t count = 1;
  if (options.async) {
    count = options.async->replicas;
    training.meetEvery = options.async->averageEvery;
  }
  if (options.async && options.async->checkpointEvery) {
    training.cutEvery = options.async->checkpointEvery;
    if (training.cutEvery < 0)
      return {StatusCode::invalidArgument,
              "checkpointEvery must not be negative"};
    if (session.replay || session.record)
      return {StatusCode::invalidArgument,
              "a run with checkpoints amid passes can be neither recorded nor "
              "repeated"};
  }
  if (session.replay) {
    count = session.replay->contents().replicas;
    training.meetEvery = session.replay->contents().meetEvery;
  }
  if (count < 1 || session.workers % count != 0)
    return {StatusCode::invalidArgument,
            "replicas is " + std::to_string(count) +
                ", but must divide the number of workers, " +
                std::to_string(session.workers)};
  if (training.meetEvery < 0)
    return {StatusCode::invalidArgument, "averageEvery must not be negative"};
  for (int64_t i = 0; i < count; ++i) {
    Replica &each = replicas.emplace_back();
    each.weights =
        std::make_shared<WeightsAccess::Data>(WeightsAccess::dataOf(from));
    if (i > 0)
      training.copies.push_back(WeightsAccess::make(each.weights));
  }
  return {};
}

Status Trainer::Impl::checkFrequencies(LocalUpdates::Settings &settings) const {
  const AsyncOptions &how = *options.async;
  const amprt_model_t &desc = model.descriptor();
  auto invalid = [](const std::string &what) {
    return Status(StatusCode::invalidArgument, what);
  };
  if (how.minUpdateFrequency < 1 || how.scheduleBatch < 1)
    return invalid("minUpdateFrequency and scheduleBatch must be at least 1");
  settings.frequency.assign(desc.param_count, how.minUpdateFrequency);
  for (const auto &[name, frequency] : how.frequencyOf) {
    uint32_t param = 0;
    while (param < desc.param_count && name != desc.params[param].name)
      ++param;
    if (param == desc.param_count)
      return invalid("the model has no parameter '" + name + "'");
    if (frequency < 1)
      return invalid("the update frequency of '" + name +
                     "' must be at least 1");
    settings.frequency[param] = frequency;
  }
  return {};
}

/// Control reads the replica of its home, so that must be the owner.
Status
Trainer::Impl::checkReadByControl(const std::vector<int32_t> &owners) const {
  if (engine->state.teamSize() == 1)
    return {};
  const amprt_model_t &desc = model.descriptor();
  for (uint32_t i = 0; i < desc.param_count; ++i)
    if (replicas.front().params[i].weights && owners[i] != nobody &&
        (desc.params[i].flags & AMPRT_PARAM_READ_BY_CONTROL))
      return {StatusCode::failedPrecondition,
              "parameter '" + std::string(desc.params[i].name) +
                  "' is read outside of cells, so only one worker can train it "
                  "asynchronously, or each a replica of its own"};
  return {};
}

Status Trainer::Impl::prepareAsync() {
  LocalUpdates::Settings settings;
  if (Status status = checkFrequencies(settings); !status.ok())
    return status;
  if (options.clipValue > 0)
    settings.clipValue = float(options.clipValue);
  if (options.clipNorm > 0)
    settings.clipNorm = options.clipNorm;
  settings.isMean = options.reduction == Reduction::mean;
  settings.lazy = options.optimiser.lazy;
  settings.rate = options.optimiser.rate();
  settings.schedule = options.schedule;
  settings.scheduleBatch = options.async->scheduleBatch;
  settings.replicas = int64_t(replicas.size());

  SessionState &state = engine->state;
  std::vector<int32_t> owners = ownersOf(state);
  if (Status status = checkReadByControl(owners); !status.ok())
    return status;
  int teamSize = state.teamSize();
  for (int worker = 0; worker < int(gradients.size()); ++worker) {
    Replica &replica = replicas[size_t(worker / teamSize)];
    std::vector<uint32_t> owned;
    for (uint32_t i = 0; i < replica.params.size(); ++i)
      if (replica.params[i].weights && owners[i] == worker % teamSize)
        owned.push_back(i);
    local.push_back(std::make_unique<LocalUpdates>(
        model.descriptor(), state.replicaOf(worker), *gradients[size_t(worker)],
        replica.params, *optimiser, settings, std::move(owned)));
  }
  if (replicas.size() > 1)
    averaging = std::make_unique<Averaging>(model.descriptor(), state.replicas,
                                            replicas, state.options.workers);
  prepareCuts();
  if (state.meeting)
    state.meeting->purpose = [this](int worker) {
      if (averaging) {
        cut->owned[size_t(worker)]->finish(); // Of the last one.
        averaging->run();
      }
      if (engine->state.meeting->isCut())
        cut->attend(worker);
    };
  // Workers look at them when they have got an instance, which comes later.
  for (std::unique_ptr<LocalUpdates> &each : local)
    state.hooks.push_back(each.get());
  state.hookedEntry = model.entry(Entry::train);
  return {};
}

void Trainer::Impl::prepareCuts() {
  SessionState &state = engine->state;
  cut = std::make_unique<Cut>(state.queue, state.options.workers,
                              state.teamSize());
  for (size_t worker = 0; worker < local.size(); ++worker) {
    size_t replica = worker / size_t(state.teamSize());
    cut->owned.push_back(std::make_unique<OwnedCopy>(
        replicas[replica].params, *gradients[worker], *local[worker],
        /*hasWeights=*/replica == 0));
    gradients[worker]->copyFirst = cut->owned.back().get();
  }
  if (options.async->checkpointEvery)
    cut->allocate();
}

void Trainer::Impl::waitAndCheckpoint() {
  SubmissionQueue &queue = engine->state.queue;
  for (;;) {
    queue.waitUntilAllEnded([this] { return cut->isTaken(); });
    if (!cut->isTaken())
      break;
    cut->finish();
    ++checkpoints;
    Status status;
    if (options.async->onCheckpoint)
      status = options.async->onCheckpoint(*trainer);
    if (checkpointStatus.ok())
      checkpointStatus = std::move(status);
    cut->doneWith();
    engine->state.meeting->doneWithCut();
  }
  cut->watch(nullptr);
}

void Trainer::Impl::averageReplicas() {
  if (!averaging)
    return;
  engine->state.meeting->call();
  engine->state.queue.waitUntilAllEnded();
}

Expected<PassResult> Trainer::pass(const std::vector<Example> &instances) {
  Clock::time_point begin = Clock::now();
  if (!impl->options.async)
    return Status(StatusCode::failedPrecondition,
                  "the trainer was not made for asynchronous training");
  if (instances.empty())
    return Status(StatusCode::invalidArgument, "the pass has no instances");
  if (!impl->resumed.states.empty() &&
      impl->resumed.states.size() != instances.size())
    return Status(StatusCode::failedPrecondition,
                  "the pass to go on with has " +
                      std::to_string(impl->resumed.states.size()) +
                      " instances, not " + std::to_string(instances.size()));
  PassResult result;
  int64_t before = updates();
  int64_t averagings = impl->averaging ? impl->averaging->count() : 0;
  int64_t checkpoints = impl->checkpoints;
  impl->checkpointStatus = Status();
  impl->run(Entry::train, instances, result);
  impl->resumed = PassProgress();
  impl->averageReplicas();
  impl->instances += instances.size();
  result.checkpoints = impl->checkpoints - checkpoints;
  if (!impl->checkpointStatus.ok())
    return impl->checkpointStatus;
  if (!result.failures.empty() && !impl->options.skipFailed)
    return describeFailure(instances, result.failures.front());
  if (!std::isfinite(result.lossSum))
    return Status(StatusCode::failedPrecondition,
                  "the loss is " + std::to_string(result.lossSum));
  result.updates = updates() - before;
  if (impl->averaging)
    result.averagings = impl->averaging->count() - averagings;
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return result;
}

std::vector<ParamUpdates> Trainer::paramUpdates() const {
  std::vector<ParamUpdates> all;
  for (size_t worker = 0; worker < impl->local.size(); ++worker)
    for (const LocalUpdates::Owned &each : impl->local[worker]->parameters()) {
      ParamUpdates &made = all.emplace_back();
      made.name = impl->model.descriptor().params[each.param].name;
      made.worker = int(worker);
      made.updates = each.updates;
      made.rows = each.rows;
      made.staleness.assign(std::begin(each.staleness.counts),
                            std::end(each.staleness.counts));
      for (int64_t count : made.staleness)
        made.instances += count;
      if (made.instances)
        made.meanStaleness =
            double(each.staleness.total) / double(made.instances);
      made.greatestStaleness = each.staleness.greatest;
    }
  return all;
}

} // namespace amprt
