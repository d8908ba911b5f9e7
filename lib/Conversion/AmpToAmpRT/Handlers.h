//===- Handlers.h - Functions that are called when an event happens -*- C++
//-*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPTOAMPRT_HANDLERS_H
#define AMP_LIB_CONVERSION_AMPTOAMPRT_HANDLERS_H

#include "Lifetimes.h"

#include "mlir/IR/Builders.h"

namespace amp {

/// Writes the layout, the actions and the handlers of a body into the module.
void emitBody(mlir::OpBuilder &b, const Bodies &bodies, const Body &body,
              const Lifetimes &lifetimes);

} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOAMPRT_HANDLERS_H
