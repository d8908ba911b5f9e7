//===- MessageQueue.h - From one thread to another --------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_MSG_MESSAGEQUEUE_H
#define AMPRT_SRC_MSG_MESSAGEQUEUE_H

#include "msg/Message.h"

#include <atomic>
#include <cstddef>

namespace amprt {

/// Messages from one thread to one other, in order, without locks and without
/// an end of its room: instances in flight bound what can be in it. A list of
/// blocks; a block that was read goes back to the writer, so that a steady flow
/// allocates nothing.
class MessageQueue {
public:
  MessageQueue();
  ~MessageQueue();
  MessageQueue(const MessageQueue &) = delete;
  MessageQueue &operator=(const MessageQueue &) = delete;

  /// The writer's: all of them are seen at once, with all that it wrote before.
  void push(const Message *messages, size_t count);

  /// The reader's: takes up to `most`.
  size_t pop(Message *to, size_t most);

  /// How many there are to read; for the reader.
  size_t size() const {
    return size_t(published.load(std::memory_order_acquire) - consumed);
  }

private:
  static constexpr size_t blockSize = 170; // A page.
  struct Block {
    Message items[blockSize];
    Block *next = nullptr; ///< Written before anything in it is published.
  };

  // The writer's cache lines, and the reader's.
  alignas(64) Block *tail;
  size_t written = 0; ///< Messages in `tail`.
  uint64_t produced = 0;
  alignas(64) std::atomic<uint64_t> published{0};
  std::atomic<Block *> spare{nullptr}; ///< A block to use again.
  alignas(64) Block *head;
  size_t read = 0; ///< Messages of `head` that were taken.
  uint64_t consumed = 0;
};

} // namespace amprt

#endif // AMPRT_SRC_MSG_MESSAGEQUEUE_H
