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

#include "Commands.h"
#include "Interrupt.h"
#include "Loading.h"
#include "Report.h"
#include "ResultWriter.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace amprt::cli {

static bool sameFile(const std::string &a, const std::string &b) {
  struct stat first, second;
  return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 &&
         S_ISREG(first.st_mode) && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

/// Whether a file to write is one that is read, or written twice: opening it
/// would destroy it.
static Status checkOutputs(const Options &options) {
  struct Named {
    const char *option;
    const std::string &path;
  };
  const Named input{"--input", options.input},
      output{"--output", options.output}, weights{"--weights", options.weights},
      stats{"--stats", options.stats};
  for (auto [a, b] : {std::pair(&output, &input), std::pair(&output, &weights),
                      std::pair(&stats, &input), std::pair(&stats, &weights),
                      std::pair(&stats, &output)})
    if (!a->path.empty() && a->path != "-" &&
        (a->path == b->path || sameFile(a->path, b->path)))
      return Status(StatusCode::invalidArgument,
                    fmt::format("{} and {} are the same file, '{}'", a->option,
                                b->option, a->path));
  return Status();
}

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
  /// Reads and submits all instances.
  void feed(ResultWriter &writer);
  int conclude(const Status &written, const WriterCounts &counts);
  Status writeStats(const WriterCounts &counts, double seconds);

  bool refuse(const Status &status) {
    console.error(status.message());
    return false;
  }

  const Options &options;
  const Model &model;
  Console console;
  Interrupt interrupt;
  std::unique_ptr<Session> session;
  std::unique_ptr<InstanceSource> source;
  OutputFile output, stats;
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
  SessionOptions sessionOptions = options.session;
  sessionOptions.timeCells = !options.stats.empty();
  Expected<std::unique_ptr<Session>> created =
      Session::create(model, *weights, sessionOptions);
  if (!created)
    return refuse(created.status());
  session = std::move(*created);

  // Only now: until here, nothing that exists has been touched.
  if (Status status = checkOutputs(options); !status.ok())
    return refuse(status);
  if (!options.stats.empty()) {
    Expected<OutputFile> file = OutputFile::create(options.stats);
    if (!file)
      return refuse(file.status());
    stats = std::move(*file);
  }
  Expected<OutputFile> file = OutputFile::create(options.output);
  if (!file)
    return refuse(file.status());
  output = std::move(*file);
  return true;
}

void Runner::feed(ResultWriter &writer) {
  // The source itself looks only when it must read on, not for each line.
  while (!interrupt.stopped()) {
    switch (source->next()) {
    case InstanceSource::Event::end:
      return;
    case InstanceSource::Event::failed:
      inputStatus = source->status();
      return;
    case InstanceSource::Event::stopped:
      continue;
    case InstanceSource::Event::instance:
      break;
    }
    Pending pending;
    pending.line = source->reader().lineNumber();
    pending.bytesRead = source->reader().bytesRead();
    if (Expected<Values> &instance = source->instance(); instance.ok())
      pending.result = session->submit(std::move(*instance));
    else
      pending.status = instance.status();
    writer.push(std::move(pending));
  }
  if (interrupt.signal() != 0)
    console.note("interrupted: finishing the instances that were read");
}

Status Runner::writeStats(const WriterCounts &counts, double seconds) {
  nlohmann::ordered_json json;
  addSettings(json, options, model.descriptor());
  json["instances"] = counts.written;
  json["failed"] = counts.failed;
  json["seconds"] = seconds;
  json["instances_per_s"] = static_cast<double>(counts.written) / seconds;
  addStats(json, session->stats(), model.descriptor());
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
    console.error(fmt::format("{} after line {}; the output is incomplete",
                              inputStatus.message(),
                              source->reader().lineNumber()));
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
  auto begin = std::chrono::steady_clock::now();
  console.startProgress(source->reader().fileBytes(),
                        ::isatty(output.descriptor()));
  // More than the session holds itself (3 x), so that it is the one to block.
  size_t capacity = 4 * static_cast<size_t>(options.session.maxInFlight) + 64;
  ResultWriter writer(std::move(output), model.descriptor(), console, capacity,
                      [this] { interrupt.stop(); });
  feed(writer);
  Status written = writer.finish();
  console.endProgress();
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  int status = conclude(written, writer.counts());
  if (options.stats.empty())
    return status;
  session->wait();
  if (Status statsStatus = writeStats(writer.counts(), seconds.count());
      !statsStatus.ok()) {
    console.error(statsStatus.message());
    return exitUnusable;
  }
  return status;
}

int runCommand(const Options &options, const Model &model) {
  return Runner(options, model).run();
}

} // namespace amprt::cli
