//===- ArithCasts.cpp - How conversions of numbers are run ----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/APSInt.h"

using namespace amp::interp;
using namespace mlir;
using amprt::StatusCode;
using llvm::APFloat;
using llvm::APInt;

/// The number in the type it comes from, as an APFloat of that type.
static APFloat floatAt(const Array &x, int64_t i) {
  APFloat number(x.floats()[i]);
  bool losesInfo;
  number.convert(floatSemantics(x.dtype()), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number;
}

/// From a floating-point type to another: by rounding, which is exact to wider
/// types.
static void runFloatToFloat(Operation *op, Step &step) {
  const Array &x = step.in(op->getOperand(0));
  step.give(Array(*elementTypeOf(op->getResult(0).getType()), x.dims(),
                  Floats(x.floats())));
}

/// From an integer type to another: `isSigned` says how the source is read; a
/// narrower result is what remains of the bits.
static void runIntegerToInteger(Operation *op, bool isSigned, Step &step) {
  const Array &x = step.in(op->getOperand(0));
  amprt_dtype_t dtype = *elementTypeOf(op->getResult(0).getType());
  step.give(elementwise<int64_t>(dtype, x.dims(), [&](size_t i) {
    return isSigned ? x.bits(i).getSExtValue()
                    : int64_t(x.bits(i).getZExtValue());
  }));
}

static void runIntegerToFloat(Operation *op, bool isSigned, Step &step) {
  const Array &x = step.in(op->getOperand(0));
  amprt_dtype_t dtype = *elementTypeOf(op->getResult(0).getType());
  step.give(elementwise<double>(dtype, x.dims(), [&](size_t i) {
    APFloat number(
        floatSemantics(dtype)); // Not by way of double: one rounding.
    number.convertFromAPInt(x.bits(i), isSigned, APFloat::rmNearestTiesToEven);
    return number.convertToDouble();
  }));
}

/// Towards zero. What does not fit (upstream: poison) fails the instance.
static void runFloatToInteger(Operation *op, bool isSigned, Step &step) {
  const Array &x = step.in(op->getOperand(0));
  Type type = op->getResult(0).getType();
  amprt_dtype_t dtype = *elementTypeOf(type);
  step.give(elementwise<int64_t>(dtype, x.dims(), [&](size_t i) {
    llvm::APSInt integer(bitWidth(dtype), /*isUnsigned=*/!isSigned);
    bool isExact;
    if (APFloat(x.floats()[i])
            .convertToInteger(integer, APFloat::rmTowardZero, &isExact) ==
        APFloat::opInvalidOp)
      step.fail(StatusCode::outOfRange, Twine(std::to_string(x.floats()[i])) +
                                            " does not fit in " +
                                            amprt::dtypeName(dtype));
    return APInt(integer).getSExtValue();
  }));
}

/// The same bits under another type of the same width.
static void runBitcast(arith::BitcastOp op, Step &step) {
  const Array &x = step.in(op.getIn());
  amprt_dtype_t dtype = *elementTypeOf(op.getType());
  auto bitsAt = [&](size_t i) {
    return isFloat(x.dtype()) ? floatAt(x, i).bitcastToAPInt() : x.bits(i);
  };
  if (isFloat(dtype))
    return step.give(elementwise<double>(dtype, x.dims(), [&](size_t i) {
      return APFloat(floatSemantics(dtype), bitsAt(i)).convertToDouble();
    }));
  step.give(elementwise<int64_t>(
      dtype, x.dims(), [&](size_t i) { return bitsAt(i).getSExtValue(); }));
}

void amp::interp::addArithCasts(Registry &registry) {
  auto integers = [](bool isSigned) {
    return [=](Operation *op, Step &step) {
      runIntegerToInteger(op, isSigned, step);
    };
  };
  auto toFloat = [](bool isSigned) {
    return [=](Operation *op, Step &step) {
      runIntegerToFloat(op, isSigned, step);
    };
  };
  auto toInteger = [](bool isSigned) {
    return [=](Operation *op, Step &step) {
      runFloatToInteger(op, isSigned, step);
    };
  };
  registry.add<arith::ExtFOp>(runFloatToFloat);
  registry.add<arith::TruncFOp>(runFloatToFloat);
  registry.add<arith::ExtSIOp>(integers(/*isSigned=*/true));
  registry.add<arith::ExtUIOp>(integers(/*isSigned=*/false));
  registry.add<arith::TruncIOp>(integers(/*isSigned=*/true));
  registry.add<arith::IndexCastOp>(integers(/*isSigned=*/true));
  registry.add<arith::IndexCastUIOp>(integers(/*isSigned=*/false));
  registry.add<arith::SIToFPOp>(toFloat(/*isSigned=*/true));
  registry.add<arith::UIToFPOp>(toFloat(/*isSigned=*/false));
  registry.add<arith::FPToSIOp>(toInteger(/*isSigned=*/true));
  registry.add<arith::FPToUIOp>(toInteger(/*isSigned=*/false));
  registry.add<arith::BitcastOp>(runBitcast);
}
