//===- Types.cpp - Spelling and layout of types ---------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "core/Types.h"

namespace amprt {

size_t elementBytes(amprt_dtype_t dtype) {
  switch (dtype) {
  case AMPRT_F64:
  case AMPRT_I64:
  case AMPRT_INDEX:
    return 8;
  case AMPRT_F32:
  case AMPRT_I32:
    return 4;
  case AMPRT_BF16:
  case AMPRT_F16:
    return 2;
  case AMPRT_I1:
    return 1;
  }
  return 0;
}

const char *dtypeName(amprt_dtype_t dtype) {
  switch (dtype) {
  case AMPRT_F32:
    return "f32";
  case AMPRT_F64:
    return "f64";
  case AMPRT_I32:
    return "i32";
  case AMPRT_I64:
    return "i64";
  case AMPRT_I1:
    return "i1";
  case AMPRT_INDEX:
    return "index";
  case AMPRT_BF16:
    return "bf16";
  case AMPRT_F16:
    return "f16";
  }
  return "unknown";
}

static std::string describe(uint32_t dtype, bool isTensor, const int64_t *dims,
                            size_t rank) {
  std::string element = dtypeName(amprt_dtype_t(dtype));
  if (!isTensor)
    return element;
  std::string text = "tensor<";
  for (size_t i = 0; i < rank; ++i)
    text += (dims[i] == AMPRT_DYNAMIC ? "?" : std::to_string(dims[i])) + "x";
  return text + element + ">";
}

std::string describeType(const amprt_type_t &type) {
  return describe(type.dtype, type.rank >= 0, type.dims,
                  type.rank > 0 ? size_t(type.rank) : 0);
}

std::string describeTensor(const Tensor &tensor) {
  return describe(tensor.dtype(), !tensor.dims().empty(), tensor.dims().data(),
                  tensor.dims().size());
}

static uint32_t storedAs(uint32_t dtype) {
  return dtype == AMPRT_INDEX ? uint32_t(AMPRT_I64) : dtype;
}

bool hasType(const Tensor &tensor, const amprt_type_t &type) {
  if (storedAs(tensor.dtype()) != storedAs(type.dtype))
    return false;
  const std::vector<int64_t> &dims = tensor.dims();
  size_t rank = type.rank > 0 ? size_t(type.rank) : 0;
  if (dims.size() != rank)
    return false;
  for (size_t i = 0; i < rank; ++i)
    if (type.dims[i] != AMPRT_DYNAMIC && type.dims[i] != dims[i])
      return false;
  return true;
}

uint32_t wordCount(const amprt_type_t &type) {
  uint32_t words = 1;
  for (int32_t i = 0; i < type.rank; ++i)
    words += type.dims[i] == AMPRT_DYNAMIC;
  return words;
}

std::vector<int64_t> dimsOf(const amprt_type_t &type, const uint64_t *open) {
  std::vector<int64_t> dims(type.dims, type.dims + type.rank);
  for (int64_t &dim : dims)
    if (dim == AMPRT_DYNAMIC)
      dim = int64_t(*open++);
  return dims;
}

bool byteSize(const int64_t *dims, size_t rank, size_t element, size_t &bytes) {
  size_t product = element;
  bool isEmpty = false;
  for (size_t i = 0; i < rank; ++i) {
    if (dims[i] < 0)
      return false;
    // An empty tensor is small however large its other dimensions are, but
    // those must still be numbers that code may multiply.
    isEmpty |= dims[i] == 0;
    if (dims[i] != 0 &&
        __builtin_mul_overflow(product, size_t(dims[i]), &product))
      return false;
    if (product > size_t(INT64_MAX) / 2)
      return false;
  }
  bytes = isEmpty ? 0 : product;
  return true;
}

} // namespace amprt
