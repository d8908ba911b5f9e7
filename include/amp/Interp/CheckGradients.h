//===- CheckGradients.h - Derivatives by differences -------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_INTERP_CHECKGRADIENTS_H
#define AMP_INTERP_CHECKGRADIENTS_H

#include "amp/Interp/InterpretMain.h"

namespace amp {

/// Runs each instance of `options.inputPath` through the entry of `module` that
/// trains, and compares the gradients with differences of the loss, for at most
/// `samples` elements of each parameter (0: all), chosen by the seed. All floats
/// must be f64; weights from a file are widened. Prints the largest error of each
/// parameter, and returns 0 if all are below 1e-6 (relative to the greater of the
/// two and to a thousandth of the parameter's greatest gradient), 1 if some are
/// not or instances fail, 2 if something cannot be used.
int checkGradients(mlir::ModuleOp module, const InterpretOptions &options,
                   int64_t samples);

} // namespace amp

#endif // AMP_INTERP_CHECKGRADIENTS_H
