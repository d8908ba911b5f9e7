//===- Tapes.h - Makes graphs ready to be differentiated --------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_DIFFERENTIATE_TAPES_H
#define AMP_LIB_DIALECT_AMP_DIFFERENTIATE_TAPES_H

#include "Activity.h"

namespace amp {

/// What of a graph has gradients, by number: results, and collectors among the
/// arguments, whose gradients come in (in this order); arguments, whose gradients
/// leave.
struct Adjoints {
  Adjoints() = default;
  Adjoints(const Activity &activity, GraphOp graph);
  llvm::SmallVector<int64_t> results, collectors, arguments;
};

/// Gives each call of a differentiated graph, and each active loop and map, a
/// tape, and the bodies of the latter the arguments for gradients.
void addTapes(GraphOp graph, const Activity &activity,
              const llvm::DenseMap<mlir::StringAttr, Adjoints> &graphs);

} // namespace amp

#endif // AMP_LIB_DIALECT_AMP_DIFFERENTIATE_TAPES_H
