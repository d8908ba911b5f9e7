//===- MessageQueue.cpp - From one thread to another ----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "msg/MessageQueue.h"

#include <algorithm>

namespace amprt {

MessageQueue::MessageQueue() : tail(new Block), head(tail) {}

MessageQueue::~MessageQueue() {
  Message message;
  while (pop(&message, 1))
    if (message.kind == Message::Kind::failed)
      delete message.failure;
  delete spare.load();
  delete head; // And tail: all was read.
}

void MessageQueue::push(const Message *messages, size_t count) {
  while (count > 0) {
    if (written == blockSize) {
      Block *block = spare.exchange(nullptr, std::memory_order_acquire);
      if (!block)
        block = new Block;
      block->next = nullptr;
      tail->next = block;
      tail = block;
      written = 0;
    }
    size_t fitting = std::min(count, blockSize - written);
    std::copy_n(messages, fitting, tail->items + written);
    written += fitting;
    produced += fitting;
    messages += fitting;
    count -= fitting;
  }
  published.store(produced, std::memory_order_release);
}

size_t MessageQueue::pop(Message *to, size_t most) {
  size_t count = std::min(size(), most);
  for (size_t left = count; left > 0;) {
    if (read == blockSize) {
      Block *done = head;
      head = done->next;
      read = 0;
      delete spare.exchange(done, std::memory_order_release);
    }
    size_t fitting = std::min(left, blockSize - read);
    to = std::copy_n(head->items + read, fitting, to);
    read += fitting;
    left -= fitting;
  }
  consumed += count;
  return count;
}

} // namespace amprt
