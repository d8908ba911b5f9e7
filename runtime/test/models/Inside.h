//===- Inside.h - A test that runs where generated code does ----*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_TEST_MODELS_INSIDE_H
#define AMPRT_TEST_MODELS_INSIDE_H

#include "models/Kit.h"

#include <functional>

namespace models {

/// What a handler does with its worker and its frame.
using Inside = std::function<void(amprt_worker_t *, amprt_frame_t *)>;

/// Calls a function from the entry's handler, so that tests can use abi.h as
/// generated code does. Field call: i64, its address; result done: i64, 1.
const amprt_model_t &insideModel();

/// `call` must live until the instance has ended.
amprt::Values insideFields(const Inside &call);

} // namespace models

#endif // AMPRT_TEST_MODELS_INSIDE_H
