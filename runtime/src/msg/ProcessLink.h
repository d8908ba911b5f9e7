//===- ProcessLink.h - Between workers of two processes ---------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The two ends of a connection over a stream. On one side is the worker that
// has the instances, on the other one that has cells alone. Nothing that is
// sent is an address to its receiver: values travel by their elements, and a
// frame's address is for its home no more than a key.
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_MSG_PROCESSLINK_H
#define AMPRT_SRC_MSG_PROCESSLINK_H

#include "core/Instance.h"
#include "msg/CellValues.h"
#include "msg/Link.h"
#include "msg/PacketInbox.h"
#include "sched/SubmissionQueue.h"

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

namespace amprt {

/// What every record begins with.
struct RecordHead {
  uint64_t key; ///< Of the frame; of failed and ended: of the instance.
  uint32_t depth, rows, cell;
  Message::Kind kind;
  uint16_t hasValues; ///< Of done: 0 if the instance has failed.
};

/// What both ends have.
class ProcessLink : public Link {
public:
  size_t waiting() const override {
    return arrived.size() + inbox.waiting() - (isLost ? 1 : 0);
  }
  size_t receive(Message *to, size_t most) override;

protected:
  ProcessLink(std::unique_ptr<Stream> stream, Sleeper &reader,
              const std::vector<CellValues> &cells, SubmissionQueue &queue,
              std::function<void()> onEnd);
  /// Reads one record; what it means for the worker goes to `arrived`.
  virtual void decode(PacketReader &from) = 0;
  /// The connection is gone, and all that came before was read.
  virtual void lose() {}
  /// Before the worker gets anything new: it is done with what it got.
  virtual void beginReceiving() {}
  void flush(PacketWriter &packet);

  const std::unique_ptr<Stream> stream;
  const std::vector<CellValues> &cells;
  SubmissionQueue &queue;
  std::deque<Message> arrived; ///< To be taken by the worker.
  PacketWriter packet;
  bool isLost = false; ///< Sends and awaits nothing any more.

private:
  PacketInbox inbox;
};

/// At the worker that has the instances.
class HomeLink final : public ProcessLink {
public:
  /// `worker`: the other's number. All that is referred to must outlive it.
  HomeLink(int worker, std::unique_ptr<Stream> stream, Sleeper &reader,
           const std::vector<CellValues> &cells, SubmissionQueue &queue)
      : ProcessLink(std::move(stream), reader, cells, queue, {}),
        worker(worker) {}

  void send(const Message *messages, size_t count) override;

private:
  void decode(PacketReader &from) override;
  void lose() override;
  void refuse(const Message &activation);
  void fail(Instance &instance, Status status);

  const int worker;
  /// Activations that have not been answered, by their keys.
  std::unordered_map<uint64_t, Message> sent;
};

/// At the worker that has cells alone.
class OwnerLink final : public ProcessLink {
public:
  /// `self` is the number of its worker; `home` stands for the other one.
  /// `onEnd`: as PacketInbox's.
  OwnerLink(int self, Worker &home, size_t workers, ChunkPool &pool,
            int64_t memoryLimit, std::unique_ptr<Stream> stream,
            Sleeper &reader, const std::vector<CellValues> &cells,
            SubmissionQueue &queue, std::function<void()> onEnd)
      : ProcessLink(std::move(stream), reader, cells, queue, std::move(onEnd)),
        self(size_t(self)), home(home), workers(workers), pool(pool),
        memoryLimit(memoryLimit) {}

  void send(const Message *messages, size_t count) override;

private:
  struct Guest : Instance {
    uint64_t key = 0;
  };
  void decode(PacketReader &from) override;
  void beginReceiving() override;
  Guest &guest(uint64_t key);
  void packFailure(const Guest &guest, const Status &status);
  void failInstead(Guest &guest, const RecordHead &head);

  const size_t self;
  Worker &home;
  const size_t workers;
  ChunkPool &pool;
  const int64_t memoryLimit;
  std::vector<std::unique_ptr<Guest>> all;
  std::unordered_map<uint64_t, Guest *> guests; ///< Those that are here.
  std::vector<Guest *> leaving, spare;
};

} // namespace amprt

#endif // AMPRT_SRC_MSG_PROCESSLINK_H
