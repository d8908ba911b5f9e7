//===- LargeStack.h - Runs a function on a stack of its own -----*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_INTERP_LARGESTACK_H
#define AMP_LIB_INTERP_LARGESTACK_H

#include "amprt/status.h"

#include <cstddef>
#include <functional>

namespace amp::interp {

/// Calls `function` on a thread with a stack of `bytes` and returns after it.
/// It is told the address below which it should not go. The stack is address
/// space only: pages that are not touched take no memory. Statuses:
/// resourceExhausted.
amprt::Status
runOnLargeStack(size_t bytes,
                const std::function<void(const void *limit)> &function);

} // namespace amp::interp

#endif // AMP_LIB_INTERP_LARGESTACK_H
