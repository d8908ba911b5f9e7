//===- Regress.cpp - A small model to train -------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "models/Regress.h"

#include "core/HalfFloat.h"

namespace models {

amprt::Values regressFields(const std::vector<int32_t> &words, float target) {
  amprt::Tensor scalar(AMPRT_F32, {});
  std::memcpy(scalar.data(), &target, sizeof target);
  return {{"word", vectorOf(AMPRT_I32, words)}, {"target", std::move(scalar)}};
}

float regressFactor(uint64_t seed) { return 1 + float(seed % 7) / 16; }

namespace {
enum class Mode { predict, evaluate, train };
enum Cell : uint32_t { forward, loss, backward };
constexpr uint64_t backwardEnded = 2; ///< Of `arrived`.

struct EntryFrame {
  amprt_frame_t head;
  uint64_t arrived;
  const int32_t *word;
  int64_t count;
  float target;
  Mode mode;
  float y, dy, lossValue;
  float *h; ///< A row for each word.
};

/// A word, forwards or backwards; the head's index is its number.
struct Step {
  amprt_frame_t head;
};
} // namespace

static EntryFrame *entryOf(const amprt_activation_t &activation) {
  return as<EntryFrame>(activation.frame->parent);
}

/// Of E.
static int32_t rowOf(int32_t word) {
  return word == regressPoison || word == regressLost ? 0 : word;
}

static void finish(amprt_worker_t *worker, EntryFrame *self, uint32_t depth) {
  deliver(worker, &self->head, 0, self->y, depth);
  if (self->mode != Mode::predict)
    deliver(worker, &self->head, 1, self->lossValue, depth);
}

static void startStep(amprt_worker_t *worker, EntryFrame *self, Cell cell,
                      int64_t index, uint32_t depth) {
  auto *step = newFrame<Step>(worker, &self->head, nullptr);
  step->head.index = index;
  amprt_enqueue(worker, cell, &step->head, depth + 1, 1);
}

static void goForward(amprt_worker_t *worker, EntryFrame *self, int64_t index,
                      uint32_t depth) {
  if (index == self->count) {
    if (self->mode == Mode::predict)
      finish(worker, self, depth);
    else
      amprt_enqueue(worker, loss, &self->head, depth + 1, 1);
    return;
  }
  int32_t word = self->word[index];
  if (rowOf(word) < 0 || rowOf(word) >= regressWords)
    amprt_fail_range(worker, &self->head, "regress.mlir:4:5", "word", word,
                     regressWords);
  else
    startStep(worker, self, forward, index, depth);
}

static void goBackward(amprt_worker_t *worker, EntryFrame *self, int64_t index,
                       uint32_t depth) {
  if (index < 0)
    self->arrived |= backwardEnded;
  else
    startStep(worker, self, backward, index, depth);
}

template <Mode mode>
static void start(amprt_worker_t *worker, amprt_frame_t *frame,
                  uint32_t depth) {
  auto *self = as<EntryFrame>(frame);
  self->mode = mode;
  self->y = 0;
  self->h = static_cast<float *>(
      amprt_rows_new(worker, frame->instance,
                     self->count * regressOut * int64_t(sizeof(float))));
  goForward(worker, self, 0, depth);
}

template <bool isHalf>
static void readRow(amprt_worker_t *worker, int64_t word, float *to) {
  const void *table = worker->params[0].data;
  for (int64_t i = 0; i < regressIn; ++i)
    to[i] = amprt::floatAt(table, isHalf ? AMPRT_F16 : AMPRT_F32,
                           word * regressIn + i);
}

template <bool isHalf>
static float *gather(amprt_worker_t *worker, const amprt_activation_t *batch,
                     int64_t count) {
  auto *x = static_cast<float *>(
      amprt_scratch(worker, count * regressIn * int64_t(sizeof(float))));
  for (int64_t i = 0; i < count; ++i) {
    int32_t word = entryOf(batch[i])->word[batch[i].frame->index];
    readRow<isHalf>(worker, rowOf(word), x + i * regressIn);
  }
  return x;
}

template <bool isHalf>
static void computeForward(amprt_worker_t *worker,
                           const amprt_activation_t *batch, int64_t count) {
  auto *y = static_cast<float *>(
      amprt_scratch(worker, count * regressOut * int64_t(sizeof(float))));
  amprt_linear(worker, 0, gather<isHalf>(worker, batch, count), y, count);
  auto *bias = static_cast<const float *>(worker->params[2].data);
  for (int64_t i = 0; i < count; ++i) {
    EntryFrame *self = entryOf(batch[i]);
    float factor = regressFactor(self->head.instance->seed);
    for (int64_t j = 0; j < regressOut; ++j) {
      float h = y[i * regressOut + j] + bias[j];
      self->h[batch[i].frame->index * regressOut + j] = h;
      self->y += factor * h * h / 2;
    }
  }
}

static void completeForward(amprt_worker_t *worker,
                            const amprt_activation_t *batch, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    goForward(worker, entryOf(batch[i]), batch[i].frame->index + 1,
              batch[i].depth);
}

static void computeLoss(amprt_worker_t *, const amprt_activation_t *batch,
                        int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    auto *self = as<EntryFrame>(batch[i].frame);
    self->dy = self->y - self->target;
    self->lossValue = self->dy * self->dy / 2;
  }
}

static void completeLoss(amprt_worker_t *worker,
                         const amprt_activation_t *batch, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    auto *self = as<EntryFrame>(batch[i].frame);
    finish(worker, self, batch[i].depth);
    if (self->mode == Mode::train)
      goBackward(worker, self, self->count - 1, batch[i].depth);
  }
}

template <bool isHalf>
static void computeBackward(amprt_worker_t *worker,
                            const amprt_activation_t *batch, int64_t count) {
  auto *dh = static_cast<float *>(
      amprt_scratch(worker, count * regressOut * int64_t(sizeof(float))));
  auto *dx = static_cast<float *>(
      amprt_scratch(worker, count * regressIn * int64_t(sizeof(float))));
  for (int64_t i = 0; i < count; ++i) {
    EntryFrame *self = entryOf(batch[i]);
    float factor = regressFactor(self->head.instance->seed);
    const float *h = self->h + batch[i].frame->index * regressOut;
    for (int64_t j = 0; j < regressOut; ++j)
      dh[i * regressOut + j] = self->dy * factor * h[j];
  }
  amprt_gradient_product(worker, 0, gather<isHalf>(worker, batch, count), dh,
                         count);
  amprt_gradient_add(worker, 2, 0, dh, count, regressOut);
  amprt_linear(worker, 1, dh, dx, count);
  for (int64_t i = 0; i < count; ++i) {
    EntryFrame *self = entryOf(batch[i]);
    int32_t word = self->word[batch[i].frame->index];
    amprt_gradient_row(worker, 0, rowOf(word), dx + i * regressIn);
    if (word == regressPoison)
      amprt_fail(worker, &self->head, "regress.mlir:9:9", "poisoned");
  }
}

static void completeBackward(amprt_worker_t *worker,
                             const amprt_activation_t *batch, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    EntryFrame *self = entryOf(batch[i]);
    int64_t index = batch[i].frame->index;
    if (self->word[index] != regressLost)
      goBackward(worker, self, index - 1, batch[i].depth);
  }
}

static const amprt_field_t fields[] = {
    {"word", tensor(AMPRT_I32, 1, anyRows),
     AMPRT_TEST_OFFSET(EntryFrame, word)},
    {"target", scalar(AMPRT_F32), AMPRT_TEST_OFFSET(EntryFrame, target)}};
static const amprt_field_t results[] = {{"y", scalar(AMPRT_F32), 0},
                                        {"loss", scalar(AMPRT_F32), 1}};

template <Mode mode> static const amprt_entry_t *makeEntry() {
  static const uint64_t arrived[] = {1};
  static const amprt_entry_t entry = [] {
    uint32_t count = mode == Mode::predict ? 1 : 2;
    amprt_entry_t made = emptyEntry();
    made.fields = fields;
    made.field_count = count;
    made.results = results;
    made.result_count = count;
    made.result_words = count;
    made.result_events = count;
    if (mode != Mode::predict)
      made.loss = 1;
    made.arrived = arrived;
    made.arrived_words = 1;
    made.entry_bytes = sizeof(EntryFrame);
    made.start = start<mode>;
    if (mode == Mode::train) {
      static const uint64_t ended[] = {backwardEnded};
      static const char *const names[] = {"the first word"};
      made.ended = ended;
      made.ended_names = names;
    }
    return made;
  }();
  return &entry;
}

template <bool isHalf> static amprt_model_t makeModel(const char *name) {
  static constexpr int64_t eDims[] = {regressWords, regressIn},
                           wDims[] = {regressIn, regressOut},
                           bDims[] = {regressOut};
  static const amprt_param_desc_t params[] = {
      {"E", tensor(isHalf ? AMPRT_F16 : AMPRT_F32, 2, eDims), AMPRT_INIT_NORMAL,
       0, 0, 0.5},
      {"W", tensor(isHalf ? AMPRT_BF16 : AMPRT_F32, 2, wDims),
       AMPRT_INIT_GLOROT, 0, 0, 0},
      {"b", tensor(AMPRT_F32, 1, bDims), AMPRT_INIT_UNIFORM, 0, -0.1, 0.1},
      {"unused", tensor(AMPRT_F32, 1, bDims), AMPRT_INIT_CONSTANT, 0, 3, 0}};
  static const amprt_linear_desc_t linears[] = {
      {1, 1, regressIn, regressOut, 0, 0}, {1, 1, regressOut, regressIn, 1, 0}};
  static const amprt_gradient_desc_t gradients[] = {
      {1, 1, 0, 0, regressIn, regressOut}};
  static const uint32_t all[] = {0, 1, 2};
  static const amprt_cell_desc_t cells[] = {
      withParams(cell("forward", "regress.mlir:4:5", "linear",
                      AMPRT_CELL_HAS_PRODUCT, 3, computeForward<isHalf>,
                      completeForward),
                 all, 3),
      cell("loss", "regress.mlir:6:5", "loss", 0, 2, computeLoss, completeLoss),
      withParams(cell("backward", "regress.mlir:4:5", "linear",
                      AMPRT_CELL_HAS_PRODUCT | AMPRT_CELL_BACKWARD, 1,
                      computeBackward<isHalf>, completeBackward),
                 all, 3)};
  amprt_model_t made = emptyModel(name);
  made.params = params;
  made.param_count = 4;
  made.linears = linears;
  made.linear_count = 2;
  made.gradients = gradients;
  made.gradient_count = 1;
  made.cells = cells;
  made.cell_count = 3;
  made.predict = makeEntry<Mode::predict>();
  made.evaluate = makeEntry<Mode::evaluate>();
  made.train = makeEntry<Mode::train>();
  return made;
}

const amprt_model_t &regressModel() {
  static const amprt_model_t model = makeModel<false>("regress");
  return model;
}

const amprt_model_t &halfRegressModel() {
  static const amprt_model_t model = makeModel<true>("half-regress");
  return model;
}

} // namespace models
