//===- Descriptors.h - The program as the runtime describes models -*- C++
//-*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_INTERP_DESCRIPTORS_H
#define AMP_LIB_INTERP_DESCRIPTORS_H

#include "amp/Interp/Signature.h"

#include "amprt/abi.h"

#include "mlir/IR/BuiltinOps.h"

#include <deque>
#include <vector>

namespace amp::interp {

/// The runtime's descriptors of a program, for its readers and writers. They
/// point into the signature and the module.
struct Descriptors {
  std::vector<amprt_field_t> fields, results;
  std::vector<amprt_param_desc_t> params;

  Descriptors(mlir::ModuleOp module, const Signature &signature);
  Descriptors(const Descriptors &) = delete;

private:
  std::deque<std::vector<int64_t>> shapes; ///< At addresses that stay.
};

} // namespace amp::interp

#endif // AMP_LIB_INTERP_DESCRIPTORS_H
