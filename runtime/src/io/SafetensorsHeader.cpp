//===- SafetensorsHeader.cpp - The JSON header of a safetensors file ------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SafetensorsHeader.h"

#include "Messages.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace amprt {

std::optional<int> safetensorsBits(std::string_view dtype) {
  static constexpr std::pair<std::string_view, int> table[] = {
      {"BOOL", 8},    {"U8", 8},      {"I8", 8},   {"F8_E5M2", 8},
      {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F4", 4},   {"F6_E2M3", 6},
      {"F6_E3M2", 6}, {"I16", 16},    {"U16", 16}, {"F16", 16},
      {"BF16", 16},   {"I32", 32},    {"U32", 32}, {"F32", 32},
      {"I64", 64},    {"U64", 64},    {"F64", 64}, {"C64", 64}};
  for (auto [name, bits] : table)
    if (name == dtype)
      return bits;
  return std::nullopt;
}

namespace {

/// Takes nlohmann's events (its json_sax interface, without virtual calls). A
/// DOM would take the last of two tensors of one name in silence.
class HeaderEvents {
public:
  SafetensorsHeader header;
  std::string error;

  bool null() { return misplaced("null"); }
  bool boolean(bool value) { return misplaced(value ? "true" : "false"); }
  bool number_integer(int64_t value) {
    if (place == Place::shape)
      return fail("expected dimensions that are not negative, but got " +
                  std::to_string(value));
    if (place == Place::offsets)
      return fail("expected offsets that are not negative, but got " +
                  std::to_string(value));
    return misplaced("a number");
  }
  bool number_unsigned(uint64_t value) {
    if (place == Place::shape) {
      if (value > uint64_t(std::numeric_limits<int64_t>::max()))
        return fail("dimension " + std::to_string(value) + " is too large");
      entry().dims.push_back(static_cast<int64_t>(value));
      return true;
    }
    if (place == Place::offsets) {
      if (offsetCount == 2)
        return fail("expected two data_offsets, but got more");
      (offsetCount++ == 0 ? entry().begin : entry().end) = value;
      return true;
    }
    return misplaced("a number");
  }
  bool number_float(double, const std::string &token) {
    return misplaced(shortened(token));
  }
  bool string(std::string &value) {
    if (place == Place::metadataValue) {
      header.metadata[lastKey] = std::move(value);
      place = Place::metadata;
      return true;
    }
    if (place == Place::dtype) {
      entry().dtype = std::move(value);
      place = Place::tensor;
      return true;
    }
    return misplaced("a string");
  }
  bool binary(std::vector<uint8_t> &) { return misplaced("binary data"); }

  bool start_object(size_t) {
    if (place == Place::start)
      place = Place::top;
    else if (place == Place::tensorValue)
      place = Place::tensor;
    else if (place == Place::metadataStart)
      place = Place::metadata;
    else
      return misplaced("an object");
    return true;
  }
  bool end_object() {
    if (place == Place::tensor) {
      if (!hasDtype || !hasShape || !hasOffsets)
        return fail(std::string("has no ") + (!hasDtype   ? "dtype"
                                              : !hasShape ? "shape"
                                                          : "data_offsets"));
      inTensor = false;
    }
    place = place == Place::top ? Place::end : Place::top;
    return true;
  }
  bool start_array(size_t) {
    if (place == Place::shapeStart)
      place = Place::shape;
    else if (place == Place::offsetsStart)
      place = Place::offsets;
    else
      return misplaced("an array");
    return true;
  }
  bool end_array() {
    if (place == Place::offsets && offsetCount != 2)
      return fail("expected two data_offsets, but got " +
                  std::to_string(offsetCount));
    place = Place::tensor;
    return true;
  }
  bool key(std::string &name) {
    switch (place) {
    case Place::top:
      return startTensor(name);
    case Place::metadata:
      if (header.metadata.count(name))
        return fail("__metadata__ has '" + shortened(name) + "' twice");
      lastKey = std::move(name);
      place = Place::metadataValue;
      return true;
    default:
      break;
    }
    if (name == "dtype")
      return attribute(hasDtype, Place::dtype, name);
    if (name == "shape")
      return attribute(hasShape, Place::shapeStart, name);
    if (name == "data_offsets")
      return attribute(hasOffsets, Place::offsetsStart, name);
    return fail("unknown key '" + shortened(name) + "'");
  }
  bool parse_error(size_t position, const std::string &token,
                   const nlohmann::detail::exception &exception) {
    error = "the header is " + jsonError(position, token, exception.what());
    return false;
  }

private:
  enum class Place {
    start, ///< Before the header's object.
    top,   ///< In it: tensors' names.
    tensorValue,
    tensor, ///< In a tensor's object: its keys.
    dtype,
    shapeStart,
    shape,
    offsetsStart,
    offsets,
    metadataStart,
    metadata, ///< In its object: its keys.
    metadataValue,
    end
  };

  SafetensorsFile::Entry &entry() { return header.entries.back(); }

  bool startTensor(std::string &name) {
    if (!names.insert(name).second)
      return fail("'" + shortened(name) + "' is there twice");
    if (name == "__metadata__") {
      place = Place::metadataStart;
      return true;
    }
    header.entries.push_back({std::move(name), {}, {}, 0, 0});
    hasDtype = hasShape = hasOffsets = false;
    offsetCount = 0;
    inTensor = true;
    place = Place::tensorValue;
    return true;
  }
  bool attribute(bool &has, Place next, const std::string &name) {
    if (has)
      return fail("has " + name + " twice");
    has = true;
    place = next;
    return true;
  }
  const char *expectation() const {
    switch (place) {
    case Place::start:
      return "the header to be an object";
    case Place::tensorValue:
    case Place::tensor:
      return "an object with dtype, shape and data_offsets";
    case Place::dtype:
      return "dtype to be a string";
    case Place::shapeStart:
    case Place::shape:
      return "shape to be an array of integers";
    case Place::offsetsStart:
    case Place::offsets:
      return "data_offsets to be an array of two integers";
    case Place::metadataStart:
    case Place::metadata:
    case Place::metadataValue:
      return "__metadata__ to be an object of strings";
    case Place::top:
    case Place::end:
      break;
    }
    return "nothing";
  }
  bool misplaced(const std::string &what) {
    return fail(std::string("expected ") + expectation() + ", but got " + what);
  }
  bool fail(const std::string &message) {
    error = inTensor ? "tensor '" + shortened(entry().name) + "': " + message
                     : message;
    return false;
  }

  Place place = Place::start;
  bool inTensor = false, hasDtype = false, hasShape = false, hasOffsets = false;
  int offsetCount = 0;
  std::string lastKey;
  std::set<std::string> names;
};

} // namespace

Expected<SafetensorsHeader> parseSafetensorsHeader(std::string_view json) {
  // nlohmann takes a NUL for the end of the text.
  if (json.find('\0') != std::string_view::npos)
    return Status(StatusCode::invalidArgument,
                  "the header is not valid JSON: it has a NUL byte");
  HeaderEvents events;
  if (!nlohmann::json::sax_parse(json, &events))
    return Status(StatusCode::invalidArgument, events.error);
  return std::move(events.header);
}

} // namespace amprt
