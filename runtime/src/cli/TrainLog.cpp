//===- TrainLog.cpp - What train tells on the way -------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainLog.h"

#include "Report.h"

#include <cmath>
#include <fmt/format.h>
#include <map>

namespace amprt::cli {

using Json = nlohmann::ordered_json;

static double rate(int64_t instances, double seconds) {
  return seconds > 0 ? static_cast<double>(instances) / seconds : 0;
}

Status TrainLog::open(const TrainState &state, bool isResumed) {
  auto openOne = [&](const std::string &path, int64_t bytes, bool &has,
                     OutputFile &to) {
    has = !path.empty();
    if (!has)
      return Status();
    Expected<OutputFile> file =
        isResumed ? OutputFile::resume(path, bytes) : OutputFile::create(path);
    if (!file)
      return file.status();
    to = std::move(*file);
    return Status();
  };
  metricsBytes = state.metricsBytes;
  lossBytes = state.lossBytes;
  if (Status status =
          openOne(options.training.metrics, metricsBytes, hasMetrics, metrics);
      !status.ok())
    return status;
  return openOne(options.training.losses, lossBytes, hasLosses, losses);
}

void TrainLog::writeMetrics(const std::string &line) {
  if (!hasMetrics)
    return;
  (void)metrics.write(line + "\n");
  metricsBytes += static_cast<int64_t>(line.size()) + 1;
}

void TrainLog::update(const UpdateResult &result, int64_t number,
                      TrainState &state) {
  if (hasLosses) {
    bool isMean = options.training.trainer.reduction == Reduction::mean;
    std::string line = fmt::format("{{\"loss\":{}}}\n",
                                   isMean ? result.meanLoss() : result.lossSum);
    (void)losses.write(line);
    lossBytes += static_cast<int64_t>(line.size());
  }
  groupSeconds += result.seconds;
  epochSeconds += result.seconds;
  groupInstances += result.instances;
  epochInstances += result.instances;
  if (state.inGroup.updates < options.training.logEvery)
    return;
  Json json;
  json["kind"] = "updates";
  json["update"] = number;
  json["epoch"] = state.epoch + 1;
  json["loss"] = state.inGroup.mean();
  json["instances"] = state.inGroup.instances;
  json["lr"] = result.learningRate;
  if (std::isfinite(result.gradientNorm))
    json["gradient_norm"] = result.gradientNorm;
  json["instances_per_s"] = rate(groupInstances, groupSeconds);
  writeMetrics(dumpJson(json));
  state.inGroup = LossCounts();
  groupSeconds = 0;
  groupInstances = 0;
}

/// Of each parameter, over its replicas.
static std::vector<std::pair<std::string, double>>
meanStaleness(const Trainer &trainer) {
  std::vector<std::string> names;
  std::map<std::string, std::pair<double, int64_t>> sums;
  for (const ParamUpdates &param : trainer.paramUpdates()) {
    if (sums.count(param.name) == 0)
      names.push_back(param.name);
    auto &[updates, instances] = sums[param.name];
    updates += param.meanStaleness * static_cast<double>(param.instances);
    instances += param.instances;
  }
  std::vector<std::pair<std::string, double>> means;
  for (const std::string &name : names) {
    auto [updates, instances] = sums[name];
    means.emplace_back(
        name, instances != 0 ? updates / static_cast<double>(instances) : 0);
  }
  return means;
}

void TrainLog::epoch(const Trainer &trainer, const TrainState &state,
                     const std::optional<EvaluateResult> &dev, bool isBest) {
  Json json;
  json["kind"] = "epoch";
  json["update"] = trainer.updates();
  json["epoch"] = state.epoch + 1;
  json["loss"] = state.inEpoch.mean();
  json["instances"] = state.inEpoch.instances;
  std::string text = fmt::format("epoch {}: loss {:.6g}", state.epoch + 1,
                                 state.inEpoch.mean());
  if (dev) {
    json["dev_loss"] = dev->meanLoss();
    json["best_dev_loss"] = state.bestDev;
    json["dev_instances_per_s"] = rate(dev->instances, dev->seconds);
    text += fmt::format(", dev loss {:.6g}{}", dev->meanLoss(),
                        isBest ? " (best)" : "");
  }
  json["seconds"] = epochSeconds;
  json["instances_per_s"] = rate(epochInstances, epochSeconds);
  for (const auto &[name, mean] : meanStaleness(trainer))
    json["mean_staleness"][name] = mean;
  writeMetrics(dumpJson(json));
  console.note(text + fmt::format(", {} instances/s",
                                  grouped(rate(epochInstances, epochSeconds))));
  epochSeconds = 0;
  epochInstances = 0;
  // Whoever follows the file sees each epoch when it ends.
  (void)metrics.flush();
}

void TrainLog::parameters(const Trainer &trainer) {
  std::vector<std::vector<std::string>> rows = {
      {"parameter", "worker", "updates", "rows of gradients", "staleness, mean",
       "greatest"}};
  for (const ParamUpdates &param : trainer.paramUpdates()) {
    rows.push_back({param.name, std::to_string(param.worker),
                    grouped(static_cast<double>(param.updates)),
                    grouped(static_cast<double>(param.rows)),
                    fmt::format("{:.2f}", param.meanStaleness),
                    std::to_string(param.greatestStaleness)});
    std::vector<int64_t> histogram = param.staleness;
    while (!histogram.empty() && histogram.back() == 0)
      histogram.pop_back();
    writeMetrics(dumpJson({{"kind", "parameter"},
                           {"name", param.name},
                           {"worker", param.worker},
                           {"updates", param.updates},
                           {"rows", param.rows},
                           {"instances", param.instances},
                           {"mean_staleness", param.meanStaleness},
                           {"greatest_staleness", param.greatestStaleness},
                           {"staleness", histogram}}));
  }
  std::string text = table(rows, 1);
  text.pop_back();
  console.note("updates of each parameter, and how many came between an "
               "instance's coming and its end\n" +
               text);
}

void TrainLog::workers(const Stats &stats) {
  for (size_t i = 0; i < stats.workers.size(); ++i) {
    Json json = {{"kind", "worker"}};
    json.update(workerJson(stats.workers[i], i));
    writeMetrics(dumpJson(json));
  }
  std::string text = workersText(stats);
  text.pop_back();
  console.note(
      "time of each worker, and messages that waited when it looked\n" + text);
}

Status TrainLog::flush(TrainState &state) {
  state.metricsBytes = metricsBytes;
  state.lossBytes = lossBytes;
  Status status = hasMetrics ? metrics.flush() : Status();
  Status other = hasLosses ? losses.flush() : Status();
  return status.ok() ? other : status;
}

Status TrainLog::close() {
  Status status = metrics.close(), other = losses.close();
  return status.ok() ? other : status;
}

} // namespace amprt::cli
