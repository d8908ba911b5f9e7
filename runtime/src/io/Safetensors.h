//===- Safetensors.h - Tensors in a file, by name ---------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// https://huggingface.co/docs/safetensors: 8 bytes of header length (little
// endian), a JSON header, and the tensors' bytes. The whole of the format's
// rules is checked, so that nothing has to be checked again by those who read
// the entries.
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_IO_SAFETENSORS_H
#define AMPRT_SRC_IO_SAFETENSORS_H

#include "amprt/status.h"
#include "amprt/tensor.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace amprt {

/// A file in memory. Thread-compatible.
struct SafetensorsFile {
  struct Entry {
    std::string name;
    std::string dtype; ///< As the file spells it: "F32", "BF16", "I64", ...
    std::vector<int64_t> dims;
    size_t begin, end; ///< Of its elements in `bytes`: row-major, dense.
  };
  std::vector<unsigned char> bytes; ///< The whole file.
  std::vector<Entry> entries;       ///< In the order of the header.
  std::map<std::string, std::string> metadata;

  /// Null where there is no tensor of that name.
  const Entry *find(const std::string &name) const;
};

/// How a safetensors file spells `dtype`: "F32", "BOOL" for i1, "I64" for
/// index.
const char *safetensorsDtype(amprt_dtype_t dtype);

/// Statuses: notFound (no such file), invalidArgument (cannot be read, or is
/// not a valid file: says why, with the tensor's name), resourceExhausted.
Expected<SafetensorsFile> readSafetensors(const std::string &path);

/// The same for bytes in memory; messages start with `name`.
Expected<SafetensorsFile> parseSafetensors(std::vector<unsigned char> bytes,
                                           const std::string &name);

/// A tensor to write; it is not copied.
struct NamedTensor {
  std::string name;
  const Tensor *tensor;
};

/// Replaces the file as a whole (written beside it, forced to the disk and
/// renamed). Tensors are laid out in the given order; every one starts at a
/// multiple of its element's size if they are sorted by falling element size.
/// Statuses: invalidArgument (cannot be written; a name given twice or
/// "__metadata__").
Status
writeSafetensors(const std::string &path,
                 const std::vector<NamedTensor> &tensors,
                 const std::map<std::string, std::string> &metadata = {});

/// The same with one more member of the metadata, "checksum": 16 hexadecimal
/// digits, the XXH64 of the whole file with zeros in their place.
Status
writeCheckedSafetensors(const std::string &path,
                        const std::vector<NamedTensor> &tensors,
                        const std::map<std::string, std::string> &metadata);

/// Whether the bytes are as they were written. `name`: for messages.
/// Statuses: invalidArgument (no checksum, or another one).
Status verifyChecksum(const SafetensorsFile &file, const std::string &name);

} // namespace amprt

#endif // AMPRT_SRC_IO_SAFETENSORS_H
