//===- FuseMultiplyAdd.h - a * b + c in one rounding ------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_PIPELINES_FUSEMULTIPLYADD_H
#define AMP_LIB_PIPELINES_FUSEMULTIPLYADD_H

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace amp {

/// Makes `math.fma` of a product whose only use is an addition.
std::unique_ptr<mlir::Pass> createFuseMultiplyAddPass();

} // namespace amp

#endif // AMP_LIB_PIPELINES_FUSEMULTIPLYADD_H
