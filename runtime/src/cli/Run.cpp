//===- Run.cpp - The command run: instances in, results out ---------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This thread reads and submits, the session's workers compute, and a writer's
// thread waits and writes. Memory is bounded: submit() blocks while too many
// instances wait, and so does the writer's queue while too many have results.
//
//===----------------------------------------------------------------------===//

#include "ChainCounter.h"
#include "Commands.h"
#include "Interrupt.h"
#include "Loading.h"
#include "Processes.h"
#include "Report.h"
#include "ResultWriter.h"
#include "TraceWriter.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace amprt::cli {

namespace {

/// One call of the command.
class Runner {
public:
  Runner(const Options &theOptions, const Model &theModel)
      : options(theOptions), model(theModel), console(theOptions) {}

  int run();

private:
  /// Opens and loads everything; what cannot be used is printed.
  bool prepare();
  Status openSession(const Weights &weights);
  Status openOutputs();
  /// Reads and submits all instances.
  void feed(ResultWriter &writer);
  bool awaitArrival(Pending &pending);
  int conclude(const Status &written, const WriterCounts &counts);
  void summarise(const WriterCounts &counts, double seconds);
  Status writeStats(const WriterCounts &counts, double seconds);

  bool refuse(const Status &status) {
    console.error(status.message());
    return false;
  }

  const Options &options;
  const Model &model;
  Console console;
  Interrupt interrupt;
  std::unique_ptr<TraceWriter> trace; ///< Or null; outlives the session.
  Processes processes;                ///< Outlive the session.
  std::unique_ptr<Session> session;
  std::unique_ptr<ChainCounter> chains; ///< Or null.
  std::unique_ptr<InstanceSource> source;
  OutputFile output, stats;
  Arrivals arrivals;                      ///< Or none.
  InstanceTimes::Clock::time_point begin; ///< Of the first arrival's clock.
  Status inputStatus;
};

} // namespace

bool Runner::prepare() {
  Expected<Weights> weights = loadWeights(options, model, console);
  if (!weights)
    return refuse(weights.status());
  Expected<std::unique_ptr<InstanceSource>> opened =
      InstanceSource::open(options, model, console, interrupt.descriptor());
  if (!opened)
    return refuse(opened.status());
  source = std::move(*opened);
  if (!options.arrivals.empty()) {
    Expected<Arrivals> times = openArrivals(options);
    if (!times)
      return refuse(times.status());
    arrivals = std::move(*times);
  }
  Status status = openSession(*weights);
  // Only now: until here, nothing that exists has been touched.
  if (status.ok())
    status = openOutputs();
  return status.ok() || refuse(status);
}

Status Runner::openOutputs() {
  if (Status status = checkOutputs(options); !status.ok())
    return status;
  auto open = [](OutputFile &to, const std::string &path) {
    Expected<OutputFile> file = OutputFile::create(path);
    if (!file)
      return file.status();
    to = std::move(*file);
    return Status();
  };
  if (!options.stats.empty())
    if (Status status = open(stats, options.stats); !status.ok())
      return status;
  if (trace)
    if (Status status = trace->open(options.trace); !status.ok())
      return status;
  return open(output, options.output);
}

Status Runner::openSession(const Weights &weights) {
  if (!options.trace.empty())
    trace = std::make_unique<TraceWriter>(model.descriptor(),
                                          options.session.workers);
  SessionOptions sessionOptions = options.session;
  if (Status status = prepareRecording(options, sessionOptions); !status.ok())
    return status;
  sessionOptions.timeCells = !options.stats.empty();
  sessionOptions.timeInstances = static_cast<bool>(arrivals);
  sessionOptions.observer = trace.get();
  if (Status status = processes.start(options, sessionOptions); !status.ok())
    return status;
  Expected<std::unique_ptr<Session>> created =
      Session::create(model, weights, sessionOptions);
  if (!created)
    return created.status();
  session = std::move(*created);
  if (options.lowerBound) {
    auto counter = ChainCounter::create(model, weights, options.session);
    if (!counter)
      return counter.status();
    chains = std::move(*counter);
  }
  return Status();
}

/// Sleeps until the instance's time; false if it is not to be submitted.
bool Runner::awaitArrival(Pending &pending) {
  std::optional<double> seconds = arrivals();
  if (!seconds) {
    inputStatus = Status(
        StatusCode::invalidArgument,
        fmt::format("'{}' has no arrival time for the instance of line {}",
                    options.arrivals, pending.line));
    return false;
  }
  pending.arrival =
      begin + std::chrono::duration_cast<InstanceTimes::Clock::duration>(
                  std::chrono::duration<double>(*seconds));
  return interrupt.sleepUntil(*pending.arrival);
}

void Runner::feed(ResultWriter &writer) {
  SubmitOptions how;
  how.entry = options.entry;
  // The source itself looks only when it must read on, not for each line.
  while (!interrupt.stopped()) {
    switch (source->next()) {
    case InstanceSource::Event::end:
      return;
    case InstanceSource::Event::failed:
      inputStatus =
          Status(source->status().code(),
                 fmt::format("{} after line {}", source->status().message(),
                             source->reader().lineNumber()));
      return;
    case InstanceSource::Event::stopped:
      continue;
    case InstanceSource::Event::instance:
      break;
    }
    Pending pending;
    pending.line = source->reader().lineNumber();
    pending.bytesRead = source->reader().bytesRead();
    if (arrivals && !awaitArrival(pending))
      break;
    if (Expected<Values> &instance = source->instance(); instance.ok()) {
      if (chains)
        chains->add(*instance);
      pending.result = session->submit(std::move(*instance), how);
    } else {
      pending.status = instance.status();
    }
    writer.push(std::move(pending));
  }
  if (interrupt.signal() != 0)
    console.note("interrupted: finishing the instances that were read");
}

/// For instances that arrive over time.
void Runner::summarise(const WriterCounts &counts, double seconds) {
  const ArrivalCounts &arrived = counts.arrivals;
  const Durations &latencies = arrived.latencies;
  console.note(fmt::format(
      "{} instances in {:.4g} s, {} a second; on the mean {:.3g} were open and "
      "{:.3g} waited",
      grouped(static_cast<double>(counts.written)), seconds,
      grouped(static_cast<double>(counts.written) / seconds),
      arrived.openSeconds / seconds, arrived.waitingSeconds / seconds));
  if (latencies.count() != 0)
    console.note(fmt::format(
        "milliseconds from arrival to result: 50% {:.4g}, 90% {:.4g}, 99% "
        "{:.4g}, all {:.4g}",
        1e3 * latencies.percentile(0.5), 1e3 * latencies.percentile(0.9),
        1e3 * latencies.percentile(0.99), 1e3 * latencies.max()));
}

Status Runner::writeStats(const WriterCounts &counts, double seconds) {
  nlohmann::ordered_json json;
  addSettings(json, options, model.descriptor());
  json["instances"] = counts.written;
  json["failed"] = counts.failed;
  json["seconds"] = seconds;
  json["instances_per_s"] = static_cast<double>(counts.written) / seconds;
  if (arrivals) {
    const Durations &latencies = counts.arrivals.latencies;
    json["arrivals"] = options.arrivals;
    json["time_scale"] = options.timeScale;
    json["latency_us"] = {{"mean", 1e6 * latencies.mean()},
                          {"p50", 1e6 * latencies.percentile(0.5)},
                          {"p90", 1e6 * latencies.percentile(0.9)},
                          {"p99", 1e6 * latencies.percentile(0.99)},
                          {"max", 1e6 * latencies.max()}};
    json["mean_open"] = counts.arrivals.openSeconds / seconds;
    json["mean_waiting"] = counts.arrivals.waitingSeconds / seconds;
  }
  addStats(json, session->stats(), model.descriptor());
  if (chains)
    addLowerBound(json, chains->finish(), session->stats());
  (void)stats.write(dumpJson(json, 2) + "\n");
  return stats.close();
}

int Runner::conclude(const Status &written, const WriterCounts &counts) {
  if (counts.notFinite != 0)
    console.note(fmt::format(
        "{} of {} instances have results that are not finite, first '{}' of "
        "line {}; they are null in the output",
        counts.notFinite, counts.written, counts.firstNotFiniteName,
        counts.firstNotFiniteLine));
  if (counts.failed != 0)
    console.error(fmt::format("{} of {} instances failed", counts.failed,
                              counts.written));
  if (!written.ok()) {
    console.error(written.message() + "; the output is incomplete");
    return exitUnusable;
  }
  if (!inputStatus.ok()) {
    console.error(inputStatus.message() + "; the output is incomplete");
    return exitUnusable;
  }
  if (int signal = interrupt.signal()) {
    console.error(fmt::format("interrupted after {} instances; the output is "
                              "incomplete",
                              counts.written));
    return 128 + signal;
  }
  return counts.failed != 0 ? exitInstancesFailed : exitOk;
}

int Runner::run() {
  if (!prepare())
    return exitUnusable;
  begin = InstanceTimes::Clock::now();
  console.startProgress(source->reader().fileBytes(),
                        ::isatty(output.descriptor()));
  // More than the session holds itself (3 x), so that it is the one to block.
  size_t capacity = 4 * static_cast<size_t>(options.session.maxInFlight) + 64;
  // That results leave in order must not hold up what arrives.
  if (arrivals) {
    capacity += 1 << 16;
    ::prctl(PR_SET_TIMERSLACK, 1UL); // Not 50 us late each time.
  }
  ResultWriter writer(std::move(output), *model.entry(options.entry), console,
                      capacity, [this] { interrupt.stop(); });
  feed(writer);
  Status written = writer.finish();
  console.endProgress();
  std::chrono::duration<double> seconds = InstanceTimes::Clock::now() - begin;
  int status = conclude(written, writer.counts());
  if (arrivals)
    summarise(writer.counts(), seconds.count());
  session->wait(); // For all reports: after a failure not all has ended.
  if (chains)
    console.note(lowerBoundText(chains->finish(), session->stats()));
  Status reported;
  if (!options.record.empty())
    reported = session->recording().save(options.record);
  if (!options.stats.empty() && reported.ok())
    reported = writeStats(writer.counts(), seconds.count());
  if (trace)
    if (Status traced = trace->finish(); reported.ok())
      reported = traced;
  return reported.ok() || refuse(reported) ? status : exitUnusable;
}

int runCommand(const Options &options, const Model &model) {
  return Runner(options, model).run();
}

} // namespace amprt::cli
