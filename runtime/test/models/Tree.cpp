//===- Tree.cpp - A recursion over trees ----------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "models/Tree.h"

namespace models {

static constexpr int64_t modulus = 1000003;

int Tree::add(int32_t nodeValue, int leftChild, int rightChild) {
  value.push_back(nodeValue);
  left.push_back(leftChild);
  right.push_back(rightChild);
  return int(value.size()) - 1;
}

amprt::Values Tree::fields() const {
  return {{"value", vectorOf(AMPRT_I32, value)},
          {"left", vectorOf(AMPRT_I32, left)},
          {"right", vectorOf(AMPRT_I32, right)}};
}

int64_t Tree::expected() const {
  std::vector<int64_t> results(value.size());
  for (size_t i = value.size(); i-- > 0;) { // Children come after parents.
    if (left[i] < 0)
      results[i] = value[i];
    else if (right[i] < 0)
      results[i] = (7 * results[size_t(left[i])] + value[i]) % modulus;
    else
      results[i] = (3 * results[size_t(left[i])] +
                    5 * results[size_t(right[i])] + value[i]) %
                   modulus;
  }
  return results[0];
}

static int grow(Tree &tree, std::mt19937 &random, int leaves) {
  int node = tree.add(int32_t(random() % 1000));
  if (random() % 8 == 0) {
    int child = grow(tree, random, leaves);
    tree.left[size_t(node)] = child;
    return node;
  }
  if (leaves == 1)
    return node;
  int onLeft = 1 + int(random() % unsigned(leaves - 1));
  int left = grow(tree, random, onLeft);
  int right = grow(tree, random, leaves - onLeft);
  tree.left[size_t(node)] = left;
  tree.right[size_t(node)] = right;
  return node;
}

Tree randomTree(std::mt19937 &random, int leaves) {
  Tree tree;
  grow(tree, random, leaves);
  return tree;
}

namespace {
struct TreeArguments {
  const int32_t *value;
  int64_t valueCount;
  const int32_t *left;
  int64_t leftCount;
  const int32_t *right;
  int64_t rightCount;
};

struct EntryFrame {
  amprt_frame_t head;
  uint64_t arrived;
  TreeArguments fields;
  const int64_t *result;
};

struct NodeFrame {
  amprt_frame_t head;
  uint64_t arrived;
  uint32_t depth;
  const TreeArguments *arguments;
  int64_t node, value;
  const int64_t *children[2];
  const int64_t *row;
};
} // namespace

static void onLeft(amprt_worker_t *, amprt_frame_t *, uint32_t);
static void onRight(amprt_worker_t *, amprt_frame_t *, uint32_t);
static void onResult(amprt_worker_t *, amprt_frame_t *, uint32_t);

static const amprt_handler_t leftHandlers[] = {onLeft};
static const amprt_handler_t rightHandlers[] = {onRight};
static const amprt_handler_t resultHandlers[] = {onResult};
static const uint32_t leftOffsets[] = {
    AMPRT_TEST_OFFSET(NodeFrame, children[0])};
static const uint32_t rightOffsets[] = {
    AMPRT_TEST_OFFSET(NodeFrame, children[1])};
static const uint32_t resultOffsets[] = {AMPRT_TEST_OFFSET(EntryFrame, result)};
static const amprt_site_t leftSite = {leftHandlers, leftOffsets};
static const amprt_site_t rightSite = {rightHandlers, rightOffsets};
static const amprt_site_t resultSite = {resultHandlers, resultOffsets};

static void startNode(amprt_worker_t *worker, amprt_frame_t *frame,
                      uint32_t depth);

static void call(amprt_worker_t *worker, amprt_frame_t *parent,
                 const amprt_site_t *site, const TreeArguments *arguments,
                 int64_t node, uint32_t depth) {
  auto *callee = newFrame<NodeFrame>(worker, parent, site);
  callee->arrived = 1;
  callee->depth = depth;
  callee->arguments = arguments;
  callee->node = node;
  amprt_post(worker, startNode, &callee->head, depth);
}

static void startNode(amprt_worker_t *worker, amprt_frame_t *frame,
                      uint32_t depth) {
  auto *self = as<NodeFrame>(frame);
  const TreeArguments &arguments = *self->arguments;
  int64_t node = self->node;
  if (node < 0 || node >= arguments.valueCount) {
    amprt_fail_range(worker, frame, "tree.mlir:3:7", "index", node,
                     arguments.valueCount);
    return;
  }
  self->value = arguments.value[node];
  if (arguments.left[node] == -1) {
    amprt_enqueue(worker, leafCell, frame, depth + 1, 1);
    return;
  }
  if (arguments.right[node] == -1)
    self->arrived |= 4;
  else
    call(worker, frame, &rightSite, self->arguments, arguments.right[node],
         depth);
  call(worker, frame, &leftSite, self->arguments, arguments.left[node], depth);
}

static void onChild(amprt_worker_t *worker, NodeFrame *self, uint64_t bit,
                    uint32_t depth) {
  self->arrived |= bit;
  self->depth = depth > self->depth ? depth : self->depth;
  if (self->arrived != 7)
    return;
  bool isUnary = self->arguments->right[self->node] == -1;
  amprt_enqueue(worker, isUnary ? unaryCell : innerCell, &self->head,
                self->depth + 1, 1);
}

static void onLeft(amprt_worker_t *worker, amprt_frame_t *frame,
                   uint32_t depth) {
  onChild(worker, as<NodeFrame>(frame), 2, depth);
}

static void onRight(amprt_worker_t *worker, amprt_frame_t *frame,
                    uint32_t depth) {
  onChild(worker, as<NodeFrame>(frame), 4, depth);
}

static void onResult(amprt_worker_t *worker, amprt_frame_t *frame,
                     uint32_t depth) {
  auto *self = as<EntryFrame>(frame);
  deliver(worker, frame, 0, *self->result, depth);
  deliver(worker, frame, 1, self->result, depth);
}

static void startEntry(amprt_worker_t *worker, amprt_frame_t *frame,
                       uint32_t depth) {
  call(worker, frame, &resultSite, &as<EntryFrame>(frame)->fields, 0, depth);
}

static void give(amprt_worker_t *worker, NodeFrame *self, int64_t value) {
  auto *row = static_cast<int64_t *>(
      amprt_rows_new(worker, self->head.instance, sizeof(int64_t)));
  *row = value;
  self->row = row;
}

static void computeLeaves(amprt_worker_t *worker,
                          const amprt_activation_t *batch, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    auto *self = as<NodeFrame>(batch[i].frame);
    give(worker, self, self->value);
  }
}

static void computeInner(amprt_worker_t *worker,
                         const amprt_activation_t *batch, int64_t count) {
  // Through scratch memory, as a product would.
  auto *sums = static_cast<int64_t *>(
      amprt_scratch(worker, count * int64_t(sizeof(int64_t))));
  for (int64_t i = 0; i < count; ++i) {
    auto *self = as<NodeFrame>(batch[i].frame);
    sums[i] = 3 * *self->children[0] + 5 * *self->children[1];
  }
  for (int64_t i = 0; i < count; ++i) {
    auto *self = as<NodeFrame>(batch[i].frame);
    give(worker, self, (sums[i] + self->value) % modulus);
  }
}

static void computeUnary(amprt_worker_t *worker,
                         const amprt_activation_t *batch, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    auto *self = as<NodeFrame>(batch[i].frame);
    give(worker, self, (7 * *self->children[0] + self->value) % modulus);
  }
}

static void complete(amprt_worker_t *worker, const amprt_activation_t *batch,
                     int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    deliver(worker, batch[i].frame, 0, as<NodeFrame>(batch[i].frame)->row,
            batch[i].depth);
}

const amprt_model_t &treeModel() {
  static constexpr int64_t one[] = {1};
  static const amprt_field_t fields[] = {
      {"value", tensor(AMPRT_I32, 1, anyRows),
       AMPRT_TEST_OFFSET(EntryFrame, fields.value)},
      {"left", tensor(AMPRT_I32, 1, anyRows),
       AMPRT_TEST_OFFSET(EntryFrame, fields.left)},
      {"right", tensor(AMPRT_I32, 1, anyRows),
       AMPRT_TEST_OFFSET(EntryFrame, fields.right)}};
  static const amprt_field_t results[] = {
      {"sum", scalar(AMPRT_I64), 0}, {"row", tensor(AMPRT_I64, 1, one), 1}};
  static const amprt_value_t inputs[] = {
      {scalar(AMPRT_I64), AMPRT_TEST_OFFSET(NodeFrame, value), 0},
      {tensor(AMPRT_I64, 1, one), AMPRT_TEST_OFFSET(NodeFrame, children[0]), 0},
      {tensor(AMPRT_I64, 1, one), AMPRT_TEST_OFFSET(NodeFrame, children[1]),
       0}};
  static const amprt_value_t output = {tensor(AMPRT_I64, 1, one),
                                       AMPRT_TEST_OFFSET(NodeFrame, row), 0};
  static const amprt_cell_desc_t cells[] = {
      withValues(cell("leaf", "tree.mlir:5:3", "lookup", 0, 3, computeLeaves,
                      complete),
                 inputs, 1, &output, 1),
      withValues(cell("inner", "tree.mlir:9:3", "linear",
                      AMPRT_CELL_HAS_PRODUCT, 2, computeInner, complete),
                 inputs, 3, &output, 1),
      withValues(
          cell("unary", "tree.mlir:12:3", "add", 0, 2, computeUnary, complete),
          inputs, 2, &output, 1)};
  static const uint64_t arrived[] = {1};
  static const amprt_model_t model = [] {
    amprt_model_t made = emptyModel("tree");
    static amprt_entry_t entry = emptyEntry();
    made.predict = &entry;
    entry.fields = fields;
    entry.field_count = 3;
    entry.results = results;
    entry.result_count = 2;
    entry.result_words = 2;
    entry.result_events = 2;
    made.cells = cells;
    made.cell_count = 3;
    entry.arrived = arrived;
    entry.arrived_words = 1;
    entry.entry_bytes = sizeof(EntryFrame);
    entry.start = startEntry;
    return made;
  }();
  return model;
}

} // namespace models
