//===- BenchTrain.cpp - The command bench --train -------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Loading.h"
#include "Report.h"
#include "core/Engine.h"
#include "io/File.h"

#include <algorithm>
#include <fmt/format.h>

namespace amprt::cli {

namespace {

/// One call of the command.
class TrainBench {
public:
  TrainBench(const Options &theOptions, const Model &theModel)
      : options(theOptions), model(theModel), console(theOptions) {}

  int run();

private:
  Status prepare(const Weights &weights, bool timeCells);
  Status pass(double &seconds, std::vector<double> *updates);
  std::string json() const;
  std::string text() const;

  const Options &options;
  const Model &model;
  Console console;
  Dataset data;
  std::unique_ptr<Trainer> trainer;
  std::vector<double> passes, updates; ///< Seconds, sorted.
  Stats stats; ///< Of a last pass, with its time in cells.
};

} // namespace

Status TrainBench::prepare(const Weights &weights, bool timeCells) {
  TrainOptions trainOptions = options.training.trainer;
  trainOptions.session = options.session;
  trainOptions.session.timeCells = timeCells;
  auto made = Trainer::create(model, weights, trainOptions);
  if (!made)
    return made.status();
  trainer = std::move(*made);
  return Status();
}

/// Updates with all of the data, in its order. The weights go on from where
/// they are, as those of a run do.
Status TrainBench::pass(double &seconds, std::vector<double> *times) {
  size_t count = data.instances.size();
  auto together = static_cast<size_t>(options.training.batch);
  trainer->resetStats();
  seconds = 0;
  for (size_t first = 0; first < count; first += together) {
    std::vector<Example> batch;
    for (size_t i = first; i < std::min(count, first + together); ++i)
      batch.push_back(
          {&data.instances[i], exampleSeed(options.seed, 0, i), data.lines[i]});
    Expected<UpdateResult> result = trainer->update(batch);
    if (!result)
      return result.status();
    seconds += result->seconds;
    if (times)
      times->push_back(result->seconds);
  }
  stats = trainer->stats();
  return Status();
}

static double middle(const std::vector<double> &sorted) {
  return sorted[(sorted.size() - 1) / 2];
}

std::string TrainBench::json() const {
  nlohmann::ordered_json json;
  auto count = static_cast<double>(data.instances.size());
  auto spread = [](const std::vector<double> &sorted) {
    return nlohmann::ordered_json{{"min", sorted.front()},
                                  {"median", middle(sorted)},
                                  {"max", sorted.back()}};
  };
  addSettings(json, options, model.descriptor());
  json["job"] = "train";
  json["batch"] = options.training.batch;
  json["optimizer"] = optimiserName(options.training.trainer.optimiser.kind);
  json["instances"] = data.instances.size();
  json["repeats"] = options.repeats;
  json["warmup"] = options.warmup;
  json["instances_per_s"] = count / passes.front();
  json["seconds"] = spread(passes);
  json["update_seconds"] = spread(updates);
  addStats(json, stats, model.descriptor());
  return dumpJson(json) + "\n";
}

std::string TrainBench::text() const {
  auto count = static_cast<double>(data.instances.size());
  const SessionOptions &used = options.session;
  std::string text = fmt::format(
      "{} for {}\n"
      "training: {} instances an update, {}\n"
      "policy {}, {} worker{}, {} in flight\n"
      "{} instances, {} repeat{}, warm-up {}\n\n",
      model.descriptor().name, model.descriptor().target,
      options.training.batch,
      optimiserName(options.training.trainer.optimiser.kind),
      policyName(used.policy), used.workers, used.workers == 1 ? "" : "s",
      used.maxInFlight, grouped(count), options.repeats,
      options.repeats == 1 ? "" : "s", options.warmup);
  std::vector<std::vector<std::string>> rows = {
      {"", "instances/s", "seconds", "ms an update"}};
  for (auto [name, seconds, update] :
       {std::tuple("best", passes.front(), updates.front()),
        std::tuple("median", middle(passes), middle(updates)),
        std::tuple("worst", passes.back(), updates.back())})
    rows.push_back({name, grouped(count / seconds),
                    fmt::format("{:.4g}", seconds),
                    fmt::format("{:.4g}", 1e3 * update)});
  return text + table(rows, 1) +
         fmt::format("\n{} batches, {:.0f}% of the workers' time in cells\n{}\n",
                     grouped(static_cast<double>(stats.batches)),
                     100 * stats.cellSeconds / stats.workerSeconds,
                     memoryText(stats));
}

int TrainBench::run() {
  auto refuse = [this](const Status &status, int exitStatus) {
    console.error(status.message());
    return exitStatus;
  };
  if (!model.entry(Entry::train))
    return refuse(missingEntry(model.descriptor(), Entry::train), exitUnusable);
  Options reading = options;
  reading.entry = Entry::train;
  if (int status = readDataset(reading, model, console, data); status != exitOk)
    return status;
  Expected<Weights> weights = loadWeights(options, model, console);
  if (!weights)
    return refuse(weights.status(), exitUnusable);
  if (Status status = prepare(*weights, /*timeCells=*/false); !status.ok())
    return refuse(status, exitUnusable);
  double seconds;
  for (int i = 0; i < options.warmup; ++i)
    if (Status status = pass(seconds, nullptr); !status.ok())
      return refuse(status, exitInstancesFailed);
  for (int i = 0; i < options.repeats; ++i) {
    if (Status status = pass(seconds, &updates); !status.ok())
      return refuse(status, exitInstancesFailed);
    passes.push_back(seconds);
  }
  // Once more for the time in cells, as reading the clock takes some, too.
  Status timed = prepare(*weights, /*timeCells=*/true);
  if (timed.ok())
    timed = pass(seconds, nullptr);
  if (!timed.ok())
    return refuse(timed, exitInstancesFailed);
  std::sort(passes.begin(), passes.end());
  std::sort(updates.begin(), updates.end());
  Expected<OutputFile> output = OutputFile::create("-");
  Status status =
      output ? output->write(options.json ? json() : text()) : output.status();
  if (status.ok())
    status = output->close();
  return status.ok() ? exitOk : refuse(status, exitUnusable);
}

int benchTrainCommand(const Options &options, const Model &model) {
  return TrainBench(options, model).run();
}

} // namespace amprt::cli
