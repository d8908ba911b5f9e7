//===- Grouped.cpp - Products with a matrix for each row ------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "models/Rows.h"

namespace models {

static constexpr int64_t width = 24;

amprt::Values groupedFields(const std::vector<float> &x,
                            const std::vector<int32_t> &which) {
  return {{"x", vectorOf(AMPRT_F32, x)}, {"which", vectorOf(AMPRT_I32, which)}};
}

namespace {
struct EntryFrame {
  amprt_frame_t head;
  uint64_t arrived;
  const float *x;
  const int32_t *which;
  int64_t count;
};

struct Step {
  amprt_frame_t head;
  int32_t which;
  const float *in;
  float *out;
};
} // namespace

static void startStep(amprt_worker_t *worker, amprt_frame_t *entry,
                      int64_t index, const float *in, uint32_t depth) {
  auto *self = as<EntryFrame>(entry);
  if (index == self->count) {
    deliver(worker, entry, 0, in, depth);
    return;
  }
  int32_t which = self->which[index];
  if (which < 0 || which >= groupCount) {
    amprt_fail_range(worker, entry, "grouped.mlir:4:5", "matrix", which,
                     groupCount);
    return;
  }
  auto *step = newFrame<Step>(worker, entry, nullptr);
  step->head.index = index;
  step->which = which;
  step->in = in;
  step->out = static_cast<float *>(
      amprt_rows_new(worker, entry->instance, width * int64_t(sizeof(float))));
  amprt_enqueue(worker, index % 2, &step->head, depth + 1, 1);
}

static void start(amprt_worker_t *worker, amprt_frame_t *frame,
                  uint32_t depth) {
  startStep(worker, frame, 0, as<EntryFrame>(frame)->x, depth);
}

template <uint32_t linear>
static void compute(amprt_worker_t *worker, const amprt_activation_t *batch,
                    int64_t count) {
  int64_t bytes = count * width * int64_t(sizeof(float));
  auto *x = static_cast<float *>(amprt_scratch(worker, bytes));
  auto *y = static_cast<float *>(amprt_scratch(worker, bytes));
  auto *which = static_cast<int32_t *>(
      amprt_scratch(worker, count * int64_t(sizeof(int32_t))));
  for (int64_t i = 0; i < count; ++i) {
    auto *self = as<Step>(batch[i].frame);
    std::memcpy(x + i * width, self->in, width * sizeof(float));
    which[i] = self->which;
  }
  amprt_linear_grouped(worker, linear, x, y, count, which);
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(as<Step>(batch[i].frame)->out, y + i * width,
                width * sizeof(float));
}

static void complete(amprt_worker_t *worker, const amprt_activation_t *batch,
                     int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    auto *self = as<Step>(batch[i].frame);
    startStep(worker, self->head.parent, self->head.index + 1, self->out,
              batch[i].depth);
  }
}

const amprt_model_t &groupedModel() {
  static constexpr int64_t xDims[] = {width},
                           wDims[] = {groupCount, width, width};
  static const amprt_field_t fields[] = {
      {"x", tensor(AMPRT_F32, 1, xDims), AMPRT_TEST_OFFSET(EntryFrame, x)},
      {"which", tensor(AMPRT_I32, 1, anyRows),
       AMPRT_TEST_OFFSET(EntryFrame, which)}};
  static const amprt_field_t results[] = {
      {"x", tensor(AMPRT_F32, 1, xDims), 0}};
  static const amprt_param_desc_t params[] = {
      {"M", tensor(AMPRT_F32, 3, wDims), AMPRT_INIT_GLOROT, 0, 0, 0},
      {"H", tensor(AMPRT_BF16, 3, wDims), AMPRT_INIT_UNIFORM, 0, -0.3, 0.3}};
  static const amprt_linear_desc_t linears[] = {
      {0, groupCount, width, width, 0, 0}, {1, groupCount, width, width, 0, 0}};
  static const amprt_cell_desc_t cells[] = {
      cell("even", "grouped.mlir:5:5", "linear", AMPRT_CELL_HAS_PRODUCT, 1,
           compute<0>, complete),
      cell("odd", "grouped.mlir:6:5", "linear", AMPRT_CELL_HAS_PRODUCT, 1,
           compute<1>, complete)};
  static const uint64_t arrived[] = {1};
  static const amprt_model_t model = [] {
    amprt_model_t made = emptyModel("grouped");
    static amprt_entry_t entry = emptyEntry();
    made.predict = &entry;
    entry.fields = fields;
    entry.field_count = 2;
    entry.results = results;
    entry.result_count = 1;
    entry.result_words = 1;
    entry.result_events = 1;
    made.params = params;
    made.param_count = 2;
    made.linears = linears;
    made.linear_count = 2;
    made.cells = cells;
    made.cell_count = 2;
    entry.arrived = arrived;
    entry.arrived_words = 1;
    entry.entry_bytes = sizeof(EntryFrame);
    entry.start = start;
    return made;
  }();
  return model;
}

} // namespace models
