//===- Pause.h - Waiting for another thread, awake --------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CORE_PAUSE_H
#define AMPRT_SRC_CORE_PAUSE_H

namespace amprt {

/// Between two looks at what another thread changes: some 20 ns.
inline void pauseBriefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// So often a thread looks before it sleeps: less than a tenth of a
/// millisecond, which is about what sleeping and waking cost.
constexpr int looksBeforeSleep = 1000;

} // namespace amprt

#endif // AMPRT_SRC_CORE_PAUSE_H
