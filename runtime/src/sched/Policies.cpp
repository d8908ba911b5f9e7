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

static constexpr Policy allPolicies[] = {Policy::none,   Policy::depth,
                                         Policy::agenda, Policy::phase,
                                         Policy::greedy, Policy::learned};

const char *policyName(Policy policy) {
  switch (policy) {
  case Policy::none:
    return "none";
  case Policy::depth:
    return "depth";
  case Policy::agenda:
    return "agenda";
  case Policy::phase:
    return "phase";
  case Policy::greedy:
    return "greedy";
  case Policy::learned:
    return "learned";
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

Status setPolicy(SessionOptions &options, std::string_view text) {
  size_t colon = text.find(':');
  Expected<Policy> policy = parsePolicy(text.substr(0, colon));
  if (!policy)
    return policy.status();
  bool hasFile = colon != std::string_view::npos;
  std::string_view file = hasFile ? text.substr(colon + 1) : "";
  if (*policy == Policy::learned && file.empty())
    return {StatusCode::invalidArgument,
            "policy 'learned' needs the file that has it: learned:FILE"};
  if (*policy != Policy::learned && hasFile)
    return {StatusCode::invalidArgument,
            "policy '" + std::string(policyName(*policy)) + "' takes no file"};
  options.policy = *policy;
  options.policyFile = file;
  return {};
}

Expected<PlacementMode> parsePlacementMode(std::string_view name) {
  if (name == "instance")
    return PlacementMode::instance;
  if (name == "model")
    return PlacementMode::model;
  return Status(StatusCode::invalidArgument,
                "unknown placement '" + std::string(name) +
                    "': there are instance, model");
}

std::unique_ptr<BatchPolicy> createBatchPolicy(Policy policy,
                                               const amprt_model_t &model,
                                               int64_t maxBatch,
                                               const PolicyTable *table) {
  switch (policy) {
  case Policy::none:
    return createNonePolicy();
  case Policy::depth:
    return createDepthPolicy();
  case Policy::agenda:
    return createAgendaPolicy(model);
  case Policy::phase:
    return createPhasePolicy(model, maxBatch);
  case Policy::greedy:
    return createGreedyPolicy(model);
  case Policy::learned:
    return createLearnedPolicy(model, *table);
  }
  return nullptr;
}

} // namespace amprt
