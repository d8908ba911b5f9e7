//===- Schedule.cpp - Learning rates over time ----------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train/Schedule.h"

#include <cmath>
#include <string>

namespace amprt {

static constexpr double pi = 3.14159265358979323846;

double scheduledFactor(const ScheduleOptions &schedule, int64_t update) {
  if (update < schedule.warmup)
    return double(update + 1) / double(schedule.warmup);
  int64_t since = update - schedule.warmup;
  double share = double(since) / double(schedule.period);
  switch (schedule.kind) {
  case ScheduleOptions::Kind::constant:
    return 1;
  case ScheduleOptions::Kind::step:
    return std::pow(schedule.factor, double(since / schedule.period));
  case ScheduleOptions::Kind::exponential:
    return std::pow(schedule.factor, share);
  case ScheduleOptions::Kind::cosine:
    return schedule.least +
           (1 - schedule.least) * (1 + std::cos(pi * std::fmin(share, 1))) / 2;
  }
  return 1;
}

Status checkSchedule(const ScheduleOptions &schedule) {
  auto refuse = [](const char *what) {
    return Status(StatusCode::invalidArgument,
                  std::string("the schedule's ") + what);
  };
  if (schedule.period < 1)
    return refuse("period must be at least one update");
  if (schedule.warmup < 0)
    return refuse("warm-up must not be negative");
  if (!(schedule.factor >= 0) || !std::isfinite(schedule.factor))
    return refuse("factor must be a number that is not negative");
  if (!(schedule.least >= 0 && schedule.least <= 1))
    return refuse("least factor must be in [0, 1]");
  return {};
}

} // namespace amprt
