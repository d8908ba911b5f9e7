//===- FrameCode.cpp - Emits code that works on one frame -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameCode.h"

#include "amprt/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace amp;

std::string amp::locationText(Location loc) {
  auto file = loc->findInstanceOf<FileLineColLoc>();
  return file ? (file.getFilename().getValue() + ":" + Twine(file.getLine()) +
                 ":" + Twine(file.getColumn()))
                    .str()
              : "";
}

Type amp::pointerType(OpBuilder &b) {
  return LLVM::LLVMPointerType::get(b.getContext());
}

/// A constant tensor's elements as a global of the module; equal ones share it.
static LLVM::GlobalOp constantGlobal(OpBuilder &b, Location loc,
                                     DenseElementsAttr value) {
  ModuleOp module =
      b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  Type element = value.getElementType();
  if (element.isInteger(1))
    value = value.mapValues(b.getI8Type(),
                            [](const APInt &bit) { return bit.zext(8); });
  else if (element.isIndex())
    value = value.mapValues(b.getI64Type(), [](const APInt &i) { return i; });
  // Its elements lie in a row, whatever its shape.
  value = value.reshape(RankedTensorType::get({value.getNumElements()},
                                              value.getElementType()));
  for (LLVM::GlobalOp global : module.getOps<LLVM::GlobalOp>())
    if (global.getValueOrNull() == value)
      return global;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  auto type =
      LLVM::LLVMArrayType::get(value.getElementType(), value.getNumElements());
  unsigned number = llvm::count_if(
      *module.getBody(), [](Operation &op) { return isa<LLVM::GlobalOp>(op); });
  return LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true,
                                LLVM::Linkage::Internal,
                                ("constant." + Twine(number)).str(), value,
                                /*alignment=*/64);
}

SmallVector<Value> amp::emitUniform(OpBuilder &b, Value worker, Value value) {
  Location loc = value.getLoc();
  Operation *op = value.getDefiningOp();
  if (auto get = dyn_cast<GetOp>(op)) {
    auto param = rt::ParamOp::create(b, loc, pointerType(b), b.getI64Type(),
                                     worker, get.getParamAttr());
    SmallVector<Value> words{param.getData()};
    if (cast<RankedTensorType>(value.getType()).getNumDynamicDims())
      words.push_back(param.getRows()); // only dimension 0 may be open
    return words;
  }
  Attribute attr;
  matchPattern(value, m_Constant(&attr));
  if (auto elements = dyn_cast_or_null<DenseElementsAttr>(attr)) {
    LLVM::GlobalOp global = constantGlobal(b, loc, elements);
    return {LLVM::AddressOfOp::create(b, loc, global)};
  }
  return {b.clone(*op)->getResult(0)};
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

Value FrameCode::load(Location loc, Type type, Value from, int64_t offset) {
  return rt::LoadOp::create(b, loc, type, from, offset);
}

void FrameCode::store(Location loc, Value value, Value to, int64_t offset) {
  rt::StoreOp::create(b, loc, value, to, offset);
}

void FrameCode::storeWords(Location loc, ValueRange words, Value to,
                           int64_t offset) {
  for (auto [i, word] : llvm::enumerate(words))
    store(loc, word, to, offset + 8 * i);
}

Place amp::placeOf(const Bodies &bodies, const Body &body, Value value) {
  value = throughBranches(value);
  const Body &owner = bodies.owner(value);
  Place place;
  for (const Body *at = &body; at != &owner; at = at->parent)
    ++place.levels;
  auto offset = owner.offsets.find(value);
  // Else it is the index of an iteration or element.
  place.offset = offset == owner.offsets.end()
                     ? int64_t(offsetof(amprt_frame, index))
                     : offset->second;
  return place;
}

SmallVector<Value> FrameCode::words(Value value) {
  value = throughBranches(value);
  if (auto found = known.find(value); found != known.end())
    return found->second;
  if (isUniform(value))
    return emitUniform(b, worker, value);
  Location loc = value.getLoc();
  Place place = placeOf(bodies, body, value);
  Value from = frame;
  for (unsigned i = 0; i < place.levels; ++i)
    from = load(loc, frameType(), from, offsetof(amprt_frame, parent));
  SmallVector<Value> result;
  for (auto [i, type] : llvm::enumerate(wordTypes(value.getType())))
    result.push_back(load(loc, type, from, place.offset + 8 * i));
  return result;
}

void FrameCode::setWords(Value value, ValueRange words) {
  known[value] = llvm::to_vector(words);
}

Value FrameCode::i32(Location loc, int64_t value) {
  return arith::ConstantIntOp::create(b, loc, value, 32);
}

/// Null is a frame's address of zero, made through a pointer.
Value FrameCode::nullFrame(Location loc) {
  Value zero = LLVM::ZeroOp::create(b, loc, pointerType(b));
  return UnrealizedConversionCastOp::create(b, loc, frameType(), zero)
      .getResult(0);
}

Value FrameCode::isNull(Location loc, Value other) {
  Type pointer = pointerType(b);
  Value address =
      UnrealizedConversionCastOp::create(b, loc, pointer, other).getResult(0);
  Value zero = LLVM::ZeroOp::create(b, loc, pointer);
  return LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, address, zero);
}

//===----------------------------------------------------------------------===//
// Failure
//===----------------------------------------------------------------------===//

/// Splits the block: where `condition` does not hold, the instance fails, this
/// frame is closed to all further work, and the function returns.
void FrameCode::failUnless(Location loc, Value condition,
                           llvm::function_ref<void()> fail) {
  Block *here = b.getInsertionBlock();
  Block *rest = here->splitBlock(b.getInsertionPoint());
  Block *failed = b.createBlock(rest);
  fail();
  // Every action needs the start, so nothing of this frame runs any more.
  store(loc, i64(loc, 0), frame, body.arrivedOffset(kStart));
  func::ReturnOp::create(b, loc);
  b.setInsertionPointToEnd(here);
  cf::CondBranchOp::create(b, loc, condition, rest, failed);
  b.setInsertionPointToStart(rest);
}

void FrameCode::checkRange(Location loc, StringRef what, Value value,
                           Value limit) {
  // As unsigned numbers, a negative value is larger than any limit.
  Value fine =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, value, limit);
  Value sane = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, limit,
                                     i64(loc, 0));
  failUnless(loc, arith::AndIOp::create(b, loc, fine, sane), [&] {
    rt::FailRangeOp::create(b, loc, worker, frame, locationText(loc), what,
                            value, limit);
  });
}

void FrameCode::check(Location loc, StringRef message, Value condition) {
  failUnless(loc, condition, [&] {
    rt::FailOp::create(b, loc, worker, frame, locationText(loc), message);
  });
}

Value FrameCode::isAlive(Location loc) {
  Value instance =
      load(loc, pointerType(b), frame, offsetof(amprt_frame, instance));
  Value failed = LLVM::LoadOp::create(
      b, loc, b.getI64Type(),
      advance(loc, instance, b.getI8Type(),
              i64(loc, offsetof(amprt_instance, failed))));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, failed,
                               i64(loc, 0));
}

void FrameCode::checkElements(Location loc, Value count) {
  constexpr int64_t most = int64_t(1) << 31;
  check(loc, "more than 2147483648 elements",
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, count,
                              i64(loc, most)));
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

Value FrameCode::pushElement(Location loc, Value rest, int64_t bytes) {
  return rt::ListPushOp::create(b, loc, pointerType(b), worker, frame, rest, bytes);
}

Value FrameCode::findElement(Location loc, Value list, Value index) {
  return rt::ListAtOp::create(b, loc, pointerType(b), list, index);
}

SmallVector<Value> FrameCode::stackElements(Location loc, Value list,
                                            Type element) {
  auto tensor = dyn_cast<RankedTensorType>(element);
  int64_t bytes = elementBytes(getElementTypeOrSelf(element)) *
                  (tensor ? tensor.getNumElements() : 1);
  auto stacked = rt::ListStackOp::create(b, loc, pointerType(b), b.getI64Type(),
                                         worker, frame, list, bytes,
                                         /*by_address=*/bool(tensor));
  return stacked.getResults();
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

Value FrameCode::depthOf(Location loc, const EventSet &events) {
  Value depth;
  for (unsigned event : events) {
    Value other = load(loc, b.getI32Type(), frame, body.depthOffset(event));
    depth = depth ? arith::MaxUIOp::create(b, loc, depth, other) : other;
  }
  return depth;
}

static void orInto(FrameCode &code, Location loc, Value frame, int64_t offset,
                   uint64_t bits) {
  Value old = code.load(loc, code.b.getI64Type(), frame, offset);
  Value now = arith::OrIOp::create(code.b, loc, old, code.i64(loc, bits));
  code.store(loc, now, frame, offset);
}

void FrameCode::mark(Location loc, unsigned event, Value depth) {
  store(loc, depth, frame, body.depthOffset(event));
  orInto(*this, loc, frame, body.arrivedOffset(event),
         uint64_t(1) << (event % 64));
}

void FrameCode::post(Location loc, const Body &other, Value otherFrame,
                     unsigned event, Value depth) {
  rt::PostOp::create(b, loc, worker, other.handler(event), otherFrame, depth);
}

void FrameCode::notify(Location loc, const Body &other, Value otherFrame,
                       unsigned event, Value depth) {
  Value arrived =
      load(loc, b.getI64Type(), otherFrame, other.arrivedOffset(kStart));
  Value started = arith::TruncIOp::create(b, loc, b.getI1Type(), arrived);
  auto branch = scf::IfOp::create(b, loc, started, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  post(loc, other, otherFrame, event, depth);
  b.setInsertionPointToStart(branch.elseBlock());
  store(loc, depth, otherFrame, other.depthOffset(event));
  orInto(*this, loc, otherFrame, other.arrivedOffset(event),
         uint64_t(1) << (event % 64));
}

Value FrameCode::open(Location loc, const Body &other, Value parent,
                      const EventSet &arrived, Value depth) {
  Value child =
      rt::OpenOp::create(b, loc, frameType(), worker, parent, other.name);
  for (unsigned word = 0; word < other.arrivedWords(); ++word) {
    uint64_t bits = 0;
    for (unsigned event : arrived)
      if (event / 64 == word)
        bits |= uint64_t(1) << (event % 64);
    store(loc, i64(loc, bits), child, other.arrivedOffset(64 * word));
  }
  for (unsigned event : arrived)
    store(loc, depth, child, other.depthOffset(event));
  return child;
}

void FrameCode::storeRow(Location loc, Value value, Value base, Value index) {
  SmallVector<Value> from = words(value);
  if (auto row = dyn_cast<RankedTensorType>(value.getType())) {
    int64_t bytes = row.getNumElements() * elementBytes(row.getElementType());
    Value at = arith::MulIOp::create(b, loc, index, i64(loc, bytes));
    Value to = advance(loc, base, b.getI8Type(), at);
    LLVM::MemcpyInlineOp::create(b, loc, to, from[0],
                                 b.getI64IntegerAttr(bytes),
                                 /*isVolatile=*/false);
    return;
  }
  Value scalar = from[0];
  if (scalar.getType().isIndex())
    scalar = arith::IndexCastOp::create(b, loc, b.getI64Type(), scalar);
  else if (scalar.getType().isInteger(1))
    scalar = arith::ExtUIOp::create(b, loc, b.getI8Type(), scalar);
  LLVM::StoreOp::create(b, loc, scalar,
                        advance(loc, base, scalar.getType(), index));
}
