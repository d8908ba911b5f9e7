//===- EngineRemotes.cpp - Workers in other processes ---------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before anything else, a session says to each of its remote workers what it
// is to be, and gets to hear whether it can:
//   greeting, ABI version, the worker's number, workers, model, checksum of the
//   weights, owners of its cells
//   status code, message
//
//===----------------------------------------------------------------------===//

#include "core/Engine.h"

#include "io/Checksum.h"

namespace amprt {

static constexpr uint64_t greeting = 0x6c6c6563'74727061u; // "aprtcell"

namespace {
struct Introduction {
  uint64_t greeting;
  uint32_t abiVersion, worker, workers, reserved;
  uint64_t weights; ///< Their checksum.
};
} // namespace

static uint64_t checksumOf(const Weights &weights) {
  Checksum sum;
  for (const Tensor &tensor : weights.tensors())
    sum.add({static_cast<const char *>(tensor.data()), tensor.byteCount()});
  return sum.value();
}

static Status noSession() {
  return {StatusCode::invalidArgument,
          "at the other end of the socket is no session of this runtime"};
}

void Engine::describeCells() {
  const amprt_model_t &model = state.descriptor();
  for (uint32_t i = 0; i < model.cell_count; ++i)
    cells.emplace_back(model.cells[i]);
}

Status Engine::introduce() {
  if (streams.empty())
    return {};
  uint64_t weights = checksumOf(state.replicas.front().weights);
  for (size_t i = 0; i < streams.size(); ++i) {
    PacketWriter hello;
    size_t record = hello.beginRecord();
    hello.add(Introduction{greeting, AMPRT_ABI_VERSION, uint32_t(i + 1),
                           uint32_t(state.options.workers), 0, weights});
    hello.addText(state.descriptor().name);
    for (int32_t owner : state.placement.owners)
      hello.add(owner);
    hello.endRecord(record);
    PacketReader reply;
    std::string who = "worker " + std::to_string(i + 1) + ": ";
    if (!hello.send(*streams[i]) || !reply.receive(*streams[i]))
      return {StatusCode::invalidArgument,
              who + "the other process has ended the connection"};
    reply.beginRecord();
    Status answer = reply.takeStatus();
    if (reply.isBad())
      return {StatusCode::invalidArgument,
              who + "at the other end of the socket is no serveCells"};
    if (!answer.ok())
      return {answer.code(), who + answer.message()};
  }
  return {};
}

/// Worker 0's links.
void Engine::connectRemotes() {
  Sleeper &sleeper = addSleeper();
  std::vector<std::unique_ptr<Link>> links(size_t(state.options.workers));
  for (size_t i = 0; i < streams.size(); ++i)
    links[i + 1] = std::make_unique<HomeLink>(int(i + 1), std::move(streams[i]),
                                              sleeper, cells, state.queue);
  workers[0]->connect(std::make_unique<Exchange>(std::move(links), sleeper));
}

/// What a worker in another process is told to be.
static Status accept(PacketReader &hello, const amprt_model_t &model,
                     const Weights &weights, SessionOptions &options,
                     int &number, Placement &placement) {
  hello.beginRecord();
  auto head = hello.take<Introduction>();
  std::string name = hello.takeText();
  if (hello.isBad() || head.greeting != greeting)
    return noSession();
  auto differs = [&](const std::string &what) {
    return Status(StatusCode::failedPrecondition,
                  "the session's process has " + what);
  };
  if (head.abiVersion != AMPRT_ABI_VERSION)
    return differs("a runtime of another version");
  if (name != model.name)
    return differs("another model, '" + name + "'");
  if (head.weights != checksumOf(weights))
    return differs("other weights");
  for (uint32_t i = 0; i < model.cell_count; ++i)
    placement.owners.push_back(hello.take<int32_t>());
  if (hello.isBad() || !hello.atRecordEnd() || head.worker < 1 ||
      head.worker >= head.workers || head.workers > 1024)
    return differs("another model of this name");
  number = int(head.worker);
  options.placement = PlacementMode::model;
  options.workers = int(head.workers);
  return checkPlacement(model, placement, {options.workers, false});
}

Status Engine::serve(Model model, Weights weights, SessionOptions options,
                     int socket) {
  auto stream = Stream::open(socket);
  if (!stream)
    return stream.status();
  PacketReader hello;
  if (!hello.receive(**stream)) // The session may not have come to be.
    return hello.isOver() ? Status() : noSession();
  options.remotes.clear();
  int number = 0;
  Placement placement;
  Status status =
      accept(hello, model.descriptor(), weights, options, number, placement);
  std::unique_ptr<Engine> engine;
  if (status.ok()) {
    engine.reset(new Engine(std::move(model), options));
    engine->state.localWorkers = 1;
    engine->state.placement = std::move(placement);
    TrainingParts nothing;
    status = engine->prepareReplicas(std::move(weights), nothing);
  }
  if (status.ok())
    status = engine->prepare();
  PacketWriter reply;
  size_t record = reply.beginRecord();
  reply.add(status);
  reply.endRecord(record);
  bool isHeard = reply.send(**stream);
  if (!status.ok() || !isHeard)
    return status;
  engine->runRemote(number, std::move(*stream));
  return {};
}

/// Until the session or the connection ends.
void Engine::runRemote(int number, std::unique_ptr<Stream> stream) {
  describeCells();
  // The first one is never run; it stands for the one in the other process.
  for (int each : {0, number})
    workers.push_back(std::make_unique<Worker>(state, each, /*maxOpen=*/0));
  Worker &home = *workers[0], &self = *workers[1];
  Sleeper &sleeper = addSleeper();
  std::vector<std::unique_ptr<Link>> links(size_t(state.options.workers));
  links[0] = std::make_unique<OwnerLink>(
      number, home, links.size(), self.memory(), state.options.memoryLimit,
      std::move(stream), sleeper, cells, state.queue, [&] {
        (void)state.queue.stop();
        self.lookUp();
      });
  self.connect(std::make_unique<Exchange>(std::move(links), sleeper));
  self.run();
  self.connect(nullptr); // What it holds is of the worker's memory.
}

Status serveCells(Model model, Weights weights, const SessionOptions &options,
                  int socket) {
  return Engine::serve(std::move(model), std::move(weights), options, socket);
}

} // namespace amprt
