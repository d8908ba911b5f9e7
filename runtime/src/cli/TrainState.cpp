//===- TrainState.cpp - Where a run of training is ------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainState.h"

#include <cstdlib>
#include <fmt/format.h>

namespace amprt::cli {

/// Calls visit(name, number) for all that there is.
template <typename State, typename Visit>
static void forEachNumber(State &state, Visit visit) {
  visit("epoch", state.epoch);
  visit("position", state.position);
  visit("epoch_loss", state.inEpoch.loss);
  visit("epoch_instances", state.inEpoch.instances);
  visit("epoch_updates", state.inEpoch.updates);
  visit("group_loss", state.inGroup.loss);
  visit("group_instances", state.inGroup.instances);
  visit("group_updates", state.inGroup.updates);
  visit("best_dev", state.bestDev);
  visit("best_update", state.bestUpdate);
  visit("since_best", state.sinceBest);
  visit("metrics_bytes", state.metricsBytes);
  visit("loss_bytes", state.lossBytes);
}

static const std::string statePrefix = "state.", settingPrefix = "setting.";

void TrainState::write(Notes &notes) const {
  // The shortest text that reads back as the same number.
  forEachNumber(*this, [&](const char *name, auto number) {
    notes[statePrefix + name] = fmt::format("{}", number);
  });
}

static bool parse(const std::string &text, double &number) {
  char *end;
  number = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == 0;
}
static bool parse(const std::string &text, int64_t &number) {
  char *end;
  number = std::strtoll(text.c_str(), &end, 10);
  return !text.empty() && *end == 0;
}

Status TrainState::read(const Notes &notes) {
  Status status;
  forEachNumber(*this, [&](const char *name, auto &number) {
    auto found = notes.find(statePrefix + name);
    if (found == notes.end() || !parse(found->second, number))
      status = Status(StatusCode::invalidArgument,
                      fmt::format("it does not say '{}'", name));
  });
  return status;
}

TrainState::Notes settingsOf(const Options &options,
                             const ScheduleOptions &schedule, size_t instances,
                             uint64_t checksum) {
  const TrainingOptions &training = options.training;
  const OptimiserOptions &optimiser = training.trainer.optimiser;
  TrainState::Notes notes;
  auto add = [&](const char *name, auto value) {
    notes[settingPrefix + name] = fmt::format("{}", value);
  };
  add("data", fmt::format("{} instances, {:016x}", instances, checksum));
  add("batch", training.batch);
  add("seed", options.seed);
  add("shuffle", training.shuffle);
  add("reduction", static_cast<int>(training.trainer.reduction));
  add("optimizer", optimiserName(optimiser.kind));
  add("lr", optimiser.rate());
  add("weight-decay", optimiser.decay());
  add("momentum", optimiser.momentum);
  add("nesterov", optimiser.nesterov);
  add("beta1", optimiser.beta1);
  add("beta2", optimiser.beta2);
  add("epsilon", optimiser.smallest());
  add("lazy", optimiser.lazy);
  add("clip-value", training.trainer.clipValue);
  add("clip-norm", training.trainer.clipNorm);
  add("schedule",
      fmt::format("{} {} {} {}", static_cast<int>(schedule.kind),
                  schedule.period, schedule.factor, schedule.least));
  add("warmup", schedule.warmup);
  if (!training.isAsync())
    return notes;
  add("mode", training.mode);
  add("max-active-keys", options.session.maxInFlight);
  std::string frequency = std::to_string(training.async.minUpdateFrequency);
  for (const auto &[name, rows] : training.async.frequencyOf)
    frequency += fmt::format(",{}={}", name, rows);
  add("min-update-frequency", frequency);
  add("replicas", training.async.replicas);
  add("average-every", training.async.averageEvery);
  return notes;
}

Status compareSettings(const TrainState::Notes &settings,
                       const TrainState::Notes &notes,
                       const std::string &path) {
  auto differs = [&](const std::string &name, const std::string &before,
                     const std::string &now) {
    return Status(StatusCode::failedPrecondition,
                  fmt::format("cannot resume from '{}': {} was {}, but is {}",
                              path, name.substr(settingPrefix.size()), before,
                              now));
  };
  for (auto &[name, value] : settings) {
    auto found = notes.find(name);
    if (found == notes.end())
      return differs(name, "not set", value);
    if (found->second != value)
      return differs(name, found->second, value);
  }
  for (auto &[name, value] : notes)
    if (name.rfind(settingPrefix, 0) == 0 && !settings.count(name))
      return differs(name, value, "not set");
  return Status();
}

} // namespace amprt::cli
