//===- OneThread.cpp - Keep a library to one thread -----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cpu/OneThread.h"

#include <dlfcn.h>

namespace amprt {

namespace {
/// Of the OpenMP runtime that oneDNN uses (GNU's or LLVM's). Looked up, not
/// linked: oneDNN may have been built without any.
struct OpenMP {
  void (*setThreads)(int) = reinterpret_cast<void (*)(int)>(
      dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
  int (*threads)() = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT,
                                                       "omp_get_max_threads"));
};
} // namespace

static const OpenMP &openMP() {
  static const OpenMP found;
  return found;
}

// The setting belongs to the thread's own data environment.

OneOpenMPThread::OneOpenMPThread() {
  if (!openMP().setThreads || !openMP().threads)
    return;
  before = openMP().threads();
  openMP().setThreads(1);
}

OneOpenMPThread::~OneOpenMPThread() {
  if (before > 0)
    openMP().setThreads(before);
}

} // namespace amprt
