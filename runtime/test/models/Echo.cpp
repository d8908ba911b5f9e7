//===- Echo.cpp - Fields handed back as results ---------------------------===//
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
  uint64_t words[8];
};
} // namespace

static void start(amprt_worker_t *worker, amprt_frame_t *frame,
                  uint32_t depth) {
  auto *self = as<Frame>(frame);
  for (uint32_t i = 0; i < 8; ++i)
    std::memcpy(reinterpret_cast<char *>(frame->parent) +
                    frame->site->offsets[i],
                &self->words[i], sizeof(uint64_t));
  amprt_post(worker, frame->site->handlers[0], frame->parent, depth);
}

const amprt_model_t &echoModel() {
  static constexpr int64_t openRows[] = {AMPRT_DYNAMIC, 2};
  static constexpr int64_t openColumns[] = {3, AMPRT_DYNAMIC};
  static const amprt_type_t types[] = {scalar(AMPRT_I32),
                                       scalar(AMPRT_I64),
                                       scalar(AMPRT_F32),
                                       scalar(AMPRT_I1),
                                       tensor(AMPRT_F32, 2, openRows),
                                       tensor(AMPRT_I64, 2, openColumns)};
  static const char *const names[] = {"s32", "s64", "f", "b", "t", "u"};
  static const uint32_t words[] = {0, 1, 2, 3, 4, 6};
  static amprt_field_t fields[6], results[6];
  static const uint64_t arrived[] = {1};
  static const amprt_model_t model = [] {
    for (uint32_t i = 0; i < 6; ++i) {
      fields[i] = {names[i], types[i],
                   AMPRT_TEST_OFFSET(Frame, words) + 8 * words[i]};
      results[i] = {names[i], types[i], words[i]};
    }
    amprt_model_t made = emptyModel("echo");
    static amprt_entry_t entry = emptyEntry();
    made.predict = &entry;
    entry.fields = fields;
    entry.field_count = 6;
    entry.results = results;
    entry.result_count = 6;
    entry.result_words = 8;
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
