//===- Misuse.cpp - Models that do what they should not -------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "models/Control.h"

namespace models {

amprt::Values misuseFields(Misuse what) {
  return {{"what", scalarOf(int64_t(what), AMPRT_I32)}};
}

namespace {
struct Frame {
  amprt_frame_t head;
  uint64_t arrived;
  int32_t what;
};
} // namespace

static void start(amprt_worker_t *worker, amprt_frame_t *frame,
                  uint32_t depth) {
  amprt_instance_t *instance = frame->instance;
  constexpr int64_t mebibyte = 1 << 20;
  switch (Misuse(as<Frame>(frame)->what)) {
  case Misuse::neverDelivers:
    return;
  case Misuse::nothing:
    break;
  case Misuse::deliversTwice:
    deliver(worker, frame, 0, int64_t(7), depth);
    break;
  case Misuse::negativeSize:
    amprt_rows_new(worker, instance, -1);
    break;
  case Misuse::hugeSize:
    amprt_rows_new(worker, instance, int64_t(1) << 60);
    break;
  case Misuse::takesMemory:
    for (int i = 0; i < 100; ++i)
      std::memset(amprt_rows_new(worker, instance, mebibyte), i, mebibyte);
    break;
  case Misuse::takesFrames:
    for (int i = 0; i < 100000; ++i)
      std::memset(static_cast<void *>(amprt_frame_new(worker, instance, 4096)),
                  i, 4096);
    break;
  case Misuse::failsInCompute:
    amprt_enqueue(worker, 0, frame, depth + 1, 1);
    return;
  case Misuse::deliversEarly:
    amprt_enqueue(worker, 0, frame, depth + 1, 5);
    break;
  }
  deliver(worker, frame, 0, int64_t(7), depth);
}

static void compute(amprt_worker_t *worker, const amprt_activation_t *batch,
                    int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    if (as<Frame>(batch[i].frame)->what == int32_t(Misuse::failsInCompute)) {
      amprt_fail(worker, batch[i].frame, "misuse.mlir:1:1", "not a number");
      amprt_fail(worker, batch[i].frame, "misuse.mlir:2:2", "too late");
    }
}

static void complete(amprt_worker_t *worker, const amprt_activation_t *batch,
                     int64_t count) {
  // The cell that runs after its instance has its result delivers nothing.
  for (int64_t i = 0; i < count; ++i)
    if (as<Frame>(batch[i].frame)->what == int32_t(Misuse::failsInCompute))
      deliver(worker, batch[i].frame, 0, int64_t(7), batch[i].depth);
}

const amprt_model_t &misuseModel() {
  static const amprt_field_t fields[] = {
      {"what", scalar(AMPRT_I32), AMPRT_TEST_OFFSET(Frame, what)}};
  static const amprt_field_t results[] = {{"value", scalar(AMPRT_I64), 0}};
  static const amprt_cell_desc_t cells[] = {
      cell("check", "misuse.mlir:1:1", "check", 0, 1, compute, complete)};
  static const uint64_t arrived[] = {1};
  static const amprt_model_t model = [] {
    amprt_model_t made = emptyModel("misuse");
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
    entry.entry_bytes = sizeof(Frame);
    entry.start = start;
    return made;
  }();
  return model;
}

} // namespace models
