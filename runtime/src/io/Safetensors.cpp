//===- Safetensors.cpp - Tensors in a file, by name -----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Safetensors.h"

#include "Checksum.h"
#include "File.h"
#include "Messages.h"
#include "SafetensorsHeader.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace amprt {

constexpr size_t lengthBytes = 8;
/// The limit of the format's own library.
constexpr uint64_t maxHeaderBytes = 100'000'000;

const SafetensorsFile::Entry *
SafetensorsFile::find(const std::string &name) const {
  for (const Entry &entry : entries)
    if (entry.name == name)
      return &entry;
  return nullptr;
}

const char *safetensorsDtype(amprt_dtype_t dtype) {
  switch (dtype) {
  case AMPRT_F32:
    return "F32";
  case AMPRT_F64:
    return "F64";
  case AMPRT_I32:
    return "I32";
  case AMPRT_I64:
  case AMPRT_INDEX:
    return "I64";
  case AMPRT_I1:
    return "BOOL";
  case AMPRT_BF16:
    return "BF16";
  case AMPRT_F16:
    return "F16";
  }
  return "?";
}

/// What is wrong with an entry by itself, or "".
static std::string checkEntry(const SafetensorsFile::Entry &entry,
                              size_t dataBytes) {
  std::optional<int> bits = safetensorsBits(entry.dtype);
  if (!bits)
    return "unknown dtype '" + shortened(entry.dtype) + "'";
  if (entry.begin > entry.end)
    return "data_offsets [" + std::to_string(entry.begin) + ", " +
           std::to_string(entry.end) + "] are reversed";
  if (entry.end > dataBytes)
    return "data_offsets end at byte " + std::to_string(entry.end) +
           ", but the file has " + std::to_string(dataBytes) + " bytes of data";
  uint64_t size = static_cast<uint64_t>(*bits);
  bool overflows = false;
  for (int64_t dim : entry.dims)
    overflows |=
        __builtin_mul_overflow(size, static_cast<uint64_t>(dim), &size);
  // A dimension of zero makes the size zero whatever the others are.
  if (std::find(entry.dims.begin(), entry.dims.end(), 0) != entry.dims.end())
    size = 0, overflows = false;
  std::string shape = entry.dtype + "[";
  for (size_t i = 0; i < entry.dims.size(); ++i)
    shape += (i ? ", " : "") + std::to_string(entry.dims[i]);
  shape = shortened(shape, 120) + "]";
  if (overflows)
    return "the size of " + shape + " overflows";
  if (size % 8 != 0)
    return shape + " is not a whole number of bytes";
  if (size / 8 != entry.end - entry.begin)
    return shape + " needs " + std::to_string(size / 8) +
           " bytes, but data_offsets give " +
           std::to_string(entry.end - entry.begin);
  return "";
}

/// The format wants every byte of the data in exactly one tensor. "" if so.
static std::string
checkLayout(const std::vector<SafetensorsFile::Entry> &entries,
            size_t dataBytes) {
  std::vector<const SafetensorsFile::Entry *> sorted;
  for (const SafetensorsFile::Entry &entry : entries)
    sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(), [](const auto *a, const auto *b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  size_t at = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    const SafetensorsFile::Entry &entry = *sorted[i];
    std::string name = "tensor '" + shortened(entry.name) + "'";
    if (entry.begin < at)
      return name + " overlaps tensor '" + shortened(sorted[i - 1]->name) + "'";
    if (entry.begin > at)
      return "bytes " + std::to_string(at) + " to " +
             std::to_string(entry.begin) + " of the data, before " + name +
             ", belong to no tensor";
    at = entry.end;
  }
  if (at != dataBytes)
    return "the last " + std::to_string(dataBytes - at) +
           " bytes of the data belong to no tensor";
  return "";
}

Expected<SafetensorsFile> parseSafetensors(std::vector<unsigned char> bytes,
                                           const std::string &name) {
  auto fail = [&](const std::string &message) {
    return Status(StatusCode::invalidArgument, name + ": " + message);
  };
  if (bytes.size() < lengthBytes)
    return fail("not a safetensors file: it has only " +
                std::to_string(bytes.size()) + " bytes");
  uint64_t headerBytes = 0;
  for (size_t i = 0; i < lengthBytes; ++i)
    headerBytes |= uint64_t(bytes[i]) << (8 * i);
  if (headerBytes > maxHeaderBytes)
    return fail("not a safetensors file: its header would have " +
                std::to_string(headerBytes) + " bytes");
  if (headerBytes > bytes.size() - lengthBytes)
    return fail("the file is cut off: its header has " +
                std::to_string(headerBytes) + " bytes, but only " +
                std::to_string(bytes.size() - lengthBytes) + " are there");
  std::string_view json(
      reinterpret_cast<const char *>(bytes.data()) + lengthBytes, headerBytes);
  if (json.empty() || json.front() != '{')
    return fail("not a safetensors file: its header does not start with '{'");
  Expected<SafetensorsHeader> header = parseSafetensorsHeader(json);
  if (!header)
    return fail(header.status().message());
  size_t dataBegin = lengthBytes + headerBytes;
  size_t dataBytes = bytes.size() - dataBegin;
  for (const SafetensorsFile::Entry &entry : header->entries)
    if (std::string wrong = checkEntry(entry, dataBytes); !wrong.empty())
      return fail("tensor '" + shortened(entry.name) + "': " + wrong);
  if (std::string wrong = checkLayout(header->entries, dataBytes);
      !wrong.empty())
    return fail(wrong);
  for (SafetensorsFile::Entry &entry : header->entries) {
    entry.begin += dataBegin;
    entry.end += dataBegin;
  }
  return SafetensorsFile{std::move(bytes), std::move(header->entries),
                         std::move(header->metadata)};
}

Expected<SafetensorsFile> readSafetensors(const std::string &path) {
  Expected<std::vector<unsigned char>> bytes = readFile(path);
  if (!bytes)
    return bytes.status();
  return parseSafetensors(std::move(*bytes), "'" + path + "'");
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// The header, its length included, padded so that the data is aligned.
static std::string
makeHeader(const std::vector<NamedTensor> &tensors,
           const std::map<std::string, std::string> &metadata) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty())
    header["__metadata__"] = metadata;
  size_t at = 0;
  for (const NamedTensor &named : tensors) {
    size_t end = at + named.tensor->byteCount();
    header[named.name] = {{"dtype", safetensorsDtype(named.tensor->dtype())},
                          {"shape", named.tensor->dims()},
                          {"data_offsets", {at, end}}};
    at = end;
  }
  std::string json = header.dump(
      -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  json.append((8 - json.size() % 8) % 8, ' ');
  std::string text;
  for (size_t i = 0; i < lengthBytes; ++i)
    text += static_cast<char>(json.size() >> (8 * i) & 0xFF);
  return text + json;
}

static Status checkNames(const std::string &path,
                         const std::vector<NamedTensor> &tensors) {
  std::set<std::string> names;
  for (const NamedTensor &named : tensors)
    if (named.name == "__metadata__" || !names.insert(named.name).second)
      return Status(StatusCode::invalidArgument,
                    "cannot write '" + path + "': a tensor's name is '" +
                        shortened(named.name) + "'" +
                        (named.name == "__metadata__" ? "" : " twice"));
  return {};
}

static std::string_view bytesOf(const Tensor &tensor) {
  return {static_cast<const char *>(tensor.data()), tensor.byteCount()};
}

static Status writeParts(const std::string &path, const std::string &header,
                         const std::vector<NamedTensor> &tensors) {
  return writeFileAtomically(path, [&](OutputFile &file) {
    Status status = file.write(header);
    for (const NamedTensor &named : tensors)
      if (status.ok())
        status = file.write(bytesOf(*named.tensor));
    return status;
  });
}

Status writeSafetensors(const std::string &path,
                        const std::vector<NamedTensor> &tensors,
                        const std::map<std::string, std::string> &metadata) {
  if (Status status = checkNames(path, tensors); !status.ok())
    return status;
  return writeParts(path, makeHeader(tensors, metadata), tensors);
}

//===----------------------------------------------------------------------===//
// Checksums
//===----------------------------------------------------------------------===//

constexpr std::string_view checksumKey = "checksum";
constexpr std::string_view checksumZeros = "0000000000000000";

/// Where the checksum's digits are in the header, its length included; npos if
/// it has none. Quotes within strings are escaped, so no string looks like it.
static size_t findChecksum(std::string_view header) {
  std::string before = "\"" + std::string(checksumKey) + "\":\"";
  size_t at = header.find(before);
  if (at == std::string_view::npos ||
      header.size() - at - before.size() < checksumZeros.size())
    return std::string_view::npos;
  return at + before.size();
}

static std::string hexadecimal(uint64_t value) {
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4)
    text += "0123456789abcdef"[value >> shift & 15];
  return text;
}

Status
writeCheckedSafetensors(const std::string &path,
                        const std::vector<NamedTensor> &tensors,
                        const std::map<std::string, std::string> &metadata) {
  if (Status status = checkNames(path, tensors); !status.ok())
    return status;
  std::map<std::string, std::string> checked = metadata;
  checked[std::string(checksumKey)] = checksumZeros;
  std::string header = makeHeader(tensors, checked);
  Checksum checksum;
  checksum.add(header);
  for (const NamedTensor &named : tensors)
    checksum.add(bytesOf(*named.tensor));
  header.replace(findChecksum(header), checksumZeros.size(),
                 hexadecimal(checksum.value()));
  return writeParts(path, header, tensors);
}

Status verifyChecksum(const SafetensorsFile &file, const std::string &name) {
  std::string_view bytes(reinterpret_cast<const char *>(file.bytes.data()),
                         file.bytes.size());
  auto found = file.metadata.find(std::string(checksumKey));
  size_t headerEnd = bytes.size();
  for (const SafetensorsFile::Entry &entry : file.entries)
    headerEnd = std::min(headerEnd, entry.begin);
  size_t at = findChecksum(bytes.substr(0, headerEnd));
  if (found == file.metadata.end() || at == std::string_view::npos)
    return Status(StatusCode::invalidArgument, name + ": it has no checksum");
  Checksum checksum;
  checksum.add(bytes.substr(0, at));
  checksum.add(checksumZeros);
  checksum.add(bytes.substr(at + checksumZeros.size()));
  if (found->second == hexadecimal(checksum.value()))
    return {};
  return Status(StatusCode::invalidArgument,
                name + ": its checksum is " + hexadecimal(checksum.value()) +
                    ", not " + shortened(found->second) +
                    ": the file is damaged");
}

} // namespace amprt
