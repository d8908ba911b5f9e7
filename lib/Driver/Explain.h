//===- Explain.h - What was decided, as a table -----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DRIVER_EXPLAIN_H
#define AMP_LIB_DRIVER_EXPLAIN_H

#include "mlir/IR/Remarks.h"

#include <memory>

namespace amp {

/// Collects the remarks of a compilation and, when it ends, prints to `out` a
/// table of all cells, and below it every op that is not batched well, with its
/// place, the reason and what would change it. `out` must outlive it.
std::unique_ptr<mlir::remark::detail::MLIRRemarkStreamerBase>
createExplainer(llvm::raw_ostream &out);

} // namespace amp

#endif // AMP_LIB_DRIVER_EXPLAIN_H
