//===- TensorBuilder.cpp - A tensor from nested arrays, element by element ===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorBuilder.h"

#include "Element.h"
#include "Messages.h"
#include "core/Types.h"

#include <algorithm>
#include <cstring>

namespace amprt {

/// What an element of `dtype` is called in messages.
static const char *elementKind(amprt_dtype_t dtype) {
  if (dtype == AMPRT_I1)
    return "true, false, 0 or 1";
  return isFloatDtype(dtype) ? "a number" : "an integer";
}

void TensorBuilder::start(const amprt_type_t &newType) {
  type = &newType;
  dtype = static_cast<amprt_dtype_t>(newType.dtype);
  elementSize = elementBytes(dtype);
  dims.assign(newType.dims, newType.dims + rank());
  for (int64_t &dim : dims)
    dim = std::max<int64_t>(dim, -1);
  counts.clear();
  used = 0;
  isComplete = false;
  theError.clear();
}

bool TensorBuilder::failExpected(const std::string &expected,
                                 const std::string &got, size_t indices) {
  theError = "expected " + expected + ", but got " + got;
  for (size_t i = 0; i < indices; ++i)
    theError += (i ? "[" : " at [") + std::to_string(counts[i]) + "]";
  return false;
}

bool TensorBuilder::openArray() {
  if (counts.size() == dims.size())
    return failExpected(elementKind(dtype), "an array", counts.size());
  counts.push_back(0);
  return true;
}

bool TensorBuilder::closeArray() {
  size_t depth = counts.size() - 1;
  int64_t count = counts[depth];
  if (dims[depth] < 0) {
    dims[depth] = count;
  } else if (dims[depth] != count) {
    bool fixed = type->dims[depth] >= 0;
    return failExpected(std::to_string(dims[depth]) +
                            (dims[depth] == 1 ? " element" : " elements") +
                            (fixed ? " (" + describeType(*type) + ")"
                                   : " as in the arrays before"),
                        std::to_string(count), depth);
  }
  counts.pop_back();
  return elementAdded();
}

/// Counts an element or array in the array around it.
bool TensorBuilder::elementAdded() {
  if (counts.empty())
    isComplete = true;
  else
    ++counts.back();
  return true;
}

/// Whether an element may be here.
bool TensorBuilder::expectElement(const std::string &got) {
  if (counts.empty())
    return failExpected("an array (" + describeType(*type) + ")", got, 0);
  return failExpected("arrays nested " + std::to_string(dims.size()) +
                          " deep (" + describeType(*type) + ")",
                      got, counts.size());
}

/// Room for one more element.
unsigned char *TensorBuilder::nextElement() {
  if (used + elementSize > bytes.size())
    bytes.resize(std::max<size_t>(4096, 2 * bytes.size()));
  return bytes.data() + used;
}

bool TensorBuilder::addInteger(int64_t value) {
  if (counts.size() != dims.size())
    return expectElement(std::to_string(value));
  if (!storeInteger(dtype, value, nextElement()))
    return failExpected(std::string(dtype == AMPRT_I1 ? elementKind(dtype)
                                                      : "a number in range") +
                            (dtype == AMPRT_I1
                                 ? ""
                                 : std::string(" (") + dtypeName(dtype) + ")"),
                        std::to_string(value), counts.size());
  used += elementSize;
  return elementAdded();
}

bool TensorBuilder::addUnsigned(uint64_t value) {
  std::string text = std::to_string(value);
  if (isFloatDtype(dtype))
    return addFloat(static_cast<double>(value), text);
  if (counts.size() != dims.size())
    return expectElement(text);
  return failExpected(std::string("a number in range (") + dtypeName(dtype) +
                          ")",
                      text, counts.size());
}

bool TensorBuilder::addFloat(double value, std::string_view token) {
  if (counts.size() != dims.size())
    return expectElement(shortened(token));
  if (!isFloatDtype(dtype))
    return failExpected(elementKind(dtype), shortened(token), counts.size());
  if (!storeFloat(dtype, value, token, nextElement()))
    return failExpected(std::string("a number in range (") + dtypeName(dtype) +
                            ")",
                        shortened(token), counts.size());
  used += elementSize;
  return elementAdded();
}

bool TensorBuilder::addBool(bool value) {
  if (dtype == AMPRT_I1)
    return addInteger(value);
  return addOther(value ? "true" : "false");
}

bool TensorBuilder::addOther(const std::string &what) {
  if (counts.size() != dims.size())
    return expectElement(what);
  return failExpected(elementKind(dtype), what, counts.size());
}

Tensor TensorBuilder::finish() {
  for (int64_t &dim : dims)
    dim = std::max<int64_t>(dim, 0);
  Tensor tensor(dtype, dims);
  if (used != 0)
    std::memcpy(tensor.data(), bytes.data(), used);
  return tensor;
}

} // namespace amprt
