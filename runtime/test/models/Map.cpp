//===- Map.cpp - A map with a collector -----------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "models/Rows.h"

namespace models {

amprt::Values mapFields(int64_t n, Collecting what) {
  return {{"n", scalarOf(n)}, {"what", scalarOf(int64_t(what), AMPRT_I32)}};
}

namespace {
struct EntryFrame {
  amprt_frame_t head;
  uint64_t arrived;
  int64_t n;
  int32_t what;
  amprt_collector_t *collector;
};

struct Element {
  amprt_frame_t head;
  int64_t row[2];
};
} // namespace

static void onCollected(amprt_worker_t *worker, amprt_frame_t *frame,
                        uint32_t depth) {
  amprt_collector_t *collector = as<EntryFrame>(frame)->collector;
  int64_t rows = amprt_collector_rows(collector);
  std::memcpy(reinterpret_cast<char *>(frame->parent) + frame->site->offsets[1],
              &rows, sizeof rows);
  deliver(worker, frame, 0, amprt_collector_data(collector), depth);
}

static void start(amprt_worker_t *worker, amprt_frame_t *frame,
                  uint32_t depth) {
  auto *self = as<EntryFrame>(frame);
  bool isNegative = self->what == int32_t(Collecting::negative);
  self->collector =
      amprt_collector_new(worker, frame, onCollected, isNegative ? -1 : self->n,
                          16, "map.mlir:2:8");
  for (int64_t i = 0; i < self->n && !frame->instance->failed; ++i) {
    auto *element = newFrame<Element>(worker, frame, nullptr);
    element->head.index = i;
    amprt_enqueue(worker, 0, &element->head, depth + 1, 1);
  }
}

static void compute(amprt_worker_t *, const amprt_activation_t *batch,
                    int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    auto *self = as<Element>(batch[i].frame);
    self->row[0] = self->head.index;
    self->row[1] = self->head.index * self->head.index;
  }
}

static void complete(amprt_worker_t *worker, const amprt_activation_t *batch,
                     int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    auto *self = as<Element>(batch[i].frame);
    auto *entry = as<EntryFrame>(self->head.parent);
    int64_t index = self->head.index;
    if (index == entry->n - 1)
      switch (Collecting(entry->what)) {
      case Collecting::sound:
      case Collecting::negative:
        break;
      case Collecting::oneMissing:
        continue;
      case Collecting::oneTwice:
        index = 0;
        break;
      case Collecting::oneOutside:
        index = entry->n;
        break;
      }
    amprt_collector_put(worker, &self->head, entry->collector, index, self->row,
                        batch[i].depth, "map.mlir:3:5");
  }
}

const amprt_model_t &mapModel() {
  static constexpr int64_t rowsOfTwo[] = {AMPRT_DYNAMIC, 2};
  static const amprt_field_t fields[] = {
      {"n", scalar(AMPRT_INDEX), AMPRT_TEST_OFFSET(EntryFrame, n)},
      {"what", scalar(AMPRT_I32), AMPRT_TEST_OFFSET(EntryFrame, what)}};
  static const amprt_field_t results[] = {
      {"squares", tensor(AMPRT_I64, 2, rowsOfTwo), 0}};
  static const amprt_cell_desc_t cells[] = {
      cell("square", "map.mlir:4:5", "mul", 0, 1, compute, complete)};
  static const uint64_t arrived[] = {1};
  static const amprt_model_t model = [] {
    amprt_model_t made = emptyModel("map");
    static amprt_entry_t entry = emptyEntry();
    made.predict = &entry;
    entry.fields = fields;
    entry.field_count = 2;
    entry.results = results;
    entry.result_count = 1;
    entry.result_words = 2;
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
