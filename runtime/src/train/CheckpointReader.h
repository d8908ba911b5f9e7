//===- CheckpointReader.h - What a checkpoint says --------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_TRAIN_CHECKPOINTREADER_H
#define AMPRT_SRC_TRAIN_CHECKPOINTREADER_H

#include "core/Types.h"
#include "io/Safetensors.h"

#include <charconv>
#include <cstring>
#include <map>
#include <string>

namespace amprt {

/// What the names of the caller's notes begin with in the metadata.
inline const std::string checkpointNoteKey = "note.";

/// A file, and what must be right in it.
class CheckpointReader {
public:
  CheckpointReader(SafetensorsFile file, std::string name)
      : file(std::move(file)), name(std::move(name)) {}

  Status expect(const std::string &key, const std::string &value) const {
    auto found = file.metadata.find(key);
    if (found != file.metadata.end() && found->second == value)
      return {};
    return {StatusCode::failedPrecondition,
            name + ": " + key + " is '" +
                (found == file.metadata.end() ? "" : found->second) +
                "', but must be '" + value + "'"};
  }

  template <typename T> Status number(const std::string &key, T &value) const {
    auto found = file.metadata.find(key);
    if (found != file.metadata.end()) {
      const std::string &text = found->second;
      auto [end, error] =
          std::from_chars(text.data(), text.data() + text.size(), value);
      if (error == std::errc() && end == text.data() + text.size())
        return {};
    }
    return {StatusCode::invalidArgument, name + ": " + key + " is no number"};
  }

  /// The bytes of a tensor that must be like `expected`.
  Expected<const unsigned char *> bytes(const std::string &tensor,
                                        const Tensor &expected) const {
    const SafetensorsFile::Entry *entry = file.find(tensor);
    if (entry && entry->dtype == safetensorsDtype(expected.dtype()) &&
        entry->dims == expected.dims())
      return file.bytes.data() + entry->begin;
    return Status(StatusCode::failedPrecondition,
                  name + ": it has no tensor '" + tensor + "' of type " +
                      describeTensor(expected));
  }

  /// A copy of a tensor of that type and of as many dimensions. May throw
  /// std::bad_alloc.
  Expected<Tensor> tensor(const std::string &tensor, amprt_dtype_t dtype,
                          size_t rank) const {
    const SafetensorsFile::Entry *entry = file.find(tensor);
    if (!entry || entry->dtype != safetensorsDtype(dtype) ||
        entry->dims.size() != rank)
      return Status(StatusCode::invalidArgument,
                    name + ": it has no tensor '" + tensor + "' of " +
                        dtypeName(dtype) + " with " + std::to_string(rank) +
                        " dimensions");
    Tensor made(dtype, entry->dims);
    if (made.byteCount())
      std::memcpy(made.data(), file.bytes.data() + entry->begin,
                  made.byteCount());
    return made;
  }
  bool has(const std::string &tensor) const { return file.find(tensor); }

  /// A status with the file's name before its message.
  Status named(const Status &status) const {
    return {status.code(), name + ": " + status.message()};
  }

  std::map<std::string, std::string> notes() const {
    std::map<std::string, std::string> found;
    for (auto &[key, value] : file.metadata)
      if (key.compare(0, checkpointNoteKey.size(), checkpointNoteKey) == 0)
        found[key.substr(checkpointNoteKey.size())] = value;
    return found;
  }

private:
  SafetensorsFile file;
  std::string name;
};

} // namespace amprt

#endif // AMPRT_SRC_TRAIN_CHECKPOINTREADER_H
