//===- ExpandMath.cpp - Replaces exp, tanh and their kin by polynomials ---===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// exp(x) = 2^n e^r with n = round(x / ln 2) and |r| <= ln 2 / 2. e^r is a
// polynomial (Cephes' coefficients for f32; Taylor's series to degree 13 for
// f64), 2^n is made from two powers, so that results down to the subnormal
// numbers and up to infinity come out right without a branch.
//
// tanh(x) = 1 - 2 / (e^2x + 1) cancels near zero; there expm1 serves, from the
// same polynomial without its leading 1:  tanh(x) = m / (m + 2), m = expm1(2x).
//
#include "amp/Dialect/Amp/Transforms/Passes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace amp {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "amp/Dialect/Amp/Transforms/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;

namespace {

/// Arithmetic on values of one float type, scalar or vector.
struct Floats {
  Floats(OpBuilder &b, Location loc, Type type) : b(b), loc(loc), type(type) {}

  Value constant(double value) {
    Type element = getElementTypeOrSelf(type);
    TypedAttr attr = b.getFloatAttr(element, value);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    return arith::ConstantOp::create(b, loc, attr);
  }
  Value integer(int64_t value) {
    Type element = IntegerType::get(b.getContext(), bits());
    TypedAttr attr = b.getIntegerAttr(element, value);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(
          cast<ShapedType>(VectorType::get(vector.getShape(), element)),
          Attribute(attr));
    return arith::ConstantOp::create(b, loc, attr);
  }
  Type integerType() {
    Type element = IntegerType::get(b.getContext(), bits());
    if (auto vector = dyn_cast<VectorType>(type))
      return VectorType::get(vector.getShape(), element);
    return element;
  }
  unsigned bits() { return getElementTypeOrSelf(type).getIntOrFloatBitWidth(); }
  bool isDouble() { return bits() == 64; }

  Value add(Value x, Value y) { return arith::AddFOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, loc, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, loc, x, y); }
  Value div(Value x, Value y) { return arith::DivFOp::create(b, loc, x, y); }
  Value minus(Value x) { return arith::NegFOp::create(b, loc, x); }
  Value fma(Value x, Value y, Value z) {
    return math::FmaOp::create(b, loc, x, y, z);
  }
  /// Comparison and select, not minimum: NaN goes through (x is kept).
  Value atMost(Value x, double limit) {
    Value c = constant(limit);
    Value over = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, x, c);
    return arith::SelectOp::create(b, loc, over, c, x);
  }
  Value atLeast(Value x, double limit) {
    Value c = constant(limit);
    Value under =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, x, c);
    return arith::SelectOp::create(b, loc, under, c, x);
  }

  /// 2^n for an integer n in the range of normal exponents.
  Value powerOfTwo(Value n) {
    return powerOfBiased(arith::AddIOp::create(b, loc, n, integer(bias())));
  }
  /// 2^n of n + bias, in whose low bits alone it is looked for.
  Value powerOfBiased(Value n) {
    n = arith::ShLIOp::create(b, loc, n, integer(isDouble() ? 52 : 23));
    return arith::BitcastOp::create(b, loc, type, n);
  }
  int64_t bias() { return isDouble() ? 1023 : 127; }

  /// The n of factor x = n ln 2 + r. Adding 1.5 * 2^(mantissa bits) rounds to
  /// an integer and leaves it in the low bits, with the exponents' bias: no
  /// conversion, and well defined for NaN too. `biased` is n + bias() there,
  /// and above it the bits of `roundingBits()`.
  Value multipleOfLn2(Value x, double factor, Value &biased) {
    Value magic = constant((isDouble() ? 6755399441055744.0 : 12582912.0) +
                           double(bias()));
    Value shifted = fma(x, constant(factor * 1.44269504088896340736), magic);
    biased = arith::BitcastOp::create(b, loc, integerType(), shifted);
    return sub(shifted, magic);
  }
  int64_t roundingBits() {
    return isDouble() ? 0x4338000000000000 : 0x4b400000;
  }

  /// r of x = n ln 2 + r, both times `scale`: ln 2 in two parts.
  Value remainder(Value x, Value n, double scale = 1) {
    double high = isDouble() ? 6.93145751953125e-1 : 0.693359375;
    double low = isDouble() ? 1.42860682030941723212e-6 : -2.12194440e-4;
    Value r = fma(n, constant(-high * scale), x);
    return fma(n, constant(-low * scale), r);
  }
  /// The same for n of at most 128: in f32 one part does, as the product is
  /// exact within the fma. What ln 2 lacks is 1.9e-9, which times 14 (x = 10)
  /// is less than half of a last digit, and 4 of those for x = 87.
  Value nearRemainder(Value x, Value n, double scale = 1) {
    if (isDouble())
      return remainder(x, n, scale);
    return fma(n, constant(-0.69314718055994530942 * scale), x);
  }

  /// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2, r = `stretch` x. For f32 a
  /// minimax polynomial: its error is 1.1e-7 of e^r.
  Value tail(Value x, double stretch = 1, double factor = 1) {
    static const double single[] = {4.99992311000824e-1, 1.6667115688323975e-1,
                                    4.189033061265945e-2, 8.312501013278961e-3};
    static const double twice[] = {
        1.0 / 2,       1.0 / 6,        1.0 / 24,        1.0 / 120,
        1.0 / 720,     1.0 / 5040,     1.0 / 40320,     1.0 / 362880,
        1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
    SmallVector<double> terms(isDouble() ? ArrayRef<double>(twice)
                                         : ArrayRef<double>(single));
    for (double &term : terms) {
      term *= factor;
      factor *= stretch;
    }
    Value p = constant(terms.back());
    for (double term : reverse(ArrayRef<double>(terms).drop_back()))
      p = fma(p, x, constant(term));
    return p;
  }

  Value exp(Value x) {
    // Beyond these the result is infinity, or zero, all the same.
    x = atMost(atLeast(x, isDouble() ? -746 : -105), isDouble() ? 710 : 89);
    Value biased;
    Value whole = multipleOfLn2(x, 1, biased);
    Value r = remainder(x, whole);
    Value e = fma(fma(tail(r), r, constant(1)), r, constant(1));
    Value n =
        arith::SubIOp::create(b, loc, biased, integer(roundingBits() + bias()));
    Value half = arith::ShRSIOp::create(b, loc, n, integer(1));
    e = mul(e, powerOfTwo(half));
    return mul(e, powerOfTwo(arith::SubIOp::create(b, loc, n, half)));
  }

  /// 1 / (1 + e^-x). Below the lower limit the power is infinite, so that the
  /// result is 0; above the upper one it is 1.
  Value sigmoid(Value x) {
    x = atMost(atLeast(x, isDouble() ? -710 : -89), isDouble() ? 708 : 87);
    Value biased;
    Value n = multipleOfLn2(x, -1, biased);
    Value r = nearRemainder(minus(x), n);
    Value e = fma(fma(tail(r), r, constant(1)), r, constant(1));
    return div(constant(1), fma(e, powerOfBiased(biased), constant(1)));
  }

  /// m / (m + 2) of m = e^2x - 1: here m / 2, and r / 2 of 2x = n ln 2 + r.
  Value tanh(Value x) {
    double limit = isDouble() ? 20 : 10; // tanh is 1 from there on
    x = atMost(atLeast(x, -limit), limit);
    Value biased;
    Value n = multipleOfLn2(x, 2, biased);
    Value r = nearRemainder(x, n, 0.5);
    Value m = fma(mul(tail(r, 2, 2), r), r, r); // (e^r - 1) / 2
    Value power = powerOfBiased(biased);
    m = fma(m, power, fma(power, constant(0.5), constant(-0.5)));
    return div(m, add(m, constant(1)));
  }

  OpBuilder &b;
  Location loc;
  Type type;
};

bool isExpandable(Type type) {
  Type element = getElementTypeOrSelf(type);
  return (isa<FloatType>(type) || isa<VectorType>(type)) &&
         (element.isF32() || element.isF64());
}

template <typename Op, Value (Floats::*expand)(Value)>
struct Expand : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!isExpandable(op.getType()))
      return rewriter.notifyMatchFailure(op, "not f32 or f64");
    Floats floats(rewriter, op.getLoc(), op.getType());
    rewriter.replaceOp(op, (floats.*expand)(op.getOperand()));
    return success();
  }
};

/// 1 / (e^-x + 1): what amp.sigmoid is.
struct ExpandSigmoid : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const override {
    auto isOne = [](Value value) { return matchPattern(value, m_OneFloat()); };
    auto sum = op.getRhs().getDefiningOp<arith::AddFOp>();
    if (!isExpandable(op.getType()) || !isOne(op.getLhs()) || !sum ||
        !isOne(sum.getRhs()))
      return rewriter.notifyMatchFailure(op, "not 1 / (y + 1)");
    auto exp = sum.getLhs().getDefiningOp<math::ExpOp>();
    auto negative =
        exp ? exp.getOperand().getDefiningOp<arith::NegFOp>() : nullptr;
    if (!negative)
      return rewriter.notifyMatchFailure(op, "not 1 / (e^-x + 1)");
    Floats floats(rewriter, op.getLoc(), op.getType());
    rewriter.replaceOp(op, floats.sigmoid(negative.getOperand()));
    return success();
  }
};

struct ExpandMath : amp::impl::ExpandMathPassBase<ExpandMath> {
  using Base::Base;

  void runOnOperation() override {
    // The sigmoid before the exponential that is a part of it.
    RewritePatternSet wholes(&getContext()), patterns(&getContext());
    wholes.add<ExpandSigmoid>(&getContext());
    patterns.add<Expand<math::ExpOp, &Floats::exp>,
                 Expand<math::TanhOp, &Floats::tanh>>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(wholes))) ||
        failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
