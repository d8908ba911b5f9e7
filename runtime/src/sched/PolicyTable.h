//===- PolicyTable.h - Finite-state policies --------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_SCHED_POLICYTABLE_H
#define AMPRT_SRC_SCHED_POLICYTABLE_H

#include "sched/ReadySet.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace amprt {

/// What a policy sees of the ready activations: the cells that have some, in an
/// order that may say something of how many (Chen et al. 2023, "ED-Batch",
/// section 3.2).
enum class StateEncoding {
  set,     ///< By number: which cells are ready, and no more (E_base).
  largest, ///< The one with most activations first, the rest by number (E_max).
  sorted,  ///< By activations, most first (E_sort).
};

const char *encodingName(StateEncoding encoding);

/// Cells by number.
using StateKey = std::u16string;
inline constexpr uint32_t mostEncodedCells = 1u << 16;

/// A finite-state policy: which cell runs in which state. Immutable once made.
struct PolicyTable {
  StateEncoding encoding = StateEncoding::sorted;
  uint32_t patience = 256; ///< See PatientPolicy.
  std::unordered_map<StateKey, uint32_t> cells;
};

/// Makes keys of ready sets; keeps its memory, so that this allocates nothing.
class StateEncoder {
public:
  explicit StateEncoder(StateEncoding encoding) : encoding(encoding) {}

  /// Valid until the next call. Does not depend on the order of `buckets`.
  const StateKey &encode(const std::vector<Bucket *> &buckets);

private:
  const StateEncoding encoding;
  std::vector<const Bucket *> ordered;
  StateKey key;
};

/// The key in the order that the encoding prescribes, where that does not
/// depend on the numbers of activations.
void canonicalise(StateEncoding encoding, StateKey &key);

} // namespace amprt

#endif // AMPRT_SRC_SCHED_POLICYTABLE_H
