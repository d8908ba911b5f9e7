//===- Loop.cpp - A loop with a carried value -----------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "models/Control.h"

namespace models {

static constexpr int64_t modulus = 1000003;

namespace {
struct EntryFrame {
  amprt_frame_t head;
  uint64_t arrived;
  const int32_t *input;
  int64_t count;
};

/// One iteration; `carried` is what the one before gave.
struct Iteration {
  amprt_frame_t head;
  const int64_t *carried;
  int64_t *row;
};
} // namespace

static void startIteration(amprt_worker_t *worker, amprt_frame_t *entry,
                           int64_t index, const int64_t *carried,
                           uint32_t depth) {
  if (index == as<EntryFrame>(entry)->count) {
    deliver(worker, entry, 0, *carried, depth);
    return;
  }
  auto *iteration = newFrame<Iteration>(worker, entry, nullptr);
  iteration->head.index = index;
  iteration->carried = carried;
  iteration->row = static_cast<int64_t *>(
      amprt_rows_new(worker, entry->instance, sizeof(int64_t)));
  amprt_enqueue(worker, 0, &iteration->head, depth + 1, 1);
}

static void start(amprt_worker_t *worker, amprt_frame_t *frame,
                  uint32_t depth) {
  auto *zero = static_cast<int64_t *>(
      amprt_rows_new(worker, frame->instance, sizeof(int64_t)));
  *zero = 0;
  startIteration(worker, frame, 0, zero, depth);
}

static void compute(amprt_worker_t *, const amprt_activation_t *batch,
                    int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    auto *self = as<Iteration>(batch[i].frame);
    *self->row = (3 * *self->carried +
                  as<EntryFrame>(self->head.parent)->input[self->head.index]) %
                 modulus;
  }
}

static void complete(amprt_worker_t *worker, const amprt_activation_t *batch,
                     int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    auto *self = as<Iteration>(batch[i].frame);
    startIteration(worker, self->head.parent, self->head.index + 1, self->row,
                   batch[i].depth);
  }
}

const amprt_model_t &loopModel() {
  static const amprt_field_t fields[] = {
      {"input", tensor(AMPRT_I32, 1, anyRows),
       AMPRT_TEST_OFFSET(EntryFrame, input)}};
  static const amprt_field_t results[] = {{"last", scalar(AMPRT_I64), 0}};
  static const amprt_cell_desc_t cells[] = {
      cell("step", "loop.mlir:4:5", "add", 0, 1, compute, complete)};
  static const uint64_t arrived[] = {1};
  static const amprt_model_t model = [] {
    amprt_model_t made = emptyModel("loop");
    static amprt_entry_t entry = emptyEntry();
    made.predict = &entry;
    entry.fields = fields;
    entry.field_count = 1;
    entry.results = results;
    entry.result_count = 1;
    entry.result_words = 1;
    entry.result_events = 1;
    made.cells = cells;
    made.cell_count = 1;
    entry.arrived = arrived;
    entry.arrived_words = 1;
    entry.entry_bytes = sizeof(EntryFrame);
    entry.start = start;
    return made;
  }();
  return model;
}

} // namespace models
