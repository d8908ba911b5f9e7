//===- ListModels.cpp - persistent lists in control steps -----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Conversion/CellModels.h"
#include "amp/Conversion/ControlEmitter.h"
#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "Body.h"

#include "amprt/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace amp;

/// What the words of a list's last element follow.
static constexpr int64_t kHeadBytes = sizeof(amprt_list);

static Value at(OpBuilder &b, Location loc, Value list, int64_t bytes) {
  return LLVM::GEPOp::create(b, loc, list.getType(), b.getI8Type(), list,
                             ArrayRef<LLVM::GEPArg>{int32_t(bytes)});
}

static Value isEmpty(OpBuilder &b, Location loc, Value list) {
  Value null = LLVM::ZeroOp::create(b, loc, list.getType());
  return LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, list, null);
}

/// The number of elements, as i64.
static Value lengthOf(OpBuilder &b, Location loc, Value list) {
  auto branch = scf::IfOp::create(b, loc, b.getI64Type(),
                                  isEmpty(b, loc, list),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(
      b, loc, arith::ConstantIntOp::create(b, loc, 0, 64).getResult());
  b.setInsertionPointToStart(branch.elseBlock());
  Value length =
      LLVM::LoadOp::create(b, loc, b.getI64Type(),
                           at(b, loc, list, offsetof(amprt_list, length)));
  scf::YieldOp::create(b, loc, length);
  return branch.getResult(0);
}

/// The words of the last element of a list that is not empty. In memory a word
/// is as in a frame: index as i64, i1 as a byte.
static SmallVector<Value> loadElement(OpBuilder &b, Location loc, Value list,
                                      Type element) {
  SmallVector<Value> words;
  for (auto [i, type] : llvm::enumerate(wordTypes(element))) {
    Type memory = type.isIndex() ? b.getI64Type() : type;
    if (type.isInteger(1))
      memory = b.getI8Type();
    Value word = LLVM::LoadOp::create(b, loc, memory,
                                      at(b, loc, list, kHeadBytes + 8 * i));
    if (type.isIndex())
      word = arith::IndexCastOp::create(b, loc, type, word);
    else if (type.isInteger(1))
      word = arith::TruncIOp::create(b, loc, type, word);
    words.push_back(word);
  }
  return words;
}

static void storeElement(OpBuilder &b, Location loc, Value list,
                         ValueRange words) {
  for (auto [i, word] : llvm::enumerate(words)) {
    Value value = word;
    if (word.getType().isIndex())
      value = arith::IndexCastOp::create(b, loc, b.getI64Type(), word);
    else if (word.getType().isInteger(1))
      value = arith::ExtUIOp::create(b, loc, b.getI8Type(), word);
    LLVM::StoreOp::create(b, loc, value,
                          at(b, loc, list, kHeadBytes + 8 * i));
  }
}

namespace {

struct ListControl : ControlOpInterface::ExternalModel<ListControl, ListOp> {
  bool isControlStep(Operation *) const { return true; }
  void emitControl(Operation *op, ControlEmitter &emitter) const {
    Type pointer = LLVM::LLVMPointerType::get(op->getContext());
    Value null = LLVM::ZeroOp::create(emitter.b, op->getLoc(), pointer);
    emitter.setWords(op->getResult(0), null);
  }
};

struct PushControl : ControlOpInterface::ExternalModel<PushControl, PushOp> {
  bool isControlStep(Operation *) const { return true; }
  void emitControl(Operation *op, ControlEmitter &emitter) const {
    auto push = cast<PushOp>(op);
    SmallVector<Value> words = emitter.words(push.getValue());
    Value list = emitter.pushElement(op->getLoc(),
                                     emitter.scalar(push.getList()),
                                     8 * words.size());
    storeElement(emitter.b, op->getLoc(), list, words);
    emitter.setWords(push.getResult(), list);
  }
};

struct PopControl : ControlOpInterface::ExternalModel<PopControl, PopOp> {
  bool isControlStep(Operation *) const { return true; }
  void emitControl(Operation *op, ControlEmitter &emitter) const {
    auto pop = cast<PopOp>(op);
    Location loc = op->getLoc();
    OpBuilder &b = emitter.b;
    Value list = emitter.scalar(pop.getList());
    Value null = LLVM::ZeroOp::create(b, loc, list.getType());
    emitter.check(
        loc, "pop of an empty list",
        LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, list, null));
    Value rest = LLVM::LoadOp::create(
        b, loc, list.getType(), at(b, loc, list, offsetof(amprt_list, rest)));
    emitter.setWords(pop.getRest(), rest);
    emitter.setWords(pop.getValue(),
                     loadElement(b, loc, list, pop.getValue().getType()));
  }
};

struct AtControl : ControlOpInterface::ExternalModel<AtControl, AtOp> {
  bool isControlStep(Operation *) const { return true; }
  void emitControl(Operation *op, ControlEmitter &emitter) const {
    auto access = cast<AtOp>(op);
    Location loc = op->getLoc();
    OpBuilder &b = emitter.b;
    Value list = emitter.scalar(access.getList());
    Value index = emitter.toI64(loc, emitter.scalar(access.getIndex()));
    emitter.checkRange(loc, "index", index, lengthOf(b, loc, list));
    Value found = emitter.findElement(loc, list, index);
    emitter.setWords(
        access.getValue(),
        loadElement(b, loc, found, access.getValue().getType()));
  }
};

struct LengthControl
    : ControlOpInterface::ExternalModel<LengthControl, LengthOp> {
  bool isControlStep(Operation *) const { return true; }
  void emitControl(Operation *op, ControlEmitter &emitter) const {
    Location loc = op->getLoc();
    Value length =
        lengthOf(emitter.b, loc, emitter.scalar(op->getOperand(0)));
    emitter.setWords(
        op->getResult(0),
        ValueRange(arith::IndexCastOp::create(
            emitter.b, loc, emitter.b.getIndexType(), length)));
  }
};

/// Lists share rows as they share elements (amprt_list_stack).
struct StackControl : ControlOpInterface::ExternalModel<StackControl, StackOp> {
  bool isControlStep(Operation *) const { return true; }
  void emitControl(Operation *op, ControlEmitter &emitter) const {
    auto stack = cast<StackOp>(op);
    emitter.setWords(
        stack.getRows(),
        emitter.stackElements(op->getLoc(), emitter.scalar(stack.getList()),
                              stack.getList().getType().getElement()));
  }
};
} // namespace

void amp::registerListModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, AmpDialect *) {
    ListOp::attachInterface<ListControl>(*context);
    PushOp::attachInterface<PushControl>(*context);
    PopOp::attachInterface<PopControl>(*context);
    AtOp::attachInterface<AtControl>(*context);
    LengthOp::attachInterface<LengthControl>(*context);
    StackOp::attachInterface<StackControl>(*context);
  });
}
