//===- Kit.h - What hand-made models share ----------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The models of this directory are written by hand against abi.h, the way the
// compiler writes them: frames are structs, handlers count events, cells run
// over batches.
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_TEST_MODELS_KIT_H
#define AMPRT_TEST_MODELS_KIT_H

#include "amprt/amprt.hpp"

#include <cstring>
#include <initializer_list>

namespace models {

inline constexpr int64_t anyRows[] = {AMPRT_DYNAMIC};

constexpr amprt_type_t scalar(amprt_dtype_t dtype) {
  return {uint32_t(dtype), -1, nullptr};
}
constexpr amprt_type_t tensor(amprt_dtype_t dtype, int32_t rank,
                              const int64_t *dims) {
  return {uint32_t(dtype), rank, dims};
}

/// A field or result word of a frame, in the form that offsets are given.
#define AMPRT_TEST_OFFSET(Frame, member) uint32_t(offsetof(Frame, member))

/// A descriptor with its head filled in and nothing else.
inline amprt_model_t emptyModel(const char *name) {
  amprt_model_t model = {};
  model.magic = AMPRT_ABI_MAGIC;
  model.abi_version = AMPRT_ABI_VERSION;
  model.name = name;
  model.target = "any";
  return model;
}

/// A cell whose values stay where they are.
constexpr amprt_cell_desc_t cell(const char *name, const char *where,
                                 const char *summary, uint32_t flags,
                                 uint32_t priority, amprt_batch_fn_t compute,
                                 amprt_batch_fn_t complete) {
  return {name,    where,   summary, flags, priority, compute, complete,
          nullptr, nullptr, nullptr, 0,     0,        0,       0};
}

constexpr amprt_cell_desc_t withValues(amprt_cell_desc_t cell,
                                       const amprt_value_t *inputs,
                                       uint32_t inputCount,
                                       const amprt_value_t *results,
                                       uint32_t resultCount) {
  cell.inputs = inputs;
  cell.input_count = inputCount;
  cell.results = results;
  cell.result_count = resultCount;
  return cell;
}

constexpr amprt_cell_desc_t withParams(amprt_cell_desc_t cell,
                                       const uint32_t *params, uint32_t count) {
  cell.params = params;
  cell.param_count = count;
  return cell;
}

/// An entry without anything, not even a loss.
inline amprt_entry_t emptyEntry() {
  amprt_entry_t entry = {};
  entry.loss = AMPRT_NO_LOSS;
  return entry;
}

template <typename Frame> Frame *as(amprt_frame_t *frame) {
  return reinterpret_cast<Frame *>(frame);
}

template <typename Frame>
Frame *newFrame(amprt_worker_t *worker, amprt_frame_t *parent,
                const amprt_site_t *site) {
  amprt_frame_t *frame =
      amprt_frame_new(worker, parent->instance, sizeof(Frame));
  frame->instance = parent->instance;
  frame->parent = parent;
  frame->site = site;
  frame->next = nullptr;
  frame->index = 0;
  return as<Frame>(frame);
}

/// Delivers the word that is result `index` of a call and its event.
template <typename T>
void deliver(amprt_worker_t *worker, amprt_frame_t *callee, uint32_t index,
             T value, uint32_t depth) {
  static_assert(sizeof(T) <= 8, "not a word");
  std::memcpy(reinterpret_cast<char *>(callee->parent) +
                  callee->site->offsets[index],
              &value, sizeof value);
  amprt_post(worker, callee->site->handlers[index], callee->parent, depth);
}

inline amprt::Tensor scalarOf(int64_t value,
                              amprt_dtype_t dtype = AMPRT_INDEX) {
  amprt::Tensor tensor(dtype, {});
  if (dtype == AMPRT_I32) {
    auto narrow = int32_t(value);
    std::memcpy(tensor.data(), &narrow, sizeof narrow);
  } else {
    std::memcpy(tensor.data(), &value, sizeof value);
  }
  return tensor;
}

template <typename T>
amprt::Tensor vectorOf(amprt_dtype_t dtype, const std::vector<T> &values) {
  amprt::Tensor tensor(dtype, {int64_t(values.size())});
  if (!values.empty())
    std::memcpy(tensor.data(), values.data(), values.size() * sizeof(T));
  return tensor;
}

} // namespace models

#endif // AMPRT_TEST_MODELS_KIT_H
