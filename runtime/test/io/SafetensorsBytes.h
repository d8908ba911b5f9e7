//===- SafetensorsBytes.h - Safetensors files for tests ---------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_TEST_IO_SAFETENSORSBYTES_H
#define AMPRT_TEST_IO_SAFETENSORSBYTES_H

#include <cstddef>
#include <string>
#include <vector>

namespace amprt::test {

/// The header with its length before and zeroes behind.
inline std::vector<unsigned char> safetensorsBytes(const std::string &header,
                                                   size_t dataBytes) {
  std::vector<unsigned char> bytes;
  for (int i = 0; i < 8; ++i)
    bytes.push_back(static_cast<unsigned char>(header.size() >> (8 * i)));
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.resize(bytes.size() + dataBytes);
  return bytes;
}

} // namespace amprt::test

#endif // AMPRT_TEST_IO_SAFETENSORSBYTES_H
