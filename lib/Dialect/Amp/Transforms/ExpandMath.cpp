//===- ExpandMath.cpp - Replaces exp, tanh and their kin by polynomials -*- C++
//-*-===//
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
    int64_t bias = isDouble() ? 1023 : 127, shift = isDouble() ? 52 : 23;
    n = arith::AddIOp::create(b, loc, n, integer(bias));
    n = arith::ShLIOp::create(b, loc, n, integer(shift));
    return arith::BitcastOp::create(b, loc, type, n);
  }

  /// x = n ln 2 + r. Adding 1.5 * 2^(mantissa bits) rounds to an integer and
  /// leaves it in the low bits: no conversion, and well defined for NaN too.
  void reduce(Value x, Value &n, Value &r) {
    double magicNumber = isDouble() ? 6755399441055744.0 : 12582912.0;
    int64_t magicBits = isDouble() ? 0x4338000000000000 : 0x4b400000;
    Value magic = constant(magicNumber);
    Value shifted = fma(x, constant(1.44269504088896340736), magic);
    n = arith::BitcastOp::create(b, loc, integerType(), shifted);
    n = arith::SubIOp::create(b, loc, n, integer(magicBits));
    Value whole = sub(shifted, magic);
    // ln 2 in two parts, the first with trailing zeros: the product is exact.
    double high = isDouble() ? 6.93145751953125e-1 : 0.693359375;
    double low = isDouble() ? 1.42860682030941723212e-6 : -2.12194440e-4;
    r = fma(whole, constant(-high), x);
    r = fma(whole, constant(-low), r);
  }

  /// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2. For f32 a minimax polynomial: its
  /// error is 1.1e-7 of e^r.
  Value tail(Value r) {
    static const double single[] = {8.312501013278961e-3, 4.189033061265945e-2,
                                    1.6667115688323975e-1, 4.99992311000824e-1};
    static const double twice[] = {
        1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800,
        1.0 / 362880,     1.0 / 40320,     1.0 / 5040,     1.0 / 720,
        1.0 / 120,        1.0 / 24,        1.0 / 6,        1.0 / 2};
    ArrayRef<double> all =
        isDouble() ? ArrayRef<double>(twice) : ArrayRef<double>(single);
    Value p = constant(all.front());
    for (double coefficient : all.drop_front())
      p = fma(p, r, constant(coefficient));
    return p;
  }

  Value exp(Value x) {
    // Beyond these the result is infinity, or zero, all the same.
    x = atMost(atLeast(x, isDouble() ? -746 : -105), isDouble() ? 710 : 89);
    Value n, r;
    reduce(x, n, r);
    Value e = add(fma(mul(tail(r), r), r, r), constant(1));
    Value half = arith::ShRSIOp::create(b, loc, n, integer(1));
    e = mul(e, powerOfTwo(half));
    return mul(e, powerOfTwo(arith::SubIOp::create(b, loc, n, half)));
  }

  /// e^x - 1 for |x| below 2^6.
  Value expm1Moderate(Value x) {
    Value n, r;
    reduce(x, n, r);
    Value m = fma(mul(tail(r), r), r, r); // e^r - 1
    Value scale = powerOfTwo(n);
    return fma(m, scale, sub(scale, constant(1)));
  }

  /// 1 / (1 + e^-x). Above the upper limit the power is infinite, so that the
  /// result is 0; below the lower one it is 1.
  Value sigmoid(Value x) {
    Value y = atMost(atLeast(minus(x), isDouble() ? -708 : -87),
                     isDouble() ? 710 : 89);
    Value n, r;
    reduce(y, n, r);
    Value m = fma(mul(tail(r), r), r, r); // e^r - 1
    return div(constant(1),
               fma(powerOfTwo(n), add(m, constant(1)), constant(1)));
  }

  Value tanh(Value x) {
    double limit = isDouble() ? 20 : 10; // tanh is 1 from there on
    Value y = atMost(atLeast(x, -limit), limit);
    Value m = expm1Moderate(add(y, y));
    return div(m, add(m, constant(2)));
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
