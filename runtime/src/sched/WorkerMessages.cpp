//===- WorkerMessages.cpp - A worker among others -------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Model placement. An instance's frames, and so all control, are at its home; a
// cell runs at its owner. The home sends an activation there and gets it back
// when the cell has run.
//
//===----------------------------------------------------------------------===//

#include "sched/Worker.h"

#include "core/Pause.h"

#include <algorithm>
#include <thread>

namespace amprt {

static Instance &instanceOf(const amprt_frame_t *frame) {
  return static_cast<Instance &>(*frame->instance);
}

void Worker::enqueuePlaced(uint32_t cell, amprt_frame_t *frame, uint32_t depth,
                           uint32_t rows) {
  int32_t owner = owners[cell];
  if (owner == Placement::home || owner == number)
    return readyCells(cell).ready.push(cell, frame, depth, rows);
  Instance &instance = instanceOf(frame);
  // Its memory may be handed out twice, so it is for nobody else to see.
  if (instance.failed)
    return;
  ++instance.elsewhere->activations;
  instance.elsewhere->wasAt[size_t(owner)] = 1;
  exchange->send(size_t(owner),
                 {{frame}, depth, rows, cell, Message::Kind::activation});
}

Worker::ReadyCells &Worker::readyCells(uint32_t cell) {
  return session.descriptor().cells[cell].flags & AMPRT_CELL_BACKWARD
             ? *backward
             : forward;
}

void Worker::sendBack(Message::Kind kind, uint32_t cell,
                      const amprt_activation_t &activation) {
  exchange->send(
      size_t(instanceOf(activation.frame).home->number),
      {{activation.frame}, activation.depth, activation.rows, cell, kind});
}

bool Worker::receive() {
  size_t found = exchange->receive(
      [this](size_t from, const Message *messages, size_t count) {
        if (log && !log->isReplay)
          log->record(Decision::Kind::receive, from, count);
        take(messages, count);
      });
  if (found == 0)
    return false;
  counts.countReceived(int64_t(found));
  return true;
}

void Worker::take(const Message *messages, size_t count) {
  for (const Message *end = messages + count; messages != end;) {
    switch (messages->kind) {
    case Message::Kind::activation:
      if (!session.hooks.empty())
        noteBegin(instanceOf(messages->frame));
      readyCells(messages->cell)
          .ready.push(messages->cell, messages->frame, messages->depth,
                      messages->rows);
      break;
    case Message::Kind::done: {
      const Message *last = std::find_if(messages, end, [&](const Message &m) {
        return m.kind != Message::Kind::done || m.cell != messages->cell;
      });
      takeDone(messages, size_t(last - messages));
      messages = last;
      continue;
    }
    case Message::Kind::dropped: {
      Instance &instance = instanceOf(messages->frame);
      if (!instance.failed) // The others have seen the session's end earlier.
        fail(instance, StatusCode::cancelled,
             "the session ended before the instance did");
      answered(instance);
      break;
    }
    case Message::Kind::failed: {
      std::unique_ptr<Failure> failure(messages->failure);
      fail(*failure->instance, failure->status.code(),
           failure->status.message());
      break;
    }
    case Message::Kind::ended: {
      // No more of it: at home, it may be another one already.
      InstancePart &part = messages->instance->elsewhere->parts[size_t(number)];
      if (part.isNoted)
        session.hooks[size_t(number)]->endsUnderWay.fetch_sub(
            1, std::memory_order_relaxed);
      noteEnd(part);
      part.releaseAll();
      part.failed = 0;
      session.queue.ended();
      break;
    }
    }
    ++messages;
  }
}

/// All are of one cell.
void Worker::takeDone(const Message *messages, size_t count) {
  kept.clear();
  for (size_t i = 0; i < count; ++i) {
    Instance &instance = instanceOf(messages[i].frame);
    if (!instance.failed)
      kept.push_back({messages[i].frame, messages[i].depth, messages[i].rows});
    answered(instance);
  }
  const amprt_cell_desc_t &cell = session.descriptor().cells[messages->cell];
  for (size_t i = 0; i < kept.size(); i += completedTogether)
    complete(cell, kept.data() + i,
             std::min(completedTogether, int64_t(kept.size() - i)));
}

/// One of its activations has come back.
void Worker::answered(Instance &instance) {
  if (--instance.elsewhere->activations == 0 && instance.elsewhere->isWithdrawn)
    close(instance, {std::move(instance.status), {}, {}});
}

/// The batch without activations of other workers' instances that have failed,
/// which go back. Of its own instances it has none.
Batch Worker::withoutFailed(const Batch &batch) {
  auto hasFailed = [this](const amprt_activation_t &activation) {
    const Instance &instance = instanceOf(activation.frame);
    return instance.home != this && instance.hasFailed();
  };
  const amprt_activation_t *end = batch.items + batch.count;
  if (std::none_of(batch.items, end, hasFailed))
    return batch;
  kept.clear();
  for (const amprt_activation_t *it = batch.items; it != end; ++it)
    if (hasFailed(*it))
      sendBack(Message::Kind::dropped, batch.cell, *it);
    else
      kept.push_back(*it);
  return {kept.data(), int64_t(kept.size()), batch.cell, nullptr};
}

/// Completes those that are at home here, and sends the others back. Returns
/// the batch's rows.
int64_t Worker::completePlaced(const Batch &batch) {
  const amprt_cell_desc_t &cell = session.descriptor().cells[batch.cell];
  int64_t rows = 0;
  for (int64_t i = 0; i < batch.count;) {
    int64_t end = i;
    while (end < batch.count && end - i < completedTogether &&
           instanceOf(batch.items[end].frame).home == this)
      ++end;
    if (end > i) {
      rows += complete(cell, batch.items + i, end - i);
      i = end;
      continue;
    }
    rows += batch.items[i].rows;
    sendBack(Message::Kind::done, batch.cell, batch.items[i]);
    ++i;
  }
  return rows;
}

void *Worker::newRowsElsewhere(Instance &instance, int64_t bytes) {
  Arena &part = instance.elsewhere->parts[size_t(number)];
  if (part.bytesHeld() == 0 &&
      !part.open(pool, size_t(session.options.memoryLimit))) {
    failElsewhere(instance, StatusCode::resourceExhausted,
                  "no memory for the instance's rows");
    return scratch.allocate(bytes);
  }
  void *memory = bytes >= 64 ? part.allocateRows(size_t(bytes))
                             : part.allocate(size_t(bytes));
  return memory ? memory
                : memoryOfFailed(instance, part, bytes, Arena::Use::rows);
}

void Worker::failElsewhere(Instance &instance, StatusCode code,
                           std::string message) {
  Arena &part = instance.elsewhere->parts[size_t(number)];
  if (part.failed)
    return;
  part.markFailed();
  Message word = {};
  word.kind = Message::Kind::failed;
  word.failure = new Failure{&instance, Status(code, std::move(message))};
  exchange->send(size_t(instance.home->number), word);
}

/// At its home: the others may let go of what they hold for it.
void Worker::sayEnded(Instance &instance) {
  Message word = {};
  word.kind = Message::Kind::ended;
  word.instance = &instance;
  InstanceElsewhere &elsewhere = *instance.elsewhere;
  bool isHooked =
      !session.hooks.empty() && instance.entry == session.hookedEntry;
  for (size_t i = 0; i < elsewhere.wasAt.size(); ++i)
    if (elsewhere.wasAt[i]) {
      elsewhere.wasAt[i] = 0;
      session.queue.expect(1);
      if (isHooked)
        session.hooks[i]->endsUnderWay.fetch_add(1, std::memory_order_relaxed);
      exchange->send(i, word);
    }
  elsewhere.isWithdrawn = false;
  noteEnd(elsewhere.parts[size_t(number)]);
  if (session.meeting && instance.entry == session.hookedEntry)
    session.meeting->countEnd();
}

void Worker::noteBegin(Instance &instance) {
  InstancePart &part = instance.elsewhere->parts[size_t(number)];
  if (part.isNoted || instance.entry != session.hookedEntry)
    return;
  part.isNoted = true;
  session.hooks[size_t(number)]->begin(part.notes);
}

void Worker::noteEnd(InstancePart &part) {
  if (!part.isNoted)
    return;
  part.isNoted = false;
  session.hooks[size_t(number)]->end(part.notes);
}

/// True if there is something to do; else it counts as asleep.
bool Worker::waitForMail() {
  for (int i = 0; i < looksBeforeSleep; ++i) {
    if (hasCall() || attention.load(std::memory_order_relaxed) ||
        (openInstances.size() < maxOpen && !session.queue.seemsEmpty()))
      return true;
    pauseBriefly();
  }
  exchange->sleeper.isAsleep.store(true, std::memory_order_relaxed);
  // See Sleeper::wakeIfAsleep.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return false;
}

/// Comes to the meeting that it was called to.
void Worker::meet() {
  auto arrived = std::chrono::steady_clock::now();
  if (log && !log->isReplay)
    log->record(Decision::Kind::meet, meetingsAttended, 0);
  session.meeting->arrive();
  // The others are in a batch at most, or are being woken.
  for (int i = 0; !session.meeting->hasBegun(meetingsAttended); ++i)
    i < looksBeforeSleep ? pauseBriefly() : std::this_thread::yield();
  attendMeeting();
  counts.countMeeting(
      nanosecondsBetween(arrived, std::chrono::steady_clock::now()));
}

void Worker::attendMeeting() {
  session.meeting->attend(number);
  ++meetingsAttended;
}

/// Gives back what others have sent, undone.
void Worker::dropForeign() {
  for (ReadyCells *cells : {&forward, backward.get()})
    while (!cells->ready.empty()) {
      Batch batch = cells->ready.take(cells->ready.buckets().front(),
                                      session.options.maxBatch);
      for (int64_t i = 0; i < batch.count; ++i)
        if (instanceOf(batch.items[i].frame).home != this)
          sendBack(Message::Kind::dropped, batch.cell, batch.items[i]);
      cells->ready.release(batch);
    }
}

/// The session has ended, and its own instances are cancelled. Others may have
/// activations of theirs in their hands, so it waits until nobody has any.
void Worker::serveUntilQuiet() {
  bool isQuiet = false;
  for (;;) {
    dropForeign();
    exchange->flush();
    bool any = receive();
    removeFailed();
    if (!isQuiet && openInstances.empty()) {
      isQuiet = true;
      session.quietWorkers.fetch_add(1, std::memory_order_acq_rel);
    }
    if (session.quietWorkers.load(std::memory_order_acquire) ==
        session.localWorkers)
      return;
    if (!any)
      std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

void Worker::releaseParts() {
  for (std::unique_ptr<Instance> &instance : instances)
    if (instance->elsewhere)
      for (size_t i = 0; i < instance->elsewhere->wasAt.size(); ++i)
        instance->elsewhere->parts[i].releaseAll();
}

} // namespace amprt
