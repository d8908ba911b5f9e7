//===- Meeting.cpp - What all workers do together -------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sched/Meeting.h"

namespace amprt {

void Meeting::call(bool toCut) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (isAbandoned)
      return;
    queue.expect(1);
    toCome.push_back(toCut);
    called.fetch_add(1, std::memory_order_release);
    beginIfDue();
  }
  queue.wake();
}

void Meeting::arrive() {
  std::lock_guard<std::mutex> lock(mutex);
  ++present;
  beginIfDue();
}

/// With the lock. Workers that repeat a run may be there before it is called.
void Meeting::beginIfDue() {
  if (isAbandoned || present < workers || called <= begun)
    return;
  present = 0;
  cuts = toCome.front();
  toCome.pop_front();
  begun.fetch_add(1, std::memory_order_release);
}

void Meeting::attend(int worker) {
  purpose(worker);
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (++done < workers)
      return;
    done = 0;
  }
  queue.ended();
}

bool Meeting::abandon(uint64_t number) {
  std::lock_guard<std::mutex> lock(mutex);
  if (begun > number)
    return false;
  isAbandoned = true;
  for (; called > begun; called.fetch_sub(1, std::memory_order_relaxed))
    queue.ended();
  return true;
}

} // namespace amprt
