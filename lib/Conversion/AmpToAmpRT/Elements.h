//===- Elements.h - Many frames of one body, and their results -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What maps and loops share: frames opened in a row, and rows that each of them
// gives to a result of the node.
//
#ifndef AMP_LIB_CONVERSION_AMPTOAMPRT_ELEMENTS_H
#define AMP_LIB_CONVERSION_AMPTOAMPRT_ELEMENTS_H

#include "FrameCode.h"

namespace amp {

/// Code under a condition, and under its opposite.
void emitIf(FrameCode &code, mlir::Location loc, mlir::Value condition,
            llvm::function_ref<void()> onTrue,
            llvm::function_ref<void()> onFalse = nullptr);

/// Runs `body` for i (i64) in [0, count), one value carried, until the instance
/// fails. Returns the last value.
mlir::Value
emitFor(FrameCode &code, mlir::Location loc, mlir::Value count,
        mlir::Value init,
        llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> body);

/// Sets how many elements of `node` are still to give their results.
void expectElements(FrameCode &code, mlir::Operation *node, mlir::Value count,
                    unsigned event);

/// One element of `node`, this frame's parent's, has given its results; the last
/// one tells the parent.
void countElement(FrameCode &code, mlir::Operation *node, mlir::Value parent,
                  unsigned event, mlir::Value depth);

/// Memory for `count` rows of each stacked result, its words, and how many rows
/// are to come.
void openStacked(FrameCode &code, mlir::Operation *node,
                 mlir::ValueRange stacked, mlir::Value count, unsigned event);

/// Puts this activation's rows into the parent's stacked results at `index`
/// (i64); the last one tells it.
void giveStacked(FrameCode &code, mlir::Operation *node,
                 mlir::ValueRange stacked, mlir::ValueRange rows,
                 mlir::Value index, unsigned event, mlir::Value depth);

/// Where the row of an iteration or element goes that has `frame`, an i64; `parent`
/// is of `outer`, in which the loop or map stands.
mlir::Value positionOf(FrameCode &code, mlir::Operation *node,
                       mlir::Value parent, const Body &outer,
                       mlir::Value frame);

/// If the backward half of a node stacks anything: memory for it.
void openGradients(FrameCode &code, mlir::Operation *node, mlir::Value count,
                   mlir::Value depth);

} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPTOAMPRT_ELEMENTS_H
