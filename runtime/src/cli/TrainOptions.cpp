//===- TrainOptions.cpp - The command line of train -----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptionParts.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace amprt::cli {

static std::vector<std::string> split(const std::string &text, char at = ':') {
  std::vector<std::string> parts(1);
  for (char c : text)
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

static bool parseNumber(std::string_view text, double &number) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() &&
         std::isfinite(number);
}

/// "300" updates, or "2e": epochs.
static bool parsePeriod(std::string text, ScheduleText &schedule) {
  schedule.inEpochs = !text.empty() && text.back() == 'e';
  if (schedule.inEpochs)
    text.pop_back();
  return parseNumber(text, schedule.period) && schedule.period > 0 &&
         (schedule.inEpochs || schedule.period >= 1);
}

Expected<ScheduleText> parseSchedule(const std::string &text) {
  using Kind = ScheduleOptions::Kind;
  std::vector<std::string> parts = split(text);
  ScheduleText schedule;
  bool isRight = false;
  if (parts[0] == "constant") {
    isRight = parts.size() == 1;
  } else if (parts[0] == "cosine") {
    schedule.kind = Kind::cosine;
    isRight =
        parts.size() <= 3 &&
        (parts.size() < 2 || parsePeriod(parts[1], schedule)) &&
        (parts.size() < 3 || (parseNumber(parts[2], schedule.least) &&
                              schedule.least >= 0 && schedule.least <= 1));
  } else if (parts[0] == "step" || parts[0] == "exponential") {
    schedule.kind = parts[0] == "step" ? Kind::step : Kind::exponential;
    isRight = parts.size() == 3 && parsePeriod(parts[1], schedule) &&
              parseNumber(parts[2], schedule.factor) && schedule.factor >= 0;
  }
  if (isRight)
    return schedule;
  return Status(StatusCode::invalidArgument,
                fmt::format("'{}' is no schedule; there are: constant, "
                            "step:N:FACTOR, exponential:N:FACTOR, "
                            "cosine[:N[:LEAST]], with N in updates or, as 2e, "
                            "in epochs",
                            text));
}

void addUpdateOptions(CLI::App &command, TrainingOptions &training,
                      CLI::Option *needed) {
  OptimiserOptions &optimiser = training.trainer.optimiser;
  auto add = [&](const char *name, auto &value, const char *help,
                 const char *type) {
    CLI::Option *option =
        command.add_option(name, value, help)->type_name(type);
    if (needed)
      option->needs(needed);
    return option;
  };
  auto notNegative = [] { return CLI::NonNegativeNumber.description(""); };
  add("--batch", training.batch, "instances of an update", "N")
      ->check(between(int64_t(1), int64_t(1) << 32))
      ->capture_default_str();
  CLI::Option *kind =
      command
          .add_option_function<std::string>(
              "--optimizer,--optimiser",
              [&optimiser](const std::string &name) {
                optimiser.kind = *parseOptimiser(name);
              },
              "sgd, momentum, adam (the default), adamw or adagrad")
          ->check(CLI::Validator(
              [](std::string &name) {
                auto parsed = parseOptimiser(name);
                return parsed ? std::string() : parsed.status().message();
              },
              ""))
          ->type_name("NAME");
  if (needed)
    kind->needs(needed);
  add("--lr", optimiser.learningRate,
      "learning rate; 0.001, or 0.01 for adagrad", "X")
      ->check(notNegative());
  add("--weight-decay", optimiser.weightDecay,
      "added to the gradient, times the weights; adamw: decoupled, 0.01", "X")
      ->check(notNegative());
  add("--momentum", optimiser.momentum, "of momentum", "X")
      ->check(notNegative())
      ->capture_default_str();
  add("--beta1", optimiser.beta1, "of adam and adamw", "X")
      ->check(between(0.0, 0.9999999))
      ->capture_default_str();
  add("--beta2", optimiser.beta2, "of adam and adamw", "X")
      ->check(between(0.0, 0.9999999))
      ->capture_default_str();
  add("--epsilon", optimiser.epsilon, "of adam, adamw (1e-8), adagrad (1e-10)",
      "X")
      ->check(notNegative());
  add("--clip-value", training.trainer.clipValue,
      "greatest magnitude of an element of a gradient", "X")
      ->check(notNegative());
  add("--clip-norm", training.trainer.clipNorm,
      "greatest norm of all gradients together", "X")
      ->check(notNegative());
  command.add_flag("--nesterov", optimiser.nesterov, "of momentum");
  command.add_flag("--lazy", optimiser.lazy,
                   "rows of a table that an update does not look up stay as "
                   "they are, with their state");
}

static void addFiles(CLI::App &command, TrainingOptions &training) {
  auto add = [&](const char *name, std::string &value, const char *help,
                 const char *type) {
    return command.add_option(name, value, help)->type_name(type);
  };
  add("-d,--data", training.data, "JSON Lines file to train on", "FILE")
      ->required();
  add("--dev", training.dev,
      "JSON Lines file to compute the loss of after each epoch", "FILE");
  add("-o,--output", training.losses,
      "JSON Lines file for the loss of each update", "FILE");
  add("--metrics", training.metrics,
      "JSON Lines file for what is told on the way", "FILE");
  add("--save-weights", training.saveWeights,
      "safetensors file for the weights at the end", "FILE");
  add("--checkpoint", training.checkpoint,
      "folder for checkpoints, and for the weights with the best dev loss",
      "DIR");
}

/// "100" or "100,emb=1000": rows of gradients, and those of single parameters.
static std::string parseFrequency(const std::string &text,
                                  AsyncOptions &async) {
  for (const std::string &part : split(text, ',')) {
    size_t equals = part.rfind('=');
    std::string number =
        equals == std::string::npos ? part : part.substr(equals + 1);
    int64_t rows = 0;
    auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), rows);
    if (error != std::errc() || end != number.data() + number.size() ||
        rows < 1)
      return fmt::format("'{}' is no update frequency; expected N, NAME=N or "
                         "several of them with commas between",
                         part);
    if (equals == std::string::npos)
      async.minUpdateFrequency = rows;
    else
      async.frequencyOf[part.substr(0, equals)] = rows;
  }
  return "";
}

static void addAsyncOptions(CLI::App &command, Options &options) {
  TrainingOptions &training = options.training;
  command
      .add_option("--mode", training.mode,
                  "sync: all workers make one update of a minibatch; async: "
                  "each parameter's owner updates it while instances are under "
                  "way (AMPNet)")
      ->check(CLI::IsMember({"sync", "async"}).description(""))
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option("--max-active-keys", options.session.maxInFlight,
                  "another name of --max-in-flight")
      ->check(between(int64_t(1), int64_t(1) << 32))
      ->type_name("N")
      ->excludes("--max-in-flight");
  command
      .add_option_function<std::string>(
          "--min-update-frequency",
          [&training](const std::string &text) {
            (void)parseFrequency(text, training.async);
            training.hasUpdateFrequency = true;
          },
          "async: rows of gradients that a parameter gets before it is "
          "updated; N, or NAME=N for single ones, as in 100,emb=1000")
      ->check(CLI::Validator(
          [](std::string &text) {
            AsyncOptions unused;
            return parseFrequency(text, unused);
          },
          ""))
      ->type_name("SPEC");
  CLI::Option *replicas =
      command
          .add_option("--replicas", training.async.replicas,
                      "async: copies of the cells with their parameters; they "
                      "divide the workers, and each has instances of its own")
          ->check(between(1, 1024))
          ->type_name("R")
          ->capture_default_str();
  command
      .add_option("--average-every", training.async.averageEvery,
                  "async: instances from one averaging of the replicas to the "
                  "next; else only where the weights are needed: at the end of "
                  "each epoch, and every 10,000 instances or 100 times "
                  "--max-active-keys")
      ->check(between(int64_t(1), int64_t(1) << 62))
      ->needs(replicas)
      ->type_name("N");
}

void addTrainOptions(CLI::App &command, Options &options) {
  TrainingOptions &training = options.training;
  addFiles(command, training);
  auto add = [&](const char *name, auto &value, const char *help,
                 int64_t least) {
    return command.add_option(name, value, help)
        ->check(between(least, int64_t(1) << 62))
        ->type_name("N");
  };
  add("--epochs", training.epochs,
      "times that all of the data is used; 1 unless --updates is given", 0);
  add("--updates", training.updates, "updates in all, at most", 0);
  add("--warmup", training.warmup,
      "updates in which the learning rate grows to its value", 0);
  add("--log-every", training.logEvery, "updates of a line of --metrics", 1)
      ->capture_default_str();
  CLI::Option *folder = command.get_option("--checkpoint");
  add("--checkpoint-every", training.checkpointEvery,
      "updates from one checkpoint to the next; else one after each epoch. "
      "async: instances, and those after epochs as well",
      1)
      ->needs(folder);
  command.add_option("--keep", training.keep, "checkpoints that are kept")
      ->check(between(1, 1'000'000))
      ->needs(folder)
      ->type_name("N")
      ->capture_default_str();
  command
      .add_flag("--resume", training.resume,
                "go on from the newest checkpoint, if there is one")
      ->needs(folder);
  add("--patience", training.patience,
      "stop after N epochs without a better dev loss", 1)
      ->needs("--dev");
  command.add_flag("--shuffle,!--no-shuffle", training.shuffle,
                   "another order in each epoch; on unless --no-shuffle");
  command
      .add_option_function<std::string>(
          "--schedule",
          [&training](const std::string &text) {
            training.schedule = *parseSchedule(text);
          },
          "how the learning rate changes: constant, step:N:FACTOR, "
          "exponential:N:FACTOR or cosine[:N[:LEAST]]; N updates, or epochs: "
          "2e")
      ->check(CLI::Validator(
          [](std::string &text) {
            auto parsed = parseSchedule(text);
            return parsed ? std::string() : parsed.status().message();
          },
          ""))
      ->type_name("SPEC");
  command
      .add_option("--reduction", training.trainer.reduction,
                  "what is minimised over an update's instances: mean or sum")
      ->transform(CLI::CheckedTransformer(
                      std::map<std::string, Reduction>{
                          {"mean", Reduction::mean}, {"sum", Reduction::sum}})
                      .description(""))
      ->type_name("NAME");
  command.add_flag("--skip-failed", training.trainer.skipFailed,
                   "leave out instances that fail, instead of stopping");
  addUpdateOptions(command, training);
  addAsyncOptions(command, options);
}

} // namespace amprt::cli
