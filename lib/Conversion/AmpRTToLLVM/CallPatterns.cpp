//===- CallPatterns.cpp - Events, batches, products, collectors -----------===//
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

//===----------------------------------------------------------------------===//
// Events and failures
//===----------------------------------------------------------------------===//

struct EnqueuePattern : AmpRTPattern<EnqueueOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(EnqueueOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    uint32_t cell = state.numbers.cells.lookup(op.getCellAttr().getAttr());
    state.runtime.call(rewriter, loc, RuntimeFunction::enqueue,
                       {adaptor.getWorker(), number(rewriter, loc, 32, cell),
                        adaptor.getFrame(), adaptor.getDepth(),
                        number(rewriter, loc, 32, 1)});
    rewriter.eraseOp(op);
    return success();
  }
};

struct PostPattern : AmpRTPattern<PostOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(PostOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value handler = symbolAddress(rewriter, loc, op.getHandlerAttr());
    state.runtime.call(
        rewriter, loc, RuntimeFunction::post,
        {adaptor.getWorker(), handler, adaptor.getFrame(), adaptor.getDepth()});
    rewriter.eraseOp(op);
    return success();
  }
};

struct PostResultPattern : AmpRTPattern<PostResultOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(PostResultOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value frame = adaptor.getFrame();
    Value parent = loadPointer(rewriter, loc, frame, kFrameParent);
    Value site = loadPointer(rewriter, loc, frame, kFrameSite);
    Value handlers = loadPointer(rewriter, loc, site, kSiteHandlers);
    Value handler =
        loadPointer(rewriter, loc, handlers, kHandlerBytes * op.getEvent());
    state.runtime.call(
        rewriter, loc, RuntimeFunction::post,
        {adaptor.getWorker(), handler, parent, adaptor.getDepth()});
    rewriter.eraseOp(op);
    return success();
  }
};

struct FailPattern : AmpRTPattern<FailOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(FailOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value where = state.strings.address(rewriter, loc, op.getWhere());
    Value message = state.strings.address(rewriter, loc, op.getMessage());
    state.runtime.call(
        rewriter, loc, RuntimeFunction::fail,
        {adaptor.getWorker(), adaptor.getFrame(), where, message});
    rewriter.eraseOp(op);
    return success();
  }
};

struct FailRangePattern : AmpRTPattern<FailRangeOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(FailRangeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value where = state.strings.address(rewriter, loc, op.getWhere());
    Value what = state.strings.address(rewriter, loc, op.getWhat());
    state.runtime.call(rewriter, loc, RuntimeFunction::failRange,
                       {adaptor.getWorker(), adaptor.getFrame(), where, what,
                        adaptor.getValue(), adaptor.getLimit()});
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

/// A member of `batch[index]`.
template <typename OpT, int64_t memberOffset>
struct ActivationPattern : AmpRTPattern<OpT> {
  using AmpRTPattern<OpT>::AmpRTPattern;
  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto activation =
        LLVM::LLVMArrayType::get(rewriter.getI8Type(), kActivationBytes);
    Value element = LLVM::GEPOp::create(
        rewriter, loc, this->pointerType(), activation, adaptor.getBatch(),
        ArrayRef<LLVM::GEPArg>{adaptor.getIndex()},
        LLVM::GEPNoWrapFlags::inbounds);
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(
        op, this->typeConverter->convertType(op.getType()),
        this->offsetBy(rewriter, loc, element, memberOffset));
    return success();
  }
};

struct ScratchPattern : AmpRTPattern<ScratchOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(ScratchOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, state.runtime.call(rewriter, op.getLoc(), RuntimeFunction::scratch,
                               {adaptor.getWorker(), adaptor.getBytes()}));
    return success();
  }
};

struct ProductPattern : AmpRTPattern<ProductOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(ProductOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    uint32_t linear =
        state.numbers.linears.lookup(op.getLinearAttr().getAttr());
    state.runtime.call(rewriter, loc, RuntimeFunction::linear,
                       {adaptor.getWorker(), number(rewriter, loc, 32, linear),
                        adaptor.getX(), adaptor.getY(), adaptor.getRows()});
    rewriter.eraseOp(op);
    return success();
  }
};

struct GroupedProductPattern : AmpRTPattern<GroupedProductOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(GroupedProductOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    uint32_t linear =
        state.numbers.linears.lookup(op.getLinearAttr().getAttr());
    state.runtime.call(rewriter, loc, RuntimeFunction::linearGrouped,
                       {adaptor.getWorker(), number(rewriter, loc, 32, linear),
                        adaptor.getX(), adaptor.getY(), adaptor.getRows(),
                        adaptor.getWhich()});
    rewriter.eraseOp(op);
    return success();
  }
};

/// The table of parameters does not change while a session lives, so its loads
/// may move out of any loop.
struct ParamPattern : AmpRTPattern<rt::ParamOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(rt::ParamOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t view =
        kParamBytes * state.numbers.params.lookup(op.getParamAttr().getAttr());
    auto load = [&](Type type, Value base, int64_t bytes) {
      return LLVM::LoadOp::create(
          rewriter, loc, type, offsetBy(rewriter, loc, base, bytes),
          /*alignment=*/0, /*isVolatile=*/false, /*isNonTemporal=*/false,
          /*isInvariant=*/true);
    };
    Value table = load(pointerType(), adaptor.getWorker(), kWorkerParams);
    Value data = load(pointerType(), table, view + kParamData);
    Value rows = load(rewriter.getI64Type(), table, view + kParamRows);
    rewriter.replaceOp(op, {data, rows});
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Collectors
//===----------------------------------------------------------------------===//

struct CollectorNewPattern : AmpRTPattern<CollectorNewOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(CollectorNewOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value handler = symbolAddress(rewriter, loc, op.getHandlerAttr());
    Value where = state.strings.address(rewriter, loc, op.getWhere());
    rewriter.replaceOp(
        op, state.runtime.call(rewriter, loc, RuntimeFunction::collectorNew,
                               {adaptor.getWorker(), adaptor.getFrame(),
                                handler, adaptor.getRows(),
                                number(rewriter, loc, 64, op.getRowBytes()),
                                where}));
    return success();
  }
};

struct CollectorPutPattern : AmpRTPattern<CollectorPutOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(CollectorPutOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value where = state.strings.address(rewriter, loc, op.getWhere());
    state.runtime.call(rewriter, loc, RuntimeFunction::collectorPut,
                       {adaptor.getWorker(), adaptor.getFrame(),
                        adaptor.getCollector(), adaptor.getIndex(),
                        adaptor.getRow(), adaptor.getDepth(), where});
    rewriter.eraseOp(op);
    return success();
  }
};

struct CollectorReadPattern : AmpRTPattern<CollectorReadOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(CollectorReadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value data = state.runtime.call(rewriter, op.getLoc(),
                                    RuntimeFunction::collectorData,
                                    adaptor.getCollector());
    Value rows = state.runtime.call(rewriter, op.getLoc(),
                                    RuntimeFunction::collectorRows,
                                    adaptor.getCollector());
    rewriter.replaceOp(op, {data, rows});
    return success();
  }
};

/// As the parameters, constant while a session lives.
struct PanelDataPattern : AmpRTPattern<PanelDataOp> {
  using AmpRTPattern::AmpRTPattern;
  LogicalResult
  matchAndRewrite(PanelDataOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto load = [&](Value base, int64_t bytes) {
      return LLVM::LoadOp::create(
          rewriter, loc, pointerType(), offsetBy(rewriter, loc, base, bytes),
          /*alignment=*/0, /*isVolatile=*/false, /*isNonTemporal=*/false,
          /*isInvariant=*/true);
    };
    int64_t place = int64_t(sizeof(void *)) *
                    state.numbers.panels.lookup(op.getPanelAttr().getAttr());
    Value table = load(adaptor.getWorker(), kWorkerPanels);
    rewriter.replaceOp(op, load(table, place).getResult());
    return success();
  }
};

} // namespace

void populateCallPatterns(const LLVMTypeConverter &converter,
                          RewritePatternSet &patterns, ConversionState &state) {
  patterns.add<
      EnqueuePattern, PostPattern, PostResultPattern, FailPattern,
      FailRangePattern, ActivationPattern<BatchFrameOp, kActivationFrame>,
      ActivationPattern<BatchDepthOp, kActivationDepth>, ScratchPattern,
      ProductPattern, GroupedProductPattern, ParamPattern, PanelDataPattern,
      CollectorNewPattern, CollectorPutPattern, CollectorReadPattern>(converter,
                                                                      state);
}

} // namespace rt
} // namespace amp
