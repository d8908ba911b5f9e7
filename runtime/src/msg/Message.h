//===- Message.h - What one worker tells another ----------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_MSG_MESSAGE_H
#define AMPRT_SRC_MSG_MESSAGE_H

#include "amprt/abi.h"
#include "amprt/status.h"

namespace amprt {

struct Instance;

/// An instance has failed elsewhere than at home.
struct Failure {
  Instance *instance;
  Status status;
};

/// What one worker tells another. Messages between the same two arrive in the
/// order in which they were sent, and whoever gets one sees all that its sender
/// had written before. An activation's frame is its key: it says where the
/// answer belongs.
struct Message {
  enum class Kind : uint16_t {
    activation, ///< From an instance's home to the owner of a cell.
    done,       ///< Back: the cell has run, its results are in the frame.
    dropped,    ///< Back: it will not run, as the instance has failed.
    failed,     ///< To the home; `failure` is the receiver's to delete.
    ended,      ///< From the home: what the receiver holds for the instance
                ///< may go.
  };
  union {
    amprt_frame_t *frame; ///< Of activation, done, dropped.
    Failure *failure;
    Instance *instance; ///< Of ended.
  };
  uint32_t depth, rows; ///< Of activation, done.
  uint32_t cell;        ///< The same.
  Kind kind;
  uint16_t reserved = 0;
};
static_assert(sizeof(Message) == 24, "small enough to be copied about");

} // namespace amprt

#endif // AMPRT_SRC_MSG_MESSAGE_H
