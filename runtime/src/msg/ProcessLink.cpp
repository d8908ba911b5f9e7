//===- ProcessLink.cpp - Between workers of two processes -----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "msg/ProcessLink.h"

#include <algorithm>

namespace amprt {

ProcessLink::ProcessLink(std::unique_ptr<Stream> theStream, Sleeper &reader,
                         const std::vector<CellValues> &cells,
                         SubmissionQueue &queue, std::function<void()> onEnd)
    : stream(std::move(theStream)), cells(cells), queue(queue),
      inbox(*stream, reader, std::move(onEnd)) {}

size_t ProcessLink::receive(Message *to, size_t most) {
  beginReceiving();
  PacketReader from;
  while (arrived.size() < most && inbox.take(from)) {
    while (!from.atEnd() && !from.isBad()) {
      from.beginRecord();
      decode(from);
    }
    if (from.isBad())
      stream->close(); // The other side does not speak our language.
  }
  if (inbox.isGone() && inbox.waiting() == 1 && !isLost) {
    isLost = true;
    lose();
  }
  size_t count = std::min(most, arrived.size());
  std::copy_n(arrived.begin(), count, to);
  arrived.erase(arrived.begin(), arrived.begin() + std::ptrdiff_t(count));
  return count;
}

void ProcessLink::flush(PacketWriter &packet) {
  // Where it fails, the inbox will hear of it, too.
  if (!packet.empty())
    (void)packet.send(*stream);
  packet.clear();
}

static uint64_t keyOf(const void *address) {
  return uint64_t(reinterpret_cast<uintptr_t>(address));
}

//===----------------------------------------------------------------------===//
// At home
//===----------------------------------------------------------------------===//

static Instance &instanceOf(const amprt_frame_t *frame) {
  return static_cast<Instance &>(*frame->instance);
}

void HomeLink::send(const Message *messages, size_t count) {
  for (const Message *it = messages; it != messages + count; ++it) {
    if (it->kind == Message::Kind::ended) {
      if (!isLost) {
        size_t record = packet.beginRecord();
        packet.add(RecordHead{keyOf(it->instance), 0, 0, 0, it->kind, 0});
        packet.endRecord(record);
      }
      queue.ended(); // What the other side holds is nothing of ours.
      continue;
    }
    if (isLost) {
      refuse(*it);
      continue;
    }
    uint64_t key = keyOf(it->frame);
    sent.emplace(key, *it);
    const Instance &instance = instanceOf(it->frame);
    size_t record = packet.beginRecord();
    packet.add(RecordHead{key, it->depth, it->rows, it->cell, it->kind, 1});
    packet.add(keyOf(&instance));
    packet.add(instance.seed);
    cells[it->cell].packInputs(it->frame, packet);
    packet.endRecord(record);
  }
  flush(packet);
}

void HomeLink::fail(Instance &instance, Status status) {
  Message word = {};
  word.kind = Message::Kind::failed;
  word.failure = new Failure{&instance, std::move(status)};
  arrived.push_back(word);
}

/// It will not be run.
void HomeLink::refuse(const Message &activation) {
  fail(instanceOf(activation.frame),
       {StatusCode::internal,
        "worker " + std::to_string(worker) +
            ", another process, is gone: the connection has ended"});
  Message answer = activation;
  answer.kind = Message::Kind::dropped;
  arrived.push_back(answer);
}

void HomeLink::lose() {
  for (const auto &[key, activation] : sent)
    refuse(activation);
  sent.clear();
}

void HomeLink::decode(PacketReader &from) {
  auto head = from.take<RecordHead>();
  if (head.kind == Message::Kind::failed) {
    // It can only be one that waits for an answer.
    Status status = from.takeStatus();
    auto found = std::find_if(sent.begin(), sent.end(), [&](const auto &each) {
      return keyOf(&instanceOf(each.second.frame)) == head.key;
    });
    if (found == sent.end())
      return from.setBad();
    return fail(instanceOf(found->second.frame), std::move(status));
  }
  auto found = sent.find(head.key);
  if (found == sent.end() || found->second.cell != head.cell ||
      (head.kind != Message::Kind::done && head.kind != Message::Kind::dropped))
    return from.setBad();
  Message answer = found->second;
  sent.erase(found);
  answer.kind = head.kind;
  Instance &instance = instanceOf(answer.frame);
  bool isDone = head.kind == Message::Kind::done;
  // Of a failed instance, memory may be handed out twice.
  if (isDone && head.hasValues && !instance.failed &&
      !cells[head.cell].unpackResults(from, answer.frame, instance)) {
    if (from.isBad()) {
      sent.emplace(head.key, answer); // To be refused like the others.
      return;
    }
    fail(instance, {StatusCode::resourceExhausted,
                    "the instance needs more memory than its limit"});
    answer.kind = Message::Kind::dropped;
  }
  arrived.push_back(answer);
}

//===----------------------------------------------------------------------===//
// At the owner
//===----------------------------------------------------------------------===//

// A frame here has its key before its head.
static constexpr size_t keyBytes = 16;

static uint64_t &homeKey(const amprt_frame_t *frame) {
  return *reinterpret_cast<uint64_t *>(reinterpret_cast<uintptr_t>(frame) -
                                       keyBytes);
}

OwnerLink::Guest &OwnerLink::guest(uint64_t key) {
  Guest *&place = guests[key];
  if (place)
    return *place;
  if (spare.empty()) {
    all.push_back(std::make_unique<Guest>());
    spare.push_back(all.back().get());
    spare.back()->home = &home;
    spare.back()->elsewhere = std::make_unique<InstanceElsewhere>(workers);
  }
  place = spare.back();
  spare.pop_back();
  place->key = key;
  return *place;
}

void OwnerLink::packFailure(const Guest &guest, const Status &status) {
  size_t record = packet.beginRecord();
  packet.add(RecordHead{guest.key, 0, 0, 0, Message::Kind::failed, 0});
  packet.add(status);
  packet.endRecord(record);
}

/// No memory for it: its instance fails, and it is not run.
void OwnerLink::failInstead(Guest &guest, const RecordHead &head) {
  packFailure(guest, {StatusCode::resourceExhausted,
                      "no memory for the instance's values"});
  RecordHead answer = head;
  answer.kind = Message::Kind::dropped;
  answer.hasValues = 0;
  size_t record = packet.beginRecord();
  packet.add(answer);
  packet.endRecord(record);
  guest.elsewhere->parts[self].markFailed();
  flush(packet);
}

void OwnerLink::beginReceiving() {
  spare.insert(spare.end(), leaving.begin(), leaving.end());
  leaving.clear();
}

void OwnerLink::decode(PacketReader &from) {
  auto head = from.take<RecordHead>();
  Message word = {};
  word.kind = head.kind;
  if (head.kind == Message::Kind::ended) {
    auto found = guests.find(head.key);
    if (found == guests.end())
      return from.setBad();
    word.instance = found->second;
    leaving.push_back(found->second);
    guests.erase(found);
    queue.expect(1);
    arrived.push_back(word);
    return;
  }
  if (head.kind != Message::Kind::activation || head.cell >= cells.size())
    return from.setBad();
  Guest &instance = guest(from.take<uint64_t>());
  instance.seed = from.take<uint64_t>();
  Arena &part = instance.elsewhere->parts[self];
  bool hasMemory =
      part.bytesHeld() != 0 || part.open(pool, size_t(memoryLimit));
  amprt_frame_t *frame =
      hasMemory ? cells[head.cell].unpackInputs(from, &instance, part, keyBytes)
                : nullptr;
  if (from.isBad())
    return;
  if (!frame)
    return failInstead(instance, head);
  homeKey(frame) = head.key;
  word.frame = frame;
  word.depth = head.depth;
  word.rows = head.rows;
  word.cell = head.cell;
  arrived.push_back(word);
}

void OwnerLink::send(const Message *messages, size_t count) {
  for (const Message *it = messages; it != messages + count; ++it) {
    if (it->kind == Message::Kind::failed) {
      std::unique_ptr<Failure> failure(it->failure);
      packFailure(static_cast<Guest &>(*failure->instance), failure->status);
      continue;
    }
    const auto &part = instanceOf(it->frame).elsewhere->parts[self];
    bool hasValues = it->kind == Message::Kind::done && !part.failed;
    size_t record = packet.beginRecord();
    packet.add(RecordHead{homeKey(it->frame), it->depth, it->rows, it->cell,
                          it->kind, hasValues});
    if (hasValues)
      cells[it->cell].packResults(it->frame, packet);
    packet.endRecord(record);
  }
  flush(packet);
}

} // namespace amprt
