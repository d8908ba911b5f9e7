//===- MathOps.cpp - How math is run --------------------------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace amp::interp;
using namespace mlir;
using amprt::StatusCode;
using llvm::APInt;

static void runFma(math::FmaOp op, Step &step) {
  const Array &a = step.in(op.getA()), &b = step.in(op.getB()),
              &c = step.in(op.getC());
  if (!step.checkSameDims(a, b) || !step.checkSameDims(a, c))
    return;
  const Floats &x = a.floats(), &y = b.floats(), &z = c.floats();
  step.give(elementwise<double>(a.dtype(), a.dims(), [&](size_t i) -> double {
    // In double the sum would be rounded twice.
    if (a.dtype() == AMPRT_F32)
      return std::fma(float(x[i]), float(y[i]), float(z[i]));
    return std::fma(x[i], y[i], z[i]);
  }));
}

/// base^exponent by repeated multiplication, wrapping.
static APInt power(Step &step, APInt base, APInt exponent) {
  APInt result(base.getBitWidth(), 1);
  if (exponent.isNegative()) {
    // Integers have an inverse only if it is 1 or -1.
    if (base.isZero())
      step.fail(StatusCode::invalidArgument,
                "zero to the power of a negative number");
    else if (base.isAllOnes())
      return exponent[0] ? base : result;
    return base.isOne() ? result : APInt(base.getBitWidth(), 0);
  }
  for (; !exponent.isZero(); exponent.lshrInPlace(1), base *= base)
    if (exponent[0])
      result *= base;
  return result;
}

static void runFPowI(math::FPowIOp op, Step &step) {
  const Array &x = step.in(op.getLhs()), &exponent = step.in(op.getRhs());
  if (!step.checkSameDims(x, exponent))
    return;
  step.give(elementwise<double>(x.dtype(), x.dims(), [&](size_t i) {
    return std::pow(x.floats()[i], double(exponent.signedAt(i)));
  }));
}

/// Has OpT, which asks something about a number, run as `function(x)`.
template <typename OpT, typename F>
static void addClassification(Registry &registry, F function) {
  registry.add<OpT>([function](OpT op, Step &step) {
    const Array &x = step.in(op->getOperand(0));
    step.give(elementwise<int64_t>(AMPRT_I1, x.dims(), [&](size_t i) {
      return function(llvm::APFloat(x.floats()[i]));
    }));
  });
}

void amp::interp::addMathOps(Registry &registry) {
  using D = double;
  addFloatUnary<math::AbsFOp>(registry, [](D x) { return std::fabs(x); });
  addFloatUnary<math::AcosOp>(registry, [](D x) { return std::acos(x); });
  addFloatUnary<math::AcoshOp>(registry, [](D x) { return std::acosh(x); });
  addFloatUnary<math::AsinOp>(registry, [](D x) { return std::asin(x); });
  addFloatUnary<math::AsinhOp>(registry, [](D x) { return std::asinh(x); });
  addFloatUnary<math::AtanOp>(registry, [](D x) { return std::atan(x); });
  addFloatUnary<math::AtanhOp>(registry, [](D x) { return std::atanh(x); });
  addFloatUnary<math::CbrtOp>(registry, [](D x) { return std::cbrt(x); });
  addFloatUnary<math::CeilOp>(registry, [](D x) { return std::ceil(x); });
  addFloatUnary<math::CosOp>(registry, [](D x) { return std::cos(x); });
  addFloatUnary<math::CoshOp>(registry, [](D x) { return std::cosh(x); });
  addFloatUnary<math::ErfOp>(registry, [](D x) { return std::erf(x); });
  addFloatUnary<math::ErfcOp>(registry, [](D x) { return std::erfc(x); });
  addFloatUnary<math::ExpOp>(registry, [](D x) { return std::exp(x); });
  addFloatUnary<math::Exp2Op>(registry, [](D x) { return std::exp2(x); });
  addFloatUnary<math::ExpM1Op>(registry, [](D x) { return std::expm1(x); });
  addFloatUnary<math::FloorOp>(registry, [](D x) { return std::floor(x); });
  addFloatUnary<math::LogOp>(registry, [](D x) { return std::log(x); });
  addFloatUnary<math::Log10Op>(registry, [](D x) { return std::log10(x); });
  addFloatUnary<math::Log1pOp>(registry, [](D x) { return std::log1p(x); });
  addFloatUnary<math::Log2Op>(registry, [](D x) { return std::log2(x); });
  addFloatUnary<math::RoundOp>(registry, [](D x) { return std::round(x); });
  addFloatUnary<math::RoundEvenOp>(registry,
                                   [](D x) { return std::nearbyint(x); });
  addFloatUnary<math::RsqrtOp>(registry, [](D x) { return 1 / std::sqrt(x); });
  addFloatUnary<math::SinOp>(registry, [](D x) { return std::sin(x); });
  addFloatUnary<math::SinhOp>(registry, [](D x) { return std::sinh(x); });
  addFloatUnary<math::SqrtOp>(registry, [](D x) { return std::sqrt(x); });
  addFloatUnary<math::TanOp>(registry, [](D x) { return std::tan(x); });
  addFloatUnary<math::TanhOp>(registry, [](D x) { return std::tanh(x); });
  addFloatUnary<math::TruncOp>(registry, [](D x) { return std::trunc(x); });

  addFloatBinary<math::Atan2Op>(registry,
                                [](D a, D b) { return std::atan2(a, b); });
  addFloatBinary<math::CopySignOp>(
      registry, [](D a, D b) { return std::copysign(a, b); });
  addFloatBinary<math::PowFOp>(registry,
                               [](D a, D b) { return std::pow(a, b); });
  registry.add<math::FmaOp>(runFma);
  registry.add<math::FPowIOp>(runFPowI);

  using F = const llvm::APFloat &;
  addClassification<math::IsFiniteOp>(registry,
                                      [](F x) { return x.isFinite(); });
  addClassification<math::IsInfOp>(registry,
                                   [](F x) { return x.isInfinity(); });
  addClassification<math::IsNaNOp>(registry, [](F x) { return x.isNaN(); });

  using I = const APInt &;
  addIntegerUnary<math::AbsIOp>(registry, [](I x) { return x.abs(); });
  addIntegerUnary<math::CountLeadingZerosOp>(registry, [](I x) {
    return APInt(x.getBitWidth(), x.countl_zero(), false, true);
  });
  addIntegerUnary<math::CountTrailingZerosOp>(registry, [](I x) {
    return APInt(x.getBitWidth(), x.countr_zero(), false, true);
  });
  addIntegerUnary<math::CtPopOp>(
      registry, [](I x) { return APInt(x.getBitWidth(), x.popcount()); });
  addIntegerBinary<math::IPowIOp>(registry, power);
}
