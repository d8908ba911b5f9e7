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

void useOneOpenMPThread() {
  // Looked up, not linked: it must be the function of the OpenMP runtime that
  // oneDNN uses (GNU's or LLVM's), and oneDNN may have been built without any.
  using SetThreads = void (*)(int);
  auto set =
      reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
  if (set)
    set(1); // Of this thread only: the setting belongs to its data environment.
}

} // namespace amprt
