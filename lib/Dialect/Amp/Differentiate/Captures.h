//===- Captures.h - What bodies use from outside ----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A body's gradients of a value from outside must leave it, and those of a
// collector's rows must come in. A loop passes gradients from iteration to
// iteration with its carried values; so what it uses from outside is made one.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_DIFFERENTIATE_CAPTURES_H
#define AMP_LIB_DIALECT_AMP_DIFFERENTIATE_CAPTURES_H

#include "Activity.h"

namespace amp {

/// A loop with a range carries its gradients along, a map has no order: a map that
/// uses all of a value whose size is open, or gives rows to a collector around it,
/// becomes such a loop. (Gradients of a known size are stacked and summed.) Whether
/// it did.
bool orderMap(MapOp map, const Activity &activity);

/// A flatmap through which gradients go becomes a loop that pushes the rows of all
/// elements on a list. Whether it did.
bool orderFlatmap(FlatmapOp flatmap, const Activity &activity);

/// Makes what the loop's body uses from outside, and whose gradient all iterations
/// add to, a carried value that never changes; but not where iterations only use a
/// row each, since these add to a row each. For a collector that rows are given to,
/// a tensor without rows is carried: it stands for the collector, and its gradient is
/// that of the collector's rows. Whether there was any; then the loop is another one.
bool carryCaptured(LoopOp loop, const Activity &activity, StandIns &standIns);

/// The argument of a loop's body that stands for a collector from outside of it.
mlir::Value findStandIn(mlir::Block *body, mlir::Value collector,
                        const StandIns &standIns);

/// The collector that one of amp.next's values stands for, or null.
mlir::Value collectorOf(mlir::Value next, const StandIns &standIns);

/// The collector from outside that is one of a loop's last values, or null.
mlir::Value passedThrough(LoopOp loop, mlir::OpResult last);

/// If a value of float rows, or a list of these, is used by `op` for one of its rows only: the row's
/// index, else null.
mlir::OpFoldResult usedRow(mlir::Operation *op, mlir::Value value);

} // namespace amp

#endif // AMP_LIB_DIALECT_AMP_DIFFERENTIATE_CAPTURES_H
