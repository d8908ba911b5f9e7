//===- AmpStructureOps.cpp - Maps, scans, collectors -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each check carries its label in dialects/Amp/SPEC.md.
#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "Stacked.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace amp;

RankedTensorType amp::getStackedType(Type row) {
  SmallVector<int64_t> shape{ShapedType::kDynamic};
  if (auto tensor = dyn_cast<RankedTensorType>(row)) {
    llvm::append_range(shape, tensor.getShape());
    return RankedTensorType::get(shape, tensor.getElementType());
  }
  if (row.isIntOrIndexOrFloat())
    return RankedTensorType::get(shape, row);
  return {};
}

LogicalResult amp::verifyStacked(Operation *op, ValueRange rows,
                                 TypeRange results) {
  if (rows.size() != results.size()) // map_c1, scan_c3, loop_c7
    return op->emitOpError("expected ")
           << results.size() << " values to stack, but the body yields "
           << rows.size();
  for (auto [index, value, type] : llvm::enumerate(rows, results)) {
    RankedTensorType expected = getStackedType(value.getType());
    auto row = dyn_cast<RankedTensorType>(value.getType());
    if (!expected || (row && !row.hasStaticShape())) // map_c2, scan_c4, loop_c8
      return op->emitOpError("expected yielded value ")
             << index << " to be a scalar or of static shape, but got "
             << value.getType();
    if (type != expected) // map_c3, scan_c5, loop_c9
      return op->emitOpError("expected stacked result ")
             << index << " of type " << expected << ", but got " << type;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// MapOp: amp.map %i to %n -> (types) { body }
//===----------------------------------------------------------------------===//

/// A map and a flatmap look alike.
template <typename Map>
static ParseResult parseMap(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::Argument index;
  OpAsmParser::UnresolvedOperand count;
  index.type = parser.getBuilder().getIndexType();
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseArgument(index) || parser.parseKeyword("to") ||
      parser.parseOperand(count) ||
      parser.resolveOperand(count, index.type, result.operands))
    return failure();
  arguments.push_back(index);
  if (succeeded(parser.parseOptionalKeyword("adjoint")) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] {
        return parser.parseArgument(arguments.emplace_back(),
                                    /*allowType=*/true);
      }))
    return failure();
  if (parser.parseOptionalArrowTypeList(result.types) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  Map::ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}

template <typename Map> static void printMap(Map op, OpAsmPrinter &printer) {
  printer << ' ' << op.getBody().getArgument(0) << " to " << op.getCount();
  if (auto gradients = op.getBody().getArguments().drop_front();
      !gradients.empty()) {
    printer << " adjoint(";
    llvm::interleaveComma(gradients, printer, [&](BlockArgument argument) {
      printer.printRegionArgument(argument);
    });
    printer << ')';
  }
  printer.printOptionalArrowTypeList(op.getResultTypes());
  printer.printOptionalAttrDictWithKeyword(op->getAttrs());
  printer << ' ';
  printer.printRegion(op.getBody(), /*printEntryBlockArgs=*/false);
}

ParseResult MapOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseMap<MapOp>(parser, result);
}
void MapOp::print(OpAsmPrinter &printer) { printMap(*this, printer); }

ParseResult FlatmapOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseMap<FlatmapOp>(parser, result);
}
void FlatmapOp::print(OpAsmPrinter &printer) { printMap(*this, printer); }

Value MapOp::getTape() { return amp::getTape(*this); }

LogicalResult MapOp::verifyRegions() {
  ArrayRef<int64_t> adjoints = adjointsStacked();
  if (getBody().getNumArguments() != 1 + adjoints.size() ||
      !getBody().getArgument(0).getType().isIndex()) // map_c4
    return emitOpError("expected a body with one argument, the index")
           << (adjoints.empty() ? "" : ", and the adjoints");
  ValueRange values =
      cast<YieldOp>(getBody().front().getTerminator()).getValues();
  for (auto [argument, number] : llvm::zip_equal(getAdjointArgs(), adjoints))
    if (number < 0 || number >= int64_t(values.size()) ||
        !hasGradient(values[number].getType()) ||
        argument.getType() != values[number].getType()) // map_c6
      return emitOpError("expected adjoints of values that are floats, but "
                         "number ")
             << number << " is none";
  if (!adjoints.empty() && !getTape()) // map_c7
    return emitOpError("expected a tape where there are adjoints");
  if (failed(verifyTape(*this)))
    return failure();
  if (getTape())
    values = values.take_front(
        std::min<size_t>(values.size(), getStacked().size()));
  return verifyStacked(*this, values, getStacked().getTypes());
}

LogicalResult FlatmapOp::verifyRegions() {
  if (getBody().getNumArguments() != 1 ||
      !getBody().getArgument(0).getType().isIndex()) // flatmap_c1
    return emitOpError("expected a body with one argument, the index");
  auto yield = cast<YieldOp>(getBody().front().getTerminator());
  if (TypeRange(yield.getValues().getTypes()) !=
      TypeRange(getResultTypes())) // flatmap_c2
    return emitOpError("expected the body to yield ")
           << getResultTypes() << ", but it yields "
           << yield.getValues().getTypes();
  for (Type type : getResultTypes()) {
    auto rows = dyn_cast<RankedTensorType>(type);
    if (!rows || rows.getRank() < 1 || !rows.isDynamicDim(0) ||
        rows.getNumDynamicDims() != 1) // flatmap_c3
      return emitOpError("expected results of which only dimension 0 is open, "
                         "but got ")
             << type;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// ScanOp: amp.scan [reverse] %i = %lo to %up
//             [carry(%a = %a0, ...) : (types)] [-> (stacked types)] { body }
//===----------------------------------------------------------------------===//

ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  if (succeeded(parser.parseOptionalKeyword("reverse")))
    result.addAttribute("reverse", builder.getUnitAttr());
  SmallVector<OpAsmParser::Argument> arguments(1);
  arguments[0].type = builder.getIndexType();
  OpAsmParser::UnresolvedOperand lower, upper;
  if (parser.parseArgument(arguments[0]) || parser.parseEqual() ||
      parser.parseOperand(lower) || parser.parseKeyword("to") ||
      parser.parseOperand(upper) ||
      parser.resolveOperand(lower, arguments[0].type, result.operands) ||
      parser.resolveOperand(upper, arguments[0].type, result.operands))
    return failure();
  SmallVector<Type> carried, stacked;
  if (succeeded(parser.parseOptionalKeyword("carry"))) {
    SmallVector<OpAsmParser::UnresolvedOperand> inits;
    SMLoc loc = parser.getCurrentLocation();
    auto parseCarried = [&]() -> ParseResult {
      OpAsmParser::Argument &argument = arguments.emplace_back();
      return failure(parser.parseArgument(argument) || parser.parseEqual() ||
                     parser.parseOperand(inits.emplace_back()));
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                       parseCarried) ||
        parser.parseColon() || parser.parseLParen() ||
        parser.parseTypeList(carried) || parser.parseRParen() ||
        parser.resolveOperands(inits, carried, loc, result.operands))
      return failure();
    for (auto [argument, type] :
         llvm::zip_equal(llvm::drop_begin(arguments), carried))
      argument.type = type;
  }
  if (parser.parseOptionalArrowTypeList(stacked) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  result.addTypes(carried);
  result.addTypes(stacked);
  result.getOrAddProperties<ScanOp::Properties>().resultSegmentSizes = {
      int32_t(carried.size()), int32_t(stacked.size())};
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, builder, result.location);
  return success();
}

void ScanOp::print(OpAsmPrinter &printer) {
  if (getReverse())
    printer << " reverse";
  printer << ' ' << getBody().getArgument(0) << " = " << getLower() << " to "
          << getUpper();
  if (!getInit().empty()) {
    printer << " carry(";
    llvm::interleaveComma(
        llvm::zip_equal(getBody().getArguments().drop_front(), getInit()),
        printer, [&](auto pair) {
          printer << std::get<0>(pair) << " = " << std::get<1>(pair);
        });
    printer << ") : (" << getInit().getTypes() << ')';
  }
  printer.printOptionalArrowTypeList(getStacked().getTypes());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"reverse", "resultSegmentSizes"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult ScanOp::verifyRegions() {
  Block &body = getBody().front();
  TypeRange carried = getInit().getTypes();
  if (getLast().getTypes() != carried) // scan_c1
    return emitOpError("expected the last carried values to have types ")
           << carried << ", but got " << getLast().getTypes();
  if (body.getNumArguments() != 1 + carried.size() ||
      !body.getArgument(0).getType().isIndex() ||
      TypeRange(body.getArgumentTypes()).drop_front() != carried) // scan_c6
    return emitOpError("expected the body's arguments to be the index and the "
                       "carried values");
  ValueRange yielded = cast<YieldOp>(body.getTerminator()).getValues();
  if (yielded.size() < carried.size() ||
      yielded.take_front(carried.size()).getTypes() != carried) // scan_c2
    return emitOpError(
               "expected the body to yield the carried values of types ")
           << carried << " first, but it yields " << yielded.getTypes();
  return verifyStacked(*this, yielded.drop_front(carried.size()),
                       getStacked().getTypes());
}

//===----------------------------------------------------------------------===//
// Collectors
//===----------------------------------------------------------------------===//

LogicalResult CollectOp::verify() {
  RankedTensorType expected = getStackedType(getCollector().getType().getRow());
  if (getType() != expected) // collect_c1
    return emitOpError("expected a result of type ")
           << expected << ", but got " << getType();
  Operation *maker = getCollector().getDefiningOp();
  if (!isa_and_nonnull<CollectorOp>(maker) ||
      maker->getBlock() != (*this)->getBlock()) // collect_c2
    return emitOpError("expected to stand in the activation that made the "
                       "collector, after it");
  for (Operation *user : getCollector().getUsers())
    if (isa<CollectOp>(user) && user != *this) { // collect_c3
      InFlightDiagnostic diag =
          emitOpError("expected one amp.collect for a collector");
      diag.attachNote(user->getLoc()) << "the other one is here";
      return diag;
    }
  return success();
}
