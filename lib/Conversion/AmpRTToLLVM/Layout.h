//===- Layout.h - Offsets of the runtime's structures -----------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every offset that generated code uses, taken from the ABI header itself so
// that the two cannot drift apart. The compiler and the compiled program are
// 64-bit and share the C ABI's alignment rules (abi.h asserts the sizes).
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPRTTOLLVM_LAYOUT_H
#define AMP_LIB_CONVERSION_AMPRTTOLLVM_LAYOUT_H

#include "amprt/abi.h"

#include <cstddef>
#include <cstdint>

namespace amp {
namespace rt {

inline constexpr int64_t kFrameInstance = offsetof(amprt_frame, instance);
inline constexpr int64_t kFrameParent = offsetof(amprt_frame, parent);
inline constexpr int64_t kFrameSite = offsetof(amprt_frame, site);

inline constexpr int64_t kSiteHandlers = offsetof(amprt_site, handlers);
inline constexpr int64_t kSiteOffsets = offsetof(amprt_site, offsets);
inline constexpr int64_t kHandlerBytes = sizeof(amprt_handler_t);
inline constexpr int64_t kOffsetBytes = sizeof(uint32_t);

inline constexpr int64_t kActivationFrame = offsetof(amprt_activation, frame);
inline constexpr int64_t kActivationDepth = offsetof(amprt_activation, depth);
inline constexpr int64_t kActivationBytes = sizeof(amprt_activation);

inline constexpr int64_t kWorkerParams = offsetof(amprt_worker, params);
inline constexpr int64_t kWorkerPanels = offsetof(amprt_worker, panels);
inline constexpr int64_t kParamData = offsetof(amprt_param_view, data);
inline constexpr int64_t kParamRows = offsetof(amprt_param_view, rows);
inline constexpr int64_t kParamBytes = sizeof(amprt_param_view);

} // namespace rt
} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPRTTOLLVM_LAYOUT_H
