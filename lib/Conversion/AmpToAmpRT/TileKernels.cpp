//===- TileKernels.cpp - The innermost loops of products ------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileKernels.h"

#include "FrameCode.h"
#include "Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace amp;

// How far ahead weights are asked for where few rows meet them, in elements.
static constexpr int64_t kPrefetch = 1024;
// From so many calls on, the panel that they share stays in the first cache,
// and they ask for the next one instead, each for its share.
static constexpr int64_t kCallsToShare = 4;

namespace {
enum Argument {
  kRows,
  kStride,
  kOffset,
  kPanel,
  kDepth,
  kSums,
  kSumStride,
  kAhead,      ///< What is met next.
  kAheadBytes, ///< How much of it; of one call: how much for a step.
  kCount
};

class KernelCode {
public:
  KernelCode(OpBuilder &b, ModuleOp module, int64_t vectors, int64_t begun,
             int64_t lanes, const VectorTarget &target)
      : b(b), module(module), loc(module.getLoc()), vectors(vectors),
        begun(begun), lanes(lanes), target(target),
        vector(VectorType::get(lanes, b.getF32Type())) {}

  func::FuncOp emit();
  func::FuncOp emitPair();

private:
  func::FuncOp function(const Twine &name, Argument end);
  func::FuncOp emitFixed(int64_t rows);
  void emitSums(func::FuncOp function, ArrayRef<Value> x,
                ArrayRef<Value> panels);
  void emitPrefetch(func::FuncOp function, Value k, Value weights);
  void emitTiles(func::FuncOp kernel, ArrayRef<func::FuncOp> fixed);

  std::string name(const Twine &suffix) {
    std::string made =
        ("amp.product." + Twine(vectors) + "x" + Twine(lanes)).str();
    if (begun < vectors)
      made += ".from" + std::to_string(begun);
    return (made + suffix).str();
  }
  Value number(int64_t n) {
    return arith::ConstantIntOp::create(b, loc, n, 64);
  }
  /// `base` and `index` elements (i64) of `type` further.
  Value at(Value base, Type type, Value index) {
    return LLVM::GEPOp::create(b, loc, base.getType(), type, base,
                               ArrayRef<LLVM::GEPArg>{index});
  }
  Value load(Type type, Value address) {
    return LLVM::LoadOp::create(b, loc, type, address, /*alignment=*/4);
  }

  OpBuilder &b;
  ModuleOp module;
  Location loc;
  int64_t vectors, begun, lanes;
  const VectorTarget &target;
  VectorType vector;
};
} // namespace

/// With the arguments before `end`.
func::FuncOp KernelCode::function(const Twine &name, Argument end) {
  Type pointer = pointerType(b), i64 = b.getI64Type();
  Type types[] = {pointer, i64, i64,     pointer, i64,
                  pointer, i64, pointer, i64,     i64};
  auto made = func::FuncOp::create(
      b, loc, name.str(),
      b.getFunctionType(ArrayRef<Type>(types).take_front(end), {}));
  made.setPrivate();
  return made;
}

/// In step `k`, with its `weights`: one panel alone is followed by another,
/// two go on themselves.
void KernelCode::emitPrefetch(func::FuncOp function, Value k, Value weights) {
  auto ask = [&](Value address) {
    LLVM::Prefetch::create(b, loc, address, /*rw=*/0, /*hint=*/3, /*cache=*/1);
  };
  if (function.getNumArguments() > kAhead) {
    Value step = function.getArgument(kAheadBytes);
    ask(at(function.getArgument(kAhead), b.getI8Type(),
           arith::MulIOp::create(b, loc, k, step)));
    return;
  }
  constexpr int64_t line = 64 / sizeof(float);
  for (int64_t ahead = 0; ahead < vectors * lanes; ahead += line)
    ask(at(weights, b.getF32Type(), number(kPrefetch + ahead)));
}

/// Adds x[r] times panels[r], or the one panel there is, to the sums of row r.
/// All sums are in registers.
void KernelCode::emitSums(func::FuncOp function, ArrayRef<Value> x,
                          ArrayRef<Value> panels) {
  ValueRange arguments = function.getArguments();
  Type f32 = b.getF32Type(), i8 = b.getI8Type();
  auto rows = int64_t(x.size());
  SmallVector<Value> sums, places;
  for (int64_t r = 0; r < rows; ++r) {
    Value row =
        at(arguments[kSums], i8,
           arith::MulIOp::create(b, loc, number(r), arguments[kSumStride]));
    for (int64_t v = 0; v < vectors; ++v) {
      places.push_back(at(row, f32, number(v * lanes)));
      sums.push_back(
          v < begun ? load(vector, places.back())
                    : arith::ConstantOp::create(b, loc, b.getZeroAttr(vector))
                          .getResult());
    }
  }
  Value depth =
      arith::IndexCastOp::create(b, loc, b.getIndexType(), arguments[kDepth]);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto loop = scf::ForOp::create(b, loc, zero, depth, one, sums);
  if (vectors == 1) {
    // LLVM would take two steps at once, for which it has too few registers:
    // one of the many sums would go through memory.
    MLIRContext *context = b.getContext();
    loop->setAttr("llvm.loop_annotation",
                  LLVM::LoopAnnotationAttr::get(
                      context, {}, {}, {},
                      LLVM::LoopUnrollAttr::get(context, b.getBoolAttr(true),
                                                {}, {}, {}, {}, {}, {}),
                      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}));
  }
  {
    OpBuilder::InsertionGuard inLoop(b);
    b.setInsertionPointToStart(loop.getBody());
    Value k = arith::IndexCastOp::create(b, loc, b.getI64Type(),
                                         loop.getInductionVar());
    SmallVector<Value> weights;
    for (Value panel : panels)
      weights.push_back(
          at(panel, f32,
             arith::MulIOp::create(b, loc, k, number(vectors * lanes))));
    emitPrefetch(function, k, weights.back());
    auto weight = [&](int64_t v, size_t panel = 0) {
      return load(vector, at(weights[panel], f32, number(v * lanes)));
    };
    auto element = [&](int64_t r) -> Value {
      return vector::BroadcastOp::create(b, loc, vector,
                                         load(f32, at(x[r], f32, k)));
    };
    SmallVector<Value> next(loop.getRegionIterArgs());
    auto add = [&](int64_t r, int64_t v, Value element, Value weight) {
      Value &sum = next[r * vectors + v];
      sum = math::FmaOp::create(b, loc, element, weight, sum);
    };
    // What there are fewer of stays in registers; of the others one at a time.
    SmallVector<Value> held;
    if (panels.size() > 1) {
      Value e = element(0);
      for (int64_t r = 0; r < rows; ++r)
        for (int64_t v = 0; v < vectors; ++v)
          add(r, v, e, weight(v, r));
    } else if (rows < vectors) {
      for (int64_t r = 0; r < rows; ++r)
        held.push_back(element(r));
      for (int64_t v = 0; v < vectors; ++v) {
        Value w = weight(v);
        for (int64_t r = 0; r < rows; ++r)
          add(r, v, held[r], w);
      }
    } else {
      for (int64_t v = 0; v < vectors; ++v)
        held.push_back(weight(v));
      for (int64_t r = 0; r < rows; ++r) {
        Value e = element(r);
        for (int64_t v = 0; v < vectors; ++v)
          add(r, v, e, held[v]);
      }
    }
    scf::YieldOp::create(b, loc, next);
  }
  for (auto [sum, place] : llvm::zip_equal(loop.getResults(), places))
    LLVM::StoreOp::create(b, loc, sum, place, /*alignment=*/4);
  func::ReturnOp::create(b, loc);
}

/// For a fixed number of rows.
func::FuncOp KernelCode::emitFixed(int64_t rows) {
  func::FuncOp made = function(name("." + Twine(rows)), kCount);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(made.addEntryBlock());
  ValueRange arguments = made.getArguments();
  SmallVector<Value> x;
  for (int64_t r = 0; r < rows; ++r) {
    Value place =
        at(arguments[kRows], b.getI8Type(),
           arith::MulIOp::create(b, loc, number(r), arguments[kStride]));
    x.push_back(
        at(load(pointerType(b), place), b.getF32Type(), arguments[kOffset]));
  }
  emitSums(made, x, arguments[kPanel]);
  return made;
}

func::FuncOp KernelCode::emitPair() {
  std::string symbol = name(".pair");
  if (auto made = module.lookupSymbol<func::FuncOp>(symbol))
    return made;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(module.getBody());
  func::FuncOp made = function(symbol, kAhead);
  b.setInsertionPointToStart(made.addEntryBlock());
  ValueRange arguments = made.getArguments();
  Value x = at(load(pointerType(b), arguments[kRows]), b.getF32Type(),
               arguments[kOffset]);
  Value second = at(arguments[kPanel], b.getI8Type(), arguments[kStride]);
  emitSums(made, {x, x}, {arguments[kPanel], second});
  return made;
}

/// Any number of rows, in calls of nearly equal sizes: one row left over would
/// cost as much as several.
void KernelCode::emitTiles(func::FuncOp kernel, ArrayRef<func::FuncOp> fixed) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(kernel.addEntryBlock());
  ValueRange arguments = kernel.getArguments();
  Value count = arguments.back();
  auto most = int64_t(fixed.size());
  Value calls = arith::DivUIOp::create(
      b, loc, arith::AddIOp::create(b, loc, count, number(most - 1)),
      number(most));
  Value least = arith::DivUIOp::create(b, loc, count, calls);
  Value longer = arith::RemUIOp::create(b, loc, count, calls);
  auto index = [&](Value value) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), value);
  };
  // The first rows to meet a panel would wait for it. Many ask for the next
  // one meanwhile; few are through before that would help.
  Value isFew = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, calls,
                                      number(kCallsToShare));
  Value steps = arith::MulIOp::create(b, loc, calls, arguments[kDepth]);
  Value share = arith::DivUIOp::create(
      b, loc,
      arith::AddIOp::create(b, loc, arguments[kAheadBytes],
                            arith::SubIOp::create(b, loc, steps, number(1))),
      steps);
  Value step = arith::SelectOp::create(b, loc, isFew,
                                       number(4 * vectors * lanes), share);
  Value ahead = arith::SelectOp::create(
      b, loc, isFew, at(arguments[kPanel], b.getF32Type(), number(kPrefetch)),
      arguments[kAhead]);
  Value aheadOfCall = arith::SelectOp::create(
      b, loc, isFew, number(0),
      arith::MulIOp::create(b, loc, share, arguments[kDepth]));
  auto loop = scf::ForOp::create(
      b, loc, arith::ConstantIndexOp::create(b, loc, 0), index(calls),
      arith::ConstantIndexOp::create(b, loc, 1),
      ValueRange{arguments[kRows], arguments[kSums], ahead});
  {
    OpBuilder::InsertionGuard inLoop(b);
    b.setInsertionPointToStart(loop.getBody());
    Value call = arith::IndexCastOp::create(b, loc, b.getI64Type(),
                                            loop.getInductionVar());
    Value isLonger =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, call, longer);
    Value rows = arith::AddIOp::create(
        b, loc, least,
        arith::ExtUIOp::create(b, loc, b.getI64Type(), isLonger));
    SmallVector<Value> operands(arguments.drop_back());
    operands[kRows] = loop.getRegionIterArgs()[0];
    operands[kSums] = loop.getRegionIterArgs()[1];
    operands[kAhead] = loop.getRegionIterArgs()[2];
    operands[kAheadBytes] = step;
    SmallVector<int64_t> cases;
    for (int64_t n = 1; n < most; ++n)
      cases.push_back(n);
    auto choice = scf::IndexSwitchOp::create(b, loc, TypeRange{}, index(rows),
                                             cases, cases.size());
    auto emitCall = [&](Region &region, func::FuncOp callee) {
      OpBuilder::InsertionGuard inCase(b);
      b.createBlock(&region);
      func::CallOp::create(b, loc, callee, operands);
      scf::YieldOp::create(b, loc);
    };
    for (auto [region, callee] :
         llvm::zip(choice.getCaseRegions(), fixed.drop_back()))
      emitCall(region, callee);
    emitCall(choice.getDefaultRegion(), fixed.back());
    auto advance = [&](Value base, Value stride) {
      return at(base, b.getI8Type(),
                arith::MulIOp::create(b, loc, rows, stride));
    };
    scf::YieldOp::create(b, loc,
                         {advance(operands[kRows], arguments[kStride]),
                          advance(operands[kSums], arguments[kSumStride]),
                          at(operands[kAhead], b.getI8Type(), aheadOfCall)});
  }
  func::ReturnOp::create(b, loc);
}

func::FuncOp KernelCode::emit() {
  if (auto made = module.lookupSymbol<func::FuncOp>(name("")))
    return made;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(module.getBody());
  SmallVector<func::FuncOp> fixed;
  for (int64_t rows = 1; rows <= tileRows(vectors, target); ++rows)
    fixed.push_back(emitFixed(rows));
  func::FuncOp kernel = function(name(""), Argument(kCount + 1));
  // A call takes no time beside its loops; a copy in every cell takes a sixth
  // of all compile time.
  kernel->setAttr("passthrough", b.getStrArrayAttr({"noinline"})); // LLVM's
  emitTiles(kernel, fixed);
  return kernel;
}

func::FuncOp amp::productKernel(OpBuilder &b, ModuleOp module, int64_t vectors,
                                int64_t begun, int64_t lanes,
                                const VectorTarget &target) {
  return KernelCode(b, module, vectors, begun, lanes, target).emit();
}

func::FuncOp amp::pairKernel(OpBuilder &b, ModuleOp module, int64_t vectors,
                             int64_t begun, int64_t lanes,
                             const VectorTarget &target) {
  return KernelCode(b, module, vectors, begun, lanes, target).emitPair();
}
