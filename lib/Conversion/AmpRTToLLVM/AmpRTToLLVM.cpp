//===- AmpRTToLLVM.cpp - Level C to the LLVM dialect ----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "amp/Conversion/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/TypeSwitch.h"

namespace amp {
#define GEN_PASS_DEF_CONVERTAMPRTTOLLVMPASS
#include "amp/Conversion/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;
using namespace amp::rt;

/// Emits an error unless `symbol` is among `symbols`.
template <typename MapT>
static LogicalResult checkSymbol(Operation *op, FlatSymbolRefAttr symbol,
                                 const MapT &symbols, StringRef kind) {
  if (symbols.count(symbol.getAttr()))
    return success();
  return op->emitOpError("expected the name of ")
         << kind << ", but got " << symbol;
}

/// Emits an error where an op refers to something that is not there; so the
/// patterns need not.
static LogicalResult checkSymbols(Operation *op, const SymbolNumbers &numbers) {
  const StringRef function = "a function";
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](EnqueueOp op) {
        return checkSymbol(op, op.getCellAttr(), numbers.cells,
                           "an amprt.cell");
      })
      .Case<ProductOp, GroupedProductOp>([&](auto op) {
        return checkSymbol(op, op.getLinearAttr(), numbers.linears,
                           "an amprt.linear");
      })
      .Case<GradientProductOp, GradientGroupedOp>([&](auto op) {
        return checkSymbol(op, op.getGradientAttr(), numbers.gradients,
                           "an amprt.gradient");
      })
      .Case<rt::ParamOp, GradientAddOp, GradientRowOp, GradientOp>(
          [&](auto op) {
            return checkSymbol(op, op.getParamAttr(), numbers.params,
                               "an amp.param");
          })
      .Case([&](PanelDataOp op) {
        return checkSymbol(op, op.getPanelAttr(), numbers.panels,
                           "an amprt.panel");
      })
      .Case([&](PanelOp op) {
        for (auto param : op.getParams().getAsRange<FlatSymbolRefAttr>())
          if (failed(checkSymbol(op, param, numbers.params, "an amp.param")))
            return failure();
        return success();
      })
      .Case([&](rt::LinearOp op) {
        return checkSymbol(op, op.getParamAttr(), numbers.params,
                           "an amp.param");
      })
      .Case([&](OpenOp op) {
        return checkSymbol(op, op.getLayoutAttr(), numbers.frameBytes,
                           "an amprt.frame");
      })
      .Case([&](SetSiteOp op) {
        return checkSymbol(op, op.getSiteAttr(), numbers.sites,
                           "an amprt.site");
      })
      .Case<PostOp, CollectorNewOp>([&](auto op) {
        return checkSymbol(op, op.getHandlerAttr(), numbers.functions,
                           function);
      })
      .Case([&](rt::CellOp op) {
        for (auto param : op.getParams().getAsRange<FlatSymbolRefAttr>())
          if (failed(checkSymbol(op, param, numbers.params, "an amp.param")))
            return failure();
        return success(succeeded(checkSymbol(op, op.getComputeAttr(),
                                             numbers.functions, function)) &&
                       succeeded(checkSymbol(op, op.getCompleteAttr(),
                                             numbers.functions, function)));
      })
      .Case([&](ModelOp op) {
        size_t fields = op.getFieldNames().size();
        if (op.getFieldTypes().size() != fields ||
            op.getFieldOffsets().size() != fields ||
            op.getResultTypes().size() != op.getResultNames().size())
          return LogicalResult(op.emitOpError(
              "expected a type and an offset for each field, and a type for "
              "each result"));
        return checkSymbol(op, op.getEntryAttr(), numbers.functions, function);
      })
      .Case([&](SiteOp op) {
        for (auto handler : op.getHandlers().getAsRange<FlatSymbolRefAttr>())
          if (failed(checkSymbol(op, handler, numbers.functions, function)))
            return failure();
        return success();
      })
      .Default(success());
}

namespace {

/// As `fmuladd`, not `fma`: one instruction where the target has it, but no
/// call of the C library where it has not.
struct FmaPattern : ConvertOpToLLVMPattern<math::FmaOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(math::FmaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = typeConverter->convertType(op.getType());
    if (!type || !LLVM::isCompatibleType(type))
      return rewriter.notifyMatchFailure(op, "not a scalar or a vector");
    rewriter.replaceOpWithNewOp<LLVM::FMulAddOp>(
        op, type, adaptor.getA(), adaptor.getB(), adaptor.getC());
    return success();
  }
};

/// What loops were said to be lies beside the branches; LLVM IR gets only what
/// is a property of theirs.
void keepLoopAnnotations(ModuleOp module) {
  constexpr llvm::StringLiteral name = "llvm.loop_annotation";
  module.walk([&](Operation *op) {
    auto annotation = op->getAttrOfType<LLVM::LoopAnnotationAttr>(name);
    if (!annotation)
      return;
    if (auto branch = dyn_cast<LLVM::BrOp>(op))
      branch.setLoopAnnotationAttr(annotation);
    if (auto branch = dyn_cast<LLVM::CondBrOp>(op))
      branch.setLoopAnnotationAttr(annotation);
    op->removeDiscardableAttr(name);
  });
}

struct ConvertAmpRTToLLVM
    : amp::impl::ConvertAmpRTToLLVMPassBase<ConvertAmpRTToLLVM> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    MLIRContext *context = &getContext();
    ConversionState state{SymbolNumbers(module), {}, {}};
    bool symbolsAreValid = true; // every one that is not is told
    module.walk([&](Operation *op) {
      symbolsAreValid &= succeeded(checkSymbols(op, state.numbers));
    });
    if (!symbolsAreValid)
      return signalPassFailure();

    LLVMTypeConverter converter(context);
    converter.addConversion([&](Type type) -> std::optional<Type> {
      if (isa<WorkerType, FrameType, BatchType>(type))
        return LLVM::LLVMPointerType::get(context);
      return std::nullopt;
    });

    RewritePatternSet patterns(context);
    populateFramePatterns(converter, patterns, state);
    populateCallPatterns(converter, patterns, state);
    populateListPatterns(converter, patterns, state);
    populateGradientPatterns(converter, patterns, state);
    populateFuncToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    // Functions of the C library only where LLVM has nothing.
    populateMathToLibmConversionPatterns(patterns, /*benefit=*/1);
    populateMathToLLVMConversionPatterns(
        converter, patterns, /*approximateLog1p=*/false, /*benefit=*/2);
    patterns.add<FmaPattern>(converter, /*benefit=*/3);

    // The tables stay until the code no longer refers to them.
    LLVMConversionTarget target(*context);
    target.addLegalOp<ModuleOp, ModelOp, FrameOp, rt::CellOp, rt::LinearOp,
                      PanelOp, GradientOp, SiteOp, amp::ParamOp>();
    ConversionConfig config;
    config.allowPatternRollback = false;
    if (failed(
            applyFullConversion(module, target, std::move(patterns), config)))
      return signalPassFailure();

    keepLoopAnnotations(module);
    state.runtime.declare(module);
    if (failed(emitModelTables(module, state.strings, state.numbers)))
      return signalPassFailure();

    // LLVM may inline, specialise and drop what nobody outside can call.
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal())
        function.setLinkage(LLVM::Linkage::Internal);
    emitNarrowFloats(module);
  }
};

} // namespace
