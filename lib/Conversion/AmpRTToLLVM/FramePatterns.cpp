//===- FramePatterns.cpp - Words of frames, and new memory ----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout.h"
#include "Patterns.h"

#include "amp/Dialect/AmpRT/IR/AmpRTOps.h"

using namespace mlir;

namespace amp {
namespace rt {
namespace {

/// Stores a converted value as a word: an i1 takes a byte, 0 or 1.
void storeWord(OpBuilder &builder, Location loc, Value value, Value address) {
  if (value.getType().isInteger(1))
    value = LLVM::ZExtOp::create(builder, loc, builder.getI8Type(), value);
  LLVM::StoreOp::create(builder, loc, value, address);
}

struct LoadPattern : AmpRTPattern<rt::LoadOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(rt::LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value address =
        offsetBy(rewriter, loc, adaptor.getFrame(), op.getOffset());
    Type type = typeConverter->convertType(op.getType());
    if (!type.isInteger(1)) {
      rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, type, address);
      return success();
    }
    Value byte =
        LLVM::LoadOp::create(rewriter, loc, rewriter.getI8Type(), address);
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(
        op, LLVM::ICmpPredicate::ne, byte, number(rewriter, loc, 8, 0));
    return success();
  }
};

struct StorePattern : AmpRTPattern<rt::StoreOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(rt::StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    storeWord(rewriter, loc, adaptor.getValue(),
              offsetBy(rewriter, loc, adaptor.getFrame(), op.getOffset()));
    rewriter.eraseOp(op);
    return success();
  }
};

struct OpenPattern : AmpRTPattern<OpenOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(OpenOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t bytes = state.numbers.frameBytes.lookup(op.getLayoutAttr().getAttr());
    Value parent = adaptor.getParent();
    Value instance = instanceOf(rewriter, loc, parent);
    Value frame = state.runtime.call(
        rewriter, loc, RuntimeFunction::frameNew,
        {adaptor.getWorker(), instance, number(rewriter, loc, 64, bytes)});
    LLVM::StoreOp::create(rewriter, loc, instance,
                          offsetBy(rewriter, loc, frame, kFrameInstance));
    LLVM::StoreOp::create(rewriter, loc, parent,
                          offsetBy(rewriter, loc, frame, kFrameParent));
    rewriter.replaceOp(op, frame);
    return success();
  }
};

struct RowsPattern : AmpRTPattern<RowsOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(RowsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value instance = instanceOf(rewriter, loc, adaptor.getFrame());
    rewriter.replaceOp(op, state.runtime.call(
                               rewriter, loc, RuntimeFunction::rowsNew,
                               {adaptor.getWorker(), instance,
                                adaptor.getBytes()}));
    return success();
  }
};

struct ReleasePattern : AmpRTPattern<ReleaseOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(ReleaseOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value instance = instanceOf(rewriter, loc, adaptor.getFrame());
    state.runtime.call(rewriter, loc, RuntimeFunction::rowsRelease,
                       {adaptor.getWorker(), instance, adaptor.getData(),
                        adaptor.getBytes()});
    rewriter.eraseOp(op);
    return success();
  }
};

struct SetSitePattern : AmpRTPattern<SetSiteOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(SetSiteOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value site = symbolAddress(rewriter, loc, op.getSiteAttr());
    LLVM::StoreOp::create(
        rewriter, loc, site,
        offsetBy(rewriter, loc, adaptor.getFrame(), kFrameSite));
    rewriter.eraseOp(op);
    return success();
  }
};

struct DeliverPattern : AmpRTPattern<DeliverOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(DeliverOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value frame = adaptor.getFrame();
    Value parent = loadPointer(rewriter, loc, frame, kFrameParent);
    Value site = loadPointer(rewriter, loc, frame, kFrameSite);
    Value offsets = loadPointer(rewriter, loc, site, kSiteOffsets);
    Value offset = LLVM::LoadOp::create(
        rewriter, loc, rewriter.getI32Type(),
        offsetBy(rewriter, loc, offsets, kOffsetBytes * op.getWord()));
    Value bytes =
        LLVM::ZExtOp::create(rewriter, loc, rewriter.getI64Type(), offset);
    Value address = LLVM::GEPOp::create(
        rewriter, loc, pointerType(), rewriter.getI8Type(), parent,
        ArrayRef<LLVM::GEPArg>{bytes}, LLVM::GEPNoWrapFlags::inbounds);
    storeWord(rewriter, loc, adaptor.getValue(), address);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateFramePatterns(const LLVMTypeConverter &converter,
                           RewritePatternSet &patterns,
                           ConversionState &state) {
  patterns.add<LoadPattern, StorePattern, OpenPattern, RowsPattern,
               ReleasePattern, SetSitePattern, DeliverPattern>(converter, state);
}

} // namespace rt
} // namespace amp
