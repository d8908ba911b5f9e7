//===- MessageBench.cpp - What a message between workers costs ------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Two threads with the links that two workers of a session have: one sends
// activations, the other answers each, as an owner does. Neither sleeps. The
// counter ns_message is the time that goes by for each message, of which an
// activation and its answer are two: until one batch is back (roundTrip), or
// with so many batches under way that the threads work at the same time
// (stream). Both need a core of their own; on a shared computer the least of
// several repetitions counts.
//
//===----------------------------------------------------------------------===//

#include "core/Pause.h"
#include "msg/Exchange.h"
#include "msg/ThreadLink.h"

#include <benchmark/benchmark.h>

#include <atomic>
#include <chrono>
#include <thread>

using namespace amprt;
using Clock = std::chrono::steady_clock;

namespace {

/// One end of the connection.
std::unique_ptr<Exchange> makeEnd(size_t other, MessageQueue &in,
                                  MessageQueue &out, Sleeper &own,
                                  Sleeper &others) {
  std::vector<std::unique_ptr<Link>> links(2);
  links[other] = std::make_unique<ThreadLink>(in, out, others);
  return std::make_unique<Exchange>(std::move(links), own);
}

/// A home, which is the caller's thread, and an owner that answers.
class Pair {
public:
  Pair()
      : home(makeEnd(1, back, there, sleepers[0], sleepers[1])),
        owner(makeEnd(0, there, back, sleepers[1], sleepers[0])),
        thread([this] { answer(); }) {}
  ~Pair() {
    isOver.store(true, std::memory_order_relaxed);
    thread.join();
  }

  void send(int64_t count) {
    Message message = {};
    message.kind = Message::Kind::activation;
    for (int64_t i = 0; i < count; ++i) {
      message.depth = uint32_t(i);
      home->send(1, message);
    }
    home->flush();
  }

  /// Answers that have come; 0 if there is none yet.
  int64_t receive() {
    int64_t count = 0;
    if (home->receive([&](size_t, const Message *messages, size_t got) {
          count += int64_t(got);
          benchmark::DoNotOptimize(messages[got - 1].depth);
        }) == 0)
      pauseBriefly();
    return count;
  }

private:
  void answer() {
    while (!isOver.load(std::memory_order_relaxed)) {
      size_t found = owner->receive(
          [this](size_t from, const Message *messages, size_t count) {
            for (size_t i = 0; i < count; ++i) {
              Message message = messages[i];
              message.kind = Message::Kind::done;
              owner->send(from, message);
            }
          });
      if (found == 0)
        pauseBriefly();
      owner->flush();
    }
  }

  MessageQueue there, back;
  Sleeper sleepers[2];
  std::unique_ptr<Exchange> home, owner;
  std::atomic<bool> isOver{false};
  std::thread thread;
};

} // namespace

/// `activations` and as many answers took so long.
static void count(benchmark::State &state, Clock::time_point begin,
                  int64_t activations) {
  std::chrono::duration<double, std::nano> time = Clock::now() - begin;
  state.counters["ns_message"] = time.count() / double(2 * activations);
}

static void roundTrip(benchmark::State &state) {
  Pair pair;
  int64_t batch = state.range(0), total = 0;
  Clock::time_point begin = Clock::now();
  for (auto _ : state) {
    pair.send(batch);
    for (int64_t left = batch; left > 0;)
      left -= pair.receive();
    total += batch;
  }
  count(state, begin, total);
}

static void stream(benchmark::State &state) {
  Pair pair;
  int64_t batch = state.range(0), total = 0, underWay = 0;
  Clock::time_point begin = Clock::now();
  for (auto _ : state) {
    pair.send(batch);
    total += batch;
    underWay += batch;
    while (underWay > 16 * batch)
      underWay -= pair.receive();
  }
  count(state, begin, total - underWay);
  while (underWay > 0)
    underWay -= pair.receive();
}

BENCHMARK(roundTrip)->ArgName("batch")->Arg(1)->Arg(8)->Arg(64)->UseRealTime();
BENCHMARK(stream)->ArgName("batch")->Arg(1)->Arg(8)->Arg(64)->UseRealTime();

BENCHMARK_MAIN();
