//===- probe.h - Depths, looked at and changed ------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_PROBE_H
#define AMPRT_PROBE_H

#include <cstdint>

namespace amprt {

/// An activation that has become ready.
struct ReadyEvent {
  uint64_t instance; ///< Its number in the order of submission, from 0.
  uint32_t cell;
  uint32_t base;  ///< The depth of the instance's fields.
  uint32_t depth; ///< 1 + the greatest depth that an input came with.
};

/// Decides which depth each activation gets, and with it its results. What is
/// between two activations only hands on the greatest depth of the values that
/// come together. So a probe can find out how activations depend on each other:
/// depths that count one cell alone give that cell's longest chain; depths that
/// are an activation's number name one input of each activation.
///
/// Policies that look at depths see the probe's. Called on the workers'
/// threads, and in one order with one worker, instances that come together
/// (submitAll) and a policy that looks at none (none, greedy). Exceptions may
/// not leave it.
class DepthProbe {
public:
  virtual ~DepthProbe() = default;
  virtual uint32_t onReady(const ReadyEvent &event) = 0;
};

} // namespace amprt

#endif // AMPRT_PROBE_H
