//===- CellValues.h - What a cell reads and writes, as bytes ----*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_MSG_CELLVALUES_H
#define AMPRT_SRC_MSG_CELLVALUES_H

#include "core/Arena.h"
#include "msg/Stream.h"

#include <vector>

namespace amprt {

/// How the values of a cell travel between address spaces, by its descriptor:
/// tensors by their elements, and for each frame that the cell reads its index.
/// Constant, so any thread may use it.
class CellValues {
public:
  explicit CellValues(const amprt_cell_desc_t &cell);

  /// Whether all that the cell reads and writes is known and means the same
  /// everywhere: no lists, no collectors.
  bool mayTravel() const { return isPlain; }

  /// At home: what the activation of `frame` reads.
  void packInputs(const amprt_frame_t *frame, PacketWriter &to) const;
  /// At the owner: frames of `instance` with that, and room for the results;
  /// `before` bytes in front of the first one are the caller's. Null: `memory`,
  /// which gets them, is exhausted, or (see isBad) the bytes are not those of
  /// an activation.
  amprt_frame_t *unpackInputs(PacketReader &from, amprt_instance_t *instance,
                              Arena &memory, size_t before) const;

  /// At the owner: what the cell has written.
  void packResults(const amprt_frame_t *frame, PacketWriter &to) const;
  /// At home. False: as for unpackInputs.
  bool unpackResults(PacketReader &from, amprt_frame_t *frame,
                     Arena &memory) const;

private:
  const amprt_cell_desc_t &cell;
  bool isPlain;
  std::vector<size_t> frameBytes; ///< By level: as far as values reach.
};

} // namespace amprt

#endif // AMPRT_SRC_MSG_CELLVALUES_H
