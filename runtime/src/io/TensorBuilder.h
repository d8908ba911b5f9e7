//===- TensorBuilder.h - A tensor from nested arrays ------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_IO_TENSORBUILDER_H
#define AMPRT_SRC_IO_TENSORBUILDER_H

#include "amprt/status.h"
#include "amprt/tensor.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace amprt {

/// Takes brackets and numbers in the order of the text and checks them against
/// a type. Every function returns whether that went well; if not, error() says
/// why ("expected an integer, but got 1.5 at [2][0]"). Its buffers are kept
/// from one tensor to the next; it holds at most a small multiple of the text's
/// size.
class TensorBuilder {
public:
  /// Begins a value of the type, which must stay until finish().
  void start(const amprt_type_t &type);

  bool openArray();
  bool closeArray();
  bool addInteger(int64_t value);
  /// Above the int64 range.
  bool addUnsigned(uint64_t value);
  bool addFloat(double value, std::string_view token);
  bool addBool(bool value);
  /// Something that is never an element: null, a string, an object.
  bool addOther(const std::string &what);

  /// Whether the value is complete.
  bool complete() const { return isComplete; }
  /// The complete value. A dimension that no array showed, because one around
  /// it is empty, is that of the type, or 0 where that is open.
  Tensor finish();

  const std::string &error() const { return theError; }

private:
  int rank() const { return type->rank < 0 ? 0 : type->rank; }
  bool expectElement(const std::string &got);
  unsigned char *nextElement();
  bool elementAdded();
  bool failExpected(const std::string &expected, const std::string &got,
                    size_t indices);

  const amprt_type_t *type = nullptr;
  amprt_dtype_t dtype = AMPRT_F32;
  size_t elementSize = 4;
  std::vector<int64_t> dims;   ///< -1: not known yet.
  std::vector<int64_t> counts; ///< Elements so far in each open array.
  std::vector<unsigned char> bytes;
  size_t used = 0;
  bool isComplete = false;
  std::string theError;
};

} // namespace amprt

#endif // AMPRT_SRC_IO_TENSORBUILDER_H
