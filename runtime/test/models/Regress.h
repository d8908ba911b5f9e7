//===- Regress.h - A small model to train -----------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_TEST_MODELS_REGRESS_H
#define AMPRT_TEST_MODELS_REGRESS_H

#include "models/Kit.h"

#include <vector>

namespace models {

/// For each word i: h_i = E[word_i] W + b, and y = the sum of all h_ij^2 / 2
/// times a factor that depends on the instance's seed (regressFactor); loss =
/// (y - target)^2 / 2. Fields word: tensor<?xi32>, target: f32 (not of
/// predict); results y: f32, loss: f32.
///
/// Words are done one after the other, forwards and then backwards. A word of
/// `regressPoison` is word 0 whose gradient fails the instance when it is
/// there; after one of `regressLost`, which is word 0 as well, the backward pass
/// does not go on.
inline constexpr int64_t regressWords = 40, regressIn = 6, regressOut = 5;
inline constexpr int32_t regressPoison = 1000, regressLost = 1001;

const amprt_model_t &regressModel();
/// The same with W of bf16 and E of f16.
const amprt_model_t &halfRegressModel();

amprt::Values regressFields(const std::vector<int32_t> &words, float target);
float regressFactor(uint64_t seed);

} // namespace models

#endif // AMPRT_TEST_MODELS_REGRESS_H
