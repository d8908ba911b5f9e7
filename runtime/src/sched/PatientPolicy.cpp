//===- PatientPolicy.cpp - Policies by rank that starve nobody ------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sched/PatientPolicy.h"

namespace amprt {

Bucket *PatientPolicy::pick(const std::vector<Bucket *> &buckets) {
  Bucket *picked = buckets.front();
  for (Bucket *bucket : buckets)
    if (waitingSince[bucket->cell] < waitingSince[picked->cell] ||
        (waitingSince[bucket->cell] == waitingSince[picked->cell] &&
         bucket->cell < picked->cell))
      picked = bucket;
  if (picks - waitingSince[picked->cell] < patience)
    picked = prefer(buckets);
  // Should some of it be left, that waits from now on.
  waitingSince[picked->cell] = ++picks;
  return picked;
}

} // namespace amprt
