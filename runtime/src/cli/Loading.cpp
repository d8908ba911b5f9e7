//===- Loading.cpp - What run and bench have in common --------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loading.h"

#include "core/Engine.h"
#include "io/Checksum.h"

#include <fmt/format.h>
#include <iterator>
#include <sys/stat.h>
#include <utility>

namespace amprt::cli {

Expected<Weights> loadWeights(const Options &options, const Model &model,
                              Console &console) {
  WeightsOptions weightsOptions;
  weightsOptions.seed = options.seed;
  Expected<Weights> weights =
      Weights::load(model, options.weights, weightsOptions);
  if (!weights)
    return weights;
  const std::vector<std::string> &initialised = weights->initialised();
  const std::vector<std::string> &unused = weights->unused();
  if (options.strict && !options.weights.empty()) {
    if (!initialised.empty())
      return Status(StatusCode::invalidArgument,
                    fmt::format("'{}' lacks parameters of the model: {}",
                                options.weights, joined(initialised)));
    if (!unused.empty())
      return Status(StatusCode::invalidArgument,
                    fmt::format("'{}' has tensors that the model lacks: {}",
                                options.weights, joined(unused)));
  }
  if (!initialised.empty())
    console.note(fmt::format("initialised from seed {}: {}", options.seed,
                             joined(initialised)));
  if (!unused.empty())
    console.note(fmt::format("tensors of '{}' that the model does not use: {}",
                             options.weights, joined(unused)));
  return weights;
}

Expected<const amprt_entry_t *> chosenEntry(const Options &options,
                                            const Model &model) {
  if (const amprt_entry_t *entry = model.entry(options.entry))
    return entry;
  return missingEntry(model.descriptor(), options.entry);
}

static bool sameFile(const std::string &a, const std::string &b) {
  struct stat first, second;
  return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 &&
         S_ISREG(first.st_mode) && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

Status checkOutputs(const Options &options) {
  using Named = std::pair<const char *, const std::string &>;
  const Named inputs[] = {{"--input", options.input},
                          {"--weights", options.weights},
                          {"--arrivals", options.arrivals},
                          {"--policy", options.session.policyFile},
                          {"--data", options.training.data},
                          {"--dev", options.training.dev}};
  const Named outputs[] = {{"--output", options.output},
                           {"--stats", options.stats},
                           {"--trace", options.trace},
                           {"--record-graph", options.recordGraph},
                           {"--output", options.training.losses},
                           {"--metrics", options.training.metrics},
                           {"--save-weights", options.training.saveWeights}};
  auto check = [](const Named &output, const Named &other) {
    const std::string &path = output.second;
    if (path.empty() || path == "-" ||
        (path != other.second && !sameFile(path, other.second)))
      return Status();
    return Status(StatusCode::invalidArgument,
                  fmt::format("{} and {} are the same file, '{}'", output.first,
                              other.first, path));
  };
  for (size_t i = 0; i < std::size(outputs); ++i) {
    for (const Named &input : inputs)
      if (Status status = check(outputs[i], input); !status.ok())
        return status;
    for (size_t j = 0; j < i; ++j)
      if (Status status = check(outputs[i], outputs[j]); !status.ok())
        return status;
  }
  return Status();
}

InstanceSource::InstanceSource(LineReader reader, InstanceParser theParser,
                               const Options &options, Console &theConsole)
    : lines(std::move(reader)), parser(std::move(theParser)),
      console(theConsole), skip(options.skip), limit(options.limit) {}

Expected<std::unique_ptr<InstanceSource>>
InstanceSource::open(const Options &options, const Model &model,
                     Console &console, int wake) {
  Expected<const amprt_entry_t *> entry = chosenEntry(options, model);
  if (!entry)
    return entry.status();
  Expected<LineReader> reader = LineReader::open(options.input, wake);
  if (!reader)
    return reader.status();
  InstanceParser parser((*entry)->fields, (*entry)->field_count,
                        options.strict);
  return std::unique_ptr<InstanceSource>(new InstanceSource(
      std::move(*reader), std::move(parser), options, console));
}

InstanceSource::Event InstanceSource::next() {
  while (limit > 0) {
    LineReader::Event event = lines.next();
    switch (event) {
    case LineReader::Event::end:
      return Event::end;
    case LineReader::Event::failed:
      return Event::failed;
    case LineReader::Event::interrupted:
      return Event::stopped;
    case LineReader::Event::line:
      if (lines.line().find_first_not_of(" \t\r") == std::string_view::npos)
        continue;
      break;
    case LineReader::Event::tooLong:
      break;
    }
    if (skip > 0) {
      --skip;
      continue;
    }
    --limit;
    if (event == LineReader::Event::tooLong)
      current = Status(StatusCode::invalidArgument,
                       fmt::format("the line is longer than {} bytes",
                                   lines.maxLineBytes()));
    else
      current = parser.parse(lines.line());
    const std::vector<std::string> &unknown = parser.unknownFields();
    if (unknown.size() != unknownTold) {
      console.note(fmt::format(
          "fields that the model does not know are skipped: {}",
          joined({unknown.begin() + static_cast<ptrdiff_t>(unknownTold),
                  unknown.end()})));
      unknownTold = unknown.size();
    }
    return Event::instance;
  }
  return Event::end;
}

int readDataset(const Options &options, const Model &model, Console &console,
                Dataset &data, int wake) {
  Expected<std::unique_ptr<InstanceSource>> source =
      InstanceSource::open(options, model, console, wake);
  if (!source) {
    console.error(source.status().message());
    return exitUnusable;
  }
  std::string name = options.input == "-" ? "standard input"
                                          : fmt::format("'{}'", options.input);
  uint64_t failed = 0;
  Checksum checksum;
  while (true) {
    InstanceSource::Event event = (*source)->next();
    if (event == InstanceSource::Event::failed) {
      console.error((*source)->status().message());
      return exitUnusable;
    }
    if (event != InstanceSource::Event::instance)
      break;
    Expected<Values> &instance = (*source)->instance();
    if (!instance) {
      ++failed;
      console.instanceError((*source)->reader().lineNumber(),
                            instance.status().message());
      continue;
    }
    data.instances.push_back(std::move(*instance));
    data.lines.push_back((*source)->reader().lineNumber());
    checksum.add((*source)->reader().line());
    checksum.add("\n");
  }
  data.checksum = checksum.value();
  if (failed != 0) {
    console.error(
        fmt::format("{} of {} instances of {} cannot be used; nothing "
                    "was done",
                    failed, failed + data.instances.size(), name));
    return exitInstancesFailed;
  }
  if (data.instances.empty()) {
    console.error(name + " has no instances");
    return exitUnusable;
  }
  return exitOk;
}

Status prepareRecording(const Options &options, SessionOptions &session) {
  session.record = !options.record.empty();
  if (options.replay.empty())
    return Status();
  Expected<Recording> recording = Recording::load(options.replay);
  if (recording)
    session.replay = std::move(*recording);
  return recording ? Status() : recording.status();
}

} // namespace amprt::cli
