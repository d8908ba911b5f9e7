//===- JsonLines.cpp - Instances from JSON Lines --------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JsonLines.h"

#include "Messages.h"
#include "PlainJson.h"
#include "TensorBuilder.h"

#include <algorithm>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace amprt {

/// Takes nlohmann's events (its json_sax interface, without virtual calls).
class InstanceParser::Events {
public:
  Events(const amprt_field_t *theFields, size_t count, bool isStrict)
      : fields(theFields), fieldCount(count), strict(isStrict),
        lineOfField(count, 0) {
    for (size_t i = 0; i < count; ++i)
      numberOf.emplace(theFields[i].name, i);
  }

  void startLine() {
    ++lineNumber;
    level = Level::outside;
    skipping = false;
    skipDepth = 0;
    nextField = 0;
    values.clear();
    error.clear();
  }
  /// Whether every field was there.
  bool finishLine() {
    for (size_t i = 0; i < fieldCount; ++i)
      if (lineOfField[i] != lineNumber) {
        error = std::string("field '") + fields[i].name + "' is missing";
        return false;
      }
    return true;
  }

  bool null() { return other("null"); }
  bool boolean(bool value) {
    return inField() ? done(builder.addBool(value))
                     : other(value ? "true" : "false");
  }
  bool number_integer(int64_t value) {
    return inField() ? done(builder.addInteger(value)) : other("a number");
  }
  bool number_unsigned(uint64_t value) {
    if (!inField())
      return other("a number");
    if (value <= uint64_t(std::numeric_limits<int64_t>::max()))
      return done(builder.addInteger(static_cast<int64_t>(value)));
    return done(builder.addUnsigned(value));
  }
  bool number_float(double value, std::string_view token) {
    return inField() ? done(builder.addFloat(value, token)) : other("a number");
  }
  bool string(std::string &value) {
    return skipping || other('"' + shortened(value) + '"');
  }
  bool binary(std::vector<uint8_t> &) { return other("binary data"); }

  bool start_object(size_t) {
    if (skipping)
      return ++skipDepth != 0;
    if (level != Level::outside)
      return other("an object");
    level = Level::members;
    return true;
  }
  bool end_object() {
    if (skipping)
      return endSkipped();
    level = Level::outside;
    return true;
  }
  bool start_array(size_t) {
    if (skipping)
      return ++skipDepth != 0;
    return inField() ? done(builder.openArray()) : other("an array");
  }
  bool end_array() {
    return skipping ? endSkipped() : done(builder.closeArray());
  }
  bool key(std::string &name) {
    return (skipping && skipDepth != 0) || startMember(name);
  }
  bool parse_error(size_t position, const std::string &token,
                   const nlohmann::detail::exception &exception) {
    error = jsonError(position, token, exception.what());
    if (inField())
      error = fieldMessage(error);
    return false;
  }

  PlainJsonScanner<Events> scanner;
  std::vector<std::string> unknown;
  Values values;
  std::string error;

private:
  enum class Level { outside, members, field };

  bool inField() const { return level == Level::field && !skipping; }

  std::string fieldMessage(const std::string &message) const {
    return std::string("field '") + fields[current].name + "': " + message;
  }

  bool startMember(const std::string &name) {
    skipping = false;
    // Lines mostly have their members in one order: try the next field first.
    if (nextField >= fieldCount || name != fields[nextField].name) {
      auto found = numberOf.find(name);
      if (found == numberOf.end())
        return startUnknown(name);
      nextField = found->second;
    }
    current = nextField++;
    if (lineOfField[current] == lineNumber) {
      error = fieldMessage("is there twice");
      return false;
    }
    lineOfField[current] = lineNumber;
    level = Level::field;
    builder.start(fields[current].type);
    return true;
  }
  bool startUnknown(const std::string &name) {
    if (strict) {
      error = "the model has no field '" + shortened(name) + "'";
      return false;
    }
    skipping = true;
    if (unknown.size() < maxUnknownFields &&
        std::find(unknown.begin(), unknown.end(), name) == unknown.end())
      unknown.push_back(name);
    return true;
  }
  bool endSkipped() {
    if (skipDepth != 0) {
      --skipDepth;
      return true;
    }
    // Not inside the skipped value: this ends the instance's object.
    skipping = false;
    level = Level::outside;
    return true;
  }

  /// After a step of the builder.
  bool done(bool fine) {
    if (!fine) {
      error = fieldMessage(builder.error());
      return false;
    }
    if (builder.complete()) {
      values.emplace(fields[current].name, builder.finish());
      level = Level::members;
    }
    return true;
  }
  /// Something that no field can hold, or not in a field.
  bool other(const std::string &what) {
    if (skipping)
      return true;
    if (level == Level::field)
      return done(builder.addOther(what));
    error = "expected an object with the instance's fields, but got " + what;
    return false;
  }

  const amprt_field_t *fields;
  size_t fieldCount;
  bool strict;
  std::unordered_map<std::string, size_t> numberOf;
  std::vector<uint64_t> lineOfField; ///< The last line that had the field.
  uint64_t lineNumber = 0;

  Level level = Level::outside;
  bool skipping =
      false; ///< In, or just behind, the value of an unknown member.
  size_t skipDepth = 0;
  size_t nextField = 0, current = 0;
  TensorBuilder builder;
};

InstanceParser::InstanceParser(const amprt_field_t *fields, size_t count,
                               bool strict)
    : events(std::make_unique<Events>(fields, count, strict)) {}
InstanceParser::~InstanceParser() = default;
InstanceParser::InstanceParser(InstanceParser &&) noexcept = default;
InstanceParser &InstanceParser::operator=(InstanceParser &&) noexcept = default;

Expected<Values> InstanceParser::parse(std::string_view line) {
  // nlohmann takes a NUL for the end of the text.
  if (size_t at = line.find('\0'); at != std::string_view::npos)
    return Status(StatusCode::invalidArgument, "not valid JSON at byte " +
                                                   std::to_string(at + 1) +
                                                   ": a NUL byte");
  try {
    events->startLine();
    if (events->scanner.scan(line, *events) && events->finishLine())
      return std::move(events->values);
    events->startLine(); // Again, for what is not plain, and for the message.
    if (!nlohmann::json::sax_parse(line, events.get()) || !events->finishLine())
      return Status(StatusCode::invalidArgument, events->error);
  } catch (const std::bad_alloc &) {
    return Status(StatusCode::resourceExhausted, "no memory for the instance");
  }
  return std::move(events->values);
}

const std::vector<std::string> &InstanceParser::unknownFields() const {
  return events->unknown;
}

} // namespace amprt
