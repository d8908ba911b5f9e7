//===- JsonMembers.h - Small JSON documents, checked ------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// For files that this project writes and people may edit: what is missing or of
// another kind becomes a message, never an exception.
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_IO_JSONMEMBERS_H
#define AMPRT_SRC_IO_JSONMEMBERS_H

#include "Messages.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace amprt {

using Json = nlohmann::ordered_json;

/// "" or what is wrong.
inline std::string parseJson(std::string_view text, Json &json) {
  try {
    json = Json::parse(text.begin(), text.end());
    return "";
  } catch (const Json::parse_error &error) {
    return jsonError(error.byte, "", error.what());
  } catch (const Json::exception &error) { // A number that is too large.
    return std::string("not valid JSON: ") + shortened(error.what(), 160);
  }
}

/// One line; what is not UTF-8 is replaced.
inline std::string dump(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// For messages that quote what was found.
inline std::string shortDump(const Json &json) { return shortened(dump(json)); }

/// A member of an object, if it is one and has it.
inline const Json *stringMember(const Json &json, const char *name) {
  auto found = json.is_object() ? json.find(name) : json.end();
  return found != json.end() && found->is_string() ? &*found : nullptr;
}
inline const Json *arrayMember(const Json &json, const char *name) {
  auto found = json.is_object() ? json.find(name) : json.end();
  return found != json.end() && found->is_array() ? &*found : nullptr;
}

/// Whether it is an integer in [0, limit), which `value` gets.
inline bool takeNumber(const Json &json, uint64_t limit, uint32_t &value) {
  if (!json.is_number_unsigned() || json.get<uint64_t>() >= limit)
    return false;
  value = static_cast<uint32_t>(json.get<uint64_t>());
  return true;
}

/// "" or what is wrong with the members "format" and "version".
inline std::string checkFormat(const Json &json, const char *format,
                               uint32_t version) {
  const Json *name = stringMember(json, "format");
  if (!name || *name != format)
    return std::string("expected an object with \"format\": \"") + format +
           "\"";
  auto found = json.find("version");
  uint32_t value = 0;
  if (found == json.end() || !takeNumber(*found, UINT32_MAX, value))
    return "\"version\" is missing or no number";
  if (value != version)
    return "it is of version " + std::to_string(value) +
           ", but this program reads version " + std::to_string(version);
  return "";
}

} // namespace amprt

#endif // AMPRT_SRC_IO_JSONMEMBERS_H
