//===- Variants.cpp - Models for several processors -----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Variants.h"

#include <string>
#include <string_view>

namespace amprt {

static bool hasFeature([[maybe_unused]] std::string_view name) {
#if defined(__x86_64__)
#define AMPRT_CHECK_FEATURE(feature)                                           \
  if (name == feature)                                                         \
    return __builtin_cpu_supports(feature);
  AMPRT_X86_FEATURES(AMPRT_CHECK_FEATURE)
#undef AMPRT_CHECK_FEATURE
#endif
  return false;
}

/// What the model's code needs and this processor lacks, for people.
static std::string missingFeatures(const amprt_model_t &model) {
  std::string missing;
  std::string_view rest = model.features ? model.features : "";
  for (size_t end; (end = rest.find(' ')) != rest.npos;
       rest.remove_prefix(end + 1)) {
    std::string_view name = rest.substr(0, end);
    if (!hasFeature(name))
      missing.append(missing.empty() ? "" : ", ").append(name);
  }
  return missing;
}

Expected<const amprt_model_t *> selectVariant(const amprt_model_t &model) {
  std::string reasons;
  for (const amprt_model_t *variant = &model; variant;
       variant = variant->next) {
    std::string missing = missingFeatures(*variant);
    if (missing.empty())
      return variant;
    reasons += std::string(reasons.empty() ? "" : "; ") + "for " +
               variant->target + ", and this processor lacks " + missing;
  }
  return Status(StatusCode::failedPrecondition,
                "the model was compiled " + reasons +
                    ": compile it with --mcpu for this processor, too");
}

} // namespace amprt
