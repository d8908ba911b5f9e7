//===- Parameters.h - The parameters from a file and the seed ---*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_INTERP_PARAMETERS_H
#define AMP_LIB_INTERP_PARAMETERS_H

#include "amprt/abi.h"
#include "amprt/status.h"
#include "amprt/tensor.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace amp::interp {

/// What amprt::Weights::load does, which needs a compiled model (and with it
/// all of the runtime): reads the parameters from a safetensors file (`path`
/// may be empty), and initialises those that it lacks from the seed and their
/// names.
amprt::Expected<std::map<std::string, amprt::Tensor>>
loadParameters(const std::vector<amprt_param_desc_t> &params,
               const std::string &path, uint64_t seed);

} // namespace amp::interp

#endif // AMP_LIB_INTERP_PARAMETERS_H
