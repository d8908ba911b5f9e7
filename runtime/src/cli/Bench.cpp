//===- Bench.cpp - The command bench: how fast instances run --------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainCounter.h"
#include "Commands.h"
#include "GraphRecorder.h"
#include "Loading.h"
#include "Processes.h"
#include "Report.h"
#include "TraceWriter.h"
#include "io/File.h"
#include "io/PlacementFile.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <iterator>
#include <numeric>

namespace amprt::cli {

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The element below which a share of `share` of them lies (nearest rank).
static double percentile(const std::vector<double> &sorted, double share) {
  double rank = share * static_cast<double>(sorted.size());
  size_t index = static_cast<size_t>(std::max(0.0, rank - 1e-9));
  return sorted[std::min(index, sorted.size() - 1)];
}

static double mean(const std::vector<double> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(values.size());
}

namespace {

/// One call of the command.
class Bench {
public:
  Bench(const Options &theOptions, const Model &theModel)
      : options(theOptions), model(theModel), console(theOptions) {}

  int run();

private:
  Status openTrace();
  bool openSession(bool timeCells, SessionObserver *observer = nullptr);
  bool runOnce(double &seconds);
  bool measure();
  bool profile();
  bool writePlacement();
  bool measureLatency();
  bool countChains();
  bool recordGraph();
  std::string json() const;
  std::string text() const;

  /// Says why an instance failed.
  bool refuse(size_t number, const Status &status) {
    console.error(
        fmt::format("line {}: {}", data.lines[number], status.message()));
    return false;
  }

  const Options &options;
  const Model &model;
  Console console;
  Dataset data;
  const std::vector<Values> &instances = data.instances;
  std::optional<Weights> weights;
  std::unique_ptr<TraceWriter> trace; ///< Or null; outlives the session.
  std::unique_ptr<Processes> processes; ///< Outlive the session.
  std::unique_ptr<Session> session;

  std::unique_ptr<ChainCounter> chains; ///< Or null; has finished.

  std::vector<double> times;     ///< Of the repeats, sorted.
  Stats best;                    ///< Of the fastest repeat; cells not timed.
  Stats timed;                   ///< Of a run with timed cells.
  std::vector<double> latencies; ///< In microseconds, sorted.
};

} // namespace

Status Bench::openTrace() {
  if (options.trace.empty())
    return Status();
  trace = std::make_unique<TraceWriter>(model.descriptor(),
                                        options.session.workers);
  return trace->open(options.trace);
}

bool Bench::openSession(bool timeCells, SessionObserver *observer) {
  session.reset(); // Its threads end before new ones start.
  SessionOptions sessionOptions = options.session;
  sessionOptions.timeCells = timeCells;
  sessionOptions.observer = observer;
  processes = std::make_unique<Processes>();
  if (Status status = processes->start(options, sessionOptions); !status.ok()) {
    console.error(status.message());
    return false;
  }
  Expected<std::unique_ptr<Session>> created =
      Session::create(model, *weights, sessionOptions);
  if (!created) {
    console.error(created.status().message());
    return false;
  }
  session = std::move(*created);
  return true;
}

/// Runs all instances; not timed are the copies that the session consumes and
/// the release of the results.
bool Bench::runOnce(double &seconds) {
  std::vector<Values> copies = instances;
  std::vector<std::future<Result>> results;
  results.reserve(copies.size());
  session->resetStats();
  Clock::time_point begin = Clock::now();
  for (Values &instance : copies)
    results.push_back(session->submit(std::move(instance)));
  session->wait();
  seconds = secondsSince(begin);
  for (size_t i = 0; i < results.size(); ++i)
    if (Result result = results[i].get(); !result.status.ok())
      return refuse(i, result.status);
  return true;
}

bool Bench::measure() {
  if (!openSession(/*timeCells=*/false))
    return false;
  double seconds;
  for (int i = 0; i < options.warmup; ++i)
    if (!runOnce(seconds))
      return false;
  for (int i = 0; i < options.repeats; ++i) {
    if (!runOnce(seconds))
      return false;
    if (times.empty() ||
        seconds < *std::min_element(times.begin(), times.end()))
      best = session->stats();
    times.push_back(seconds);
  }
  std::sort(times.begin(), times.end());
  return true;
}

/// Reading the clock around each batch costs time itself, so it is done in a
/// run of its own. That is the run which is traced.
bool Bench::profile() {
  double seconds;
  if (!openSession(/*timeCells=*/true, trace.get()) || !runOnce(seconds))
    return false;
  timed = session->stats();
  return true;
}

/// What balances the measured times.
bool Bench::writePlacement() {
  CellCosts costs;
  for (const CellStats &cell : timed.cells)
    costs.push_back(cell.seconds);
  const amprt_model_t &descriptor = model.descriptor();
  Placement placement = placeCells(
      descriptor, costs, {options.session.workers, options.benchTrain});
  Status status =
      writeFileAtomically(options.placementOutput, [&](OutputFile &to) {
        return to.write(placementText(descriptor, placement));
      });
  if (!status.ok())
    console.error(status.message());
  return status.ok();
}

bool Bench::measureLatency() {
  if (!openSession(/*timeCells=*/false))
    return false;
  for (size_t i = 0; i < instances.size(); ++i) {
    Clock::time_point begin = Clock::now();
    Result result = session->run(instances[i]);
    latencies.push_back(1e6 * secondsSince(begin));
    if (!result.status.ok())
      return refuse(i, result.status);
  }
  std::sort(latencies.begin(), latencies.end());
  return true;
}

bool Bench::countChains() {
  session.reset();
  auto counter = ChainCounter::create(model, *weights, options.session);
  if (!counter) {
    console.error(counter.status().message());
    return false;
  }
  chains = std::move(*counter);
  for (const Values &instance : instances)
    chains->add(instance);
  chains->finish();
  return true;
}

bool Bench::recordGraph() {
  session.reset();
  auto recorder = GraphRecorder::create(model, *weights, options.session);
  Status status = recorder ? Status() : recorder.status();
  RecordedRun run = recordedModel(model.descriptor());
  // Not all at once: they are all open together.
  constexpr size_t together = 256;
  for (size_t i = 0; i < instances.size() && status.ok(); i += together) {
    size_t end = std::min(i + together, instances.size());
    auto graphs = (*recorder)->record(
        {instances.begin() + ptrdiff_t(i), instances.begin() + ptrdiff_t(end)});
    if (graphs)
      std::move(graphs->begin(), graphs->end(),
                std::back_inserter(run.instances));
    else
      status = graphs.status();
  }
  if (status.ok())
    status = writeGraphFile(options.recordGraph, run);
  if (!status.ok()) {
    console.error(status.message());
    return false;
  }
  console.note(fmt::format("'{}': recorded in {} runs", options.recordGraph,
                           (*recorder)->runs()));
  return true;
}

std::string Bench::json() const {
  nlohmann::ordered_json json;
  auto count = static_cast<double>(instances.size());
  json["instances_per_s"] = count / times.front();
  json["seconds"] = {{"min", times.front()},
                     {"median", percentile(times, 0.5)},
                     {"max", times.back()}};
  json["instances"] = instances.size();
  json["repeats"] = options.repeats;
  json["warmup"] = options.warmup;
  addSettings(json, options, model.descriptor());
  addStats(json, timed, model.descriptor());
  // With several workers, batches depend on the timing: those of the run that
  // gave the speed. The times are of the other one.
  json["batches"] = best.batches;
  json["cell_activations"] = best.activations;
  json["mean_batch"] =
      static_cast<double>(best.activations) / static_cast<double>(best.batches);
  json["histogram"] = histogramJson(totalHistogram(best));
  if (chains)
    addLowerBound(json, chains->finish(), best);
  if (options.latency)
    json["latency_us"] = {{"mean", mean(latencies)},
                          {"p50", percentile(latencies, 0.5)},
                          {"p90", percentile(latencies, 0.9)},
                          {"p99", percentile(latencies, 0.99)},
                          {"max", latencies.back()}};
  return dumpJson(json) + "\n";
}

std::string Bench::text() const {
  const SessionOptions &used = options.session;
  auto count = static_cast<double>(instances.size());
  std::string text = fmt::format(
      "{} for {}\n"
      "policy {}, {} worker{}, {} in flight, batches of {} at most\n"
      "{} instances, {} repeat{}, warm-up {}\n\n",
      model.descriptor().name, model.descriptor().target,
      policyName(used.policy), used.workers, used.workers == 1 ? "" : "s",
      used.maxInFlight, used.maxBatch, grouped(count), options.repeats,
      options.repeats == 1 ? "" : "s", options.warmup);
  std::vector<std::vector<std::string>> rows = {{"", "instances/s", "seconds"}};
  for (auto [name, seconds] : {std::pair("best", times.front()),
                               std::pair("median", percentile(times, 0.5)),
                               std::pair("worst", times.back())})
    rows.push_back(
        {name, grouped(count / seconds), fmt::format("{:.4g}", seconds)});
  text += table(rows, 1) + "\n" + statsText(timed);
  if (chains)
    text += "\n" + lowerBoundText(chains->finish(), best) + "\n";
  if (options.latency)
    text += fmt::format("\none instance at a time, microseconds: 50% {:.1f}, "
                        "90% {:.1f}, 99% {:.1f}, all {:.1f}\n",
                        percentile(latencies, 0.5), percentile(latencies, 0.9),
                        percentile(latencies, 0.99), latencies.back());
  return text;
}

int Bench::run() {
  Expected<Weights> loaded = loadWeights(options, model, console);
  if (!loaded) {
    console.error(loaded.status().message());
    return exitUnusable;
  }
  weights = *loaded;
  if (int status = readDataset(options, model, console, data); status != exitOk)
    return status;
  if (Status status = checkOutputs(options); !status.ok()) {
    console.error(status.message());
    return exitUnusable;
  }
  if (Status status = openTrace(); !status.ok()) {
    console.error(status.message());
    return exitUnusable;
  }
  if (!measure() || !profile() || (options.latency && !measureLatency()) ||
      (options.lowerBound && !countChains()))
    return exitInstancesFailed;
  if (!options.recordGraph.empty() && !recordGraph())
    return exitUnusable;
  if (!options.placementOutput.empty() && !writePlacement())
    return exitUnusable;
  Expected<OutputFile> output = OutputFile::create("-");
  Status status =
      output ? output->write(options.json ? json() : text()) : output.status();
  if (status.ok())
    status = output->close();
  if (status.ok() && trace)
    status = trace->finish();
  if (!status.ok()) {
    console.error(status.message());
    return exitUnusable;
  }
  return exitOk;
}

int benchCommand(const Options &options, const Model &model) {
  return Bench(options, model).run();
}

} // namespace amprt::cli
