//===- PacketInbox.cpp - What another process has sent --------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "msg/PacketInbox.h"

namespace amprt {

PacketInbox::PacketInbox(Stream &stream, Sleeper &reader,
                         std::function<void()> onEnd)
    : stream(stream), reader(reader),
      thread([this, onEnd = std::move(onEnd)] { run(onEnd); }) {}

PacketInbox::~PacketInbox() {
  stream.close();
  thread.join();
}

void PacketInbox::run(const std::function<void()> &onEnd) {
  for (PacketReader packet; packet.receive(stream);) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      packets.push_back(std::move(packet));
    }
    packet = PacketReader();
    announce();
  }
  announce(); // First, so that whoever sees the end has it counted.
  gone.store(true, std::memory_order_release);
  if (onEnd)
    onEnd();
}

void PacketInbox::announce() {
  count.fetch_add(1, std::memory_order_release);
  reader.wakeIfAsleep();
}

bool PacketInbox::take(PacketReader &to) {
  std::lock_guard<std::mutex> lock(mutex);
  if (packets.empty())
    return false;
  to = std::move(packets.front());
  packets.pop_front();
  count.fetch_sub(1, std::memory_order_relaxed);
  return true;
}

} // namespace amprt
