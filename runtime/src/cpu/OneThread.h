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

/// While it lives, OpenMP regions that its thread opens run on that alone: a
/// library with threads of its own must not use them, as each worker has its
/// core. Does nothing where the process has no OpenMP runtime.
class OneOpenMPThread {
public:
  OneOpenMPThread();
  ~OneOpenMPThread();
  OneOpenMPThread(const OneOpenMPThread &) = delete;
  OneOpenMPThread &operator=(const OneOpenMPThread &) = delete;

private:
  int before = 0; ///< Threads that there were; 0: not known.
};

} // namespace amprt

#endif // AMPRT_SRC_CPU_ONETHREAD_H
