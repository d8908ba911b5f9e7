//===- Report.cpp - Statistics, for people and for programs ---------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace amprt::cli {

using Json = nlohmann::ordered_json;

static double ratio(double a, double b) {
  return b != 0 ? a / b : std::numeric_limits<double>::quiet_NaN();
}

double outsideNsPerActivation(const Stats &stats) {
  if (stats.cellSeconds == 0)
    return std::numeric_limits<double>::quiet_NaN();
  return ratio((stats.workerSeconds - stats.cellSeconds) * 1e9,
               static_cast<double>(stats.activations));
}

std::vector<int64_t> totalHistogram(const Stats &stats) {
  std::vector<int64_t> total;
  for (const CellStats &cell : stats.cells) {
    total.resize(std::max(total.size(), cell.histogram.size()));
    for (size_t i = 0; i < cell.histogram.size(); ++i)
      total[i] += cell.histogram[i];
  }
  return total;
}

/// "1", "2", "3-4", "5-8", ...
static std::string bucketName(size_t i) {
  if (i < 2)
    return std::to_string(i + 1);
  return fmt::format("{}-{}", (uint64_t(1) << (i - 1)) + 1, uint64_t(1) << i);
}

Json histogramJson(const std::vector<int64_t> &histogram) {
  Json json = Json::object();
  for (size_t i = 0; i < histogram.size(); ++i)
    if (histogram[i] != 0)
      json[bucketName(i)] = histogram[i];
  return json;
}

void addSettings(Json &json, const Options &options,
                 const amprt_model_t &model) {
  json["model"] = model.name;
  json["target"] = model.target;
  json["policy"] = policyName(options.session.policy);
  json["workers"] = options.session.workers;
  json["max_in_flight"] = options.session.maxInFlight;
  json["max_batch"] = options.session.maxBatch;
}

static double meanBatch(int64_t activations, int64_t batches) {
  return ratio(static_cast<double>(activations), static_cast<double>(batches));
}

void addStats(Json &json, const Stats &stats, const amprt_model_t &model) {
  json["batches"] = stats.batches;
  json["cell_activations"] = stats.activations;
  json["mean_batch"] = meanBatch(stats.activations, stats.batches);
  json["frames"] = stats.frames;
  json["peak_arena_bytes"] = stats.peakArenaBytes;
  json["peak_row_bytes"] = stats.peakRowBytes;
  json["worker_seconds"] = stats.workerSeconds;
  json["cell_seconds"] = stats.cellSeconds;
  json["outside_ns_per_activation"] = outsideNsPerActivation(stats);
  json["histogram"] = histogramJson(totalHistogram(stats));
  json["cells"] = Json::array();
  for (size_t i = 0; i < stats.cells.size(); ++i) {
    const CellStats &cell = stats.cells[i];
    Json each;
    each["name"] = cell.name;
    if (i < model.cell_count)
      each["where"] = model.cells[i].where;
    each["batches"] = cell.batches;
    each["activations"] = cell.activations;
    each["rows"] = cell.rows;
    each["mean_batch"] = meanBatch(cell.activations, cell.batches);
    each["seconds"] = cell.seconds;
    each["share"] = ratio(cell.seconds, stats.workerSeconds);
    each["histogram"] = histogramJson(cell.histogram);
    json["cells"].push_back(std::move(each));
  }
  json["by_worker"] = Json::array();
  for (size_t i = 0; i < stats.workers.size(); ++i)
    json["by_worker"].push_back(workerJson(stats.workers[i], i));
}

namespace {
/// Of all of a worker's time, what was in cells, beside them, and without work.
/// In cells and beside them are one where cells were not timed.
struct WorkerShares {
  explicit WorkerShares(const WorkerStats &worker) {
    double total = worker.seconds + worker.waitingSeconds;
    inCells = worker.cellSeconds > 0 ? ratio(worker.cellSeconds, total)
                                     : std::numeric_limits<double>::quiet_NaN();
    outside = ratio(worker.seconds - worker.cellSeconds, total);
    waiting = ratio(worker.waitingSeconds, total);
  }
  double inCells, outside, waiting;
};
} // namespace

Json workerJson(const WorkerStats &worker, size_t number) {
  WorkerShares shares(worker);
  return {{"worker", number},
          {"batches", worker.batches},
          {"cell_activations", worker.activations},
          {"share_in_cells", shares.inCells},
          {"share_outside_cells", shares.outside},
          {"share_waiting", shares.waiting},
          {"messages_sent", worker.messages},
          {"messages_received", worker.received},
          {"mean_queue", worker.meanReceived()},
          {"greatest_queue", worker.mostReceived},
          {"meetings", worker.meetings},
          {"mean_meeting_us",
           1e6 * ratio(worker.meetingSeconds, double(worker.meetings))},
          {"longest_meeting_us", 1e6 * worker.longestMeetingSeconds}};
}

int64_t totalBound(const LowerBound &bound, const Stats &stats) {
  int64_t total = 0;
  for (size_t i = 0; i < stats.cells.size(); ++i)
    total += bound.ofCell(i, stats.cells[i].activations);
  return total;
}

/// Batches for each that is needed.
static double overBound(const LowerBound &bound, const Stats &stats) {
  return ratio(static_cast<double>(stats.batches),
               static_cast<double>(totalBound(bound, stats)));
}

void addLowerBound(Json &json, const LowerBound &bound, const Stats &stats) {
  json["batches_lower_bound"] = totalBound(bound, stats);
  json["batches_over_lower_bound"] = overBound(bound, stats);
  for (size_t i = 0; i < stats.cells.size(); ++i)
    json["cells"][i]["batches_lower_bound"] =
        bound.ofCell(i, stats.cells[i].activations);
}

std::string dumpJson(const Json &json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string table(const std::vector<std::vector<std::string>> &rows,
                  size_t left) {
  std::vector<size_t> widths;
  for (const std::vector<std::string> &row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const std::vector<std::string> &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += i < left ? fmt::format("{:<{}}  ", row[i], widths[i])
                       : fmt::format("{:>{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string grouped(double number) {
  if (!std::isfinite(number))
    return "-";
  std::string text = fmt::format("{:.0f}", number);
  size_t sign = text[0] == '-';
  for (size_t at = text.size(); at > sign + 3; at -= 3)
    text.insert(at - 3, ",");
  return text;
}

std::string bytesText(double bytes) {
  const char *unit = "bytes";
  for (const char *next : {"KiB", "MiB", "GiB", "TiB"}) {
    if (bytes < 1024)
      break;
    bytes /= 1024;
    unit = next;
  }
  bool small = bytes < 10 && bytes != std::floor(bytes);
  return fmt::format("{:.{}f} {}", bytes, small ? 1 : 0, unit);
}

static std::string histogramText(const std::vector<int64_t> &histogram) {
  std::string text;
  for (size_t i = 0; i < histogram.size(); ++i)
    if (histogram[i] != 0)
      text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", bucketName(i),
                          grouped(static_cast<double>(histogram[i])));
  return text.empty() ? "none" : text;
}

static std::string fixedText(double number, int digits) {
  return std::isfinite(number) ? fmt::format("{:.{}f}", number, digits) : "-";
}

std::string lowerBoundText(const LowerBound &bound, const Stats &stats) {
  return fmt::format("{} batches, {} times the lower bound of {}",
                     grouped(static_cast<double>(stats.batches)),
                     fixedText(overBound(bound, stats), 2),
                     grouped(static_cast<double>(totalBound(bound, stats))));
}

static std::string percentText(double share) {
  return std::isfinite(share) ? fixedText(100 * share, 1) + "%" : "-";
}

std::string workersText(const Stats &stats) {
  std::vector<std::vector<std::string>> rows = {
      {"worker", "batches", "activations", "in cells", "outside", "waiting",
       "messages sent", "queue, mean", "greatest"}};
  for (size_t i = 0; i < stats.workers.size(); ++i) {
    const WorkerStats &worker = stats.workers[i];
    WorkerShares shares(worker);
    rows.push_back({std::to_string(i),
                    grouped(static_cast<double>(worker.batches)),
                    grouped(static_cast<double>(worker.activations)),
                    percentText(shares.inCells), percentText(shares.outside),
                    percentText(shares.waiting),
                    grouped(static_cast<double>(worker.messages)),
                    fixedText(worker.meanReceived(), 1),
                    grouped(static_cast<double>(worker.mostReceived))});
  }
  return table(rows, 1);
}

std::string memoryText(const Stats &stats) {
  return fmt::format("largest arena of an instance: {}; most rows in one at a "
                     "time: {}",
                     bytesText(static_cast<double>(stats.peakArenaBytes)),
                     bytesText(static_cast<double>(stats.peakRowBytes)));
}

std::string statsText(const Stats &stats) {
  std::string text =
      fmt::format("{} cell activations in {} batches, {} on the mean\n"
                  "batches by size: {}\n"
                  "outside cells: {} ns for each activation\n"
                  "{}\n",
                  grouped(static_cast<double>(stats.activations)),
                  grouped(static_cast<double>(stats.batches)),
                  fixedText(meanBatch(stats.activations, stats.batches), 1),
                  histogramText(totalHistogram(stats)),
                  fixedText(outsideNsPerActivation(stats), 1),
                  memoryText(stats));
  std::vector<std::vector<std::string>> rows = {
      {"cell", "batches", "activations", "mean batch", "seconds", "share"}};
  for (const CellStats &cell : stats.cells)
    rows.push_back(
        {cell.name, grouped(static_cast<double>(cell.batches)),
         grouped(static_cast<double>(cell.activations)),
         fixedText(meanBatch(cell.activations, cell.batches), 1),
         fixedText(cell.seconds, 3),
         fixedText(100 * ratio(cell.seconds, stats.workerSeconds), 1) + "%"});
  rows.push_back({"outside cells", "", "", "",
                  fixedText(stats.workerSeconds - stats.cellSeconds, 3),
                  fixedText(100 * ratio(stats.workerSeconds - stats.cellSeconds,
                                        stats.workerSeconds),
                            1) +
                      "%"});
  return text + table(rows, 1);
}

} // namespace amprt::cli
