//===- LinalgModels.cpp - structured ops in cells ----------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Any structured op on tensors is a nest of loops over one activation's
// elements: what has no better form still runs, for all activations in one
// call.
//
#include "ElementBody.h"

#include "amp/Conversion/CellModels.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace amp;
using linalg::LinalgOp;

/// Dimension `dim` of an operand, whose size is a loop's number of iterations.
struct Extent {
  Value tensor;
  unsigned dim;
};

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

/// All dimensions that loop `loop` runs over, alone.
static SmallVector<Extent> extentsOf(LinalgOp op, unsigned loop) {
  SmallVector<Extent> extents;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isTensor(operand.get()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (auto single = dyn_cast<AffineDimExpr>(expr);
          single && single.getPosition() == loop)
        extents.push_back({operand.get(), unsigned(dim)});
  }
  return extents;
}

/// What a region computes with scalars, element by element.
static bool isElementwise(Operation &op) {
  return isa<linalg::IndexOp>(op) || isSafeElementOp(op);
}

/// Where every element that is read or written exists, whatever the sizes are:
/// each index is one loop's, or else all shapes are known (and verified).
static bool hasSafeIndices(LinalgOp op) {
  bool isStatic = !op.hasDynamicShape();
  for (AffineMap map : op.getIndexingMapsArray())
    for (AffineExpr expr : map.getResults())
      if (!isa<AffineDimExpr>(expr) && !isStatic)
        return false;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (extentsOf(op, loop).empty())
      return false;
  return true;
}

/// The loop whose steps are neighbours in most operands goes innermost; the
/// others keep their order, so each sum is made in the same one.
static SmallVector<unsigned> loopOrder(LinalgOp op) {
  SmallVector<unsigned> order =
      llvm::to_vector(llvm::seq<unsigned>(0, op.getNumLoops()));
  SmallVector<unsigned> neighbours(op.getNumLoops());
  for (AffineMap map : op.getIndexingMapsArray())
    if (map.getNumResults())
      if (auto last = dyn_cast<AffineDimExpr>(map.getResults().back()))
        neighbours[last.getPosition()] += 2;
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  for (auto [loop, kind] : llvm::enumerate(kinds))
    if (kind == utils::IteratorType::parallel)
      ++neighbours[loop];
  if (order.empty())
    return order;
  unsigned best =
      std::distance(neighbours.begin(), llvm::max_element(neighbours));
  llvm::erase(order, best);
  order.push_back(best);
  return order;
}

namespace {
/// Emits one op's loops for the current activation.
class LinalgCode {
public:
  LinalgCode(LinalgOp op, CellEmitter &emitter, ArrayRef<CellBuffer> results)
      : op(op), emitter(emitter), results(results), loc(op.getLoc()) {}

  void emit() {
    for (auto [init, result] :
         llvm::zip_equal(op.getDpsInitsMutable(), results))
      if (op.payloadUsesValueFromOperand(&init))
        emitter.fill(init.get(), result);
    order = loopOrder(op);
    at.resize(order.size());
    emitLoop(0);
  }

private:
  void emitLoop(unsigned depth) {
    if (depth == order.size())
      return emitPoint({}, [&](unsigned i, Value value) {
        emitter.store(loc, value, results[i], indicesOf(outputMap(i)));
      });
    unsigned loop = order[depth];
    Value size = sizeOf(loop);
    bool isLast = depth + 1 == order.size();
    bool isParallel =
        op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel;
    if (!isLast || isParallel)
      return emitter.loops(loc, size, isLast && isParallel,
                           [&](ArrayRef<Value> i) {
                             at[loop] = i[0];
                             emitLoop(depth + 1);
                           });
    if (arith::AddFOp addition = sumOf()) {
      bool isRight = addition.getLhs() == op.getRegionOutputArgs()[0];
      at[loop] = emitter.index(0, loc);
      SmallVector<Value> where = indicesOf(outputMap(0));
      Value sum = emitter.sum(
          loc, size, emitter.load(loc, results[0], where), [&](Value i) {
            at[loop] = i;
            emitInputs();
            emitOps(addition);
            return emitter.scalar(isRight ? addition.getRhs()
                                          : addition.getLhs());
          });
      return emitter.store(loc, sum, results[0], where);
    }
    // What the innermost loop carries stays in registers.
    SmallVector<Value> sums;
    at[loop] = emitter.index(0, loc);
    for (unsigned i = 0; i < results.size(); ++i)
      sums.push_back(emitter.load(loc, results[i], indicesOf(outputMap(i))));
    sums = emitter.reduce(
        loc, size, sums, [&](Value i, ValueRange so) -> SmallVector<Value> {
          at[loop] = i;
          SmallVector<Value> next(so.size());
          emitPoint(so, [&](unsigned i, Value value) { next[i] = value; });
          return next;
        });
    at[loop] = emitter.index(0, loc);
    for (unsigned i = 0; i < results.size(); ++i)
      emitter.store(loc, sums[i], results[i], indicesOf(outputMap(i)));
  }

  /// The addition that is all that the region does with its one output.
  arith::AddFOp sumOf() {
    if (results.size() != 1)
      return {};
    BlockArgument output = op.getRegionOutputArgs()[0];
    Type type = output.getType();
    auto sum = op->getRegion(0)
                   .front()
                   .getTerminator()
                   ->getOperand(0)
                   .getDefiningOp<arith::AddFOp>();
    bool isSum = sum && output.hasOneUse() && sum->hasOneUse() &&
                 *output.user_begin() == sum && type == results[0].element &&
                 (type.isF32() || type.isF64());
    return isSum ? sum : arith::AddFOp();
  }

  /// The region's ops at the current indices; `sums` are the outputs so far,
  /// read from memory if there are none.
  void emitPoint(ValueRange sums,
                 llvm::function_ref<void(unsigned, Value)> give) {
    emitInputs();
    for (auto [i, argument] : llvm::enumerate(op.getRegionOutputArgs()))
      if (!argument.use_empty())
        emitter.setScalar(argument, sums.empty()
                                        ? emitter.load(loc, results[i],
                                                       indicesOf(outputMap(i)))
                                        : sums[i]);
    emitOps();
    Block &body = op->getRegion(0).front();
    for (auto [i, value] :
         llvm::enumerate(body.getTerminator()->getOperands())) {
      // A value from outside the region: uniform, or another operand's.
      give(i, emitter.scalar(value));
    }
  }

  void emitInputs() {
    for (OpOperand *operand : op.getDpsInputOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(operand);
      if (argument.use_empty())
        continue;
      Value value = operand->get();
      emitter.setScalar(
          argument,
          isTensor(value)
              ? emitter.element(value,
                                indicesOf(op.getMatchingIndexingMap(operand)))
              : emitter.scalar(value));
    }
  }
  void emitOps(Operation *but = nullptr) {
    for (Operation &inner : op->getRegion(0).front().without_terminator()) {
      if (&inner == but)
        continue;
      if (auto index = dyn_cast<linalg::IndexOp>(inner))
        emitter.setScalar(index.getResult(), at[index.getDim()]);
      else
        emitElementOp(inner, emitter);
    }
  }

  AffineMap outputMap(unsigned i) {
    return op.getMatchingIndexingMap(op.getDpsInitOperand(i));
  }
  SmallVector<Value> indicesOf(AffineMap map) {
    return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) -> Value {
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        return at[dim.getPosition()];
      return affine::expandAffineExpr(emitter.b, loc, expr, at, {});
    });
  }
  Value sizeOf(unsigned loop) {
    Value least;
    for (Extent extent : extentsOf(op, loop))
      least =
          emitter.lesser(loc, least, emitter.dim(extent.tensor, extent.dim));
    return least;
  }

  LinalgOp op;
  CellEmitter &emitter;
  ArrayRef<CellBuffer> results;
  Location loc;
  SmallVector<unsigned> order;
  SmallVector<Value> at; ///< The index of each loop.
};

template <typename Op>
struct LinalgCell : CellOpInterface::ExternalModel<LinalgCell<Op>, Op> {
  /// What only moves elements is computed where they are needed.
  bool isVirtual(Operation *op) const {
    return isa<linalg::BroadcastOp, linalg::TransposeOp>(op);
  }
  /// A broadcast that keeps the last dimension.
  bool emitsRuns(Operation *op, SmallVectorImpl<RunOperand> &operands) const {
    auto broadcast = dyn_cast<linalg::BroadcastOp>(op);
    int64_t last =
        cast<RankedTensorType>(op->getResult(0).getType()).getRank() - 1;
    if (!broadcast || llvm::is_contained(broadcast.getDimensions(), last))
      return false;
    operands.push_back({0, 0});
    return true;
  }
  Value emitElement(Operation *op, CellEmitter &emitter,
                    ArrayRef<Value> indices) const {
    SmallVector<Value> from;
    if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
      from.resize(indices.size());
      for (auto [to, dim] : llvm::enumerate(transpose.getPermutation()))
        from[dim] = indices[to];
    } else {
      ArrayRef<int64_t> added = cast<linalg::BroadcastOp>(op).getDimensions();
      for (auto [dim, index] : llvm::enumerate(indices))
        if (!llvm::is_contained(added, int64_t(dim)))
          from.push_back(index);
    }
    return emitter.element(op->getOperand(0), from);
  }
  /// Each op of the region, at each point of the loops.
  uint64_t estimateWork(Operation *op) const {
    auto points = RankedTensorType::get(
        cast<LinalgOp>(op).getStaticLoopRanges(), IndexType::get(op->getContext()));
    uint64_t ops = op->getRegion(0).front().getOperations().size() - 1;
    return llvm::SaturatingMultiply(estimateElements(points),
                                    std::max<uint64_t>(ops, 1));
  }
  bool isBatchable(Operation *op) const {
    auto structured = cast<LinalgOp>(op);
    return structured.hasPureTensorSemantics() && hasSafeIndices(structured) &&
           llvm::all_of(op->getRegion(0).front().without_terminator(),
                        isElementwise);
  }
  bool readsAgain(Operation *op, unsigned operand) const {
    if (isVirtual(op))
      return false;
    auto structured = cast<LinalgOp>(op);
    // Each element once, if the operand has all loops.
    return operand < unsigned(structured.getNumDpsInputs()) &&
           structured.getIndexingMapsArray()[operand].getNumResults() <
               structured.getNumLoops();
  }
  void emitChecks(Operation *op, CellEmitter &emitter) const {
    auto structured = cast<LinalgOp>(op);
    for (unsigned loop = 0; loop < structured.getNumLoops(); ++loop) {
      SmallVector<Extent> extents = extentsOf(structured, loop);
      for (Extent other : ArrayRef(extents).drop_front())
        emitter.checkSameDim(op->getLoc(), extents[0].tensor, extents[0].dim,
                             other.tensor, other.dim);
    }
  }
  SmallVector<Value> emitActivation(Operation *op, CellEmitter &emitter,
                                    ArrayRef<CellBuffer> results) const {
    LinalgCode(cast<LinalgOp>(op), emitter, results).emit();
    return {};
  }
  Value emitDim(Operation *op, CellEmitter &emitter, unsigned result,
                unsigned dim) const {
    return emitter.dim(cast<LinalgOp>(op).getDpsInits()[result], dim);
  }
};

template <typename... Ops> void attachAll(MLIRContext *context) {
  (Ops::template attachInterface<LinalgCell<Ops>>(*context), ...);
}
} // namespace

void amp::registerLinalgModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    attachAll<
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
        >(context);
  });
}
