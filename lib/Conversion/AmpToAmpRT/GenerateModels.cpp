//===- GenerateModels.cpp - generate, and what its region may hold --------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A region of a generate is run element by element, in order, so it may hold
// ops that fail: those stand in no cell themselves, but compute an element.
//
#include "Division.h"
#include "ElementBody.h"

#include "amp/Conversion/CellModels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace amp;

namespace {
struct GenerateCell
    : CellOpInterface::ExternalModel<GenerateCell, tensor::GenerateOp> {
  bool isVirtual(Operation *) const { return false; }
  bool isBatchable(Operation *op) const {
    return llvm::all_of(bodyOf(op).without_terminator(), isElementOp);
  }
  void emitChecks(Operation *op, CellEmitter &emitter) const {
    auto generate = cast<tensor::GenerateOp>(op);
    if (generate.getDynamicExtents().empty())
      return;
    Location loc = op->getLoc();
    for (Value extent : generate.getDynamicExtents())
      emitter.check(
          loc, "a tensor's size is negative",
          arith::CmpIOp::create(emitter.b, loc, arith::CmpIPredicate::sge,
                                emitter.scalar(extent), emitter.index(0, loc)));
    emitter.check(loc, "a tensor has too many elements",
                  emitter.areSizes(loc, sizes(generate, emitter)));
  }
  /// Zero where the sizes are none.
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned,
                unsigned dim) const {
    auto generate = cast<tensor::GenerateOp>(op);
    Location loc = op->getLoc();
    SmallVector<Value> all = sizes(generate, emitter);
    return arith::SelectOp::create(emitter.b, loc, emitter.areSizes(loc, all),
                                   all[dim], emitter.index(0, loc));
  }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    Block &body = bodyOf(op);
    Location loc = op->getLoc();
    emitter.loops(loc, emitter.dims(op->getResult(0)), /*parallel=*/false,
                  [&](ArrayRef<Value> at) {
                    for (auto [argument, index] :
                         llvm::zip_equal(body.getArguments(), at))
                      emitter.setScalar(argument, index);
                    for (Operation &inner : body.without_terminator())
                      emitElementOp(inner, emitter);
                    Value element = body.getTerminator()->getOperand(0);
                    emitter.store(loc, emitter.scalar(element), results[0], at);
                  });
    return {};
  }

private:
  static Block &bodyOf(Operation *op) { return op->getRegion(0).front(); }
  static SmallVector<Value> sizes(tensor::GenerateOp generate,
                                  CellEmitter &emitter) {
    auto type = cast<RankedTensorType>(generate.getType());
    SmallVector<Value> sizes;
    for (int64_t i = 0; i < type.getRank(); ++i)
      sizes.push_back(
          type.isDynamicDim(i)
              ? emitter.scalar(
                    generate.getDynamicExtents()[type.getDynamicDimIndex(i)])
              : emitter.index(type.getDimSize(i), generate.getLoc()));
    return sizes;
  }
};

struct ExtractCell
    : CellOpInterface::ExternalModel<ExtractCell, tensor::ExtractOp> {
  bool isBatchable(Operation *) const { return false; }
  Value emitElement(Operation *op, CellEmitter &emitter,
                    ArrayRef<Value>) const {
    auto extract = cast<tensor::ExtractOp>(op);
    SmallVector<Value> at =
        llvm::map_to_vector(extract.getIndices(),
                            [&](Value index) { return emitter.scalar(index); });
    return emitter.elementIfInside(op->getLoc(), extract.getTensor(), at);
  }
};

struct DimCell : CellOpInterface::ExternalModel<DimCell, tensor::DimOp> {
  bool isBatchable(Operation *) const { return false; }
  Value emitElement(Operation *op, CellEmitter &emitter,
                    ArrayRef<Value>) const {
    auto dim = cast<tensor::DimOp>(op);
    Location loc = op->getLoc();
    OpBuilder &b = emitter.b;
    Value number = emitter.scalar(dim.getIndex());
    SmallVector<Value> sizes = emitter.dims(dim.getSource());
    emitter.ifInRange(loc, "dimension", number,
                      emitter.index(sizes.size(), loc), [] {});
    Value result = emitter.index(0, loc);
    for (auto [i, size] : llvm::enumerate(sizes))
      result = arith::SelectOp::create(
          b, loc,
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, number,
                                emitter.index(i, loc)),
          size, result);
    return result;
  }
};

/// Of what fails the quotient is by 1, so that nothing traps.
template <typename Op>
struct DivisionCell : CellOpInterface::ExternalModel<DivisionCell<Op>, Op> {
  bool isBatchable(Operation *) const { return false; }
  Value emitElement(Operation *op, CellEmitter &emitter,
                    ArrayRef<Value>) const {
    OpBuilder &b = emitter.b;
    Location loc = op->getLoc();
    Value left = emitter.scalar(op->getOperand(0));
    Value right = emitter.scalar(op->getOperand(1));
    Value one =
        arith::ConstantOp::create(b, loc, b.getIntegerAttr(right.getType(), 1));
    emitDivisionChecks(
        b, op, left, right, [&](StringRef message, Value condition) {
          emitter.check(loc, message, condition);
          right = arith::SelectOp::create(b, loc, condition, right, one);
        });
    return emitDivision(b, op, left, right);
  }
};

template <typename... Ops> void attachDivisions(MLIRContext *context) {
  (Ops::template attachInterface<DivisionCell<Ops>>(*context), ...);
}
} // namespace

void amp::registerGenerateModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::GenerateOp::attachInterface<GenerateCell>(*context);
    tensor::ExtractOp::attachInterface<ExtractCell>(*context);
    tensor::DimOp::attachInterface<DimCell>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    using namespace arith;
    attachDivisions<DivSIOp, DivUIOp, RemSIOp, RemUIOp, CeilDivSIOp,
                    CeilDivUIOp, FloorDivSIOp>(context);
  });
}
