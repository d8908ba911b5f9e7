//===- Schedule.h - Learning rates over time --------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_SCHEDULE_H
#define AMPRT_SRC_TRAIN_SCHEDULE_H

#include "amprt/train.hpp"

namespace amprt {

/// Statuses: invalidArgument (a number out of range).
Status checkSchedule(const ScheduleOptions &schedule);

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_SCHEDULE_H
