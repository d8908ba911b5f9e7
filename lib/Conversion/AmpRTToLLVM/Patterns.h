//===- Patterns.h - Patterns of AmpRTToLLVM ---------------------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CONVERSION_AMPRTTOLLVM_PATTERNS_H
#define AMP_LIB_CONVERSION_AMPRTTOLLVM_PATTERNS_H

#include "Layout.h"
#include "ModelTables.h"
#include "RuntimeFunctions.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"

namespace amp {
namespace rt {

/// What the patterns share: symbols as found before the conversion, and what
/// code made so far needs at module level.
struct ConversionState {
  SymbolNumbers numbers;
  StringTable strings;
  RuntimeFunctions runtime;
};

/// A pattern for one op of amprt. The state must outlive it.
template <typename OpT>
class AmpRTPattern : public mlir::ConvertOpToLLVMPattern<OpT> {
public:
  AmpRTPattern(const mlir::LLVMTypeConverter &converter, ConversionState &state)
      : mlir::ConvertOpToLLVMPattern<OpT>(converter), state(state) {}

protected:
  mlir::Type pointerType() const {
    return this->getPtrType();
  }
  /// `base` plus a constant number of bytes.
  mlir::Value offsetBy(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value base, int64_t bytes) const {
    if (!bytes)
      return base;
    return mlir::LLVM::GEPOp::create(
        builder, loc, pointerType(), builder.getI8Type(), base,
        llvm::ArrayRef<mlir::LLVM::GEPArg>{static_cast<int32_t>(bytes)},
        mlir::LLVM::GEPNoWrapFlags::inbounds);
  }
  mlir::Value loadPointer(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value base, int64_t bytes) const {
    return mlir::LLVM::LoadOp::create(builder, loc, pointerType(),
                                      offsetBy(builder, loc, base, bytes));
  }
  /// The instance whose activation a frame is of.
  mlir::Value instanceOf(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value frame) const {
    return loadPointer(builder, loc, frame, kFrameInstance);
  }
  mlir::Value number(mlir::OpBuilder &builder, mlir::Location loc,
                     unsigned width, int64_t value) const {
    mlir::Type type = builder.getIntegerType(width);
    return mlir::LLVM::ConstantOp::create(builder, loc, type,
                                          builder.getIntegerAttr(type, value));
  }
  mlir::Value symbolAddress(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::FlatSymbolRefAttr symbol) const {
    return mlir::LLVM::AddressOfOp::create(builder, loc, pointerType(), symbol);
  }

  ConversionState &state;
};

/// Words of frames, and new memory.
void populateFramePatterns(const mlir::LLVMTypeConverter &converter,
                           mlir::RewritePatternSet &patterns,
                           ConversionState &state);

/// Events, failures, batches, products, collectors.
void populateCallPatterns(const mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns,
                          ConversionState &state);

/// Defines what LLVM calls for values of type bf16, if there are any.
void emitNarrowFloats(mlir::ModuleOp module);

/// Lists and blocks of rows.
void populateListPatterns(const mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns,
                          ConversionState &state);
/// Of gradients of parameters (GradientPatterns.cpp).
void populateGradientPatterns(const mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns,
                          ConversionState &state);

} // namespace rt
} // namespace amp

#endif // AMP_LIB_CONVERSION_AMPRTTOLLVM_PATTERNS_H
