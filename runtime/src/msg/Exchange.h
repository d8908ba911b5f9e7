//===- Exchange.h - A worker's links to all others --------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_MSG_EXCHANGE_H
#define AMPRT_SRC_MSG_EXCHANGE_H

#include "msg/Link.h"
#include "msg/ThreadLink.h"

#include <memory>
#include <vector>

namespace amprt {

/// A worker's links to all others, with what it has yet to send: messages of
/// one flush travel together. Used by its worker's thread alone, but for
/// `sleeper`.
class Exchange {
public:
  /// `links`: by the number of the worker; null for the worker itself.
  Exchange(std::vector<std::unique_ptr<Link>> links, Sleeper &sleeper)
      : sleeper(sleeper), links(std::move(links)),
        outboxes(this->links.size()) {}

  void send(size_t worker, const Message &message) {
    outboxes[worker].push_back(message);
  }

  /// Returns how many there were.
  int64_t flush() {
    int64_t sent = 0;
    for (size_t i = 0; i < outboxes.size(); ++i)
      if (!outboxes[i].empty()) {
        sent += int64_t(outboxes[i].size());
        links[i]->send(outboxes[i].data(), outboxes[i].size());
        outboxes[i].clear();
      }
    return sent;
  }

  /// Calls take(messages, count) for what has arrived, sender by sender; false
  /// if nothing had.
  template <typename Take> bool receive(Take take) {
    bool any = false;
    for (std::unique_ptr<Link> &link : links)
      if (size_t count = link ? link->receive(inbox, inboxSize) : 0) {
        any = true;
        take(inbox, count);
      }
    return any;
  }

  bool hasMail() const {
    for (const std::unique_ptr<Link> &link : links)
      if (link && link->hasMail())
        return true;
    return false;
  }

  Sleeper &sleeper; ///< Of the worker.

private:
  static constexpr size_t inboxSize = 512;
  std::vector<std::unique_ptr<Link>> links;
  std::vector<std::vector<Message>> outboxes;
  Message inbox[inboxSize];
};

} // namespace amprt

#endif // AMPRT_SRC_MSG_EXCHANGE_H
