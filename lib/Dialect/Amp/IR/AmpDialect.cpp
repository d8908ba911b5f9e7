//===- AmpDialect.cpp - The amp dialect, its types and attributes -*- C++
//-*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace amp;

#include "amp/Dialect/Amp/IR/AmpDialect.cpp.inc"
#include "amp/Dialect/Amp/IR/AmpEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "amp/Dialect/Amp/IR/AmpAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "amp/Dialect/Amp/IR/AmpTypes.cpp.inc"

void AmpDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "amp/Dialect/Amp/IR/AmpAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "amp/Dialect/Amp/IR/AmpTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "amp/Dialect/Amp/IR/AmpOps.cpp.inc"
      >();
}

bool amp::isEdgeType(Type type) { // T1, as Amp_Value says
  if (isa<CollectorType, ListType>(type))
    return true;
  Type element = type;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    element = tensor.getElementType();
    if (element.isBF16() || element.isF16())
      return true;
  }
  return element.isF32() || element.isF64() || element.isIndex() ||
         element.isSignlessInteger(1) || element.isSignlessInteger(32) ||
         element.isSignlessInteger(64);
}

LogicalResult
CollectorType::verify(function_ref<InFlightDiagnostic()> emitError,
                      RankedTensorType row) {
  if (!row.hasStaticShape()) // collector_c1
    return emitError() << "expected a row of static shape, but got " << row;
  return success();
}

/// How many numbers follow the kind in `init(...)`.
static unsigned initNumbers(InitKind kind) {
  switch (kind) {
  case InitKind::Zeros:
  case InitKind::Glorot:
    return 0;
  case InitKind::Constant:
  case InitKind::Normal: // the standard deviation, kept in `b`; the mean is 0
    return 1;
  case InitKind::Uniform:
    return 2;
  }
  llvm_unreachable("all kinds are handled");
}

Attribute InitAttr::parse(AsmParser &parser, Type) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLParen() || parser.parseKeyword(&keyword))
    return {};
  std::optional<InitKind> kind = symbolizeInitKind(keyword);
  if (!kind) {
    parser.emitError(loc) << "expected zeros, constant, uniform, normal or "
                             "glorot, but got "
                          << keyword;
    return {};
  }
  double numbers[2] = {0, 0};
  for (unsigned i = 0; i < initNumbers(*kind); ++i) {
    bool negative = false;
    if (parser.parseComma())
      return {};
    negative = succeeded(parser.parseOptionalMinus());
    if (parser.parseFloat(numbers[i]))
      return {};
    if (negative)
      numbers[i] = -numbers[i];
  }
  if (parser.parseRParen())
    return {};
  if (*kind == InitKind::Normal)
    std::swap(numbers[0], numbers[1]);
  return InitAttr::get(parser.getContext(), *kind, APFloat(numbers[0]),
                       APFloat(numbers[1]));
}

void InitAttr::print(AsmPrinter &printer) const {
  printer << '(' << stringifyInitKind(getKind());
  APFloat numbers[2] = {getA(), getB()};
  if (getKind() == InitKind::Normal)
    std::swap(numbers[0], numbers[1]);
  for (unsigned i = 0; i < initNumbers(getKind()); ++i) {
    printer << ", ";
    printer.printFloat(numbers[i]);
  }
  printer << ')';
}
