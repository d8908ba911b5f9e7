//===- PacketInbox.h - What another process has sent ------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_MSG_PACKETINBOX_H
#define AMPRT_SRC_MSG_PACKETINBOX_H

#include "msg/Sleeper.h"
#include "msg/Stream.h"

#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace amprt {

/// Receives the packets of a stream on a thread of its own, so that the other
/// side can always send, and hands them to a worker.
class PacketInbox {
public:
  /// `stream` and `reader` must outlive it; `onEnd` is called, on that thread,
  /// when the connection is gone.
  PacketInbox(Stream &stream, Sleeper &reader,
              std::function<void()> onEnd = {});
  /// Closes the stream.
  ~PacketInbox();

  /// Packets that wait, and one more if the connection is gone. Any thread.
  size_t waiting() const { return count.load(std::memory_order_acquire); }

  /// The oldest one; false: there is none.
  bool take(PacketReader &to);

  /// Whether the connection is gone; what had come before is still to be taken.
  bool isGone() const { return gone.load(std::memory_order_acquire); }

private:
  void run(const std::function<void()> &onEnd);
  void announce();

  Stream &stream;
  Sleeper &reader;
  std::mutex mutex;
  std::deque<PacketReader> packets; ///< Under `mutex`.
  std::atomic<size_t> count{0};
  std::atomic<bool> gone{false};
  std::thread thread;
};

} // namespace amprt

#endif // AMPRT_SRC_MSG_PACKETINBOX_H
