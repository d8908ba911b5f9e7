//===- AmpNodeOps.cpp - Graphs and their nodes -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each check carries its label in dialects/Amp/SPEC.md.
#include "amp/Dialect/Amp/IR/AmpOps.h"

#include "Stacked.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace amp;

/// `type(...)` of an assembly format wants at least one type; this does not.
static ParseResult parseTypesInParens(OpAsmParser &parser,
                                      SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] {
    return parser.parseType(types.emplace_back());
  });
}

static void printTypesInParens(OpAsmPrinter &printer, Operation *,
                               TypeRange types) {
  printer << '(' << types << ')';
}

#define GET_OP_CLASSES
#include "amp/Dialect/Amp/IR/AmpOps.cpp.inc"

/// Nodes of a graph, and ops of level A that become such. They route tokens,
/// open activations or wait for rows, so no region of per-instance ops holds
/// them.
static bool isControlNode(Operation *op) {
  return isa<BranchOp, MergeOp, ForkOp, SinkOp, CallOp, BackwardOp, LoopOp, TransformOp,
             CellOp, ControlOp, MapOp, FlatmapOp, ScanOp, CollectorOp, EmitOp,
             CollectOp, GraphOp, ParamOp>(op);
}

bool amp::isPerInstanceOp(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(op))
    return false;
  return !op->walk([](Operation *each) {
              StringRef dialect = each->getName().getDialectNamespace();
              bool legal = dialect == "amp" || dialect == "arith" ||
                           dialect == "math" || dialect == "tensor" ||
                           dialect == "linalg";
              return legal && !isControlNode(each) ? WalkResult::advance()
                                                   : WalkResult::interrupt();
            }).wasInterrupted();
}

bool amp::mayFail(Operation *op) {
  // MLIR does not look into its region.
  if (auto generate = dyn_cast<tensor::GenerateOp>(op))
    return op->getNumOperands() != 0 ||
           llvm::any_of(generate.getBody().front().without_terminator(),
                        [](Operation &inner) { return mayFail(&inner); });
  if (!isPure(op) || isa<arith::RemSIOp, arith::RemUIOp>(op))
    return true;
  return op->getName().getDialectNamespace() == "tensor" &&
         op->getNumOperands() != 0 &&
         !isa<tensor::SplatOp, tensor::FromElementsOp, tensor::ConcatOp>(op);
}

bool amp::addsGradient(Operation *op) {
  return isa<AddGradientOp, LinearGradientOp, GroupedLinearGradientOp,
             RowGradientOp>(op);
}

ParseResult GraphOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments,
                      ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(arguments, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void GraphOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

LogicalResult GraphOp::verifyRegions() {
  if (getAdjointInputs().has_value() != getAdjointResults().has_value() ||
      adjointInputs() > getNumArguments() ||
      adjointResults() > getNumResults()) // graph_c3
    return emitOpError("expected numbers of adjoint inputs and results, no more "
                       "than there are arguments and results, or neither");
  if (TypeRange(getBody().getArgumentTypes()) !=
      TypeRange(getArgumentTypes())) // graph_c1
    return emitOpError("expected the body's arguments to have types ")
           << getArgumentTypes();
  return success();
}

LogicalResult ReturnOp::verify() {
  auto graph = cast<GraphOp>((*this)->getParentOp());
  if (TypeRange(getValues().getTypes()) !=
      TypeRange(graph.getResultTypes())) // return_c1
    return emitOpError("expected values of types ")
           << graph.getResultTypes() << ", but got " << getValues().getTypes();
  return success();
}

/// Body arguments and yielded values of a node that owns a region.
template <typename Node> static LogicalResult verifyNodeRegion(Node op) {
  Block &body = op.getBody().front();
  if (TypeRange(body.getArgumentTypes()) !=
      TypeRange(op.getInputs().getTypes())) // transform_c1, cell_c1, control_c1
    return op.emitOpError("expected the body's arguments to have the types of "
                          "the inputs, ")
           << op.getInputs().getTypes() << ", but got "
           << body.getArgumentTypes();
  auto yield = cast<YieldOp>(body.getTerminator());
  if (TypeRange(yield.getValues().getTypes()) !=
      TypeRange(op.getResultTypes())) // transform_c2, cell_c2, control_c2
    return op.emitOpError("expected the body to yield ")
           << op.getResultTypes() << ", but it yields "
           << yield.getValues().getTypes();
  for (Operation &each : body.without_terminator())
    if (!isPerInstanceOp(&each) && !addsGradient(&each)) { // transform_c3, cell_c3, control_c3
      InFlightDiagnostic diag =
          op.emitOpError("expected pure per-instance ops in its body, but got ")
          << each.getName();
      diag.attachNote(each.getLoc()) << "it is here";
      return diag;
    }
  return success();
}

LogicalResult TransformOp::verifyRegions() { return verifyNodeRegion(*this); }
LogicalResult CellOp::verifyRegions() { return verifyNodeRegion(*this); }
LogicalResult ControlOp::verifyRegions() { return verifyNodeRegion(*this); }

//===----------------------------------------------------------------------===//
// fork, rekey
//===----------------------------------------------------------------------===//

ParseResult ForkOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand value;
  Type type;
  uint32_t count = 0;
  SMLoc loc;
  if (parser.parseOperand(value) || parser.parseColonType(type) ||
      parser.parseKeyword("to") || parser.getCurrentLocation(&loc) ||
      parser.parseInteger(count) ||
      parser.resolveOperand(value, type, result.operands) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  constexpr uint32_t most = 1u << 20;
  if (count > most)
    return parser.emitError(loc) << "expected at most " << most << " results";
  result.addTypes(SmallVector<Type>(count, type));
  return success();
}

void ForkOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getValue() << " : " << getValue().getType() << " to "
          << getNumResults();
  printer.printOptionalAttrDict((*this)->getAttrs());
}

LogicalResult ForkOp::verify() {
  if (llvm::any_of(getResultTypes(), [&](Type type) {
        return type != getValue().getType();
      })) // fork_c1
    return emitOpError("expected results of the value's type, ")
           << getValue().getType();
  return success();
}

static LogicalResult verifyKeyChange(RekeyOp op, Region &region,
                                     StringRef name) {
  Block &body = region.front();
  Type key = op.getKey().getType();
  if (TypeRange(body.getArgumentTypes()) != TypeRange(key)) // rekey_c1
    return op.emitOpError("expected ")
           << name << " to have one argument, of type " << key;
  auto yield = body.mightHaveTerminator() ? dyn_cast<YieldOp>(body.back())
                                          : YieldOp();
  if (!yield || TypeRange(yield.getValues().getTypes()) !=
                    TypeRange(key)) // rekey_c2
    return op.emitOpError("expected ")
           << name << " to yield one value of type " << key;
  for (Operation &each : body.without_terminator())
    if (!isPerInstanceOp(&each) || each.getNumRegions() ||
        !llvm::all_of(each.getResultTypes(), [](Type type) {
          return type.isIntOrIndexOrFloat();
        })) { // rekey_c3
      InFlightDiagnostic diag = op.emitOpError("expected scalar ops only in ")
                                << name << ", but got " << each.getName();
      diag.attachNote(each.getLoc()) << "it is here";
      return diag;
    }
  return success();
}

LogicalResult RekeyOp::verifyRegions() {
  if (failed(verifyKeyChange(*this, getForward(), "forward")))
    return failure();
  return verifyKeyChange(*this, getInverse(), "inverse");
}

//===----------------------------------------------------------------------===//
// call, loop
//===----------------------------------------------------------------------===//

Value CallOp::getTape() { return amp::getTape(*this); }

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto graph = symbols.lookupNearestSymbolFrom<GraphOp>(*this, getCalleeAttr());
  if (!graph) // call_c1
    return emitOpError("expected the name of an amp.graph, but got ")
           << getCalleeAttr();
  if (graph.isDifferentiated() != static_cast<bool>(getTape())) // call_c4
    return emitOpError("expected a tape as the last result exactly where the "
                       "callee is differentiated");
  if (failed(verifyTape(*this)))
    return failure();
  TypeRange inputs(getInputs().getTypes());
  TypeRange results(getForwardResults().getTypes());
  SmallVector<Type> allInputs(inputs), allResults(results);
  if (BackwardOp backward = getBackward(*this)) {
    llvm::append_range(allInputs, backward.getInputs().getTypes());
    llvm::append_range(allResults, backward.getResultTypes());
  }
  if (allInputs != ArrayRef<Type>(graph.getArgumentTypes()) ||
      allResults != ArrayRef<Type>(graph.getResultTypes()) ||
      inputs.size() + graph.adjointInputs() != allInputs.size() ||
      results.size() + graph.adjointResults() !=
          allResults.size()) { // call_c2, backward_c3
    InFlightDiagnostic diag = emitOpError("expected the callee's type ")
                              << graph.getFunctionType();
    diag.attachNote(graph.getLoc()) << "the graph is here";
    return diag;
  }
  return success();
}

/// The types of the values that `numbers` names, which come first of `types`'s.
static LogicalResult appendAdjoints(Operation *op, ArrayRef<int64_t> numbers,
                                    TypeRange values,
                                    SmallVectorImpl<Type> &types) {
  for (int64_t number : numbers) {
    if (number < 0 || number >= int64_t(values.size()) ||
        !hasGradient(values[number])) // loop_c13, map_c6
      return op->emitOpError("expected adjoints of values that are floats, but "
                             "number ")
             << number << " is none";
    types.push_back(values[number]);
  }
  return success();
}

static LogicalResult verifyLoopAdjoints(LoopOp op) {
  NextOp next = op.getNext();
  SmallVector<Type> arguments;
  if (failed(appendAdjoints(op, op.adjointsCarried(),
                            next.getCarried().getTypes(), arguments)))
    return failure();
  SmallVector<Type> back(arguments);
  if (failed(appendAdjoints(op, op.adjointsExit(), next.getExit().getTypes(),
                            arguments)) ||
      failed(appendAdjoints(op, op.adjointsStacked(),
                            next.getStacked().getTypes(), arguments)))
    return failure();
  bool any = !arguments.empty() || !next.getAdjoint().empty();
  if (any && !op.getTape()) // loop_c12
    return op.emitOpError("expected a tape where there are adjoints");
  if (failed(verifyTape(op)))
    return failure();
  if (TypeRange(ValueRange(op.getAdjointArgs())) != TypeRange(arguments)) // loop_c2
    return op.emitOpError("expected the body's last arguments to be the adjoints, ")
           << arguments;
  TypeRange adjoint = next.getAdjoint().getTypes();
  if (adjoint.size() < back.size() ||
      adjoint.take_front(back.size()) != TypeRange(back)) // next_c6
    return next.emitOpError("expected the adjoints of the carried arguments, ")
           << back;
  if (adjoint.size() > back.size() && !op.hasRange()) // next_c7
    return next.emitOpError("expected more adjoints only where the loop has a "
                            "range");
  return success();
}

NextOp LoopOp::getNext() {
  return cast<NextOp>(getBody().front().getTerminator());
}

LogicalResult LoopOp::verify() {
  if (hasRange() != static_cast<bool>(getUpper()) ||
      hasRange() != static_cast<bool>(getStep())) // loop_c10
    return emitOpError(
        "expected a lower and an upper bound and a step, or none "
        "of them");
  return success();
}

LogicalResult LoopOp::verifyRegions() {
  Block &body = getBody().front();
  if (!body.mightHaveTerminator() || !isa<NextOp>(body.back())) // loop_c1
    return emitOpError("expected the body to end with amp.next");
  NextOp next = getNext();
  TypeRange carried = getInit().getTypes();
  unsigned first = hasRange() ? 1 : 0;
  if (body.getNumArguments() < first + carried.size() ||
      TypeRange(body.getArgumentTypes()).slice(first, carried.size()) !=
          carried ||
      (hasRange() && (body.getNumArguments() == 0 ||
                      !body.getArgument(0).getType().isIndex()))) // loop_c2
    return emitOpError("expected the body's arguments to be ")
           << (hasRange() ? "the index and " : "") << "the carried values";
  if (next.getCarried().getTypes() != carried) // loop_c3
    return emitOpError("expected amp.next to carry values of types ")
           << carried;
  if (hasRange() == static_cast<bool>(next.getCondition())) // loop_c4
    return next.emitOpError(
        "expected a condition exactly where the loop has no "
        "range");
  if (!hasRange() && !getStacked().empty()) // loop_c5
    return emitOpError("expected stacked results only with a range");
  TypeRange last = hasRange() ? carried : TypeRange(next.getExit().getTypes());
  if (getLast().getTypes() != last) // loop_c6
    return emitOpError("expected results of types ") << last;
  if (failed(verifyLoopAdjoints(*this)))
    return failure();
  return verifyStacked(*this, next.getStacked(),
                       getStacked().getTypes()); // loop_c7 to loop_c9
}
