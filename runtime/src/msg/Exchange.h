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
#include "msg/Sleeper.h"

#include <algorithm>
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

  /// Calls take(sender, messages, count) for what one sender has sent, and
  /// returns how much there was: senders take turns, so that what comes of each
  /// is one step of the worker, which can be repeated (DecisionLog). It takes
  /// so much at once and leaves the rest.
  template <typename Take> size_t receive(Take take) {
    for (size_t i = 0; i < links.size(); ++i) {
      size_t sender = nextSender;
      nextSender = sender + 1 < links.size() ? sender + 1 : 0;
      if (size_t there = waiting(sender)) {
        take(sender, inbox, links[sender]->receive(inbox, inboxSize));
        return there;
      }
    }
    return 0;
  }

  /// The same for so many messages of one sender, which must be there; at most
  /// as many as receive takes at once.
  template <typename Take>
  void receiveFrom(size_t sender, size_t count, Take take) {
    size_t got = links[sender]->receive(inbox, std::min(count, inboxSize));
    take(sender, inbox, got);
  }

  /// Messages of one sender that are there.
  size_t waiting(size_t sender) const {
    return sender < links.size() && links[sender] ? links[sender]->waiting()
                                                  : 0;
  }

  bool hasMail() const {
    for (const std::unique_ptr<Link> &link : links)
      if (link && link->waiting() > 0)
        return true;
    return false;
  }

  Sleeper &sleeper; ///< Of the worker.

private:
  static constexpr size_t inboxSize = 512;
  std::vector<std::unique_ptr<Link>> links;
  std::vector<std::vector<Message>> outboxes;
  size_t nextSender = 0;
  Message inbox[inboxSize];
};

} // namespace amprt

#endif // AMPRT_SRC_MSG_EXCHANGE_H
