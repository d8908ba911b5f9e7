//===- LineReader.cpp - Lines of a file or pipe, in bounded memory --------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LineReader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace amprt {

constexpr size_t minimumBuffer = size_t(1) << 18;

LineReader::LineReader(LineReader &&other) noexcept
    : fd(std::exchange(other.fd, -1)), wakeFd(other.wakeFd),
      maxBytes(other.maxBytes), name(std::move(other.name)),
      buffer(std::move(other.buffer)), begin(other.begin), end(other.end),
      atEnd(other.atEnd), theLineNumber(other.theLineNumber),
      consumed(other.consumed), theFileBytes(other.theFileBytes),
      theStatus(std::move(other.theStatus)) {}

LineReader::~LineReader() {
  if (fd >= 0)
    ::close(fd);
}

Expected<LineReader> LineReader::open(const std::string &path, int wake,
                                      size_t maxLineBytes) {
  LineReader reader;
  reader.wakeFd = wake;
  reader.maxBytes = maxLineBytes;
  if (path == "-") {
    reader.name = "standard input";
    reader.fd = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
  } else {
    reader.name = "'" + path + "'";
    do
      reader.fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    while (reader.fd < 0 && errno == EINTR);
  }
  struct stat facts = {};
  if (reader.fd < 0 || ::fstat(reader.fd, &facts) != 0)
    return Status(errno == ENOENT ? StatusCode::notFound
                                  : StatusCode::invalidArgument,
                  "cannot open " + reader.name + ": " + std::strerror(errno));
  if (S_ISDIR(facts.st_mode))
    return Status(StatusCode::invalidArgument,
                  "cannot read " + reader.name + ": " + std::strerror(EISDIR));
  if (S_ISREG(facts.st_mode))
    reader.theFileBytes = static_cast<uint64_t>(facts.st_size);
  return reader;
}

/// Makes the buffer have room behind `end`. False where that is not possible.
bool LineReader::makeRoom() {
  if (begin > 0) {
    std::memmove(buffer.data(), buffer.data() + begin, end - begin);
    end -= begin;
    begin = 0;
  }
  if (end < buffer.size())
    return true;
  if (buffer.size() > maxBytes)
    return false;
  try {
    buffer.resize(std::max(minimumBuffer, 2 * buffer.size()));
  } catch (const std::bad_alloc &) {
    return false;
  }
  return true;
}

/// Reads once into the room behind `end`.
LineReader::Fill LineReader::fill() {
  while (true) {
    if (wakeFd >= 0) {
      struct pollfd sources[2] = {{fd, POLLIN, 0}, {wakeFd, POLLIN, 0}};
      if (::poll(sources, 2, -1) < 0) {
        if (errno == EINTR)
          continue;
      } else if (sources[1].revents != 0) {
        return Fill::interrupted;
      }
    }
    ssize_t count = ::read(fd, buffer.data() + end, buffer.size() - end);
    if (count > 0) {
      end += static_cast<size_t>(count);
      return Fill::more;
    }
    if (count == 0)
      return Fill::end;
    // Another process may have made the pipe non-blocking: then poll again.
    if (errno == EINTR || (errno == EAGAIN && wakeFd >= 0))
      continue;
    theStatus = Status(StatusCode::invalidArgument,
                       "cannot read " + name + ": " + std::strerror(errno));
    return Fill::failed;
  }
}

/// Makes the first `length` bytes of the buffer the line; the next one begins
/// `lineEnd` bytes behind them.
LineReader::Event LineReader::take(size_t length, size_t lineEnd) {
  theLine = std::string_view(buffer.data() + begin, length);
  begin += length + lineEnd;
  consumed += length + lineEnd;
  if (++theLineNumber == 1 && theLine.substr(0, 3) == "\xEF\xBB\xBF")
    theLine.remove_prefix(3);
  if (!theLine.empty() && theLine.back() == '\r')
    theLine.remove_suffix(1);
  return theLine.size() > maxBytes ? Event::tooLong : Event::line;
}

LineReader::Event LineReader::next() {
  if (atEnd)
    return !theStatus.ok() ? Event::failed : Event::end;
  size_t scanned = 0; // Bytes behind `begin` that hold no end of line.
  bool tooLong = false;
  while (true) {
    const char *from = buffer.data() + begin;
    size_t have = end - begin;
    const void *found = scanned < have
                            ? std::memchr(from + scanned, '\n', have - scanned)
                            : nullptr;
    if (found) {
      Event event =
          take(static_cast<size_t>(static_cast<const char *>(found) - from), 1);
      return tooLong ? Event::tooLong : event;
    }
    scanned = have;
    if (!tooLong && !makeRoom()) {
      tooLong = true;
      // One long line shall not hold its memory for the rest of the run.
      buffer.resize(std::min(buffer.size(), minimumBuffer));
      buffer.shrink_to_fit();
    }
    if (tooLong) { // Drop what is there; the line's end is still to come.
      consumed += have;
      begin = end = scanned = 0;
    }
    switch (fill()) {
    case Fill::more:
      break;
    case Fill::interrupted:
      atEnd = true;
      return Event::interrupted;
    case Fill::failed:
      atEnd = true;
      return Event::failed;
    case Fill::end:
      atEnd = true;
      if (have == 0 && !tooLong)
        return Event::end;
      Event event = take(end - begin, 0);
      return tooLong ? Event::tooLong : event;
    }
  }
}

} // namespace amprt
