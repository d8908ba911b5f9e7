//===- TestFields.h - Fields for the tests of the readers -------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_TEST_IO_TESTFIELDS_H
#define AMPRT_TEST_IO_TESTFIELDS_H

#include "amprt/tensor.h"

#include <deque>
#include <initializer_list>
#include <string>
#include <unistd.h>
#include <vector>

namespace amprt::test {

/// A list of fields that owns its names and dimensions.
class Fields {
public:
  Fields &scalar(const char *name, amprt_dtype_t dtype) {
    fields.push_back({name, {dtype, -1, nullptr}, 0});
    return *this;
  }
  Fields &tensor(const char *name, amprt_dtype_t dtype,
                 std::vector<int64_t> dims) {
    storage.push_back(std::move(dims));
    fields.push_back({name,
                      {dtype, static_cast<int32_t>(storage.back().size()),
                       storage.back().data()},
                      0});
    return *this;
  }
  const amprt_field_t *data() const { return fields.data(); }
  size_t size() const { return fields.size(); }

private:
  std::deque<std::vector<int64_t>> storage; // Never moves its elements.
  std::vector<amprt_field_t> fields;
};

/// Every element, converted.
inline std::vector<double> elements(const Tensor &tensor) {
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.elementCount(); ++i)
    values.push_back(tensor.at(i));
  return values;
}

/// A path in the test's temporary folder that no other process uses.
inline std::string temporaryPath(const std::string &name) {
  const char *folder = ::getenv("TMPDIR");
  return std::string(folder ? folder : "/tmp") + "/amprt-io-" +
         std::to_string(::getpid()) + "-" + name;
}

} // namespace amprt::test

#endif // AMPRT_TEST_IO_TESTFIELDS_H
