//===- SafetensorsHeader.h - Header of a safetensors file -------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_IO_SAFETENSORSHEADER_H
#define AMPRT_SRC_IO_SAFETENSORSHEADER_H

#include "Safetensors.h"

#include <optional>
#include <string_view>

namespace amprt {

/// What the header says. Offsets count from the end of the header and are not
/// yet compared with anything.
struct SafetensorsHeader {
  std::vector<SafetensorsFile::Entry> entries;
  std::map<std::string, std::string> metadata;
};

/// Statuses: invalidArgument (the message has no file name).
Expected<SafetensorsHeader> parseSafetensorsHeader(std::string_view json);

/// Bits of one element of a dtype of the format, if there is such a dtype.
std::optional<int> safetensorsBits(std::string_view dtype);

} // namespace amprt

#endif // AMPRT_SRC_IO_SAFETENSORSHEADER_H
