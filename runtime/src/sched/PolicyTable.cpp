//===- PolicyTable.cpp - Finite-state policies ----------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sched/PolicyTable.h"

#include <algorithm>

namespace amprt {

const char *encodingName(StateEncoding encoding) {
  switch (encoding) {
  case StateEncoding::set:
    return "set";
  case StateEncoding::largest:
    return "largest";
  case StateEncoding::sorted:
    return "sorted";
  }
  return "unknown";
}

const StateKey &StateEncoder::encode(const std::vector<Bucket *> &buckets) {
  ordered.assign(buckets.begin(), buckets.end());
  std::sort(ordered.begin(), ordered.end(),
            [](const Bucket *a, const Bucket *b) {
              return a->size() != b->size() ? a->size() > b->size()
                                            : a->cell < b->cell;
            });
  key.clear();
  for (const Bucket *bucket : ordered)
    key.push_back(static_cast<char16_t>(bucket->cell));
  canonicalise(encoding, key);
  return key;
}

void canonicalise(StateEncoding encoding, StateKey &key) {
  if (encoding == StateEncoding::set)
    std::sort(key.begin(), key.end());
  else if (encoding == StateEncoding::largest && !key.empty())
    std::sort(key.begin() + 1, key.end());
}

} // namespace amprt
