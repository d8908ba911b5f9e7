//===- Train.cpp - The command train --------------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of the data is in memory; an epoch goes through it in an order that the
// seed and the epoch's number determine. Whatever is between two updates is in
// TrainState, so that a checkpoint may be written there, and a run that resumes
// from it does what the first would have done.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Interrupt.h"
#include "Loading.h"
#include "Report.h"
#include "TrainLog.h"
#include "TrainState.h"
#include "amprt/checkpoints.hpp"
#include "core/Engine.h"
#include "train/Shuffle.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace amprt::cli {

namespace {

/// One call of the command.
class TrainRun {
public:
  TrainRun(const Options &theOptions, const Model &theModel)
      : options(theOptions), training(theOptions.training), model(theModel),
        console(theOptions), log(theOptions, console) {}

  int run();

private:
  /// An exit status; unless it is exitOk, why has been printed.
  int read(const std::string &path, Entry entry, Dataset &data);
  Status prepare();
  Status resume();
  Status loop();
  Status step();
  Status endEpoch();
  Status checkpoint();
  Status save(const Trainer &saved);
  int conclude(const Status &status);

  bool isFinished() const {
    bool isDone = training.isAsync()
                      ? state.epoch >= training.epochs.value_or(1)
                      : trainer->updates() >= lastUpdate;
    return isDone || hasStopped || interrupt.stopped();
  }
  int64_t updatesPerEpoch() const {
    int64_t count = static_cast<int64_t>(data.instances.size());
    return (count + training.batch - 1) / training.batch;
  }
  ScheduleOptions schedule() const;

  const Options &options;
  const TrainingOptions &training;
  const Model &model;
  Console console;
  Interrupt interrupt;
  Dataset data, dev;
  std::unique_ptr<Trainer> trainer;
  std::optional<CheckpointFolder> folder;
  TrainLog log;
  TrainState state;
  TrainState::Notes settings;
  std::vector<size_t> order; ///< Of the epoch.
  int64_t lastUpdate = 0;    ///< Updates in all.
  int64_t savedUpdate = -1;  ///< Of the newest checkpoint.
  bool wasAmidPass = false;  ///< It was made while a pass ran.
  int64_t skipped = 0;       ///< Instances that failed.
  bool hasStopped = false;   ///< For lack of progress.
};

} // namespace

int TrainRun::read(const std::string &path, Entry entry, Dataset &to) {
  Options reading = options;
  reading.input = path;
  reading.entry = entry;
  if (entry != Entry::train) { // --skip and --limit are for --data.
    reading.skip = 0;
    reading.limit = Options().limit;
  }
  int status = readDataset(reading, model, console, to, interrupt.descriptor());
  if (status == exitOk && interrupt.signal() != 0) {
    console.error("interrupted before the first update");
    return 128 + interrupt.signal();
  }
  return status;
}

/// With all numbers in updates.
ScheduleOptions TrainRun::schedule() const {
  const ScheduleText &text = training.schedule;
  ScheduleOptions made;
  made.kind = text.kind;
  made.factor = text.factor;
  made.least = text.least;
  made.warmup = training.warmup;
  double period = text.period;
  if (period == 0)
    period = static_cast<double>(lastUpdate - training.warmup);
  else if (text.inEpochs)
    period *= static_cast<double>(updatesPerEpoch());
  made.period = std::max<int64_t>(1, std::llround(period));
  if (text.kind == ScheduleOptions::Kind::constant)
    made.period = 1;
  return made;
}

Status TrainRun::prepare() {
  int64_t epochs = training.epochs.value_or(1);
  int64_t inEpochs = 0;
  if (__builtin_mul_overflow(epochs, updatesPerEpoch(), &inEpochs))
    inEpochs = std::numeric_limits<int64_t>::max();
  lastUpdate = training.updates.value_or(inEpochs);
  if (training.epochs)
    lastUpdate = std::min(lastUpdate, inEpochs);

  if (training.isAsync() && training.updates)
    return Status(StatusCode::invalidArgument,
                  "asynchronous training has epochs, and no --updates");
  if (!training.isAsync() && training.async.replicas != 1)
    return Status(StatusCode::invalidArgument,
                  "--replicas needs --mode async: synchronous training has one "
                  "copy of the weights");
  if (!training.isAsync() && training.hasUpdateFrequency)
    return Status(StatusCode::invalidArgument,
                  "--min-update-frequency needs --mode async: synchronous "
                  "training updates all parameters after each --batch");
  TrainOptions trainOptions = training.trainer;
  trainOptions.session = options.session;
  if (Status status = prepareRecording(options, trainOptions.session);
      !status.ok())
    return status;
  trainOptions.schedule = schedule();
  trainOptions.measureNorm = !training.metrics.empty();
  if (training.isAsync()) {
    trainOptions.async = training.async;
    trainOptions.session.timeCells = !training.metrics.empty();
    trainOptions.async->scheduleBatch = training.batch;
    trainOptions.async->checkpointEvery = training.checkpointEvery;
    trainOptions.async->onCheckpoint = [this](const Trainer &made) {
      wasAmidPass = true;
      return save(made);
    };
    lastUpdate = inEpochs; // As if a batch were an update: for the schedule.
  }
  settings = settingsOf(options, trainOptions.schedule, data.instances.size(),
                        data.checksum);
  Expected<Weights> weights = loadWeights(options, model, console);
  if (!weights)
    return weights.status();
  auto made = Trainer::create(model, *weights, trainOptions);
  if (!made)
    return made.status();
  trainer = std::move(*made);
  if (Status status = checkOutputs(options); !status.ok())
    return status;
  if (!training.checkpoint.empty()) {
    auto opened = CheckpointFolder::open(training.checkpoint, training.keep);
    if (!opened)
      return opened.status();
    folder.emplace(std::move(*opened));
    if (training.resume) {
      if (Status status = resume(); !status.ok())
        return status;
    } else if (folder->hasAny()) {
      return Status(StatusCode::failedPrecondition,
                    fmt::format("'{}' has checkpoints of another run: --resume "
                                "goes on with it",
                                training.checkpoint));
    }
  }
  return log.open(state, savedUpdate >= 0);
}

Status TrainRun::resume() {
  auto restored = folder->restoreNewest(*trainer);
  if (!restored)
    return restored.status();
  for (const Status &broken : restored->broken)
    console.error("passed over a broken checkpoint: " + broken.message());
  if (restored->path.empty()) {
    if (!restored->broken.empty())
      return Status(StatusCode::failedPrecondition,
                    fmt::format("'{}' has no checkpoint that is not broken",
                                training.checkpoint));
    console.note(fmt::format("'{}' has no checkpoint: from the beginning",
                             training.checkpoint));
    return Status();
  }
  if (Status status =
          compareSettings(settings, restored->notes, restored->path);
      !status.ok())
    return status;
  if (Status status = state.read(restored->notes); !status.ok())
    return Status(status.code(),
                  fmt::format("'{}': {}", restored->path, status.message()));
  savedUpdate = trainer->updates();
  wasAmidPass = training.isAsync(); // For all that is known.
  hasStopped = training.patience > 0 && state.sinceBest >= training.patience;
  console.note(fmt::format("resumed from '{}', after update {}", restored->path,
                           savedUpdate));
  return Status();
}

Status TrainRun::checkpoint() {
  if (savedUpdate != trainer->updates() || wasAmidPass) {
    wasAmidPass = false;
    return save(*trainer);
  }
  return log.flush(state);
}

/// Amid a pass, `state` is where that began; the checkpoint knows the rest.
Status TrainRun::save(const Trainer &saved) {
  // First what was told, so that a checkpoint never knows of more than is
  // there.
  if (Status status = log.flush(state); !status.ok())
    return status;
  if (!folder)
    return Status();
  TrainState::Notes notes = settings;
  state.write(notes);
  Status status = folder->save(saved, notes);
  if (status.ok())
    savedUpdate = saved.updates();
  return status;
}

/// An update; or, if asynchronous, a part of an epoch, so that signals are
/// seen.
Status TrainRun::step() {
  int64_t together =
      training.isAsync()
          ? std::max<int64_t>(10'000, 100 * options.session.maxInFlight)
          : training.batch;
  int64_t end = std::min<int64_t>(state.position + together,
                                  static_cast<int64_t>(order.size()));
  std::vector<Example> batch;
  for (int64_t i = state.position; i < end; ++i) {
    size_t number = order[static_cast<size_t>(i)];
    batch.push_back(
        {&data.instances[number],
         exampleSeed(options.seed, static_cast<uint64_t>(state.epoch), number),
         data.lines[number]});
  }
  UpdateResult result;
  Status status;
  auto take = [&](auto made, auto &to) {
    if (made)
      to = std::move(*made);
    else
      status = made.status();
  };
  if (training.isAsync())
    take(trainer->pass(batch), static_cast<EvaluateResult &>(result));
  else
    take(trainer->update(batch), result);
  if (!status.ok())
    return Status(status.code(),
                  fmt::format("'{}': {}", training.data, status.message()));
  for (const ExampleFailure &failure : result.failures)
    console.instanceError(batch[failure.index].line, failure.status.message());
  skipped += static_cast<int64_t>(result.failures.size());
  state.position = end;
  state.inEpoch.add(result);
  state.inGroup.add(result);
  log.update(result, trainer->updates(), state);
  return Status();
}

Status TrainRun::endEpoch() {
  std::optional<EvaluateResult> result;
  bool isBest = false;
  if (!dev.instances.empty()) {
    std::vector<Example> examples;
    for (size_t i = 0; i < dev.instances.size(); ++i)
      examples.push_back({&dev.instances[i], 0, dev.lines[i]});
    Expected<EvaluateResult> evaluated = trainer->evaluate(examples);
    if (!evaluated)
      return Status(
          evaluated.status().code(),
          fmt::format("'{}': {}", training.dev, evaluated.status().message()));
    result = std::move(*evaluated);
    isBest = state.bestUpdate < 0 || result->meanLoss() < state.bestDev;
    ++state.sinceBest;
    if (isBest) {
      state.bestDev = result->meanLoss();
      state.bestUpdate = trainer->updates();
      state.sinceBest = 0;
      if (folder)
        if (Status status = folder->saveBest(trainer->weights()); !status.ok())
          return status;
    }
  }
  log.epoch(*trainer, state, result, isBest);
  ++state.epoch;
  state.position = 0;
  state.inEpoch = LossCounts();
  hasStopped = training.patience > 0 && state.sinceBest >= training.patience;
  return Status();
}

Status TrainRun::loop() {
  auto count = static_cast<int64_t>(data.instances.size());
  int64_t ordered = -1; // The epoch that `order` is of.
  while (!isFinished()) {
    if (ordered != state.epoch) {
      ordered = state.epoch;
      order.resize(data.instances.size());
      std::iota(order.begin(), order.end(), size_t(0));
      if (training.shuffle)
        order = shuffledOrder(order.size(), options.seed,
                              static_cast<uint64_t>(ordered));
    }
    if (Status status = step(); !status.ok())
      return status;
    console.progress(static_cast<uint64_t>(
        training.isAsync()
            ? state.epoch * updatesPerEpoch() + state.position / training.batch
            : trainer->updates()));
    bool isEpoch = state.position == count;
    if (isEpoch)
      if (Status status = endEpoch(); !status.ok())
        return status;
    bool isDue = training.checkpointEvery && !training.isAsync()
                     ? trainer->updates() % training.checkpointEvery == 0
                     : isEpoch;
    if (isDue)
      if (Status status = checkpoint(); !status.ok())
        return status;
  }
  return Status();
}

int TrainRun::conclude(const Status &status) {
  if (skipped != 0)
    console.note(fmt::format("{} instances failed and were left out", skipped));
  if (!status.ok()) {
    console.error(status.message());
    // What was reached so far is not lost, unless it is files that fail.
    if (folder && savedUpdate >= 0)
      console.note(fmt::format("the newest checkpoint is that after update {}",
                               savedUpdate));
    return exitUnusable;
  }
  if (training.isAsync()) {
    log.parameters(*trainer);
    log.workers(trainer->stats());
  }
  Status saved = checkpoint();
  if (saved.ok() && !options.record.empty())
    saved = trainer->recording().save(options.record);
  if (saved.ok() && !training.saveWeights.empty())
    saved = trainer->weights().save(training.saveWeights);
  if (Status closed = log.close(); saved.ok())
    saved = closed;
  if (!saved.ok()) {
    console.error(saved.message());
    return exitUnusable;
  }
  if (int signal = interrupt.signal();
      signal != 0 && !hasStopped &&
      (training.isAsync() ? state.epoch < training.epochs.value_or(1)
                          : trainer->updates() < lastUpdate)) {
    console.error(fmt::format(
        "interrupted after update {}; {}", trainer->updates(),
        folder ? "--resume goes on from there" : "there is no checkpoint"));
    return 128 + signal;
  }
  if (hasStopped)
    console.note(fmt::format("stopped: no better dev loss for {} epochs; the "
                             "best was {:.6g}, after update {}",
                             state.sinceBest, state.bestDev, state.bestUpdate));
  return exitOk;
}

int TrainRun::run() {
  if (!model.entry(Entry::train)) {
    console.error(missingEntry(model.descriptor(), Entry::train).message());
    return exitUnusable;
  }
  if (int status = read(training.data, Entry::train, data); status != exitOk)
    return status;
  if (!training.dev.empty())
    if (int status = read(training.dev, Entry::evaluate, dev); status != exitOk)
      return status;
  if (Status status = prepare(); !status.ok()) {
    console.error(status.message());
    return exitUnusable;
  }
  console.startProgress(static_cast<uint64_t>(lastUpdate),
                        /*outputIsTerminal=*/training.losses == "-");
  Status status = loop();
  console.endProgress();
  return conclude(status);
}

int trainCommand(const Options &options, const Model &model) {
  return TrainRun(options, model).run();
}

} // namespace amprt::cli
