//===- Recursion.cpp - Recursion without any cell -------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "models/Control.h"

namespace models {

namespace {
struct Frame {
  amprt_frame_t head;
  uint64_t arrived;
  int64_t n;
  int64_t inner;
};
} // namespace

static void onReturn(amprt_worker_t *worker, amprt_frame_t *frame,
                     uint32_t depth) {
  deliver(worker, frame, 0, as<Frame>(frame)->inner + 1, depth);
}

static const amprt_handler_t handlers[] = {onReturn};
static const uint32_t offsets[] = {AMPRT_TEST_OFFSET(Frame, inner)};
static const amprt_site_t site = {handlers, offsets};

static void start(amprt_worker_t *worker, amprt_frame_t *frame,
                  uint32_t depth) {
  auto *self = as<Frame>(frame);
  if (self->n == 0) {
    deliver(worker, frame, 0, int64_t(0), depth);
    return;
  }
  auto *callee = newFrame<Frame>(worker, frame, &site);
  callee->arrived = 1;
  callee->n = self->n - 1;
  amprt_post(worker, start, &callee->head, depth);
}

const amprt_model_t &recursionModel() {
  static const amprt_field_t fields[] = {
      {"n", scalar(AMPRT_INDEX), AMPRT_TEST_OFFSET(Frame, n)}};
  static const amprt_field_t results[] = {{"depth", scalar(AMPRT_I64), 0}};
  static const uint64_t arrived[] = {1};
  static const amprt_model_t model = [] {
    amprt_model_t made = emptyModel("recursion");
    static amprt_entry_t entry = emptyEntry();
    made.predict = &entry;
    entry.fields = fields;
    entry.field_count = 1;
    entry.results = results;
    entry.result_count = 1;
    entry.result_words = 1;
    entry.result_events = 1;
    entry.arrived = arrived;
    entry.arrived_words = 1;
    entry.entry_bytes = sizeof(Frame);
    entry.start = start;
    return made;
  }();
  return model;
}

} // namespace models
