//===- Product.cpp - Products with parameters -----------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "models/Rows.h"

namespace models {

static constexpr int64_t narrow = 24, wide = 40;

amprt::Values productFields(const std::vector<float> &x, int64_t steps) {
  return {{"x", vectorOf(AMPRT_F32, x)}, {"steps", scalarOf(steps)}};
}

namespace {
struct EntryFrame {
  amprt_frame_t head;
  uint64_t arrived;
  const float *x;
  int64_t steps;
};

struct Step {
  amprt_frame_t head;
  const float *in;
  float *out;
};
} // namespace

static void startStep(amprt_worker_t *worker, amprt_frame_t *entry,
                      int64_t index, const float *in, uint32_t depth) {
  if (index == 2 * as<EntryFrame>(entry)->steps) {
    deliver(worker, entry, 0, in, depth);
    return;
  }
  auto *step = newFrame<Step>(worker, entry, nullptr);
  uint32_t cell = index % 2;
  step->head.index = index;
  step->in = in;
  step->out = static_cast<float *>(
      amprt_rows_new(worker, entry->instance,
                     (cell ? narrow : wide) * int64_t(sizeof(float))));
  amprt_enqueue(worker, cell, &step->head, depth + 1, 1);
}

static void start(amprt_worker_t *worker, amprt_frame_t *frame,
                  uint32_t depth) {
  startStep(worker, frame, 0, as<EntryFrame>(frame)->x, depth);
}

template <uint32_t linear, int64_t k, int64_t n>
static void compute(amprt_worker_t *worker, const amprt_activation_t *batch,
                    int64_t count) {
  auto *x = static_cast<float *>(
      amprt_scratch(worker, count * k * int64_t(sizeof(float))));
  auto *y = static_cast<float *>(
      amprt_scratch(worker, count * n * int64_t(sizeof(float))));
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(x + i * k, as<Step>(batch[i].frame)->in, k * sizeof(float));
  amprt_linear(worker, linear, x, y, count);
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(as<Step>(batch[i].frame)->out, y + i * n, n * sizeof(float));
}

static void complete(amprt_worker_t *worker, const amprt_activation_t *batch,
                     int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    auto *self = as<Step>(batch[i].frame);
    startStep(worker, self->head.parent, self->head.index + 1, self->out,
              batch[i].depth);
  }
}

static amprt_model_t makeModel(uint32_t paramCount) {
  static constexpr int64_t xDims[] = {narrow}, aDims[] = {narrow, wide},
                           bDims[] = {wide, narrow},
                           tableDims[] = {AMPRT_DYNAMIC, narrow};
  static const amprt_field_t fields[] = {
      {"x", tensor(AMPRT_F32, 1, xDims), AMPRT_TEST_OFFSET(EntryFrame, x)},
      {"steps", scalar(AMPRT_INDEX), AMPRT_TEST_OFFSET(EntryFrame, steps)}};
  static const amprt_field_t results[] = {
      {"x", tensor(AMPRT_F32, 1, xDims), 0}};
  static const amprt_param_desc_t params[] = {
      {"A", tensor(AMPRT_F32, 2, aDims), AMPRT_INIT_GLOROT, 0, 0, 0},
      {"B", tensor(AMPRT_F32, 2, bDims), AMPRT_INIT_UNIFORM, 0, -0.2, 0.2},
      {"table", tensor(AMPRT_F32, 2, tableDims), AMPRT_INIT_NORMAL, 0, 0, 1}};
  static const amprt_linear_desc_t linears[] = {{0, 1, narrow, wide, 0, 0},
                                                {1, 1, wide, narrow, 0, 0}};
  static const amprt_cell_desc_t cells[] = {
      cell("widen", "product.mlir:4:5", "linear", AMPRT_CELL_HAS_PRODUCT, 2,
           compute<0, narrow, wide>, complete),
      cell("narrow", "product.mlir:5:5", "linear", AMPRT_CELL_HAS_PRODUCT, 1,
           compute<1, wide, narrow>, complete)};
  static const uint64_t arrived[] = {1};
  amprt_model_t made = emptyModel("product");
  static amprt_entry_t entry = emptyEntry();
  made.predict = &entry;
  entry.fields = fields;
  entry.field_count = 2;
  entry.results = results;
  entry.result_count = 1;
  entry.result_words = 1;
  entry.result_events = 1;
  made.params = params;
  made.param_count = paramCount;
  made.linears = linears;
  made.linear_count = 2;
  made.cells = cells;
  made.cell_count = 2;
  entry.arrived = arrived;
  entry.arrived_words = 1;
  entry.entry_bytes = sizeof(EntryFrame);
  entry.start = start;
  return made;
}

const amprt_model_t &productModel() {
  static const amprt_model_t model = makeModel(3);
  return model;
}

const amprt_model_t &closedProductModel() {
  static const amprt_model_t model = makeModel(2);
  return model;
}

} // namespace models
