//===- LinalgDerivatives.cpp - Derivatives of structured ops --------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A structured op adds up, or sets, what its body makes of one element of each
// input. So an input's gradient adds up, over the same points, what the body's
// derivative makes of them and of the result's gradient; the scalar ops of the body
// know theirs.
//
//===----------------------------------------------------------------------===//

#include "Derivatives.h"

#include "amp/Dialect/Amp/IR/AmpInterfaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace amp;
using linalg::LinalgOp;

namespace {

/// The backward pass of a body of scalars.
class ScalarAdjoints : public AdjointEmitter {
public:
  /// `argument`: whose gradient is wanted; `ops` of the body, in order.
  ScalarAdjoints(OpBuilder &b, Value argument, ArrayRef<Operation *> ops)
      : AdjointEmitter(b), ops(ops) {
    varied.insert(argument);
    for (Operation *op : ops)
      if (llvm::any_of(op->getOperands(),
                       [&](Value value) { return wants(value); }))
        varied.insert(op->result_begin(), op->result_end());
  }

  Value adjoint(Value result) override { return sums.lookup(result); }
  bool wants(Value operand) override {
    return varied.contains(operand) && isa<FloatType>(operand.getType());
  }
  void add(Value operand, Value gradient) override {
    Value &sum = sums[operand];
    sum = sum ? arith::AddFOp::create(b, gradient.getLoc(), sum, gradient)
              : gradient;
  }
  void addRow(Value, Value, Value) override {
    llvm_unreachable("there are no rows among scalars");
  }

  LogicalResult run() {
    for (Operation *op : llvm::reverse(ops)) {
      if (llvm::none_of(op->getResults(), [&](Value value) {
            return wants(value) && sums.contains(value);
          }))
        continue;
      auto derivative = dyn_cast<DerivativeOpInterface>(op);
      if (!derivative)
        return op->emitOpError("has no derivative, but the loss depends on "
                               "parameters by way of it");
      if (failed(derivative.emitAdjoint(*this)))
        return failure();
    }
    return success();
  }

private:
  ArrayRef<Operation *> ops;
  llvm::DenseSet<Value> varied;
  llvm::DenseMap<Value, Value> sums;
};

/// What a body makes of the inputs' elements.
struct Body {
  Value value;          ///< What is added or set.
  bool isSum = false;   ///< Whether it is added to the result's element.
  Operation *addition = nullptr;
};
} // namespace

/// None if the result is neither set nor added to.
static std::optional<Body> analyse(LinalgOp op) {
  Block *block = op.getBlock();
  Value yielded = block->getTerminator()->getOperand(0);
  Value result = block->getNumArguments() > op.getNumDpsInputs()
                     ? Value(block->getArguments().back())
                     : Value(); // linalg.map
  if (!result || result.use_empty())
    return Body{yielded};
  auto add = yielded.getDefiningOp<arith::AddFOp>();
  if (!add || !result.hasOneUse() || (add.getLhs() == result) == (add.getRhs() == result))
    return std::nullopt;
  return Body{add.getLhs() == result ? add.getRhs() : add.getLhs(), true, add};
}

/// The loops that say which element of an operand is read; none if they may read one
/// at several points in a way that loops of its own do not tell.
static std::optional<llvm::SmallBitVector> loopsOf(AffineMap map) {
  llvm::SmallBitVector loops(map.getNumDims());
  for (AffineExpr expr : map.getResults()) {
    if (!expr.isPureAffine())
      return std::nullopt;
    unsigned count = 0;
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
      if (expr.isFunctionOfDim(dim)) {
        if (++count > 1 || loops.test(dim))
          return std::nullopt;
        loops.set(dim);
      }
  }
  return loops;
}

/// The gradient of input `number`; null if the result does not depend on it.
static FailureOr<Value> gradientOf(LinalgOp op, const Body &body, unsigned number,
                                   Value gradient, AdjointEmitter &emitter) {
  OpBuilder &b = emitter.b;
  Location loc = op.getLoc();
  OpOperand *input = op.getDpsInputOperand(number);
  AffineMap map = op.getMatchingIndexingMap(input);
  SmallVector<Value> inputs(op.getDpsInputs());
  SmallVector<AffineMap> maps;
  for (OpOperand *each : op.getDpsInputOperands())
    maps.push_back(op.getMatchingIndexingMap(each));
  inputs.push_back(gradient);
  maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  maps.push_back(map);
  std::optional<llvm::SmallBitVector> loops = loopsOf(map);
  if (!loops)
    return op->emitOpError("is not differentiated: several loops say together which "
                           "element of operand ")
           << number << " is read";
  SmallVector<utils::IteratorType> iterators;
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim)
    iterators.push_back(loops->test(dim) ? utils::IteratorType::parallel
                                         : utils::IteratorType::reduction);
  Value zeros = emitter.filled(loc, input->get(), 0);
  auto generic = linalg::GenericOp::create(b, loc, TypeRange{zeros.getType()},
                                           inputs, ValueRange{zeros}, maps,
                                           iterators);
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&generic.getRegion());
  IRMapping mapping;
  for (auto [i, value] : llvm::enumerate(generic.getOperands())) {
    Value argument =
        block->addArgument(getElementTypeOrSelf(value.getType()), loc);
    if (i < op.getNumDpsInputs())
      mapping.map(op.getBlock()->getArgument(i), argument);
  }
  SmallVector<Operation *> ops;
  for (Operation &each : op.getBlock()->without_terminator())
    if (&each != body.addition)
      ops.push_back(b.clone(each, mapping));
  ScalarAdjoints scalars(b, block->getArgument(number), ops);
  unsigned last = inputs.size();
  scalars.add(mapping.lookupOrDefault(body.value), block->getArgument(last - 1));
  if (failed(scalars.run()))
    return failure();
  Value part = scalars.adjoint(block->getArgument(number)),
        sum = block->getArgument(last);
  if (part)
    sum = arith::AddFOp::create(b, loc, sum, part);
  linalg::YieldOp::create(b, loc, sum);
  if (part)
    return generic.getResult(0);
  generic.erase();
  return Value();
}

namespace {
template <typename Op>
struct Structured
    : DerivativeOpInterface::ExternalModel<Structured<Op>, Op> {
  LogicalResult emitAdjoint(Operation *op, AdjointEmitter &emitter) const {
    auto structured = cast<LinalgOp>(op);
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(op->getRegions(), used);
    bool usesMore = llvm::any_of(used, [&](Value value) {
      return emitter.wants(value);
    });
    std::optional<Body> body;
    if (!usesMore && structured.getNumDpsInits() == 1)
      body = analyse(structured);
    if (!body)
      return op->emitOpError("is not differentiated: its body must set or add to "
                             "one result, by what it makes of inputs");
    Value gradient = emitter.adjoint(op->getResult(0));
    for (unsigned i = 0; i < structured.getNumDpsInputs(); ++i) {
      Value input = structured.getDpsInputOperand(i)->get();
      if (!emitter.wants(input))
        continue;
      FailureOr<Value> found =
          gradientOf(structured, *body, i, gradient, emitter);
      if (failed(found))
        return failure();
      if (*found)
        emitter.add(input, *found);
    }
    Value init = structured.getDpsInitOperand(0)->get();
    if (body->isSum && emitter.wants(init))
      emitter.add(init, gradient);
    return success();
  }
};

/// Those that have no model of their own.
template <typename... Ops> void attachAll(MLIRContext *context) {
  auto attach = [&](auto *op) {
    using Op = std::remove_pointer_t<decltype(op)>;
    if constexpr (!std::is_same_v<Op, linalg::BroadcastOp> &&
                  !std::is_same_v<Op, linalg::TransposeOp>)
      Op::template attachInterface<Structured<Op>>(*context);
  };
  (attach(static_cast<Ops *>(nullptr)), ...);
}
} // namespace

LogicalResult amp::emitStructuredAdjoint(Operation *op, AdjointEmitter &emitter) {
  return Structured<linalg::GenericOp>().emitAdjoint(op, emitter);
}

void amp::registerLinalgDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    attachAll<
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
        >(context);
  });
}
