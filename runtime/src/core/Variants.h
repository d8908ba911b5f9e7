//===- Variants.h - Models for several processors ---------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_SRC_CORE_VARIANTS_H
#define AMPRT_SRC_CORE_VARIANTS_H

#include "amprt/abi.h"
#include "amprt/status.h"

namespace amprt {

/// The first of the model and those behind it (`next`) whose code this
/// processor can run. If there is none, the status says for each what is
/// missing. Descriptors of this ABI version only. Any thread.
Expected<const amprt_model_t *> selectVariant(const amprt_model_t &model);

} // namespace amprt

#endif // AMPRT_SRC_CORE_VARIANTS_H
