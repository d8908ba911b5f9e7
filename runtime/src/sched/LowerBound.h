//===- LowerBound.h - Batches that a run needs at least ---------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_SCHED_LOWERBOUND_H
#define AMPRT_SRC_SCHED_LOWERBOUND_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace amprt {

/// How many batches any policy needs for a set of instances. A batch is of one
/// cell, so each cell has a bound of its own, the greatest of
///  * the longest chain of the cell in an instance (its activations on one
///  path:
///    no two of them run together);
///  * the sum of all instances' longest chains over the instances that a worker
///    may have open: a batch advances each of those by one at most;
///  * its activations over those that may run together.
/// For instances that are all open at once, in one worker and without a limit
/// on batches, the first is the greatest.
class LowerBound {
public:
  /// `maxInFlight` and `maxBatch`: as the session's options say.
  LowerBound(size_t cellCount, int64_t maxInFlight, int workers,
             int64_t maxBatch);

  /// The longest chain of a cell in one more instance.
  void add(size_t cell, int64_t chain);

  /// Batches of the cell, if it had so many activations.
  int64_t ofCell(size_t cell, int64_t activations) const;

private:
  const int64_t maxOpen, maxBatch; ///< Of one worker.
  struct Chains {
    int64_t longest = 0, sum = 0;
  };
  std::vector<Chains> chains;
};

} // namespace amprt

#endif // AMPRT_SRC_SCHED_LOWERBOUND_H
