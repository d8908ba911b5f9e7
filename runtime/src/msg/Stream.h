//===- Stream.h - Bytes to and from another process -------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_MSG_STREAM_H
#define AMPRT_SRC_MSG_STREAM_H

#include "amprt/status.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace amprt {

/// A connected stream socket, of any family. One thread may send while another
/// receives; close may be called by any.
class Stream {
public:
  /// Takes the descriptor, which it closes. Statuses: invalidArgument (it is no
  /// socket).
  static Expected<std::unique_ptr<Stream>> open(int descriptor);
  ~Stream();

  /// All of them, however long it takes; false: the connection is gone.
  bool send(const void *bytes, size_t count);
  bool receive(void *bytes, size_t count);

  /// Ends what both sides wait for.
  void close();

private:
  Stream();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Bytes to be sent, with their number before them.
class PacketWriter {
public:
  PacketWriter() { clear(); }
  void clear() { bytes.resize(sizeof(uint64_t)); }
  bool empty() const { return bytes.size() == sizeof(uint64_t); }

  void add(const void *from, size_t count) {
    const auto *begin = static_cast<const char *>(from);
    bytes.insert(bytes.end(), begin, begin + count);
  }
  template <typename T> void add(const T &value) {
    static_assert(std::is_trivially_copyable<T>::value, "has no pointers");
    add(&value, sizeof(T));
  }
  void addText(const std::string &text) {
    add(uint64_t(text.size()));
    add(text.data(), text.size());
  }

  void add(const Status &status) {
    add(uint32_t(status.code()));
    addText(status.message());
  }

  /// A record's bytes, with their number before them.
  size_t beginRecord() {
    add(uint64_t(0));
    return bytes.size();
  }
  void endRecord(size_t begin) {
    uint64_t count = bytes.size() - begin;
    std::memcpy(bytes.data() + begin - sizeof(count), &count, sizeof(count));
  }

  bool send(Stream &to) {
    uint64_t count = bytes.size() - sizeof(uint64_t);
    std::memcpy(bytes.data(), &count, sizeof(count));
    return to.send(bytes.data(), bytes.size());
  }

private:
  std::vector<char> bytes;
};

/// Reads the records that a PacketWriter wrote. What is not there reads as
/// zeros, and is remembered.
class PacketReader {
public:
  PacketReader() = default;

  /// False: the connection is gone, or this is no packet.
  bool receive(Stream &from);
  /// Whether the last receive found nothing but the connection's end.
  bool isOver() const { return over; }

  /// Null if so many are not left.
  const char *take(uint64_t count) {
    if (bad || count > recordEnd - position) {
      setBad();
      return nullptr;
    }
    const char *begin = bytes.data() + position;
    position += size_t(count);
    return begin;
  }
  template <typename T> T take() {
    T value = {};
    if (const char *from = take(sizeof(T)))
      std::memcpy(&value, from, sizeof(T));
    return value;
  }
  std::string takeText() {
    uint64_t count = take<uint64_t>();
    const char *from = take(count);
    return from ? std::string(from, size_t(count)) : std::string();
  }

  Status takeStatus() {
    auto code = StatusCode(take<uint32_t>());
    return {code, takeText()};
  }

  /// What a writer put between beginRecord and endRecord; all of it must be
  /// read before the next one, or is left out by it.
  void beginRecord() {
    position = recordEnd;
    recordEnd = bytes.size();
    auto count = take<uint64_t>();
    if (count > bytes.size() - position)
      setBad();
    else
      recordEnd = position + size_t(count);
  }
  bool atRecordEnd() const { return position == recordEnd; }
  bool atEnd() const { return recordEnd == bytes.size(); }
  bool isBad() const { return bad; }
  void setBad() {
    bad = true;
    position = recordEnd = bytes.size();
  }

private:
  std::vector<char> bytes;
  size_t position = 0, recordEnd = 0;
  bool bad = false, over = false;
};

} // namespace amprt

#endif // AMPRT_SRC_MSG_STREAM_H
