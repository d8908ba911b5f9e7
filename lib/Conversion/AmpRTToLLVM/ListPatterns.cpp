//===- ListPatterns.cpp - Lists and blocks of rows to the LLVM dialect ----------===//
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

struct ListPushPattern : AmpRTPattern<ListPushOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(ListPushOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value instance = instanceOf(rewriter, loc, adaptor.getFrame());
    rewriter.replaceOp(
        op, state.runtime.call(rewriter, loc, RuntimeFunction::listPush,
                               {adaptor.getWorker(), instance,
                                adaptor.getRest(),
                                number(rewriter, loc, 64, op.getBytes())}));
    return success();
  }
};

struct ListAtPattern : AmpRTPattern<ListAtOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(ListAtOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, state.runtime.call(
                               rewriter, op.getLoc(), RuntimeFunction::listAt,
                               {adaptor.getList(), adaptor.getIndex()}));
    return success();
  }
};

struct ListStackPattern : AmpRTPattern<ListStackOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(ListStackOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value instance = instanceOf(rewriter, loc, adaptor.getFrame());
    Value block =
        state.runtime.call(rewriter, loc, RuntimeFunction::listStack,
                           {adaptor.getWorker(), instance, adaptor.getList(),
                            number(rewriter, loc, 64, op.getRowBytes()),
                            number(rewriter, loc, 32, op.getByAddress())});
    rewriter.replaceOp(op,
                       {LLVM::ExtractValueOp::create(rewriter, loc, block, 0),
                        LLVM::ExtractValueOp::create(rewriter, loc, block, 1)});
    return success();
  }
};

/// The number of rows is written where the value's second word lies.
struct ConcatPattern : AmpRTPattern<ConcatOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(ConcatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value frame = adaptor.getFrame();
    Value instance = instanceOf(rewriter, loc, frame);
    int64_t offset = op.getOffset();
    Value data = state.runtime.call(
        rewriter, loc, RuntimeFunction::concatRows,
        {adaptor.getWorker(), instance, adaptor.getBlocks(),
         adaptor.getCount(), number(rewriter, loc, 64, op.getRowBytes()),
         offsetBy(rewriter, loc, frame, offset + 8)});
    LLVM::StoreOp::create(rewriter, loc, data,
                          offsetBy(rewriter, loc, frame, offset));
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateListPatterns(const LLVMTypeConverter &converter,
                          RewritePatternSet &patterns, ConversionState &state) {
  patterns.add<ListPushPattern, ListAtPattern, ListStackPattern, ConcatPattern>(
      converter, state);
}

} // namespace rt
} // namespace amp
