//===- OneThread.h - Keep a library to one thread ---------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CPU_ONETHREAD_H
#define AMPRT_SRC_CPU_ONETHREAD_H

namespace amprt {

/// Makes OpenMP regions that the calling thread opens run on it alone. Does
/// nothing where the process has no OpenMP runtime.
void useOneOpenMPThread();

} // namespace amprt

#endif // AMPRT_SRC_CPU_ONETHREAD_H
