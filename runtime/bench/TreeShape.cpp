//===- TreeShape.cpp - The tree-LSTM without its arithmetic ---------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TreeShape.h"

#include "models/Kit.h"

#include <random>

using namespace models;

namespace {
constexpr int64_t rowBytes = 128 * sizeof(float);
constexpr int64_t outputs = 5;

enum Cell : uint32_t { leafCell, innerCell, outputCell };

struct EntryFrame {
  amprt_frame_t head;
  uint64_t arrived;
  const int32_t *left;
  int64_t leftCount;
  const int32_t *right;
  int64_t rightCount;
  amprt_collector_t *collector;
  const float *h, *c;
};

struct NodeFrame {
  amprt_frame_t head;
  uint64_t arrived;
  uint32_t depth;
  EntryFrame *entry;
  int64_t node;
  const float *childH[2], *childC[2];
  float *h, *c;
  float y[outputs];
};
} // namespace

template <int bit>
static void onChild(amprt_worker_t *worker, amprt_frame_t *frame,
                    uint32_t depth) {
  auto *self = as<NodeFrame>(frame);
  self->arrived |= 1 << bit;
  self->depth = depth > self->depth ? depth : self->depth;
  if (self->arrived == 7)
    amprt_enqueue(worker, innerCell, frame, self->depth + 1, 1);
}

static void onRoot(amprt_worker_t *, amprt_frame_t *, uint32_t) {}

static const amprt_handler_t leftHandlers[] = {onChild<1>};
static const amprt_handler_t rightHandlers[] = {onChild<2>};
static const amprt_handler_t rootHandlers[] = {onRoot};
static const uint32_t leftOffsets[] = {AMPRT_TEST_OFFSET(NodeFrame, childH[0]),
                                       AMPRT_TEST_OFFSET(NodeFrame, childC[0])};
static const uint32_t rightOffsets[] = {
    AMPRT_TEST_OFFSET(NodeFrame, childH[1]),
    AMPRT_TEST_OFFSET(NodeFrame, childC[1])};
static const uint32_t rootOffsets[] = {AMPRT_TEST_OFFSET(EntryFrame, h),
                                       AMPRT_TEST_OFFSET(EntryFrame, c)};
static const amprt_site_t leftSite = {leftHandlers, leftOffsets};
static const amprt_site_t rightSite = {rightHandlers, rightOffsets};
static const amprt_site_t rootSite = {rootHandlers, rootOffsets};

static void startNode(amprt_worker_t *worker, amprt_frame_t *frame,
                      uint32_t depth);

static void call(amprt_worker_t *worker, amprt_frame_t *parent,
                 const amprt_site_t *site, EntryFrame *entry, int64_t node,
                 uint32_t depth) {
  auto *callee = newFrame<NodeFrame>(worker, parent, site);
  callee->arrived = 1;
  callee->depth = depth;
  callee->entry = entry;
  callee->node = node;
  amprt_post(worker, startNode, &callee->head, depth);
}

static void startNode(amprt_worker_t *worker, amprt_frame_t *frame,
                      uint32_t depth) {
  auto *self = as<NodeFrame>(frame);
  EntryFrame *entry = self->entry;
  if (self->node < 0 || self->node >= entry->leftCount) {
    amprt_fail_range(worker, frame, "tree.mlir:1:1", "index", self->node,
                     entry->leftCount);
    return;
  }
  self->h =
      static_cast<float *>(amprt_rows_new(worker, frame->instance, rowBytes));
  self->c =
      static_cast<float *>(amprt_rows_new(worker, frame->instance, rowBytes));
  if (entry->left[self->node] < 0) {
    amprt_enqueue(worker, leafCell, frame, depth + 1, 1);
    return;
  }
  call(worker, frame, &leftSite, entry, entry->left[self->node], depth);
  call(worker, frame, &rightSite, entry, entry->right[self->node], depth);
}

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
  self->collector =
      amprt_collector_new(worker, frame, onCollected, self->leftCount,
                          outputs * sizeof(float), "tree.mlir:2:2");
  call(worker, frame, &rootSite, self, 0, depth);
}

static void compute(amprt_worker_t *, const amprt_activation_t *, int64_t) {}

static void completeNode(amprt_worker_t *worker,
                         const amprt_activation_t *batch, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    auto *self = as<NodeFrame>(batch[i].frame);
    auto *parent = reinterpret_cast<char *>(self->head.parent);
    const amprt_site_t *site = self->head.site;
    std::memcpy(parent + site->offsets[0], &self->h, sizeof self->h);
    std::memcpy(parent + site->offsets[1], &self->c, sizeof self->c);
    amprt_post(worker, site->handlers[0], self->head.parent, batch[i].depth);
    amprt_enqueue(worker, outputCell, &self->head, batch[i].depth + 1, 1);
  }
}

static void completeOutput(amprt_worker_t *worker,
                           const amprt_activation_t *batch, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    auto *self = as<NodeFrame>(batch[i].frame);
    amprt_collector_put(worker, &self->head, self->entry->collector, self->node,
                        self->y, batch[i].depth, "tree.mlir:3:3");
  }
}

static void startEmpty(amprt_worker_t *worker, amprt_frame_t *frame,
                       uint32_t depth) {
  auto *self = as<EntryFrame>(frame);
  int64_t none = 0;
  std::memcpy(reinterpret_cast<char *>(frame->parent) + frame->site->offsets[1],
              &none, sizeof none);
  deliver(worker, frame, 0, self->left, depth);
}

const amprt_model_t &emptyShapeModel() {
  static const amprt_model_t model = [] {
    amprt_model_t made = treeShapeModel();
    static amprt_entry_t entry = *made.predict;
    made.predict = &entry;
    entry.start = startEmpty;
    return made;
  }();
  return model;
}

const amprt_model_t &treeShapeModel() {
  static constexpr int64_t logits[] = {AMPRT_DYNAMIC, outputs};
  static const amprt_field_t fields[] = {
      {"left", tensor(AMPRT_I32, 1, anyRows),
       AMPRT_TEST_OFFSET(EntryFrame, left)},
      {"right", tensor(AMPRT_I32, 1, anyRows),
       AMPRT_TEST_OFFSET(EntryFrame, right)}};
  static const amprt_field_t results[] = {
      {"logits", tensor(AMPRT_F32, 2, logits), 0}};
  static const amprt_cell_desc_t cells[] = {
      cell("leaf", "tree.mlir:4:4", "", AMPRT_CELL_HAS_PRODUCT, 3, compute,
           completeNode),
      cell("inner", "tree.mlir:5:5", "", AMPRT_CELL_HAS_PRODUCT, 2, compute,
           completeNode),
      cell("output", "tree.mlir:6:6", "", AMPRT_CELL_HAS_PRODUCT, 1, compute,
           completeOutput)};
  static const uint64_t arrived[] = {1};
  static const amprt_model_t model = [] {
    amprt_model_t made = emptyModel("tree-shape");
    static amprt_entry_t entry = emptyEntry();
    made.predict = &entry;
    entry.fields = fields;
    entry.field_count = 2;
    entry.results = results;
    entry.result_count = 1;
    entry.result_words = 2;
    entry.result_events = 1;
    made.cells = cells;
    made.cell_count = 3;
    entry.arrived = arrived;
    entry.arrived_words = 1;
    entry.entry_bytes = sizeof(EntryFrame);
    entry.start = start;
    return made;
  }();
  return model;
}

namespace {
struct Arrays {
  std::vector<int32_t> left, right;

  int grow(std::mt19937 &random, int leaves) {
    int node = int(left.size());
    left.push_back(-1);
    right.push_back(-1);
    if (leaves == 1)
      return node;
    int onLeft = 1 + int(random() % unsigned(leaves - 1));
    int l = grow(random, onLeft), r = grow(random, leaves - onLeft);
    left[size_t(node)] = l;
    right[size_t(node)] = r;
    return node;
  }
};
} // namespace

std::vector<amprt::Values> treeShapeInstances(int count) {
  std::mt19937 random(1);
  std::vector<amprt::Values> instances;
  for (int i = 0; i < count; ++i) {
    Arrays tree;
    tree.grow(random, 2 + int(random() % 35));
    instances.push_back({{"left", vectorOf(AMPRT_I32, tree.left)},
                         {"right", vectorOf(AMPRT_I32, tree.right)}});
  }
  return instances;
}
