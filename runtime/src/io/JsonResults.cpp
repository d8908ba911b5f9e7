//===- JsonResults.cpp - Results to JSON Lines ----------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JsonResults.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace amprt {

/// `text` as a JSON string.
static std::string quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false,
                                   nlohmann::json::error_handler_t::replace);
}

template <typename T> static T load(const void *data, int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + i * sizeof(T),
              sizeof(T));
  return value;
}

/// False where the number is not finite.
template <typename T> static bool appendFloat(std::string &out, T value) {
  if (!std::isfinite(value)) {
    out += "null";
    return false;
  }
  size_t begin = out.size();
  fmt::format_to(std::back_inserter(out), "{}", value);
  if (out.find_first_of(".e", begin) == std::string::npos)
    out += ".0";
  return true;
}

/// False where the element is not finite.
static bool appendElement(std::string &out, const Tensor &tensor, int64_t i) {
  switch (tensor.dtype()) {
  case AMPRT_F32:
    return appendFloat(out, load<float>(tensor.data(), i));
  case AMPRT_F64:
    return appendFloat(out, load<double>(tensor.data(), i));
  case AMPRT_BF16:
  case AMPRT_F16:
    return appendFloat(out, static_cast<float>(tensor.at(i)));
  case AMPRT_I32:
    out += fmt::format_int(load<int32_t>(tensor.data(), i)).c_str();
    return true;
  case AMPRT_I64:
  case AMPRT_INDEX:
    out += fmt::format_int(load<int64_t>(tensor.data(), i)).c_str();
    return true;
  case AMPRT_I1:
    out += load<unsigned char>(tensor.data(), i) ? "true" : "false";
    return true;
  }
  return true;
}

/// Appends the array at dimension `depth` whose first element is number `at`,
/// and moves `at` behind it. Recursion is as deep as the type's rank.
static bool appendArray(std::string &out, const Tensor &tensor, size_t depth,
                        int64_t &at) {
  if (depth == tensor.dims().size())
    return appendElement(out, tensor, at++);
  bool finite = true;
  out += '[';
  for (int64_t i = 0; i < tensor.dims()[depth]; ++i) {
    if (i != 0)
      out += ',';
    finite &= appendArray(out, tensor, depth + 1, at);
  }
  out += ']';
  return finite;
}

void appendResultLine(std::string &out, const amprt_field_t *results,
                      size_t count, const Values &values,
                      std::vector<std::string> &notFinite) {
  out += '{';
  for (size_t i = 0; i < count; ++i) {
    if (i != 0)
      out += ',';
    out += quoted(results[i].name);
    out += ':';
    auto found = values.find(results[i].name);
    int64_t at = 0;
    if (found == values.end())
      out += "null"; // A defect of the runtime; the line stays readable.
    else if (!appendArray(out, found->second, 0, at))
      notFinite.push_back(results[i].name);
  }
  out += "}\n";
}

void appendErrorLine(std::string &out, std::string_view message) {
  out += "{\"error\":" + quoted(message) + "}\n";
}

} // namespace amprt
