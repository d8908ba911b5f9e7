//===- Abi.cpp - What generated code calls --------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sched/Abi.h"

#include "core/StackedList.h"
#include "sched/Worker.h"

#include <cstring>
#include <new>

using namespace amprt;

static Worker &self(amprt_worker_t *worker) {
  return static_cast<Worker &>(*worker);
}

static Instance &instanceOf(amprt_frame_t *frame) {
  return static_cast<Instance &>(*frame->instance);
}

static std::string at(const char *where) {
  return where && *where ? std::string(where) + ": " : std::string();
}

/// Out of line, so that the usual path needs no room for the message.
__attribute__((noinline, cold)) static void
failRow(amprt_worker_t *worker, amprt_frame_t *frame,
        const amprt_collector_t *collector, int64_t index, const char *where) {
  if (index < 0 || index >= collector->rows)
    amprt_fail_range(worker, frame, where, "index", index, collector->rows);
  else
    self(worker).fail(instanceOf(frame), StatusCode::invalidArgument,
                      at(where) + "row " + std::to_string(index) +
                          " is given twice");
}

static int64_t lengthOf(const amprt_list_t *list) {
  return list ? list->length : 0;
}

/// Myers' jumps: from a list whose first two jumps go equally far on past both,
/// so that their lengths follow the digits of a number in skew binary.
static const amprt_list_t *jumpOver(const amprt_list_t *rest) {
  const amprt_list_t *jump = rest ? rest->jump : nullptr;
  const amprt_list_t *second = jump ? jump->jump : nullptr;
  bool isEqual =
      lengthOf(rest) - lengthOf(jump) == lengthOf(jump) - lengthOf(second);
  return isEqual ? second : rest;
}

/// The bytes of all blocks and their rows; false where no number holds them.
static bool addUp(const amprt_block_t *blocks, int64_t count, int64_t row_bytes,
                  int64_t &rows, int64_t &bytes) {
  rows = 0;
  for (int64_t i = 0; i < count; ++i)
    if (blocks[i].rows < 0 ||
        __builtin_add_overflow(rows, blocks[i].rows, &rows))
      return false;
  return row_bytes >= 0 && !__builtin_mul_overflow(rows, row_bytes, &bytes);
}

extern "C" {

amprt_frame_t *amprt_frame_new(amprt_worker_t *worker,
                               amprt_instance_t *instance, int64_t bytes) {
  return static_cast<amprt_frame_t *>(
      self(worker).newFrame(static_cast<Instance &>(*instance), bytes));
}

void *amprt_rows_new(amprt_worker_t *worker, amprt_instance_t *instance,
                     int64_t bytes) {
  return self(worker).newRows(static_cast<Instance &>(*instance), bytes);
}

void amprt_rows_release(amprt_worker_t *worker, amprt_instance_t *instance,
                        void *rows, int64_t bytes) {
  self(worker).releaseRows(static_cast<Instance &>(*instance), rows, bytes);
}

void amprt_enqueue(amprt_worker_t *worker, uint32_t cell, amprt_frame_t *frame,
                   uint32_t depth, uint32_t rows) {
  self(worker).enqueue(cell, frame, depth, rows);
}

void amprt_post(amprt_worker_t *worker, amprt_handler_t handler,
                amprt_frame_t *frame, uint32_t depth) {
  self(worker).post(handler, frame, depth);
}

void amprt_fail_range(amprt_worker_t *worker, amprt_frame_t *frame,
                      const char *where, const char *what, int64_t value,
                      int64_t limit) {
  self(worker).fail(instanceOf(frame), StatusCode::outOfRange,
                    at(where) + what + " " + std::to_string(value) +
                        " is outside [0, " + std::to_string(limit) + ")");
}

void amprt_fail(amprt_worker_t *worker, amprt_frame_t *frame, const char *where,
                const char *message) {
  self(worker).fail(instanceOf(frame), StatusCode::invalidArgument,
                    at(where) + message);
}

void *amprt_scratch(amprt_worker_t *worker, int64_t bytes) {
  return self(worker).newScratch(bytes);
}

void amprt_linear(amprt_worker_t *worker, uint32_t linear, const float *x,
                  float *y, int64_t rows) {
  self(worker).multiply(linear, x, y, rows);
}

void amprt_linear_grouped(amprt_worker_t *worker, uint32_t linear,
                          const float *x, float *y, int64_t rows,
                          const int32_t *which) {
  self(worker).multiplyGrouped(linear, x, y, rows, which);
}

void amprt_gradient_product(amprt_worker_t *worker, uint32_t gradient,
                            const float *x, const float *dy, int64_t rows) {
  if (Gradients *gradients = self(worker).gradientsOrNull())
    gradients->addProduct(gradient, x, dy, rows, nullptr);
}

void amprt_gradient_grouped(amprt_worker_t *worker, uint32_t gradient,
                            const float *x, const float *dy, int64_t rows,
                            const int32_t *which) {
  if (Gradients *gradients = self(worker).gradientsOrNull())
    gradients->addProduct(gradient, x, dy, rows, which);
}

void amprt_gradient_add(amprt_worker_t *worker, uint32_t param, int64_t offset,
                        const float *values, int64_t rows, int64_t count) {
  if (Gradients *gradients = self(worker).gradientsOrNull())
    gradients->addRows(param, offset, values, rows, count);
}

void amprt_gradient_row(amprt_worker_t *worker, uint32_t param, int64_t index,
                        const float *row) {
  if (Gradients *gradients = self(worker).gradientsOrNull())
    gradients->addRow(param, index, row);
}

amprt_list_t *amprt_list_push(amprt_worker_t *worker,
                              amprt_instance_t *instance,
                              const amprt_list_t *rest, int64_t bytes) {
  auto &owner = static_cast<Instance &>(*instance);
  constexpr int64_t head = sizeof(amprt_list_t);
  // A size that is negative or far too large fails the instance as it is.
  if (bytes >= 0 && bytes <= INT64_MAX - head)
    bytes += head;
  void *memory = self(worker).newRows(owner, bytes);
  // Memory of a failed instance may be handed out twice, so that what is in it
  // may not be followed; code that has yet to return still meets a list.
  if (instance->failed)
    return new (owner.allocateAnyhow(size_t(bytes), Arena::Use::list))
        amprt_list_t{nullptr, nullptr, 1, nullptr};
  return new (memory)
      amprt_list_t{rest, jumpOver(rest), lengthOf(rest) + 1, nullptr};
}

const amprt_list_t *amprt_list_at(const amprt_list_t *list, int64_t index) {
  while (list->length > index + 1)
    list = lengthOf(list->jump) > index ? list->jump : list->rest;
  return list;
}

amprt_block_t amprt_list_stack(amprt_worker_t *worker,
                               amprt_instance_t *instance, amprt_list_t *list,
                               int64_t bytes, int32_t by_address) {
  auto &owner = static_cast<Instance &>(*instance);
  auto allocate = [&](int64_t size) {
    void *memory = self(worker).newRows(owner, size);
    return owner.failed ? nullptr : memory;
  };
  // What a failed instance's lists point to may have been handed out again.
  amprt_list_rows *rows =
      owner.failed ? nullptr : stackList(list, bytes, by_address, allocate);
  if (!rows)
    return {self(worker).newRows(owner, 0), 0};
  return {rows->data(), list->length};
}

void *amprt_concat_rows(amprt_worker_t *worker, amprt_instance_t *instance,
                        const amprt_block_t *blocks, int64_t count,
                        int64_t row_bytes, int64_t *total) {
  auto &owner = static_cast<Instance &>(*instance);
  int64_t rows = 0, bytes = 0;
  bool isSound = addUp(blocks, count, row_bytes, rows, bytes);
  if (!isSound)
    self(worker).fail(owner, StatusCode::outOfRange,
                      "cannot join " + std::to_string(count) +
                          " blocks of rows of " + std::to_string(row_bytes) +
                          " bytes: they have too many rows, or a number of "
                          "rows is negative");
  auto *data =
      static_cast<char *>(self(worker).newRows(owner, isSound ? bytes : 0));
  // Of a failed instance the memory may be less than was asked for.
  *total = instance->failed ? 0 : rows;
  if (instance->failed)
    return data;
  char *to = data;
  for (int64_t i = 0; i < count; ++i)
    if (size_t size = size_t(blocks[i].rows * row_bytes)) {
      std::memcpy(to, blocks[i].data, size);
      to += size;
    }
  return data;
}

amprt_collector_t *amprt_collector_new(amprt_worker_t *worker,
                                       amprt_frame_t *owner,
                                       amprt_handler_t handler, int64_t rows,
                                       int64_t row_bytes, const char *where) {
  Instance &instance = instanceOf(owner);
  int64_t bytes = 0;
  bool isSound = rows >= 0 && row_bytes >= 0 &&
                 !__builtin_mul_overflow(rows, row_bytes, &bytes);
  if (!isSound)
    self(worker).fail(instance, StatusCode::outOfRange,
                      at(where) + "cannot collect " + std::to_string(rows) +
                          " rows of " + std::to_string(row_bytes) + " bytes");
  int64_t words = isSound ? rows / 64 + 1 : 1;
  auto *given = static_cast<uint64_t *>(
      self(worker).newRows(instance, words * int64_t(sizeof(uint64_t))));
  void *data = self(worker).newRows(instance, isSound ? bytes : 0);
  auto *collector = static_cast<amprt_collector_t *>(
      self(worker).newRows(instance, sizeof(amprt_collector_t)));
  *collector = {owner,
                handler,
                isSound ? rows : 0,
                isSound ? rows : 0,
                row_bytes,
                static_cast<char *>(data),
                given,
                where ? where : "an unknown place",
                instance.baseDepth,
                instance.collectors};
  // Of a failed instance the memory may be less than was asked for, and nobody
  // will put anything into it.
  if (instance.failed)
    return collector;
  std::memset(given, 0, size_t(words) * sizeof(uint64_t));
  instance.collectors = static_cast<Collector *>(collector);
  if (rows == 0)
    self(worker).post(handler, owner, collector->depth);
  return collector;
}

void *amprt_collector_data(amprt_collector_t *collector) {
  return collector->data;
}

int64_t amprt_collector_rows(amprt_collector_t *collector) {
  return collector->rows;
}

void amprt_collector_put(amprt_worker_t *worker, amprt_frame_t *frame,
                         amprt_collector_t *collector, int64_t index,
                         const void *row, uint32_t depth, const char *where) {
  Instance &instance = instanceOf(frame);
  if (instance.failed)
    return;
  if (index < 0 || index >= collector->rows)
    return failRow(worker, frame, collector, index, where);
  uint64_t &given = collector->given[uint64_t(index) / 64];
  uint64_t bit = uint64_t(1) << (uint64_t(index) % 64);
  if (given & bit)
    return failRow(worker, frame, collector, index, where);
  given |= bit;
  std::memcpy(collector->data + index * collector->rowBytes, row,
              size_t(collector->rowBytes));
  if (depth > collector->depth)
    collector->depth = depth;
  if (--collector->missing == 0)
    self(worker).post(collector->handler, collector->owner, collector->depth);
}

} // extern "C"

bool amprt::abiFunctionsArePresent() {
  // Volatile, so that it is not known without them.
  void *volatile last = reinterpret_cast<void *>(&amprt_collector_put);
  return last != nullptr;
}
