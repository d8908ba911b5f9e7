//===- NarrowFloats.cpp - Gradients through narrow floats -----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NarrowFloats.h"

#include "amp/Dialect/Amp/IR/Values.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace amp;

static Type widened(Type type) {
  if (auto list = dyn_cast<ListType>(type))
    return ListType::get(type.getContext(), widened(list.getElement()));
  if (auto collector = dyn_cast<CollectorType>(type))
    return CollectorType::get(type.getContext(),
                              cast<RankedTensorType>(widened(collector.getRow())));
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(widened(tensor.getElementType()));
  return type.isBF16() || type.isF16() ? Float32Type::get(type.getContext())
                                       : type;
}

bool amp::isNarrow(Type type) { return widened(type) != type; }

bool amp::isRounding(Operation *op) {
  return isa<arith::TruncFOp>(op) &&
         llvm::all_of(op->getUsers(), llvm::IsaPred<arith::ExtFOp>);
}

/// A constant's value in f32.
static TypedAttr widened(TypedAttr value) {
  auto convert = [](APFloat number) {
    bool loses;
    number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &loses);
    return number;
  };
  Type type = widened(value.getType());
  if (auto number = dyn_cast<FloatAttr>(value))
    return FloatAttr::get(type, convert(number.getValue()));
  auto shaped = cast<ShapedType>(type);
  SmallVector<APFloat> numbers;
  for (APFloat number : cast<DenseElementsAttr>(value).getValues<APFloat>())
    numbers.push_back(convert(number));
  return DenseElementsAttr::get(shaped, numbers);
}

/// Whether results hold numbers of operands, which are rounded already.
static bool onlyMoves(Operation *op) {
  return isa<tensor::TensorDialect>(op->getDialect()) ||
         isa<LookupOp, GatherOp, GroupOp, UngroupOp, StackOp, PushOp, PopOp, AtOp,
             ListOp, arith::SelectOp, linalg::TransposeOp, linalg::BroadcastOp,
             BranchOp, MergeOp, ForkOp, CallOp, LoopOp, MapOp, FlatmapOp,
             CollectorOp, CollectOp>(op);
}

namespace {
class Widener {
public:
  void run(GraphOp graph, bool isEntry);

private:
  void run(Block *block);
  void run(Operation *op);
  void keep(Operation *op);
  void widen(Value value);
  void useWide(Value value);

  llvm::DenseMap<Value, Type> narrow; ///< What wide values were.
};
} // namespace

void Widener::widen(Value value) {
  if (!isNarrow(value.getType()))
    return;
  narrow[value] = value.getType();
  value.setType(widened(value.getType()));
}

/// A value that stays narrow is used as a wide one.
void Widener::useWide(Value value) {
  if (!isNarrow(value.getType()))
    return;
  OpBuilder b(value.getContext());
  b.setInsertionPointAfterValue(value);
  auto wide = arith::ExtFOp::create(b, value.getLoc(), widened(value.getType()),
                                    value);
  narrow[wide] = value.getType();
  value.replaceAllUsesExcept(wide, wide);
}

/// An op that works on narrow values all the same.
void Widener::keep(Operation *op) {
  OpBuilder b(op);
  for (Value value : valuesReadBy(op)) {
    Type type = narrow.lookup(value);
    if (!type || isa<ListType, CollectorType>(type))
      continue;
    Value rounded = arith::TruncFOp::create(b, op->getLoc(), type, value);
    value.replaceUsesWithIf(rounded, [&](OpOperand &use) {
      return op->isAncestor(use.getOwner());
    });
  }
  for (Value result : op->getResults())
    useWide(result);
}

void Widener::run(Operation *op) {
  if (isa<LoopOp, MapOp, FlatmapOp>(op)) {
    llvm::for_each(op->getResults(), [&](Value result) { widen(result); });
    return run(&op->getRegion(0).front());
  }
  if (isa<GetOp, arith::TruncFOp>(op))
    return useWide(op->getResult(0));
  if (op->getNumRegions() > 0 || isa<arith::BitcastOp, tensor::BitcastOp>(op))
    return keep(op);
  if (isa<arith::ExtFOp>(op)) {
    if (op->getOperand(0).getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
    return;
  }
  bool any = llvm::any_of(op->getResultTypes(), isNarrow);
  if (!any)
    return;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    constant.setValueAttr(widened(constant.getValue()));
  for (Value result : op->getResults())
    widen(result);
  if (op->hasTrait<OpTrait::ConstantLike>() || onlyMoves(op))
    return;
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  for (Value result : op->getResults())
    if (Type type = narrow.lookup(result)) {
      Value rounded = arith::TruncFOp::create(b, op->getLoc(), type, result);
      result.replaceAllUsesExcept(rounded, rounded.getDefiningOp());
      Value wide =
          arith::ExtFOp::create(b, op->getLoc(), result.getType(), rounded);
      rounded.replaceAllUsesExcept(wide, wide.getDefiningOp());
      narrow[wide] = type;
    }
}

void Widener::run(Block *block) {
  for (Value argument : block->getArguments())
    widen(argument);
  SmallVector<Operation *> ops;
  for (Operation &op : block->without_terminator())
    ops.push_back(&op);
  for (Operation *op : ops)
    run(op);
}

void Widener::run(GraphOp graph, bool isEntry) {
  Block *block = &graph.getBody().front();
  if (!isEntry) {
    run(block);
    graph.setFunctionType(
        FunctionType::get(graph.getContext(), block->getArgumentTypes(),
                          block->getTerminator()->getOperandTypes()));
    return;
  }
  SmallVector<Operation *> ops;
  for (Operation &op : block->without_terminator())
    ops.push_back(&op);
  for (Value argument : block->getArguments())
    useWide(argument);
  for (Operation *op : ops)
    run(op);
}

void amp::widenNarrow(ArrayRef<GraphOp> graphs, GraphOp entry) {
  for (GraphOp graph : graphs)
    Widener().run(graph, graph == entry);
}

LogicalResult amp::narrowCall(CallOp call, GraphOp callee) {
  auto fits = [](Type here, Type there) {
    return here == there || !isa<ListType, CollectorType>(there);
  };
  if (!llvm::all_of_zip(call.getInputs().getTypes(), callee.getArgumentTypes(),
                        fits) ||
      !llvm::all_of_zip(call.getResultTypes(), callee.getResultTypes(), fits))
    return call.emitOpError("hands on a list or collector of narrow floats, beside "
                            "others through which gradients go: that is not "
                            "differentiated");
  OpBuilder b(call);
  for (auto [operand, type] :
       llvm::zip_equal(call.getInputsMutable(), callee.getArgumentTypes()))
    if (operand.get().getType() != type)
      operand.set(arith::TruncFOp::create(b, call.getLoc(), type, operand.get()));
  b.setInsertionPointAfter(call);
  for (auto [result, type] :
       llvm::zip_equal(call.getResults(), callee.getResultTypes()))
    if (Type wide = result.getType(); wide != type) {
      result.setType(type);
      auto ext = arith::ExtFOp::create(b, call.getLoc(), wide, result);
      result.replaceAllUsesExcept(ext, ext);
    }
  return success();
}
