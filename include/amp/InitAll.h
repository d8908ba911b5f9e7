//===- InitAll.h - Registers what the project uses, and no more -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_INITALL_H
#define AMP_INITALL_H

#include "amp/Conversion/CellModels.h"
#include "amp/Conversion/Passes.h"
#include "amp/Dialect/Amp/IR/AmpOps.h"
#include "amp/Dialect/Amp/Transforms/Passes.h"
#include "amp/Dialect/Amp/Transforms/AdjointEmitter.h"
#include "amp/Dialect/Amp/Transforms/RowsEmitter.h"
#include "amp/Dialect/AmpRT/IR/AmpRTOps.h"
#include "amp/Pipelines/Pipelines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/Passes.h"

namespace amp {

/// Every dialect that a program or one of its phases may contain.
inline void registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<AmpDialect, rt::AmpRTDialect, mlir::arith::ArithDialect,
                  mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
                  mlir::linalg::LinalgDialect, mlir::LLVM::LLVMDialect,
                  mlir::math::MathDialect, mlir::scf::SCFDialect,
                  mlir::tensor::TensorDialect, mlir::vector::VectorDialect>();
  registerCellModels(registry);
  registerRowsModels(registry);
  registerDerivativeModels(registry);
}

/// Every pass of this project, and the upstream ones that its tests use.
inline void registerAllPasses() {
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  registerAmpConversionPasses();
  registerAmpTransformsPasses();
  registerPipelines();
}

} // namespace amp

#endif // AMP_INITALL_H
