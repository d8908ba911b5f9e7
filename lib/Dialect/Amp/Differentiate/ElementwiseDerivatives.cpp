//===- ElementwiseDerivatives.cpp - Derivatives of element-wise ops -------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Derivatives.h"
#include "NarrowFloats.h"

#include "amp/Dialect/Amp/IR/AmpInterfaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace amp;

namespace {

/// What the formulas of the table are written with: values of one type, and
/// numbers.
struct Term {
  AdjointEmitter *emitter;
  Location loc;
  Value value;

  template <typename Op> Term apply(Value other) const {
    return {emitter, loc, Op::create(emitter->b, loc, value, other)};
  }
  Term number(double n) const {
    return {emitter, loc, emitter->filled(loc, value, n)};
  }
};
Term operator+(Term a, Term b) { return a.apply<arith::AddFOp>(b.value); }
Term operator-(Term a, Term b) { return a.apply<arith::SubFOp>(b.value); }
Term operator*(Term a, Term b) { return a.apply<arith::MulFOp>(b.value); }
Term operator/(Term a, Term b) { return a.apply<arith::DivFOp>(b.value); }
Term operator+(Term a, double b) { return a + a.number(b); }
Term operator-(double a, Term b) { return b.number(a) - b; }
Term operator*(Term a, double b) { return a * a.number(b); }
Term operator-(Term a) {
  return {a.emitter, a.loc, arith::NegFOp::create(a.emitter->b, a.loc, a.value)};
}
template <typename Op> Term function(Term x) {
  return {x.emitter, x.loc, Op::create(x.emitter->b, x.loc, x.value)};
}
Term exp(Term x) { return function<math::ExpOp>(x); }
Term log(Term x) { return function<math::LogOp>(x); }
Term sin(Term x) { return function<math::SinOp>(x); }
Term cos(Term x) { return function<math::CosOp>(x); }
Term pow(Term x, Term y) { return x.apply<math::PowFOp>(y.value); }

/// `a` where `x` and `y` compare so, else `b`.
Term choose(arith::CmpFPredicate predicate, Term x, Term y, Term a, Term b) {
  OpBuilder &builder = x.emitter->b;
  Value condition =
      arith::CmpFOp::create(builder, x.loc, predicate, x.value, y.value);
  return {x.emitter, x.loc,
          arith::SelectOp::create(builder, x.loc, condition, a.value, b.value)};
}

/// The gradient of the only operand, from it (x), the result (y) and its
/// gradient (d).
template <typename Op, typename Table>
struct Unary : DerivativeOpInterface::ExternalModel<Unary<Op, Table>, Op> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    Value x = op->getOperand(0), y = op->getResult(0);
    if (!emitter.wants(x))
      return success();
    Location loc = op->getLoc();
    Term d{&emitter, loc, emitter.adjoint(y)};
    emitter.add(
        x, Table::of(Term{&emitter, loc, x}, Term{&emitter, loc, y}, d).value);
    return success();
  }
};

/// Of two operands, x and z.
template <typename Op, typename Table>
struct Binary : DerivativeOpInterface::ExternalModel<Binary<Op, Table>, Op> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    Location loc = op->getLoc();
    auto term = [&](Value value) { return Term{&emitter, loc, value}; };
    Term x = term(op->getOperand(0)), z = term(op->getOperand(1)),
         y = term(op->getResult(0)), d = term(emitter.adjoint(y.value));
    if (emitter.wants(x.value))
      emitter.add(x.value, Table::first(x, z, y, d).value);
    if (emitter.wants(z.value))
      emitter.add(z.value, Table::second(x, z, y, d).value);
    return success();
  }
};

/// Steps, whose derivative is zero wherever they have one, and what reads no
/// element.
template <typename Op>
struct Step : DerivativeOpInterface::ExternalModel<Step<Op>, Op> {
  LogicalResult emitAdjoint(Operation *, AdjointEmitter &) const {
    return success();
  }
};

#define UNARY(Name, ...)                                                       \
  struct Name {                                                                \
    static Term of(Term x, Term y, Term d) {                                   \
      (void)x, (void)y;                                                        \
      return __VA_ARGS__;                                                      \
    }                                                                          \
  };
#define BINARY(Name, First, Second)                                            \
  struct Name {                                                                \
    static Term first(Term x, Term z, Term y, Term d) {                        \
      (void)x, (void)z, (void)y;                                               \
      return First;                                                            \
    }                                                                          \
    static Term second(Term x, Term z, Term y, Term d) {                       \
      (void)x, (void)z, (void)y;                                               \
      return Second;                                                           \
    }                                                                          \
  };

constexpr auto kGreater = arith::CmpFPredicate::OGT;
constexpr auto kLess = arith::CmpFPredicate::OLT;

// The table of derivatives.
UNARY(Neg, -d)
UNARY(Abs, choose(kGreater, x, x.number(0), d,
                  choose(kLess, x, x.number(0), -d, x.number(0))))
UNARY(Exp, d *y)
UNARY(Exp2, d *y *M_LN2)
UNARY(ExpM1, d *(y + 1))
UNARY(Log, d / x)
UNARY(Log2, d / (x * M_LN2))
UNARY(Log10, d / (x * M_LN10))
UNARY(Log1p, d / (x + 1))
UNARY(Sqrt, d / (y * 2))
UNARY(Rsqrt, d *(y * y * y) * -0.5)
UNARY(Sin, d *cos(x))
UNARY(Cos, -(d * sin(x)))
UNARY(Tan, d *(y * y + 1))
UNARY(Atan, d / (x * x + 1))
UNARY(Tanh, d *(1 - y * y))
UNARY(Erf, d *exp(-(x * x)) * M_2_SQRTPI)
UNARY(Sigmoid, d *(y * (1 - y)))
BINARY(Add, d, d)
BINARY(Sub, d, -d)
BINARY(Mul, d *z, d *x)
BINARY(Div, d / z, -(d * y / z))
// At equal operands the second one: so the derivative of max(x, 0) is 0 at 0.
BINARY(Max, choose(kGreater, x, z, d, x.number(0)),
       choose(kGreater, x, z, x.number(0), d))
BINARY(Min, choose(kLess, x, z, d, x.number(0)),
       choose(kLess, x, z, x.number(0), d))
BINARY(Pow, d *z *pow(x, z + -1.0), d *y *log(x))
BINARY(Atan2, d *z / (x * x + z * z), -(d * x / (x * x + z * z)))

#undef UNARY
#undef BINARY

struct Fma : DerivativeOpInterface::ExternalModel<Fma, math::FmaOp> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    Value a = op->getOperand(0), b = op->getOperand(1), c = op->getOperand(2);
    Term d{&emitter, op->getLoc(), emitter.adjoint(op->getResult(0))};
    if (emitter.wants(a))
      emitter.add(a, (d * Term{&emitter, op->getLoc(), b}).value);
    if (emitter.wants(b))
      emitter.add(b, (d * Term{&emitter, op->getLoc(), a}).value);
    if (emitter.wants(c))
      emitter.add(c, d.value);
    return success();
  }
};

struct Select : DerivativeOpInterface::ExternalModel<Select, arith::SelectOp> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto select = cast<arith::SelectOp>(op);
    Location loc = op->getLoc();
    Value gradient = emitter.adjoint(select.getResult());
    // Of two whole tensors the one that was not chosen may be of another size.
    auto give = [&](Value operand, bool isTrue) {
      if (!emitter.wants(operand))
        return;
      Value onTrue = gradient, onFalse = emitter.filled(loc, operand, 0);
      if (!isTrue)
        std::swap(onTrue, onFalse);
      emitter.add(operand,
                  arith::SelectOp::create(emitter.b, loc, select.getCondition(),
                                          onTrue, onFalse));
    };
    give(select.getTrueValue(), true);
    give(select.getFalseValue(), false);
    return success();
  }
};

/// A float as one of another width, and back.
template <typename Op, typename Back>
struct Convert : DerivativeOpInterface::ExternalModel<Convert<Op, Back>, Op> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    Value x = op->getOperand(0);
    // Of what was only rounded, with the derivative 1.
    if (auto rounded = x.getDefiningOp<arith::TruncFOp>();
        rounded && isNarrow(x.getType())) {
      Value whole = rounded.getIn(), gradient = emitter.adjoint(op->getResult(0));
      if (gradient.getType() != whole.getType())
        gradient = Op::create(emitter.b, op->getLoc(), whole.getType(), gradient);
      if (emitter.wants(whole))
        emitter.add(whole, gradient);
      return success();
    }
    if (emitter.wants(x))
      emitter.add(x, Back::create(emitter.b, op->getLoc(), x.getType(),
                                  emitter.adjoint(op->getResult(0))));
    return success();
  }
};

template <typename Op, typename Table> void unary(MLIRContext &context) {
  Op::template attachInterface<Unary<Op, Table>>(context);
}
template <typename Op, typename Table> void binary(MLIRContext &context) {
  Op::template attachInterface<Binary<Op, Table>>(context);
}
template <typename... Ops> void steps(MLIRContext &context) {
  (Ops::template attachInterface<Step<Ops>>(context), ...);
}
} // namespace

void amp::registerElementwiseDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    using namespace arith;
    unary<NegFOp, Neg>(*context);
    binary<AddFOp, Add>(*context);
    binary<SubFOp, Sub>(*context);
    binary<MulFOp, Mul>(*context);
    binary<DivFOp, Div>(*context);
    binary<MaximumFOp, Max>(*context);
    binary<MaxNumFOp, Max>(*context);
    binary<MinimumFOp, Min>(*context);
    binary<MinNumFOp, Min>(*context);
    SelectOp::attachInterface<Select>(*context);
    ExtFOp::attachInterface<Convert<ExtFOp, TruncFOp>>(*context);
    TruncFOp::attachInterface<Convert<TruncFOp, ExtFOp>>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    using namespace math;
    unary<AbsFOp, Abs>(*context);
    unary<ExpOp, Exp>(*context);
    unary<Exp2Op, Exp2>(*context);
    unary<ExpM1Op, ExpM1>(*context);
    unary<LogOp, Log>(*context);
    unary<Log2Op, Log2>(*context);
    unary<Log10Op, Log10>(*context);
    unary<Log1pOp, Log1p>(*context);
    unary<SqrtOp, Sqrt>(*context);
    unary<RsqrtOp, Rsqrt>(*context);
    unary<SinOp, Sin>(*context);
    unary<CosOp, Cos>(*context);
    unary<TanOp, Tan>(*context);
    unary<AtanOp, Atan>(*context);
    unary<TanhOp, Tanh>(*context);
    unary<ErfOp, Erf>(*context);
    binary<PowFOp, Pow>(*context);
    binary<Atan2Op, Atan2>(*context);
    FmaOp::attachInterface<Fma>(*context);
    steps<CeilOp, FloorOp, RoundOp, RoundEvenOp, math::TruncOp>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, AmpDialect *) {
    unary<SigmoidOp, Sigmoid>(*context);
    steps<DropoutMaskOp>(*context);
  });
}
