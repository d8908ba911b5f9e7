//===- LineReader.h - Lines of a file or a pipe -----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_IO_LINEREADER_H
#define AMPRT_SRC_IO_LINEREADER_H

#include "amprt/status.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace amprt {

/// Reads lines that end in LF or CRLF (the last one may lack it). A UTF-8 byte
/// order mark at the start is dropped. Thread-compatible.
class LineReader {
public:
  enum class Event {
    line,        ///< line() has it.
    tooLong,     ///< A line beyond the limit, or that memory does not suffice
                 ///< for: it has been skipped.
    end,         ///< No more lines.
    failed,      ///< Reading failed: status() says why. No more lines.
    interrupted, ///< The wake descriptor became readable. No more lines.
  };

  LineReader(LineReader &&other) noexcept;
  LineReader &operator=(LineReader &&) = delete;
  ~LineReader();

  /// Opens a file, or standard input for "-". `wake` is -1 or a descriptor that
  /// ends the reading as soon as it is readable, even while waiting for input.
  /// Statuses: notFound, invalidArgument.
  static Expected<LineReader> open(const std::string &path, int wake = -1,
                                   size_t maxLineBytes = defaultMaxLineBytes);
  static constexpr size_t defaultMaxLineBytes = size_t(1) << 28;

  Event next();

  /// The line without its end; until the next call.
  std::string_view line() const { return theLine; }
  uint64_t lineNumber() const { return theLineNumber; } ///< From 1.
  uint64_t bytesRead() const { return consumed; } ///< Up to the line's end.
  /// Of a regular file, else 0.
  uint64_t fileBytes() const { return theFileBytes; }
  size_t maxLineBytes() const { return maxBytes; }
  int descriptor() const { return fd; }
  const Status &status() const { return theStatus; }

private:
  LineReader() = default;
  enum class Fill { more, end, failed, interrupted };
  Fill fill();
  bool makeRoom();
  Event take(size_t length, size_t lineEnd);

  int fd = -1, wakeFd = -1;
  size_t maxBytes = defaultMaxLineBytes;
  std::string name;
  std::vector<char> buffer;
  size_t begin = 0, end = 0; ///< What of the buffer is read, but not consumed.
  bool atEnd = false;
  std::string_view theLine;
  uint64_t theLineNumber = 0, consumed = 0, theFileBytes = 0;
  Status theStatus;
};

} // namespace amprt

#endif // AMPRT_SRC_IO_LINEREADER_H
