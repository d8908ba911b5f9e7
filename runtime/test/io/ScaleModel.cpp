//===- ScaleModel.cpp - A small model by hand, for the command line -------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// y = x * W + B for each row of x, in one cell of one activation an instance;
// n is the number of rows. The field `mode` makes it misbehave:
//   1 fails, 2 opens frames without end, 3 yields NaN, 4 takes 100 ms.
//
//===----------------------------------------------------------------------===//

#include "amprt/abi.h"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <unistd.h>

namespace {

struct Frame {
  amprt_frame_t head;
  uint64_t arrived;
  float *x;
  int64_t rows;
  int64_t mode; ///< An i32 at its start.
  float *y;
};

Frame *as(amprt_frame_t *frame) { return reinterpret_cast<Frame *>(frame); }

int32_t modeOf(const Frame *frame) {
  int32_t mode;
  std::memcpy(&mode, &frame->mode, sizeof mode);
  return mode;
}

template <typename T>
void setResult(amprt_frame_t *frame, uint32_t word, T value) {
  std::memcpy(reinterpret_cast<char *>(frame->parent) +
                  frame->site->offsets[word],
              &value, sizeof value);
}

/// Opens a frame and posts itself again, for ever.
void openFrames(amprt_worker_t *worker, amprt_frame_t *frame, uint32_t depth) {
  amprt_frame_new(worker, frame->instance, 64);
  amprt_post(worker, openFrames, frame, depth);
}

void start(amprt_worker_t *worker, amprt_frame_t *frame, uint32_t depth) {
  Frame *self = as(frame);
  if (modeOf(self) == 1) {
    amprt_fail(worker, frame, "scale.mlir:3:7", "mode 1 always fails");
    return;
  }
  if (modeOf(self) == 2) {
    openFrames(worker, frame, depth);
    return;
  }
  self->y = static_cast<float *>(
      amprt_rows_new(worker, frame->instance, self->rows * 8));
  amprt_enqueue(worker, 0, frame, depth + 1, 1);
}

void compute(amprt_worker_t *worker, const amprt_activation_t *batch,
             int64_t count) {
  auto *weights = static_cast<const float *>(worker->params[0].data);
  auto *bias = static_cast<const float *>(worker->params[1].data);
  for (int64_t i = 0; i < count; ++i) {
    Frame *self = as(batch[i].frame);
    if (modeOf(self) == 4)
      ::usleep(100'000);
    for (int64_t j = 0; j < 2 * self->rows; ++j)
      self->y[j] =
          modeOf(self) == 3 ? NAN : self->x[j] * weights[j % 2] + bias[j % 2];
  }
}

void complete(amprt_worker_t *worker, const amprt_activation_t *batch,
              int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    amprt_frame_t *frame = batch[i].frame;
    setResult(frame, 0, as(frame)->y);
    setResult(frame, 1, as(frame)->rows);
    setResult(frame, 2, static_cast<int32_t>(as(frame)->rows));
    amprt_post(worker, frame->site->handlers[0], frame->parent, batch[i].depth);
  }
}

const int64_t openByTwo[] = {AMPRT_DYNAMIC, 2};
const int64_t two[] = {2};
const amprt_field_t fields[] = {
    {"x", {AMPRT_F32, 2, openByTwo}, offsetof(Frame, x)},
    {"mode", {AMPRT_I32, -1, nullptr}, offsetof(Frame, mode)}};
const amprt_field_t results[] = {{"y", {AMPRT_F32, 2, openByTwo}, 0},
                                 {"n", {AMPRT_I32, -1, nullptr}, 2}};
const amprt_param_desc_t params[] = {
    {"W", {AMPRT_F32, 1, two}, AMPRT_INIT_NORMAL, 0, 0, 0.5},
    {"B", {AMPRT_F32, 1, two}, AMPRT_INIT_ZEROS, 0, 0, 0}};
const amprt_cell_desc_t cells[] = {{"scale", "scale.mlir:5:3", "mulf, addf", 0,
                                    1, compute, complete, nullptr, nullptr,
                                    nullptr, 0, 0, 0, 0}};
const uint64_t arrived[] = {1};

amprt_model_t describe() {
  amprt_model_t model = {};
  static amprt_entry_t entry = {};
  entry.loss = AMPRT_NO_LOSS;
  model.predict = &entry;
  model.magic = AMPRT_ABI_MAGIC;
  model.abi_version = AMPRT_ABI_VERSION;
  model.name = "scale";
  model.target = "test";
  entry.fields = fields;
  entry.field_count = 2;
  entry.results = results;
  entry.result_count = 2;
  model.params = params;
  model.param_count = 2;
  model.cells = cells;
  model.cell_count = 1;
  entry.result_words = 3;
  entry.result_events = 1;
  entry.arrived_words = 1;
  entry.arrived = arrived;
  entry.entry_bytes = sizeof(Frame);
  entry.start = start;
  return model;
}

} // namespace

extern "C" {
extern const amprt_model_t amprt_model;
const amprt_model_t amprt_model = describe();
}
