//===- CellValues.cpp - What a cell reads and writes, as bytes ------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "msg/CellValues.h"

#include "amprt/tensor.h"
#include "core/Types.h"

#include <algorithm>
#include <optional>

namespace amprt {

/// Of a tensor with these words for its open dimensions; none: they are wrong.
static std::optional<size_t> bytesOf(const amprt_type_t &type,
                                     const uint64_t *open) {
  std::vector<int64_t> dims = dimsOf(type, open);
  size_t bytes;
  if (!byteSize(dims.data(), dims.size(),
                elementBytes(amprt_dtype_t(type.dtype)), bytes))
    return std::nullopt;
  return bytes;
}

CellValues::CellValues(const amprt_cell_desc_t &cell)
    : cell(cell), isPlain(cell.result_count > 0), frameBytes(1) {
  auto note = [this](const amprt_value_t &value) {
    isPlain &= value.type.dtype != AMPRT_OPAQUE;
    frameBytes.resize(std::max(frameBytes.size(), size_t(value.levels) + 1));
    size_t end = value.offset + wordCount(value.type) * sizeof(uint64_t);
    frameBytes[value.levels] = std::max(frameBytes[value.levels], end);
  };
  std::for_each(cell.inputs, cell.inputs + cell.input_count, note);
  std::for_each(cell.results, cell.results + cell.result_count, note);
  for (size_t &bytes : frameBytes)
    bytes = std::max(bytes, sizeof(amprt_frame_t));
}

static const amprt_frame_t *above(const amprt_frame_t *frame, size_t levels) {
  while (levels-- > 0)
    frame = frame->parent;
  return frame;
}

static void packValue(const amprt_value_t &value, const amprt_frame_t *frame,
                      PacketWriter &to) {
  const char *words =
      reinterpret_cast<const char *>(above(frame, value.levels)) + value.offset;
  if (value.type.rank < 0)
    return to.add(words, sizeof(uint64_t));
  const void *elements;
  std::memcpy(&elements, words, sizeof(elements));
  const auto *open = reinterpret_cast<const uint64_t *>(words) + 1;
  to.add(open, (wordCount(value.type) - 1) * sizeof(uint64_t));
  if (std::optional<size_t> bytes = bytesOf(value.type, open); bytes && *bytes)
    to.add(elements, *bytes);
}

/// False: no memory, or the reader is bad.
static bool unpackValue(const amprt_value_t &value, amprt_frame_t *frame,
                        PacketReader &from, Arena &memory) {
  auto *owner = const_cast<amprt_frame_t *>(above(frame, value.levels));
  char *words = reinterpret_cast<char *>(owner) + value.offset;
  if (value.type.rank < 0) {
    auto word = from.take<uint64_t>();
    std::memcpy(words, &word, sizeof(word));
    return !from.isBad();
  }
  size_t openCount = (wordCount(value.type) - 1);
  auto *open = reinterpret_cast<uint64_t *>(words) + 1;
  for (size_t i = 0; i < openCount; ++i)
    open[i] = from.take<uint64_t>();
  std::optional<size_t> bytes = bytesOf(value.type, open);
  const char *elements = bytes ? from.take(*bytes) : nullptr;
  if (!elements) {
    from.setBad();
    return false;
  }
  void *copy = memory.allocateRows(*bytes);
  if (!copy)
    return false;
  if (*bytes > 0)
    std::memcpy(copy, elements, *bytes);
  std::memcpy(words, &copy, sizeof(copy));
  return true;
}

void CellValues::packInputs(const amprt_frame_t *frame,
                            PacketWriter &to) const {
  for (size_t level = 0; level < frameBytes.size(); ++level)
    to.add(above(frame, level)->index);
  for (uint32_t i = 0; i < cell.input_count; ++i)
    packValue(cell.inputs[i], frame, to);
}

amprt_frame_t *CellValues::unpackInputs(PacketReader &from,
                                        amprt_instance_t *instance,
                                        Arena &memory, size_t before) const {
  amprt_frame_t *frame = nullptr, *last = nullptr;
  for (size_t bytes : frameBytes) {
    size_t skipped = last ? 0 : before;
    auto *begin = static_cast<char *>(memory.allocate(skipped + bytes));
    if (!begin)
      return nullptr;
    auto *made = reinterpret_cast<amprt_frame_t *>(begin + skipped);
    std::memset(static_cast<void *>(made), 0, bytes);
    made->instance = instance;
    made->index = from.take<int64_t>();
    if (last)
      last->parent = made;
    else
      frame = made;
    last = made;
  }
  for (uint32_t i = 0; i < cell.input_count; ++i)
    if (!unpackValue(cell.inputs[i], frame, from, memory))
      return nullptr;
  return frame;
}

void CellValues::packResults(const amprt_frame_t *frame,
                             PacketWriter &to) const {
  for (uint32_t i = 0; i < cell.result_count; ++i)
    packValue(cell.results[i], frame, to);
}

bool CellValues::unpackResults(PacketReader &from, amprt_frame_t *frame,
                               Arena &memory) const {
  for (uint32_t i = 0; i < cell.result_count; ++i)
    if (!unpackValue(cell.results[i], frame, from, memory))
      return false;
  return true;
}

} // namespace amprt
