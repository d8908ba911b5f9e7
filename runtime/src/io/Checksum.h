//===- Checksum.h - XXH64 ---------------------------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_IO_CHECKSUM_H
#define AMPRT_SRC_IO_CHECKSUM_H

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace amprt {

/// The hash function XXH64 with seed 0, which finds damage at the speed of
/// memory; it is no protection against people. Thread-compatible.
class Checksum {
public:
  /// However the bytes are cut into calls.
  void add(std::string_view bytes);
  /// Of all bytes so far.
  uint64_t value() const;

private:
  static constexpr size_t stripeBytes = 32;
  void addStripe(const unsigned char *stripe);

  uint64_t lanes[4] = {0x60ea27eeadc0b5d6u, 0xc2b2ae3d27d4eb4fu, 0,
                       0x61c8864e7a143579u};
  uint64_t total = 0;
  unsigned char rest[stripeBytes] = {};
  size_t restSize = 0;
};

} // namespace amprt

#endif // AMPRT_SRC_IO_CHECKSUM_H
