//===- Instance.cpp - Ending an instance from outside ---------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Instance.h"

namespace amprt {

Status SubmissionControl::verdict() const {
  if (cancelled.load(std::memory_order_acquire))
    return {StatusCode::cancelled, "the instance was cancelled"};
  if (isLate())
    return {StatusCode::resourceExhausted,
            "the instance's deadline passed before it had ended"};
  return {};
}

void refuse(Request &request, Status status) {
  if (request.outcome)
    request.outcome->status = std::move(status);
  else
    request.promise->set_value({std::move(status), {}, {}});
}

void Submission::cancel() const {
  if (!control)
    return;
  control->cancelled.store(true, std::memory_order_release);
  control->bell->ring();
}

} // namespace amprt
