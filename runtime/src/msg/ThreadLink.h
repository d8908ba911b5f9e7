//===- ThreadLink.h - Between two threads of a process ----------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_MSG_THREADLINK_H
#define AMPRT_SRC_MSG_THREADLINK_H

#include "msg/Link.h"
#include "msg/MessageQueue.h"
#include "msg/Sleeper.h"

namespace amprt {

/// Between two threads of one process: frames are passed as they are.
class ThreadLink final : public Link {
public:
  /// All must outlive it; `other` is whoever reads `out`.
  ThreadLink(MessageQueue &in, MessageQueue &out, Sleeper &other)
      : in(in), out(out), other(other) {}

  void send(const Message *messages, size_t count) override {
    out.push(messages, count);
    other.wakeIfAsleep();
  }

  size_t receive(Message *to, size_t most) override { return in.pop(to, most); }

  size_t waiting() const override { return in.size(); }

private:
  MessageQueue &in, &out;
  Sleeper &other;
};

} // namespace amprt

#endif // AMPRT_SRC_MSG_THREADLINK_H
