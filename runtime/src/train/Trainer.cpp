//===- Trainer.cpp - Minibatches in, new weights out ----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/SplitMix.h"
#include "train/Schedule.h"
#include "train/TrainerImpl.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <new>

namespace amprt {

using Clock = std::chrono::steady_clock;

// Instances of an evaluation that are submitted together, so that the results
// of a large set do not all wait in memory.
static constexpr size_t evaluatedTogether = 4096;

static double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

uint64_t exampleSeed(uint64_t runSeed, uint64_t epoch, uint64_t number) {
  uint64_t start = mixBits(mixBits(runSeed + goldenRatio) ^ epoch);
  return mixBits(start + (number + 1) * goldenRatio);
}

static bool hasLoss(const amprt_entry_t &entry) {
  if (entry.loss >= entry.result_count)
    return false;
  const amprt_type_t &type = entry.results[entry.loss].type;
  return type.rank <= 0 && (type.dtype == AMPRT_F32 || type.dtype == AMPRT_F64);
}

static Status checkOptions(const TrainOptions &options) {
  for (auto [name, value] : {std::pair("clipValue", options.clipValue),
                             std::pair("clipNorm", options.clipNorm)})
    if (!(value >= 0))
      return {StatusCode::invalidArgument,
              std::string(name) + " must be a number that is not negative"};
  return checkSchedule(options.schedule);
}

Status Trainer::Impl::prepare(const Weights &from) {
  const amprt_entry_t *entry = model.entry(Entry::train);
  if (!entry)
    return missingEntry(model.descriptor(), Entry::train);
  if (!hasLoss(*entry))
    return {StatusCode::failedPrecondition,
            "the model '" + std::string(model.descriptor().name) +
                "' cannot be trained: it has no loss"};
  if (Status status = checkOptions(options); !status.ok())
    return status;
  auto made = createOptimiser(options.optimiser);
  if (!made)
    return made.status();
  optimiser = std::move(*made);

  SessionOptions session = options.session;
  if (options.async)
    session.placement = PlacementMode::model;
  session = Engine::complete(std::move(session));
  TrainingParts training;
  if (Status status = prepareReplicas(from, session, training); !status.ok())
    return status;
  for (size_t i = 0; i < Engine::workersFor(session); ++i) {
    auto each = Gradients::create(model.descriptor(), weights().tensors);
    if (!each)
      return each.status();
    training.gradients.push_back(each->get());
    gradients.push_back(std::move(*each));
  }
  auto started =
      Engine::create(model, WeightsAccess::make(replicas.front().weights),
                     session, std::move(training));
  if (!started)
    return started.status();
  engine = std::move(*started);
  baseline = emptyStats(model.descriptor());

  for (Replica &each : replicas)
    each.params = makeTrainedParams(*each.weights, *optimiser);
  Updater::Settings settings;
  if (options.clipValue > 0)
    settings.clipValue = float(options.clipValue);
  if (options.clipNorm > 0)
    settings.clipNorm = options.clipNorm;
  settings.measureNorm = options.measureNorm || options.clipNorm > 0;
  settings.lazy = options.optimiser.lazy;
  if (options.async)
    if (Status status = prepareAsync(); !status.ok())
      return status;
  updater = std::make_unique<Updater>(*engine, gradients, params(), *optimiser,
                                      settings);
  return {};
}

Trainer::Trainer() = default;
Trainer::~Trainer() = default;

Expected<std::unique_ptr<Trainer>>
Trainer::create(Model model, const Weights &weights,
                const TrainOptions &options) {
  try {
    std::unique_ptr<Trainer> trainer(new Trainer);
    trainer->impl = std::make_unique<Impl>(std::move(model), options);
    trainer->impl->trainer = trainer.get();
    if (Status status = trainer->impl->prepare(weights); !status.ok())
      return status;
    return trainer;
  } catch (const std::bad_alloc &) {
    return Status(StatusCode::resourceExhausted, "no memory for the trainer");
  }
}

void Trainer::Impl::run(Entry entry, const std::vector<Example> &examples,
                        EvaluateResult &result) {
  std::vector<Outcome> outcomes(examples.size());
  std::vector<Request> requests;
  requests.reserve(examples.size());
  bool isPass = cut && entry == Entry::train;
  for (size_t i = 0; i < examples.size(); ++i) {
    if (isPass && !resumed.states.empty() &&
        resumed.states[i] != PassProgress::open) {
      outcomes[i].hasEnded = true;
      outcomes[i].wasBefore = true;
      outcomes[i].loss = resumed.losses[i];
      if (resumed.states[i] == PassProgress::failed)
        outcomes[i].status = Status(StatusCode::cancelled, "it failed before");
      continue;
    }
    Request &request = requests.emplace_back();
    request.entry = model.entry(entry);
    request.borrowed = examples[i].values;
    request.seed = examples[i].seed;
    request.outcome = &outcomes[i];
    if (engine->state.timesInstances())
      request.submitted = Clock::now();
  }
  if (isPass)
    cut->watch(&outcomes);
  if (Status status = engine->state.queue.pushAll(requests); !status.ok())
    for (Request &request : requests)
      refuse(request, status);
  if (isPass)
    waitAndCheckpoint();
  else
    engine->state.queue.waitUntilAllEnded();
  for (size_t i = 0; i < outcomes.size(); ++i) {
    if (!outcomes[i].status.ok()) {
      if (outcomes[i].wasBefore)
        continue; // It was told then.
      result.failures.push_back({i, std::move(outcomes[i].status)});
      continue;
    }
    result.lossSum += outcomes[i].loss;
    ++result.instances;
  }
  if (entry == Entry::train && !options.async && !result.failures.empty())
    updater->discard();
}

Status describeFailure(const std::vector<Example> &examples,
                       const ExampleFailure &failure) {
  uint64_t line = examples[failure.index].line;
  std::string name = line ? "line " + std::to_string(line)
                          : "instance " + std::to_string(failure.index);
  return {failure.status.code(), name + ": " + failure.status.message()};
}

Status Trainer::Impl::runAll(Entry entry, const std::vector<Example> &examples,
                             EvaluateResult &result) {
  run(entry, examples, result);
  if (result.failures.empty())
    return {};
  if (!options.skipFailed)
    return describeFailure(examples, result.failures.front());
  // What they had added up is gone, and so are the others' gradients: those run
  // again. Nobody else's result can have changed, so no more should fail, but
  // memory may run out at any time.
  std::vector<Example> left;
  size_t next = 0;
  for (size_t i = 0; i < examples.size(); ++i)
    if (next < result.failures.size() && result.failures[next].index == i)
      ++next;
    else
      left.push_back(examples[i]);
  if (left.empty())
    return describeFailure(examples, result.failures.front());
  if (entry != Entry::train)
    return {};
  EvaluateResult again;
  run(entry, left, again);
  result.lossSum = again.lossSum;
  result.instances = again.instances;
  return again.failures.empty() ? Status()
                                : describeFailure(left, again.failures.front());
}

Status Trainer::Impl::checkLoss(const EvaluateResult &result,
                                const std::string &when) {
  if (std::isfinite(result.lossSum))
    return {};
  updater->discard();
  return {StatusCode::failedPrecondition,
          when + ": the loss is " + std::to_string(result.lossSum) +
              "; the weights stay as they were"};
}

Expected<UpdateResult> Trainer::update(const std::vector<Example> &batch) {
  Clock::time_point begin = Clock::now();
  if (impl->options.async)
    return Status(StatusCode::failedPrecondition,
                  "asynchronous training has passes, not updates");
  if (batch.empty())
    return Status(StatusCode::invalidArgument, "the batch has no instances");
  UpdateResult result;
  if (Status status = impl->runAll(Entry::train, batch, result); !status.ok())
    return Status(status.code(), impl->nextUpdate() + ": " + status.message());
  if (Status status = impl->checkLoss(result, impl->nextUpdate()); !status.ok())
    return status;
  result.learningRate = impl->options.optimiser.rate() *
                        scheduledFactor(impl->options.schedule, impl->updates);
  result.gradientNorm = std::nan("");
  if (!impl->updater->update(impl->scaleFor(result.instances),
                             result.learningRate, result.gradientNorm))
    return Status(StatusCode::failedPrecondition,
                  impl->nextUpdate() + ": the norm of the gradients is " +
                      std::to_string(result.gradientNorm) +
                      "; the weights stay as they were");
  ++impl->updates;
  impl->instances += batch.size();
  result.seconds = secondsSince(begin);
  return result;
}

Expected<UpdateResult> Trainer::update(const std::vector<Values> &batch,
                                       uint64_t seed) {
  std::vector<Example> examples;
  for (size_t i = 0; i < batch.size(); ++i)
    examples.push_back({&batch[i], exampleSeed(seed, 0, impl->instances + i)});
  return update(examples);
}

Expected<EvaluateResult>
Trainer::evaluate(const std::vector<Example> &instances) {
  Clock::time_point begin = Clock::now();
  const amprt_entry_t *entry = impl->model.entry(Entry::evaluate);
  if (!entry || !hasLoss(*entry))
    return missingEntry(impl->model.descriptor(), Entry::evaluate);
  EvaluateResult result;
  for (size_t first = 0; first < instances.size(); first += evaluatedTogether) {
    size_t last = std::min(first + evaluatedTogether, instances.size());
    EvaluateResult part;
    Status status = impl->runAll(Entry::evaluate,
                                 {instances.begin() + ptrdiff_t(first),
                                  instances.begin() + ptrdiff_t(last)},
                                 part);
    for (ExampleFailure &failure : part.failures) {
      failure.index += first;
      result.failures.push_back(std::move(failure));
    }
    // Here the number in the whole set is known.
    if (!status.ok())
      return describeFailure(instances, result.failures.front());
    result.lossSum += part.lossSum;
    result.instances += part.instances;
  }
  if (Status status = impl->checkLoss(result, "evaluation"); !status.ok())
    return status;
  result.seconds = secondsSince(begin);
  return result;
}

Expected<std::vector<Tensor>>
Trainer::gradients(const std::vector<Example> &batch) {
  if (impl->options.async)
    return Status(StatusCode::failedPrecondition,
                  "asynchronous training has passes, not gradients");
  if (batch.empty())
    return Status(StatusCode::invalidArgument, "the batch has no instances");
  EvaluateResult result;
  if (Status status = impl->runAll(Entry::train, batch, result); !status.ok())
    return status;
  try {
    impl->updater->sum();
    std::vector<Tensor> tensors;
    float scale = impl->scaleFor(result.instances);
    for (uint32_t i = 0; i < impl->params().size(); ++i) {
      const Gradient &sum = (*impl->gradients[0])[i];
      Tensor &tensor = tensors.emplace_back(
          AMPRT_F32, sum.values ? impl->weights().tensors[i].dims()
                                : std::vector<int64_t>{0});
      auto *to = static_cast<float *>(tensor.data());
      for (int64_t e = 0; e < tensor.elementCount(); ++e)
        to[e] = sum.values[e] * scale;
    }
    impl->updater->discard();
    return tensors;
  } catch (const std::bad_alloc &) {
    impl->updater->discard();
    return Status(StatusCode::resourceExhausted, "no memory for the gradients");
  }
}

Weights Trainer::weights() const {
  auto copy = std::make_shared<WeightsAccess::Data>(impl->weights());
  copy->initialised.clear();
  copy->unused.clear();
  return WeightsAccess::make(std::move(copy));
}

int64_t Trainer::updates() const {
  int64_t updates = impl->updates;
  if (impl->cut && impl->cut->isTaken())
    return updates + impl->cut->updates();
  for (const std::unique_ptr<LocalUpdates> &each : impl->local)
    for (const LocalUpdates::Owned &param : each->parameters())
      updates += param.updates;
  return updates;
}

Recording Trainer::recording() const { return impl->engine->recording(); }

Stats Trainer::stats() const {
  Stats stats = impl->engine->total();
  subtractFrom(stats, impl->baseline);
  stats.arenaBytes = impl->engine->arenaBytes();
  return stats;
}

void Trainer::resetStats() {
  impl->baseline = impl->engine->total();
  impl->engine->resetPeaks();
}

} // namespace amprt
