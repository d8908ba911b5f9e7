//===- LargeStack.cpp - Runs a function on a stack of its own -------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LargeStack.h"

#include <pthread.h>
#include <sys/mman.h>

#include <cstring>

using amprt::Status;
using amprt::StatusCode;

namespace {
struct Task {
  const std::function<void(const void *)> &function;
  const void *limit;
};
} // namespace

static void *runTask(void *argument) {
  auto *task = static_cast<Task *>(argument);
  task->function(task->limit);
  return nullptr;
}

Status amp::interp::runOnLargeStack(
    size_t bytes, const std::function<void(const void *)> &function) {
  // For what is called after the last check of the limit: printing, libm,
  // malloc.
  constexpr size_t margin = size_t(256) << 10;
  constexpr size_t page = 4096;
  bytes = std::max(bytes, 2 * margin) / page * page;
  void *stack =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED)
    return {StatusCode::resourceExhausted,
            std::string("no address space for the stack: ") + strerror(errno)};
  mprotect(stack, page, PROT_NONE); // A guard, should the margin not suffice.

  Task task{function, static_cast<char *>(stack) + margin};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread;
  int error = pthread_attr_setstack(&attributes, stack, bytes);
  if (error == 0)
    error = pthread_create(&thread, &attributes, runTask, &task);
  if (error == 0)
    pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  munmap(stack, bytes);
  if (error != 0)
    return {StatusCode::resourceExhausted,
            std::string("cannot start a thread: ") + strerror(error)};
  return {};
}
