//===- Interrupt.cpp - Stopping a run from outside ------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interrupt.h"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace amprt::cli {

// A signal handler can reach nothing but statics.
static std::atomic<int> wakeEnd{-1};
static std::atomic<int> caughtSignal{0};

extern "C" {
static void onSignal(int number) {
  int savedErrno = errno;
  caughtSignal = number;
  if (int fd = wakeEnd; fd >= 0) {
    char byte = 0;
    [[maybe_unused]] ssize_t count = ::write(fd, &byte, 1);
  }
  errno = savedErrno;
}
}

constexpr int signals[3] = {SIGINT, SIGTERM, SIGPIPE};

Interrupt::Interrupt() {
  caughtSignal = 0;
  for (int i = 0; i < 3; ++i)
    ::sigaction(signals[i], nullptr, &before[i]);
  std::signal(SIGPIPE, SIG_IGN);
  if (::pipe2(pipeEnds, O_CLOEXEC | O_NONBLOCK) != 0) {
    pipeEnds[0] = pipeEnds[1] = -1;
    return;
  }
  wakeEnd = pipeEnds[1];
  struct sigaction action = {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_RESTART;
  action.sa_flags |= static_cast<int>(SA_RESETHAND); // The second one kills.
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < 2; ++i)
    if (before[i].sa_handler != SIG_IGN) // Ignored as under nohup.
      ::sigaction(signals[i], &action, nullptr);
}

Interrupt::~Interrupt() {
  for (int i = 0; i < 3; ++i)
    ::sigaction(signals[i], &before[i], nullptr);
  wakeEnd = -1;
  for (int fd : pipeEnds)
    if (fd >= 0)
      ::close(fd);
}

void Interrupt::stop() {
  stopAsked = true;
  char byte = 0;
  [[maybe_unused]] ssize_t count = ::write(pipeEnds[1], &byte, 1);
}

bool Interrupt::stopped() const { return stopAsked || caughtSignal != 0; }

bool Interrupt::sleepUntil(std::chrono::steady_clock::time_point time) const {
  using std::chrono::nanoseconds;
  while (!stopped()) {
    auto left = std::chrono::duration_cast<nanoseconds>(
                    time - std::chrono::steady_clock::now())
                    .count();
    if (left <= 0)
      return true;
    struct timespec timeout;
    timeout.tv_sec = static_cast<time_t>(left / 1'000'000'000);
    timeout.tv_nsec = static_cast<long>(left % 1'000'000'000);
    struct pollfd wake = {pipeEnds[0], POLLIN, 0};
    (void)::ppoll(&wake, 1, &timeout, nullptr); // Early for whatever reason.
  }
  return false;
}

int Interrupt::signal() const { return caughtSignal; }

} // namespace amprt::cli
