//===- CellModels.h - What upstream ops do in cells and control steps -*- C++
//-*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CONVERSION_CELLMODELS_H
#define AMP_CONVERSION_CELLMODELS_H

#include "mlir/IR/DialectRegistry.h"

namespace amp {

/// Attaches CellOpInterface and ControlOpInterface to the ops of arith, math,
/// tensor and amp that a program may contain. Needed by amp-form-cells and
/// convert-amp-to-amprt.
void registerCellModels(mlir::DialectRegistry &registry);

void registerElementwiseModels(mlir::DialectRegistry &registry);
void registerTensorModels(mlir::DialectRegistry &registry);
void registerSliceModels(mlir::DialectRegistry &registry);
void registerReshapeModels(mlir::DialectRegistry &registry);
void registerGenerateModels(mlir::DialectRegistry &registry);
void registerLinalgModels(mlir::DialectRegistry &registry);
void registerAmpModels(mlir::DialectRegistry &registry);
void registerRowModels(mlir::DialectRegistry &registry);
void registerGradientModels(mlir::DialectRegistry &registry);
void registerListModels(mlir::DialectRegistry &registry);
void registerNodeModels(mlir::DialectRegistry &registry);

} // namespace amp

#endif // AMP_CONVERSION_CELLMODELS_H
