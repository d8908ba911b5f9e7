//===- Marshal.cpp - Between tensors and words ----------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Marshal.h"

#include "core/Types.h"

#include <cstring>
#include <limits>
#include <string>

namespace amprt {

Status checkFields(const amprt_entry_t &entry, const Values &values) {
  for (uint32_t i = 0; i < entry.field_count; ++i) {
    const amprt_field_t &field = entry.fields[i];
    auto found = values.find(field.name);
    if (found == values.end())
      return {StatusCode::invalidArgument,
              "field '" + std::string(field.name) + "' (" +
                  describeType(field.type) + ") is missing"};
    const Tensor &tensor = found->second;
    size_t bytes = 0;
    if (!hasType(tensor, field.type) ||
        !byteSize(tensor.dims().data(), tensor.dims().size(),
                  elementBytes(tensor.dtype()), bytes) ||
        bytes != tensor.byteCount())
      return {StatusCode::invalidArgument,
              "field '" + std::string(field.name) + "' must be " +
                  describeType(field.type) + ", but is " +
                  describeTensor(tensor)};
    if (tensor.dtype() != AMPRT_I1)
      continue;
    // Generated code relies on it: any other byte is neither true nor false.
    auto *bits = static_cast<const unsigned char *>(tensor.data());
    for (size_t j = 0; j < bytes; ++j)
      if (bits[j] > 1)
        return {StatusCode::invalidArgument,
                "field '" + std::string(field.name) + "': element " +
                    std::to_string(j) + " is " + std::to_string(bits[j]) +
                    ", not 0 or 1"};
  }
  return {};
}

bool writeFields(const amprt_entry_t &entry, const Values &values, Arena &arena,
                 char *entryFrame) {
  for (uint32_t i = 0; i < entry.field_count; ++i) {
    const amprt_field_t &field = entry.fields[i];
    const Tensor &tensor = values.find(field.name)->second;
    auto *word = reinterpret_cast<uint64_t *>(entryFrame + field.offset);
    if (field.type.rank < 0) {
      *word = 0;
      std::memcpy(word, tensor.data(), tensor.byteCount());
      continue;
    }
    void *elements = arena.allocateRows(tensor.byteCount());
    if (!elements)
      return false;
    if (tensor.byteCount())
      std::memcpy(elements, tensor.data(), tensor.byteCount());
    *word++ = reinterpret_cast<uint64_t>(elements);
    for (int32_t d = 0; d < field.type.rank; ++d)
      if (field.type.dims[d] == AMPRT_DYNAMIC)
        *word++ = uint64_t(tensor.dims()[size_t(d)]);
  }
  return true;
}

Expected<Values> readResults(const amprt_entry_t &entry,
                             const uint64_t *words) {
  Values values;
  for (uint32_t i = 0; i < entry.result_count; ++i) {
    const amprt_field_t &result = entry.results[i];
    auto dtype = amprt_dtype_t(result.type.dtype);
    const uint64_t *word = words + result.offset;
    if (result.type.rank < 0) {
      Tensor scalar(dtype, {});
      std::memcpy(scalar.data(), word, scalar.byteCount());
      values.emplace(result.name, std::move(scalar));
      continue;
    }
    auto *elements = reinterpret_cast<const void *>(*word++);
    std::vector<int64_t> dims = dimsOf(result.type, word);
    size_t bytes;
    if (!byteSize(dims.data(), dims.size(), elementBytes(dtype), bytes))
      return Status(StatusCode::internal, "result '" +
                                              std::string(result.name) +
                                              "' has an impossible size");
    if (bytes && !elements)
      return Status(StatusCode::internal,
                    "result '" + std::string(result.name) +
                        "' was delivered without a value");
    Tensor tensor(dtype, std::move(dims));
    if (bytes)
      std::memcpy(tensor.data(), elements, bytes);
    values.emplace(result.name, std::move(tensor));
  }
  return values;
}

double readScalar(const amprt_field_t &result, const uint64_t *words) {
  const void *at = words + result.offset;
  if (result.type.rank == 0)
    at = reinterpret_cast<const void *>(words[result.offset]);
  if (!at)
    return std::numeric_limits<double>::quiet_NaN();
  if (result.type.dtype == AMPRT_F64) {
    double value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  float value;
  std::memcpy(&value, at, sizeof value);
  return double(value);
}

} // namespace amprt
