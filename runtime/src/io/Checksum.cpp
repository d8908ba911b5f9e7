//===- Checksum.cpp - XXH64 -----------------------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checksum.h"

#include <algorithm>
#include <cstring>

namespace amprt {

// All arithmetic wraps.
constexpr uint64_t prime1 = 0x9e3779b185ebca87u, prime2 = 0xc2b2ae3d27d4eb4fu,
                   prime3 = 0x165667b19e3779f9u, prime4 = 0x85ebca77c2b2ae63u,
                   prime5 = 0x27d4eb2f165667c5u;

static uint64_t rotated(uint64_t value, int by) {
  return value << by | value >> (64 - by);
}

/// A little-endian number.
template <typename T> static uint64_t load(const unsigned char *from) {
  uint64_t value = 0;
  for (size_t i = 0; i < sizeof(T); ++i)
    value |= uint64_t(from[i]) << (8 * i);
  return value;
}

static uint64_t mixed(uint64_t lane, uint64_t input) {
  return rotated(lane + input * prime2, 31) * prime1;
}

void Checksum::addStripe(const unsigned char *stripe) {
  for (int i = 0; i < 4; ++i)
    lanes[i] = mixed(lanes[i], load<uint64_t>(stripe + 8 * i));
}

void Checksum::add(std::string_view bytes) {
  auto *from = reinterpret_cast<const unsigned char *>(bytes.data());
  size_t left = bytes.size();
  total += left;
  if (restSize != 0) {
    size_t taken = std::min(left, stripeBytes - restSize);
    std::memcpy(rest + restSize, from, taken);
    restSize += taken;
    from += taken;
    left -= taken;
    if (restSize < stripeBytes)
      return;
    addStripe(rest);
    restSize = 0;
  }
  for (; left >= stripeBytes; from += stripeBytes, left -= stripeBytes)
    addStripe(from);
  if (left != 0)
    std::memcpy(rest, from, left);
  restSize = left;
}

uint64_t Checksum::value() const {
  uint64_t hash = prime5;
  if (total >= stripeBytes) {
    hash = rotated(lanes[0], 1) + rotated(lanes[1], 7) + rotated(lanes[2], 12) +
           rotated(lanes[3], 18);
    for (uint64_t lane : lanes)
      hash = (hash ^ mixed(0, lane)) * prime1 + prime4;
  }
  hash += total;
  size_t at = 0;
  for (; at + 8 <= restSize; at += 8)
    hash = rotated(hash ^ mixed(0, load<uint64_t>(rest + at)), 27) * prime1 +
           prime4;
  for (; at + 4 <= restSize; at += 4)
    hash = rotated(hash ^ load<uint32_t>(rest + at) * prime1, 23) * prime2 +
           prime3;
  for (; at < restSize; ++at)
    hash = rotated(hash ^ rest[at] * prime5, 11) * prime1;
  hash = (hash ^ hash >> 33) * prime2;
  hash = (hash ^ hash >> 29) * prime3;
  return hash ^ hash >> 32;
}

} // namespace amprt
