//===- RowPlan.h - How many rows a call may have ----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CPU_ROWPLAN_H
#define AMPRT_SRC_CPU_ROWPLAN_H

#include <cstdint>

namespace amprt {

/// Splits a product's rows into calls, so that each row comes out of a kernel
/// that adds in the same order, whatever the number of rows is.
///
/// A library's kernel works on tiles of some rows and has others for what is
/// left over, and those may add in another order. So a call gets a multiple of
/// `tile` rows, or `least` or more rows beyond one; what is left after that is
/// done by one more call of `least` rows that computes a few rows twice (to the
/// same bits). Fewer than `least` rows in all are padded.
struct RowPlan {
  int64_t tile, least, most;

  /// The rows of the first call, of at least `least` that remain.
  int64_t callRows(int64_t remaining) const {
    if (remaining > most)
      remaining = most;
    int64_t rest = remaining % tile;
    return rest < least && remaining > rest ? remaining - rest : remaining;
  }

  /// Whether a call of so many rows can occur.
  bool mayCall(int64_t rows) const {
    return rows >= least && rows <= most && callRows(rows) == rows;
  }
};

} // namespace amprt

#endif // AMPRT_SRC_CPU_ROWPLAN_H
