//===- GradientPatterns.cpp - Gradients of parameters ----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "amp/Dialect/AmpRT/IR/AmpRTOps.h"

using namespace mlir;

namespace amp {
namespace rt {
namespace {

struct GradientProductPattern : AmpRTPattern<GradientProductOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(GradientProductOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    uint32_t gradient =
        state.numbers.gradients.lookup(op.getGradientAttr().getAttr());
    state.runtime.call(rewriter, loc, RuntimeFunction::gradientProduct,
                       {adaptor.getWorker(),
                        number(rewriter, loc, 32, gradient), adaptor.getX(),
                        adaptor.getDy(), adaptor.getRows()});
    rewriter.eraseOp(op);
    return success();
  }
};

struct GradientGroupedPattern : AmpRTPattern<GradientGroupedOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(GradientGroupedOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    uint32_t gradient =
        state.numbers.gradients.lookup(op.getGradientAttr().getAttr());
    state.runtime.call(rewriter, loc, RuntimeFunction::gradientGrouped,
                       {adaptor.getWorker(),
                        number(rewriter, loc, 32, gradient), adaptor.getX(),
                        adaptor.getDy(), adaptor.getRows(),
                        adaptor.getWhich()});
    rewriter.eraseOp(op);
    return success();
  }
};

struct GradientAddPattern : AmpRTPattern<GradientAddOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(GradientAddOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    uint32_t param = state.numbers.params.lookup(op.getParamAttr().getAttr());
    state.runtime.call(rewriter, loc, RuntimeFunction::gradientAdd,
                       {adaptor.getWorker(), number(rewriter, loc, 32, param),
                        number(rewriter, loc, 64, 0), adaptor.getValues(),
                        adaptor.getRows(), adaptor.getCount()});
    rewriter.eraseOp(op);
    return success();
  }
};

struct GradientRowPattern : AmpRTPattern<GradientRowOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(GradientRowOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    uint32_t param = state.numbers.params.lookup(op.getParamAttr().getAttr());
    state.runtime.call(rewriter, loc, RuntimeFunction::gradientRow,
                       {adaptor.getWorker(), number(rewriter, loc, 32, param),
                        adaptor.getIndex(), adaptor.getRow()});
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateGradientPatterns(const LLVMTypeConverter &converter,
                              RewritePatternSet &patterns,
                              ConversionState &state) {
  patterns.add<GradientProductPattern, GradientGroupedPattern,
               GradientAddPattern, GradientRowPattern>(converter, state);
}

} // namespace rt
} // namespace amp
