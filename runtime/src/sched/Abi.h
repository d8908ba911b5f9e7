//===- Abi.h - The functions of abi.h ---------------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_SCHED_ABI_H
#define AMPRT_SRC_SCHED_ABI_H

namespace amprt {

/// True. Whoever refers to it links the functions of abi.h, which a model that
/// is loaded at run time looks for in the program.
bool abiFunctionsArePresent();

} // namespace amprt

#endif // AMPRT_SRC_SCHED_ABI_H
