//===- Differentiate.cpp - Makes the training graph -----------------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackwardBody.h"
#include "Captures.h"
#include "NarrowFloats.h"

#include "amp/Dialect/Amp/IR/Entries.h"
#include "amp/Dialect/Amp/IR/Transforms.h"
#include "amp/Dialect/Amp/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace amp {
#define GEN_PASS_DEF_DIFFERENTIATEPASS
#include "amp/Dialect/Amp/Transforms/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;

namespace {
/// The copies of the graphs that the entry reaches, and their backward passes.
class TrainingGraphs {
public:
  explicit TrainingGraphs(GraphOp entry);

  LogicalResult differentiate();

private:
  LogicalResult makeTapes();
  void widenNarrowFloats();
  void addAdjointArguments();
  void warnOfUnreached();
  LogicalResult checkTypes(const Activity &active);
  Value loss() { return entry.getBody().front().getTerminator()->getOperand(0); }
  Activity activity() { return Activity(copies, loss(), standIns); }

  GraphOp entry; ///< The copy.
  SmallVector<GraphOp> copies;
  llvm::DenseMap<StringAttr, FlatSymbolRefAttr> originals; ///< By copy's name.
  llvm::DenseMap<StringAttr, Adjoints> adjoints;
  StandIns standIns;
};
} // namespace

/// Of a differentiated graph, and of the model's entry that trains.
static std::string trainingName(GraphOp graph) {
  StringRef name = graph.getSymName();
  name.consume_back(".evaluate");
  return (name + ".train").str();
}

TrainingGraphs::TrainingGraphs(GraphOp original) {
  SymbolTable symbols(original->getParentOfType<ModuleOp>());
  llvm::SetVector<GraphOp> reached;
  reached.insert(original);
  for (unsigned i = 0; i < reached.size(); ++i)
    GraphOp(reached[i]).walk([&](CallOp call) {
      reached.insert(symbols.lookup<GraphOp>(call.getCallee()));
    });
  llvm::DenseMap<StringAttr, FlatSymbolRefAttr> names;
  for (GraphOp graph : reached) {
    GraphOp copy = graph.clone();
    copy.setSymName(trainingName(graph));
    StringAttr name = symbols.insert(copy, std::next(Block::iterator(graph)));
    names[graph.getSymNameAttr()] = FlatSymbolRefAttr::get(name);
    originals[name] = FlatSymbolRefAttr::get(graph.getSymNameAttr());
    copies.push_back(copy);
  }
  for (GraphOp copy : copies)
    copy.walk([&](CallOp call) {
      call.setCalleeAttr(names.lookup(call.getCalleeAttr().getAttr()));
    });
  // Of all results, only the loss is left.
  entry = copies.front();
  unsigned number = *lossResult(entry);
  llvm::BitVector others(entry.getNumResults(), true);
  others.reset(number);
  (void)entry.eraseResults(others);
  entry.getBody().front().getTerminator()->eraseOperands(others);
  setRole(entry, Role::train);
}

/// Where gradients go through narrow floats.
void TrainingGraphs::widenNarrowFloats() {
  Activity active = activity();
  auto isActive = [&](Value value) {
    return isNarrow(value.getType()) && active.isActive(value) &&
           !value.getDefiningOp<GetOp>();
  };
  bool any = false;
  for (GraphOp graph : copies)
    graph.walk([&](Operation *op) {
      any |= llvm::any_of(op->getResults(), isActive);
      return any ? WalkResult::interrupt() : WalkResult::advance();
    });
  if (any)
    widenNarrow(copies, entry);
}

LogicalResult TrainingGraphs::makeTapes() {
  SymbolTable symbols(entry->getParentOfType<ModuleOp>());

  // Outer loops first: what they carry, inner ones may capture. Where a loop was
  // changed, its values are other ones.
  for (bool changed = true; changed;) {
    changed = false;
    Activity active = activity();
    for (GraphOp graph : copies) {
      graph.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (auto map = dyn_cast<MapOp>(op))
          changed = orderMap(map, active);
        else if (auto flatmap = dyn_cast<FlatmapOp>(op))
          changed = orderFlatmap(flatmap, active);
        else if (auto loop = dyn_cast<LoopOp>(op))
          changed = carryCaptured(loop, active, standIns);
        return changed ? WalkResult::interrupt() : WalkResult::advance();
      });
      if (changed)
        break;
    }
  }
  Activity active = activity();
  for (GraphOp graph : copies) {
    Adjoints numbers(active, graph);
    if (graph != entry && (!numbers.results.empty() || !numbers.collectors.empty()))
      adjoints[graph.getSymNameAttr()] = numbers;
  }
  for (GraphOp graph : copies) {
    // What is not differentiated is called as it was.
    WalkResult walked = graph.walk([&](CallOp call) {
      StringAttr name = call.getCalleeAttr().getAttr();
      const Adjoints *callee = nullptr;
      if (auto found = adjoints.find(name); found != adjoints.end())
        callee = &found->second;
      auto isActive = [&](Value value) { return active.isActive(value); };
      if (callee &&
          (llvm::any_of(call.getResults(), isActive) ||
           llvm::any_of(callee->collectors, [&](int64_t number) {
             return isActive(call.getInputs()[number]);
           })))
        return WalkResult::advance();
      call.setCalleeAttr(originals.lookup(name));
      return WalkResult(
          narrowCall(call, symbols.lookup<GraphOp>(call.getCallee())));
    });
    if (walked.wasInterrupted())
      return failure();
  }
  for (GraphOp graph : copies)
    addTapes(graph, active, adjoints);
  return success();
}

void TrainingGraphs::addAdjointArguments() {
  for (GraphOp graph : copies) {
    auto found = adjoints.find(graph.getSymNameAttr());
    if (found == adjoints.end())
      continue;
    Block &body = graph.getBody().front();
    Operation *end = body.getTerminator();
    for (int64_t i : found->second.results)
      body.addArgument(end->getOperand(i).getType(), graph.getLoc());
    for (int64_t i : found->second.collectors)
      body.addArgument(
          getStackedType(
              cast<CollectorType>(body.getArgument(i).getType()).getRow()),
          graph.getLoc());
  }
}

/// Dropout becomes a product with its mask.
static void expandDropout(ArrayRef<GraphOp> graphs) {
  int64_t salt = 0;
  for (GraphOp graph : graphs)
    graph.walk([&](DropoutOp op) {
      OpBuilder b(op);
      Value mask = DropoutMaskOp::create(b, op.getLoc(), op.getX(), op.getKeys(),
                                         op.getRateAttr(),
                                         b.getI64IntegerAttr(salt++));
      op.replaceAllUsesWith(
          arith::MulFOp::create(b, op.getLoc(), op.getX(), mask).getResult());
      op.erase();
    });
}

/// The ops of a value's block that use it, and what results of theirs `follow` says.
static llvm::SetVector<Operation *>
usersOf(Value value, llvm::function_ref<bool(Value)> follow) {
  Block *block = value.getParentBlock();
  llvm::SetVector<Operation *> found;
  SmallVector<Value> work{value};
  while (!work.empty())
    for (Operation *user : work.pop_back_val().getUsers())
      if (Operation *op = block->findAncestorOpInBlock(*user);
          op && found.insert(op))
        llvm::copy_if(op->getResults(), std::back_inserter(work), follow);
  return found;
}

/// A collector's rows may be read, in the text, before all are given; their
/// gradients, which the backward pass goes through from the end, may not.
static void collectLast(GraphOp graph) {
  SmallVector<CollectOp> collects;
  graph.walk([&](CollectOp op) { collects.push_back(op); });
  auto isEarlier = [](Operation *a, Operation *b) {
    return a->isBeforeInBlock(b);
  };
  // One that waits for another one may have to be moved with it.
  for (size_t round = 0; round < collects.size(); ++round)
    for (CollectOp collect : collects) {
      auto givers = usersOf(collect.getCollector(), [](Value value) {
        return isa<CollectorType>(value.getType());
      });
      auto readers =
          usersOf(collect.getRows(), [](Value value) { return true; });
      Operation *last = *llvm::max_element(givers, isEarlier);
      bool isCircle = llvm::any_of(
          givers, [&](Operation *op) { return readers.contains(op); });
      if (isCircle || last == collect)
        continue;
      SmallVector<Operation *> moved(readers.begin(), readers.end());
      moved.push_back(collect);
      llvm::erase_if(moved, [&](Operation *op) {
        return op->hasTrait<OpTrait::IsTerminator>() ||
               last->isBeforeInBlock(op);
      });
      llvm::sort(moved, isEarlier);
      for (Operation *op : moved) {
        op->moveAfter(last);
        last = op;
      }
    }
}

/// A parameter that is read, but which the loss does not depend on.
void TrainingGraphs::warnOfUnreached() {
  Activity active = activity();
  llvm::MapVector<StringAttr, bool> reached;
  for (GraphOp graph : copies)
    graph.walk([&](GetOp get) {
      reached[get.getParamAttr().getAttr()] |= active.isActive(get.getValue());
    });
  for (ParamOp param :
       entry->getParentOfType<ModuleOp>().getOps<ParamOp>())
    if (!reached.lookup(param.getSymNameAttr()))
      param.emitWarning("parameter '")
          << param.getSymName() << "' has no influence on the loss: it is not "
                                   "trained";
}

/// Gradients go through f32 and f64 only; what is narrow is only rounded by now.
LogicalResult TrainingGraphs::checkTypes(const Activity &active) {
  for (GraphOp graph : copies) {
    WalkResult result = graph.walk([&](Operation *op) {
      for (Value value : op->getResults())
        if (active.isActive(value) && !hasGradient(value.getType()) &&
            !isa<CollectorType>(value.getType()) && !isa<GetOp>(op) &&
            !isRounding(op))
          return WalkResult(op->emitOpError("has a result of type ")
                            << value.getType()
                            << ", through which gradients do not go, but the "
                               "loss depends on parameters by way of it");
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}

LogicalResult TrainingGraphs::differentiate() {
  for (GraphOp graph : copies)
    graph.walk([](Block *block) { inlineTransforms(block); });
  llvm::for_each(copies, collectLast);
  expandDropout(copies);
  warnOfUnreached();
  widenNarrowFloats();
  if (failed(makeTapes()))
    return failure();
  addAdjointArguments();
  Activity active = activity();
  if (failed(checkTypes(active)))
    return failure();
  Differentiation all{active, adjoints};
  for (GraphOp graph : copies) {
    auto found = adjoints.find(graph.getSymNameAttr());
    if (found == adjoints.end() && graph != entry)
      continue;
    Block &body = graph.getBody().front();
    Operation *end = body.getTerminator();
    BackwardBody backward(all, &body);
    if (graph == entry) {
      OpBuilder b(end);
      Value one = arith::ConstantOp::create(
          b, end->getLoc(), b.getFloatAttr(loss().getType(), 1));
      backward.seed(loss(), one);
      if (failed(backward.run()))
        return failure();
      continue;
    }
    const Adjoints &numbers = found->second;
    unsigned inputs = numbers.results.size() + numbers.collectors.size();
    auto gradient = body.getArguments().take_back(inputs).begin();
    for (int64_t i : numbers.results)
      backward.seed(end->getOperand(i), *gradient++);
    for (int64_t i : numbers.collectors)
      backward.seedCollector(body.getArgument(i), *gradient++);
    if (failed(backward.run()))
      return failure();
    SmallVector<Value> results(end->getOperands());
    for (int64_t i : numbers.arguments)
      results.push_back(backward.totalOrZeros(body.getArgument(i)));
    end->setOperands(results);
    graph.setFunctionType(FunctionType::get(
        graph.getContext(), body.getArgumentTypes(), end->getOperandTypes()));
    graph.removeArgAttrsAttr();
    graph.removeResAttrsAttr();
    graph.setAdjointInputs(inputs);
    graph.setAdjointResults(numbers.arguments.size());
  }
  // Nothing calls those any more.
  for (GraphOp graph : copies)
    if (graph != entry && !adjoints.count(graph.getSymNameAttr()))
      graph.erase();
  return success();
}

namespace {
struct Differentiate : amp::impl::DifferentiatePassBase<Differentiate> {
  using Base::Base;

  void runOnOperation() override {
    GraphOp entry = findEntry<GraphOp>(getOperation(), Role::evaluate);
    if (!entry) {
      getOperation().emitError("has no loss to train: a result of the entry "
                               "with the attribute amp.loss");
      return signalPassFailure();
    }
    if (failed(TrainingGraphs(entry).differentiate()))
      return signalPassFailure();
    // Whoever does not train drops nothing out.
    getOperation().walk([](DropoutOp op) {
      op.replaceAllUsesWith(op.getX());
      op.erase();
    });
  }
};
} // namespace
