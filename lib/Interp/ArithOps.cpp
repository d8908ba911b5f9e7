//===- ArithOps.cpp - How arithmetic is run -------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace amp::interp;
using namespace mlir;
using amprt::StatusCode;
using llvm::APInt;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// A quotient or remainder. Where it is undefined the instance fails.
template <typename OpT, typename F>
static void addDivision(Registry &registry, bool isSigned, F function) {
  addIntegerBinary<OpT>(
      registry, [=](Step &step, const APInt &a, const APInt &b) -> APInt {
        if (b.isZero())
          step.fail(StatusCode::invalidArgument, "division by zero");
        else if (isSigned && a.isMinSignedValue() && b.isAllOnes())
          step.fail(StatusCode::invalidArgument,
                    "the quotient of the smallest integer and -1 does not fit");
        else
          return function(a, b);
        return a;
      });
}

/// A shift. By the width or more the instance fails.
template <typename OpT, typename F>
static void addShift(Registry &registry, F function) {
  addIntegerBinary<OpT>(
      registry, [=](Step &step, const APInt &a, const APInt &b) -> APInt {
        if (b.ult(a.getBitWidth()))
          return function(a, b);
        step.fail(StatusCode::invalidArgument,
                  "a shift by the width of the integer or more");
        return a;
      });
}

/// Both halves of a result of twice the width: `function(a, b)`, where a and b
/// have been extended by `extend`.
template <typename OpT, typename Extend>
static void addExtendedProduct(Registry &registry, Extend extend) {
  registry.add<OpT>([extend](OpT op, Step &step) {
    const Array &a = step.in(op.getLhs()), &b = step.in(op.getRhs());
    if (!step.checkSameDims(a, b))
      return;
    unsigned width = bitWidth(a.dtype());
    auto half = [&](unsigned from) {
      return elementwise<int64_t>(a.dtype(), a.dims(), [&](size_t i) {
        APInt product =
            extend(a.bits(i), 2 * width) * extend(b.bits(i), 2 * width);
        return product.extractBits(width, from).getSExtValue();
      });
    };
    step.give(0, half(0));
    step.give(1, half(width));
  });
}

static void runAddUIExtended(arith::AddUIExtendedOp op, Step &step) {
  const Array &a = step.in(op.getLhs()), &b = step.in(op.getRhs());
  if (!step.checkSameDims(a, b))
    return;
  step.give(0, elementwise<int64_t>(a.dtype(), a.dims(), [&](size_t i) {
              return (a.bits(i) + b.bits(i)).getSExtValue();
            }));
  step.give(1, elementwise<int64_t>(AMPRT_I1, a.dims(), [&](size_t i) {
              return (a.bits(i) + b.bits(i)).ult(a.bits(i));
            }));
}

static void runCmpI(arith::CmpIOp op, Step &step) {
  const Array &a = step.in(op.getLhs()), &b = step.in(op.getRhs());
  if (!step.checkSameDims(a, b))
    return;
  step.give(elementwise<int64_t>(AMPRT_I1, a.dims(), [&](size_t i) {
    return arith::applyCmpPredicate(op.getPredicate(), a.bits(i), b.bits(i));
  }));
}

static void addIntegerOps(Registry &registry) {
  using I = const APInt &;
  auto up = APInt::Rounding::UP, down = APInt::Rounding::DOWN;
  addIntegerBinary<arith::AddIOp>(registry,
                                  [](Step &, I a, I b) { return a + b; });
  addIntegerBinary<arith::SubIOp>(registry,
                                  [](Step &, I a, I b) { return a - b; });
  addIntegerBinary<arith::MulIOp>(registry,
                                  [](Step &, I a, I b) { return a * b; });
  addIntegerBinary<arith::AndIOp>(registry,
                                  [](Step &, I a, I b) { return a & b; });
  addIntegerBinary<arith::OrIOp>(registry,
                                 [](Step &, I a, I b) { return a | b; });
  addIntegerBinary<arith::XOrIOp>(registry,
                                  [](Step &, I a, I b) { return a ^ b; });
  addIntegerBinary<arith::MaxSIOp>(
      registry, [](Step &, I a, I b) { return a.sgt(b) ? a : b; });
  addIntegerBinary<arith::MaxUIOp>(
      registry, [](Step &, I a, I b) { return a.ugt(b) ? a : b; });
  addIntegerBinary<arith::MinSIOp>(
      registry, [](Step &, I a, I b) { return a.slt(b) ? a : b; });
  addIntegerBinary<arith::MinUIOp>(
      registry, [](Step &, I a, I b) { return a.ult(b) ? a : b; });

  addDivision<arith::DivSIOp>(registry, /*isSigned=*/true,
                              [](I a, I b) { return a.sdiv(b); });
  addDivision<arith::DivUIOp>(registry, /*isSigned=*/false,
                              [](I a, I b) { return a.udiv(b); });
  addDivision<arith::RemSIOp>(registry, /*isSigned=*/true,
                              [](I a, I b) { return a.srem(b); });
  addDivision<arith::RemUIOp>(registry, /*isSigned=*/false,
                              [](I a, I b) { return a.urem(b); });
  addDivision<arith::CeilDivSIOp>(registry, /*isSigned=*/true, [=](I a, I b) {
    return llvm::APIntOps::RoundingSDiv(a, b, up);
  });
  addDivision<arith::CeilDivUIOp>(registry, /*isSigned=*/false, [=](I a, I b) {
    return llvm::APIntOps::RoundingUDiv(a, b, up);
  });
  addDivision<arith::FloorDivSIOp>(registry, /*isSigned=*/true, [=](I a, I b) {
    return llvm::APIntOps::RoundingSDiv(a, b, down);
  });

  addShift<arith::ShLIOp>(registry, [](I a, I b) { return a.shl(b); });
  addShift<arith::ShRSIOp>(registry, [](I a, I b) { return a.ashr(b); });
  addShift<arith::ShRUIOp>(registry, [](I a, I b) { return a.lshr(b); });

  registry.add<arith::AddUIExtendedOp>(runAddUIExtended);
  addExtendedProduct<arith::MulSIExtendedOp>(
      registry, [](I x, unsigned width) { return x.sext(width); });
  addExtendedProduct<arith::MulUIExtendedOp>(
      registry, [](I x, unsigned width) { return x.zext(width); });
  registry.add<arith::CmpIOp>(runCmpI);
}

//===----------------------------------------------------------------------===//
// Floating-point numbers
//===----------------------------------------------------------------------===//

/// The larger one; +0 is larger than -0.
static double larger(double a, double b) {
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

/// The smaller one; -0 is smaller than +0.
static double smaller(double a, double b) { return -larger(-a, -b); }

static void runCmpF(arith::CmpFOp op, Step &step) {
  const Array &a = step.in(op.getLhs()), &b = step.in(op.getRhs());
  if (!step.checkSameDims(a, b))
    return;
  const Floats &left = a.floats(), &right = b.floats();
  step.give(elementwise<int64_t>(AMPRT_I1, a.dims(), [&](size_t i) {
    return arith::applyCmpPredicate(op.getPredicate(), llvm::APFloat(left[i]),
                                    llvm::APFloat(right[i]));
  }));
}

static void addFloatOps(Registry &registry) {
  using D = double;
  addFloatUnary<arith::NegFOp>(registry, [](D x) { return -x; });
  addFloatBinary<arith::AddFOp>(registry, [](D a, D b) { return a + b; });
  addFloatBinary<arith::SubFOp>(registry, [](D a, D b) { return a - b; });
  addFloatBinary<arith::MulFOp>(registry, [](D a, D b) { return a * b; });
  addFloatBinary<arith::DivFOp>(registry, [](D a, D b) { return a / b; });
  addFloatBinary<arith::RemFOp>(registry,
                                [](D a, D b) { return std::fmod(a, b); });
  // NaN if one is NaN.
  addFloatBinary<arith::MaximumFOp>(registry, [](D a, D b) {
    return std::isnan(a) ? a : std::isnan(b) ? b : larger(a, b);
  });
  addFloatBinary<arith::MinimumFOp>(registry, [](D a, D b) {
    return std::isnan(a) ? a : std::isnan(b) ? b : smaller(a, b);
  });
  // The other one if one is NaN.
  addFloatBinary<arith::MaxNumFOp>(registry, [](D a, D b) {
    return std::isnan(a) ? b : std::isnan(b) ? a : larger(a, b);
  });
  addFloatBinary<arith::MinNumFOp>(registry, [](D a, D b) {
    return std::isnan(a) ? b : std::isnan(b) ? a : smaller(a, b);
  });
  registry.add<arith::CmpFOp>(runCmpF);
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

static void runConstant(arith::ConstantOp op, Step &step) {
  step.give(step.program().constant(op.getValue()));
}

static void runSelect(arith::SelectOp op, Step &step) {
  const Array &condition = step.in(op.getCondition());
  Token yes = step.token(op.getTrueValue());
  Token no = step.token(op.getFalseValue());
  if (!isa<ShapedType>(op.getCondition().getType()))
    return step.give(0, condition.integers()[0] ? yes : no);

  if (!step.checkSameDims(condition, yes.array()) ||
      !step.checkSameDims(condition, no.array()))
    return;
  Tokens elements;
  for (int64_t i = 0; i < condition.size(); ++i) {
    const Token &from = condition.integers()[i] ? yes : no;
    elements.push_back(from.array().take({}, i));
  }
  step.giveJoined(0, condition.dims(), std::move(elements));
}

void amp::interp::addArithOps(Registry &registry) {
  addIntegerOps(registry);
  addFloatOps(registry);
  registry.add<arith::ConstantOp>(runConstant);
  registry.add<arith::SelectOp>(runSelect);
}
