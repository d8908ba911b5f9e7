//===- Transforms.h - Nodes of several ops ----------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_TRANSFORMS_H
#define AMP_DIALECT_AMP_IR_TRANSFORMS_H

#include "mlir/IR/Block.h"

namespace amp {

/// Puts the ops of each amp.transform of the block in its place: each is a node
/// of its own then.
void inlineTransforms(mlir::Block *block);

} // namespace amp

#endif // AMP_DIALECT_AMP_IR_TRANSFORMS_H
