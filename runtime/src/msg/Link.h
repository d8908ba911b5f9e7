//===- Link.h - One worker's way to another ---------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_MSG_LINK_H
#define AMPRT_SRC_MSG_LINK_H

#include "msg/Message.h"

#include <cstddef>

namespace amprt {

/// A worker's end of its connection with one other. What a key (a frame) stands
/// for on the other side is the link's matter: within a process it is the frame
/// itself. Used by its worker's thread alone.
class Link {
public:
  virtual ~Link() = default;

  /// In order. Wakes the other worker if it sleeps.
  virtual void send(const Message *messages, size_t count) = 0;

  /// Takes up to `most` of what has arrived.
  virtual size_t receive(Message *to, size_t most) = 0;

  /// How many have arrived.
  virtual size_t waiting() const = 0;
};

} // namespace amprt

#endif // AMPRT_SRC_MSG_LINK_H
