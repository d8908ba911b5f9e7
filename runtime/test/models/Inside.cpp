//===- Inside.cpp - A test that runs where generated code does ------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "models/Inside.h"

namespace models {

amprt::Values insideFields(const Inside &call) {
  return {{"call", scalarOf(int64_t(&call), AMPRT_I64)}};
}

namespace {
struct Frame {
  amprt_frame_t head;
  uint64_t arrived;
  const Inside *call;
};
} // namespace

static void start(amprt_worker_t *worker, amprt_frame_t *frame,
                  uint32_t depth) {
  (*as<Frame>(frame)->call)(worker, frame);
  deliver(worker, frame, 0, int64_t(1), depth);
}

const amprt_model_t &insideModel() {
  static const amprt_field_t fields[] = {
      {"call", scalar(AMPRT_I64), AMPRT_TEST_OFFSET(Frame, call)}};
  static const amprt_field_t results[] = {{"done", scalar(AMPRT_I64), 0}};
  static const uint64_t arrived[] = {1};
  static const amprt_model_t model = [] {
    amprt_model_t made = emptyModel("inside");
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
