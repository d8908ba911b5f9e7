//===- PlainJson.h - The common case of a JSON object, fast -----*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most of an instance's text is numbers, and nlohmann's parser takes each of
// its characters through two string buffers. This scanner is several times as
// fast for what nearly every line is: one object whose values are numbers,
// strings, literals and arrays of those. It gives up on everything else (nested
// objects, escapes, text that is not ASCII, integers of 19 digits or more, and
// all that is not JSON), so nothing hangs on it but time: who uses it then
// parses the line again with nlohmann, which also words the errors.
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_IO_PLAINJSON_H
#define AMPRT_SRC_IO_PLAINJSON_H

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace amprt {

/// Sends the events of nlohmann's json_sax to `Events`. What it accepts,
/// nlohmann accepts with the same events; the converse does not hold.
template <typename Events> class PlainJsonScanner {
public:
  /// False: it gave up, or an event returned false. Events may have been sent.
  bool scan(std::string_view text, Events &receiver) {
    at = text.data();
    end = at + text.size();
    events = &receiver;
    if (!take('{') || !events->start_object(size_t(-1)))
      return false;
    if (next() != '}') {
      do
        if (next() != '"' || !scanString() || !events->key(string) ||
            !take(':') || !scanValue())
          return false;
      while (take(','));
    }
    return take('}') && events->end_object() && next() == 0 && at == end;
  }

private:
  /// The next character that is not blank; it stays. 0 at the end.
  char next() {
    while (at != end && (*at == ' ' || *at == '\t' || *at == '\r'))
      ++at;
    return at != end ? *at : '\0';
  }
  bool take(char expected) {
    if (next() != expected)
      return false;
    ++at;
    return true;
  }
  bool isDigit() const { return at != end && *at >= '0' && *at <= '9'; }

  /// Between quotes, into `string`.
  bool scanString() {
    const char *begin = ++at;
    while (at != end && *at != '"') {
      if (*at < ' ' || *at == '\\' || *at == '\x7f') // Also what is not ASCII.
        return false;
      ++at;
    }
    if (at == end)
      return false;
    string.assign(begin, at++);
    return true;
  }

  bool scanLiteral() {
    auto is = [&](std::string_view word) {
      if (std::string_view(at, static_cast<size_t>(end - at))
              .substr(0, word.size()) != word)
        return false;
      at += word.size();
      return true;
    };
    if (is("true"))
      return events->boolean(true);
    if (is("false"))
      return events->boolean(false);
    return is("null") && events->null();
  }

  bool scanNumber() {
    const char *begin = at;
    bool negative = *at == '-';
    at += negative;
    const char *digits = at;
    uint64_t value = 0;
    for (; isDigit(); ++at)
      value = 10 * value + static_cast<uint64_t>(*at - '0');
    // 18 digits are always in range.
    if (at == digits || at - digits > 18 || (*digits == '0' && at - digits > 1))
      return false;
    if (at == end || (*at != '.' && *at != 'e' && *at != 'E'))
      return negative ? events->number_integer(-static_cast<int64_t>(value))
                      : events->number_unsigned(value);
    if (*at == '.') {
      ++at;
      if (!isDigit())
        return false;
      while (isDigit())
        ++at;
    }
    if (at != end && (*at == 'e' || *at == 'E')) {
      ++at;
      if (at != end && (*at == '+' || *at == '-'))
        ++at;
      if (!isDigit())
        return false;
      while (isDigit())
        ++at;
    }
    double number;
    auto [stop, error] = std::from_chars(begin, at, number);
    return error == std::errc() && stop == at &&
           events->number_float(
               number,
               std::string_view(begin, static_cast<size_t>(at - begin)));
  }

  bool scanScalar() {
    switch (next()) {
    case '"':
      return scanString() && events->string(string);
    case 't':
    case 'f':
    case 'n':
      return scanLiteral();
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
      return scanNumber();
    default:
      return false;
    }
  }

  /// A scalar, or arrays; by a loop, so that nesting costs no stack.
  bool scanValue() {
    size_t depth = 0;
    while (true) {
      bool isEmpty = false;
      if (next() == '[') {
        ++at;
        ++depth;
        if (!events->start_array(size_t(-1)))
          return false;
        isEmpty = next() == ']';
        if (!isEmpty)
          continue;
      } else if (!scanScalar()) {
        return false;
      }
      // Behind a value, or in an empty array: arrays end, or a value follows.
      while (true) {
        if (depth == 0)
          return true;
        if (!isEmpty && take(','))
          break;
        if (!take(']') || !events->end_array())
          return false;
        isEmpty = false;
        --depth;
      }
    }
  }

  const char *at = nullptr, *end = nullptr;
  Events *events = nullptr;
  std::string string;
};

} // namespace amprt

#endif // AMPRT_SRC_IO_PLAINJSON_H
