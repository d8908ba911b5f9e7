//===- Arrivals.cpp - Requests that come over time ------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arrivals.h"

#include "io/LineReader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <random>
#include <string_view>

namespace amprt::cli {

// Thirty years; what is later overflows the clock.
static constexpr double latest = 1e9;

static std::string_view trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

/// The finite number that `text` is as a whole.
static std::optional<double> numberIn(std::string_view text) {
  double number = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() ||
      !std::isfinite(number))
    return std::nullopt;
  return number;
}

static Expected<Arrivals> poissonArrivals(std::string_view rateText,
                                          const Options &options) {
  std::optional<double> rate = numberIn(rateText);
  if (!rate || *rate <= 0)
    return Status(StatusCode::invalidArgument,
                  fmt::format("--arrivals {}: the rate must be a number of "
                              "requests a second, greater than 0",
                              options.arrivals));
  return Arrivals([random = std::mt19937_64(options.seed),
                   rate = *rate * options.timeScale,
                   time = 0.0]() mutable -> std::optional<double> {
    // Not the library's distribution, whose values differ between libraries.
    double uniform = double(random() >> 11) * 0x1p-53; // In [0, 1).
    time = std::min(time - std::log1p(-uniform) / rate, latest);
    return time;
  });
}

static Expected<std::vector<double>> readTimes(const std::string &path) {
  Expected<LineReader> reader = LineReader::open(path, -1, 4096);
  if (!reader)
    return reader.status();
  std::vector<double> times;
  auto failure = [&](const std::string &what) {
    return Status(
        StatusCode::invalidArgument,
        fmt::format("'{}', line {}: {}", path, reader->lineNumber(), what));
  };
  while (true) {
    LineReader::Event event = reader->next();
    if (event == LineReader::Event::end)
      return times;
    if (event == LineReader::Event::failed)
      return reader->status();
    std::string_view text = trimmed(reader->line());
    if (event == LineReader::Event::tooLong)
      return failure("expected a time in seconds, but the line is too long");
    if (text.empty())
      continue;
    std::optional<double> time = numberIn(text);
    if (!time)
      return failure(
          fmt::format("expected a time in seconds, but got '{}'", text));
    if (*time < 0 || *time > latest)
      return failure(
          fmt::format("the time {} is not in [0, {}]", text, latest));
    if (!times.empty() && *time < times.back())
      return failure(fmt::format("the time {} is earlier than the one before "
                                 "it, {}",
                                 text, times.back()));
    times.push_back(*time);
  }
}

Expected<Arrivals> openArrivals(const Options &options) {
  constexpr std::string_view poisson = "poisson:";
  std::string_view spec = options.arrivals;
  if (spec.substr(0, poisson.size()) == poisson)
    return poissonArrivals(spec.substr(poisson.size()), options);
  if (spec == "-" && options.input == "-")
    return Status(StatusCode::invalidArgument,
                  "--input and --arrivals cannot both be standard input");
  Expected<std::vector<double>> times = readTimes(options.arrivals);
  if (!times)
    return times.status();
  return Arrivals([times = std::move(*times), scale = options.timeScale,
                   next = size_t(0)]() mutable -> std::optional<double> {
    if (next == times.size())
      return std::nullopt;
    return std::min(times[next++] / scale, latest);
  });
}

size_t Durations::bucketOf(uint64_t nanoseconds) {
  if (nanoseconds < 256)
    return nanoseconds;
  int shift = 56 - __builtin_clzll(nanoseconds);
  return static_cast<size_t>(shift) * 128 + (nanoseconds >> shift);
}

uint64_t Durations::greatestIn(size_t bucket) {
  if (bucket < 256)
    return bucket;
  size_t shift = bucket / 128 - 1;
  return ((bucket - shift * 128 + 1) << shift) - 1;
}

void Durations::add(double seconds) {
  auto nanoseconds =
      static_cast<uint64_t>(std::clamp(seconds * 1e9, 0.0, 9e18));
  ++buckets[bucketOf(nanoseconds)];
  ++theCount;
  greatest = std::max(greatest, nanoseconds);
  sum += seconds;
}

double Durations::mean() const { return sum / static_cast<double>(theCount); }

double Durations::percentile(double share) const {
  double rank = std::ceil(share * static_cast<double>(theCount) - 1e-9);
  double passed = 0;
  for (size_t i = 0; i < buckets.size(); ++i) {
    passed += static_cast<double>(buckets[i]);
    if (passed >= std::max(rank, 1.0))
      return 1e-9 * static_cast<double>(std::min(greatestIn(i), greatest));
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double Durations::max() const {
  return theCount ? 1e-9 * static_cast<double>(greatest)
                  : std::numeric_limits<double>::quiet_NaN();
}

void ArrivalCounts::add(InstanceTimes::Clock::time_point arrival,
                        const InstanceTimes &times, bool isOk) {
  if (times.ended == InstanceTimes::Clock::time_point()) // Never opened.
    return;
  auto seconds = [](InstanceTimes::Clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
  };
  openSeconds += seconds(times.ended - times.opened);
  waitingSeconds += seconds(times.opened - arrival);
  if (isOk)
    latencies.add(seconds(times.ended - arrival));
}

} // namespace amprt::cli
