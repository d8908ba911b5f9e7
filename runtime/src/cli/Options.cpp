//===- Options.cpp - The command line of a compiled model -----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "OptionParts.h"

#include <fmt/format.h>

namespace amprt::cli {

static std::string versionText(const amprt_model_t &model) {
  return fmt::format("{}: compiled by ampc for {}; runtime ABI {}", model.name,
                     model.target, model.abi_version);
}

static std::string checkPolicy(std::string &text) {
  SessionOptions unused;
  return setPolicy(unused, text).message();
}

static void addPlacement(CLI::App &command, SessionOptions &session) {
  command
      .add_option_function<std::string>(
          "--placement",
          [&session](const std::string &name) {
            session.placement = *parsePlacementMode(name);
          },
          "what a worker owns: whole instances (instance, the default), or "
          "cells with their parameters (model)")
      ->check(CLI::Validator(
          [](std::string &name) {
            auto parsed = parsePlacementMode(name);
            return parsed ? std::string() : parsed.status().message();
          },
          ""))
      ->type_name("NAME");
  command
      .add_option("--placement-file", session.placementFile,
                  "JSON file that says which worker owns which cell; else "
                  "their estimated work is balanced")
      ->type_name("FILE");
}

static void addRecording(CLI::App &command, Options &options) {
  CLI::Option *record =
      command
          .add_option("--record", options.record,
                      "file for the order in which workers did things, with "
                      "placement model")
          ->type_name("FILE");
  command
      .add_option("--replay", options.replay,
                  "file of --record: does all in the same order, to the bit, "
                  "with its workers and placement")
      ->excludes(record)
      ->type_name("FILE");
}

/// Options of all that runs instances.
static void addSessionOptions(CLI::App &command, Options &options,
                              std::string &policy) {
  constexpr int64_t many = int64_t(1) << 32;
  constexpr int64_t unlimited = int64_t(1) << 62;
  SessionOptions &session = options.session;
  command
      .add_option("-w,--weights", options.weights,
                  "safetensors file with the parameters; what it lacks is "
                  "initialised from the seed")
      ->type_name("FILE");
  command.add_option("--seed", options.seed, "for parameters to initialise")
      ->check(CLI::NonNegativeNumber.description(""))
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--policy", policy,
                  "what is batched: none, depth, agenda, phase, greedy, or "
                  "learned:FILE with a file of amp-learn-policy")
      ->check(CLI::Validator(checkPolicy, ""))
      ->type_name("NAME")
      ->capture_default_str();
  command.add_option("--workers", session.workers, "threads")
      ->check(between(1, 1024))
      ->type_name("N")
      ->capture_default_str();
  addPlacement(command, session);
  command
      .add_option("--max-in-flight", session.maxInFlight,
                  "instances that are open at once, over all workers")
      ->check(between(int64_t(1), many))
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--max-batch", session.maxBatch,
                  "activations that run together at most")
      ->check(between(int64_t(1), many))
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--step-limit", session.stepLimit,
                  "calls and iterations of one instance at most")
      ->check(between(int64_t(1), unlimited))
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--memory-limit", session.memoryLimit,
                  "bytes for one instance at most; with k, M or G: times "
                  "1024, 1024^2, 1024^3")
      ->transform(CLI::AsNumberWithUnit(
                      std::map<std::string, int64_t>{{"k", int64_t(1) << 10},
                                                     {"m", int64_t(1) << 20},
                                                     {"g", int64_t(1) << 30}},
                      CLI::AsNumberWithUnit::CASE_INSENSITIVE, "")
                      .description(""))
      ->check(between(int64_t(1), int64_t(1) << 40))
      ->type_name("BYTES")
      ->capture_default_str();
  command.add_flag("--strict", options.strict,
                   "refuse fields that the model does not know, and weights "
                   "that are not exactly the model's");
  command.add_flag("-q,--quiet", options.quiet, "print errors only");
}

/// Which instances are taken.
static void addRangeOptions(CLI::App &command, Options &options) {
  command.add_option("--skip", options.skip, "leave out the first N instances")
      ->check(CLI::NonNegativeNumber.description(""))
      ->type_name("N");
  command.add_option("--limit", options.limit, "take at most N instances")
      ->check(CLI::NonNegativeNumber.description(""))
      ->type_name("N");
}

/// Of run and bench.
static void addInputOptions(CLI::App &command, Options &options) {
  command
      .add_option("-i,--input", options.input,
                  "JSON Lines file with the instances; - is standard input")
      ->type_name("FILE")
      ->capture_default_str();
  command
      .add_option("--trace", options.trace,
                  "JSON file for a trace of batches and instances, to be "
                  "opened with Perfetto (ui.perfetto.dev) or Chrome")
      ->type_name("FILE");
  command.add_flag("--lower-bound", options.lowerBound,
                   "also count how many batches any policy needs; takes one "
                   "more run for each cell");
}

static void addRun(CLI::App &command, Options &options) {
  command.add_flag_callback(
      "--evaluate", [&options] { options.entry = Entry::evaluate; },
      "also compute the loss, from fields that have what is right");
  command
      .add_option("-o,--output", options.output,
                  "JSON Lines file for the results; - is standard output")
      ->type_name("FILE")
      ->capture_default_str();
  command
      .add_option("--stats", options.stats,
                  "JSON file for counts and times of the run")
      ->type_name("FILE");
  CLI::Option *arrivals =
      command
          .add_option("--arrivals", options.arrivals,
                      "instances arrive over time, as at a server: "
                      "poisson:RATE, so many a second on the mean, or a file "
                      "with a time in seconds for each")
          ->type_name("SPEC");
  command
      .add_option("--time-scale", options.timeScale,
                  "arrival times are divided by X")
      ->check(between(1e-6, 1e9))
      ->needs(arrivals)
      ->type_name("X")
      ->capture_default_str();
}

static void addBench(CLI::App &command, Options &options) {
  command.add_option("--repeats", options.repeats, "measured runs")
      ->check(between(1, 1'000'000))
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--warmup", options.warmup, "runs before those")
      ->check(between(0, 1'000'000))
      ->type_name("N")
      ->capture_default_str();
  command.add_flag("--latency", options.latency,
                   "also run the instances one at a time and print percentiles "
                   "of their times");
  command
      .add_option("--record-graph", options.recordGraph,
                  "file for which activations need which, for "
                  "amp-learn-policy")
      ->type_name("FILE");
  command
      .add_option("--placement-output", options.placementOutput,
                  "file for a placement that balances the measured times of "
                  "cells over the workers")
      ->type_name("FILE");
  command.add_flag("--json", options.json, "print one line of JSON");
}

std::optional<int> parseOptions(int argc, char **argv,
                                const amprt_model_t &model, Options &options) {
  std::string path = argc > 0 ? argv[0] : model.name;
  options.program = path.substr(path.rfind('/') + 1);
  std::string policy = policyName(options.session.policy);

  CLI::App app(fmt::format("{}: a model compiled by ampc", model.name),
               options.program);
  app.require_subcommand(1);
  CLI::App *run = app.add_subcommand(
      "run", "Run instances and write their results, in the same order");
  CLI::App *train = app.add_subcommand(
      "train", "Change the weights so that the loss becomes small");
  CLI::App *bench =
      app.add_subcommand("bench", "Measure how fast instances run");
  CLI::App *serve = app.add_subcommand(
      "serve", "Run cells for a session in another process, as run and bench "
               "have them done with --processes");
  CLI::App *info = app.add_subcommand("info", "Describe the model");
  for (CLI::App *each : {&app, run, train, bench, serve, info})
    each->set_version_flag("--version", versionText(model));
  for (CLI::App *each : {run, bench})
    addInputOptions(*each, options);
  for (CLI::App *each : {run, train, bench})
    addRangeOptions(*each, options);
  for (CLI::App *each : {run, train, bench, serve})
    addSessionOptions(*each, options, policy);
  for (CLI::App *each : {run, bench})
    each->add_flag("--processes", options.processes,
                   "each worker but the first is a process of its own, with "
                   "placement model");
  serve
      ->add_option("--socket", options.socket,
                   "descriptor of the stream socket that leads to the session")
      ->required()
      ->type_name("N");
  for (CLI::App *each : {run, train})
    addRecording(*each, options);
  addRun(*run, options);
  addTrainOptions(*train, options);
  addBench(*bench, options);
  CLI::Option *benchTrain = bench->add_flag("--train", options.benchTrain,
                                            "measure updates of the weights");
  addUpdateOptions(*bench, options.training, benchTrain);
  info->add_flag("--json", options.json, "print one line of JSON");
  info->add_option("--workers", options.placedWorkers,
                   "also say which of N workers owns which cell with "
                   "--placement model")
      ->check(between(1, 1024))
      ->type_name("N");
  info->add_flag("--train", options.benchTrain, "the same when it is trained");
  addPlacement(*info, options.session);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0)
      return app.exit(error); // Prints the help or version.
    fmt::print(stderr, "{}: {}\n{}: --help lists commands and options\n",
               options.program, error.what(), options.program);
    return exitUnusable;
  }
  (void)setPolicy(options.session, policy); // Checked while parsing.
  options.command = *run     ? Command::run
                    : *train ? Command::train
                    : *bench ? Command::bench
                    : *serve ? Command::serve
                             : Command::info;
  return std::nullopt;
}

} // namespace amprt::cli
