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
/// left over, and those may add in another order. So a call has a multiple of
/// `tile` rows, or `least` or more rows beyond one. Where that leaves fewer
/// than `least` rows, one more call of `least` rows computes a few of them
/// twice (to the same bits). Fewer than `least` rows in all are padded by the
/// caller.
struct RowPlan {
  int64_t tile, least, most; ///< `most` is a multiple of `tile`.

  /// Whether a call of so many rows gives the right order.
  bool mayCall(int64_t rows) const {
    int64_t rest = rows % tile;
    return rows >= least && rows <= most && (rest == 0 || rest >= least);
  }

  /// The rows of the next call, if `remaining`, at least `least`, are to be
  /// done.
  int64_t callRows(int64_t remaining) const {
    if (remaining >= most + least)
      return most;
    if (mayCall(remaining))
      return remaining;
    // Two calls without a row too many: with a tile of 6, 8 is 4 + 4.
    for (int64_t last = least; last <= tile; ++last)
      if (mayCall(last) && mayCall(remaining - last))
        return remaining - last;
    int64_t whole = remaining < most ? remaining - remaining % tile : most;
    return whole > 0 ? whole : least;
  }

  /// Covers `rows` rows by calls of `call(first, count)`. Where there are fewer
  /// than `least`, the one call has all of them, to be padded.
  template <typename Call> void forEachCall(int64_t rows, Call call) const {
    if (rows < least) {
      if (rows > 0)
        call(0, rows);
      return;
    }
    int64_t done = 0;
    while (rows - done >= least) {
      int64_t count = callRows(rows - done);
      call(done, count);
      done += count;
    }
    if (done < rows)
      call(rows - least, least);
  }
};

} // namespace amprt

#endif // AMPRT_SRC_CPU_ROWPLAN_H
