//===- RegressProgram.cpp - The regression as a program -------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "models/Regress.h"

namespace {
/// Generated code has a constant here; this copies a model made at run time.
amprt_model_t copyOfRegress() { return models::regressModel(); }
} // namespace

extern "C" {
extern const amprt_model_t amprt_model;
const amprt_model_t amprt_model = copyOfRegress();
}
