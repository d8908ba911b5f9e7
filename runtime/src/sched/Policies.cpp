//===- Policies.cpp - Policies by name ------------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sched/BatchPolicy.h"

#include <string>

namespace amprt {

static constexpr Policy allPolicies[] = {Policy::none, Policy::depth,
                                         Policy::agenda};

const char *policyName(Policy policy) {
  switch (policy) {
  case Policy::none:
    return "none";
  case Policy::depth:
    return "depth";
  case Policy::agenda:
    return "agenda";
  }
  return "unknown";
}

Expected<Policy> parsePolicy(std::string_view name) {
  std::string known;
  for (Policy policy : allPolicies) {
    if (name == policyName(policy))
      return policy;
    known += (known.empty() ? "" : ", ") + std::string(policyName(policy));
  }
  return Status(StatusCode::invalidArgument, "unknown policy '" +
                                                 std::string(name) +
                                                 "': there are " + known);
}

std::unique_ptr<BatchPolicy> createBatchPolicy(Policy policy,
                                               const amprt_model_t &model) {
  switch (policy) {
  case Policy::none:
    return createNonePolicy();
  case Policy::depth:
    return createDepthPolicy();
  case Policy::agenda:
    return createAgendaPolicy(model);
  }
  return nullptr;
}

} // namespace amprt
