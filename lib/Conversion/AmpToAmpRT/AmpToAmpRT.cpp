//===- AmpToAmpRT.cpp - Level B to level C -*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Conversion/Passes.h"

#include "Body.h"
#include "CellCode.h"
#include "amp/Dialect/Amp/IR/Entries.h"
#include "FrameCode.h"
#include "Handlers.h"

#include "amp/Dialect/Amp/IR/AmpInterfaces.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

namespace amp {
#define GEN_PASS_DEF_CONVERTAMPTOAMPRTPASS
#include "amp/Conversion/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;

/// Where the results of a body's calls go.
static void emitSites(OpBuilder &b, const Body &body) {
  unsigned number = 0;
  for (CallOp call : body.block->getOps<CallOp>()) {
    SmallVector<Attribute> handlers;
    for (unsigned event : body.nodeEvents.lookup(call))
      handlers.push_back(
          FlatSymbolRefAttr::get(b.getContext(), body.handler(event)));
    SmallVector<int32_t> offsets;
    for (Value result : Bodies::resultsOf(call))
      for (size_t i = 0; i < wordTypes(result.getType()).size(); ++i)
        offsets.push_back(body.offsets.lookup(result) + 8 * i);
    rt::SiteOp::create(
        b, call.getLoc(), body.name + ".site" + std::to_string(number++),
        b.getArrayAttr(handlers), b.getDenseI32ArrayAttr(offsets));
  }
}

/// The table of the library's products: one for each parameter that is the
/// right side of a call.
static void emitLinears(OpBuilder &b, ModuleOp module) {
  SymbolTable symbols(module);
  llvm::StringSet<> called;
  module.walk([&](Operation *op) {
    if (isa<rt::ProductOp, rt::GroupedProductOp>(op))
      called.insert(op->getAttrOfType<FlatSymbolRefAttr>("linear").getValue());
  });
  llvm::StringSet<> done;
  module.walk([&](CellOpInterface op) {
    FlatSymbolRefAttr name = op.getProductParam();
    if (!name || !called.contains(productName(op)) ||
        !done.insert(productName(op)).second)
      return;
    auto param = symbols.lookup<ParamOp>(name.getValue());
    ArrayRef<int64_t> shape = param.getTensorType().getShape();
    int64_t groups = shape.size() == 3 ? shape[0] : 1;
    int64_t k = shape[shape.size() - 2], n = shape.back();
    bool transposed = isTransposed(op);
    if (transposed)
      std::swap(k, n);
    rt::LinearOp::create(b, param.getLoc(), productName(op), name.getValue(),
                         groups, k, n, transposed);
  });
}

/// The table of the parameters whose products' rows are kept.
static void emitGradients(OpBuilder &b, ModuleOp module) {
  llvm::StringSet<> kept;
  module.walk([&](Operation *op) {
    if (isa<rt::GradientProductOp, rt::GradientGroupedOp>(op))
      kept.insert(op->getAttrOfType<FlatSymbolRefAttr>("gradient").getValue());
  });
  for (ParamOp param : module.getOps<ParamOp>()) {
    std::string name = gradientName(param.getSymName());
    if (!kept.contains(name))
      continue;
    ArrayRef<int64_t> shape = param.getTensorType().getShape();
    rt::GradientOp::create(b, param.getLoc(), name, param.getSymName(),
                           shape.size() == 3 ? shape[0] : 1,
                           shape[shape.size() - 2], shape.back());
  }
}

/// The events of an entry's frame that have happened when its backward pass has
/// ended, as bits of `arrived` (none: empty), and what they are. Those behind a
/// branch are left out, as they need not happen; so is what happens in the
/// frames of bodies and calls, unless they hand gradients back.
static SmallVector<int64_t> endOfBackward(const Body &body,
                                          const GradientFlow &gradients,
                                          std::vector<std::string> &names) {
  std::map<unsigned, std::string> all;
  for (Operation &op : body.block->without_terminator()) {
    auto cell = dyn_cast<CellOp>(op);
    auto backward = dyn_cast<BackwardOp>(op);
    if (!(cell && gradients.reaches(cell)) && !backward)
      continue;
    Operation *node = backward ? backward.getTape().getDefiningOp() : &op;
    if (!body.guards->getGuards(&op).empty() ||
        !body.guards->getGuards(node).empty())
      continue;
    std::string name =
        cell ? "cell " + cell.getName().str()
             : "gradients of amp." + node->getName().stripDialect().str();
    std::string where = locationText(node->getLoc());
    if (!where.empty())
      name += " at " + where;
    for (Value result : backward ? op.getResults() : op.getResults().take_front(0))
      for (unsigned event : body.maskOf(result))
        all[event] = name;
    if (cell)
      all[body.nodeEvents.lookup(&op)[0]] = name;
  }
  SmallVector<int64_t> bits(all.empty() ? 0 : body.arrivedWords(), 0);
  for (auto &[event, name] : all) {
    bits[event / 64] |= int64_t(uint64_t(1) << (event % 64));
    names.push_back(name);
  }
  return bits;
}

static void emitModel(OpBuilder &b, const Bodies &bodies,
                      const GradientFlow &gradients, GraphOp entry) {
  const Body &body = bodies.of(entry);
  auto nameOf = [&](Attribute name) -> Attribute {
    return name ? name : b.getStringAttr("");
  };
  SmallVector<Attribute> fieldNames, fieldTypes, resultNames, resultTypes;
  SmallVector<int64_t> offsets, arrived(body.arrivedWords(), 0);
  for (BlockArgument argument : entry.getArguments()) {
    unsigned i = argument.getArgNumber();
    fieldNames.push_back(nameOf(entry.getArgAttr(i, "amp.name")));
    fieldTypes.push_back(TypeAttr::get(argument.getType()));
    offsets.push_back(body.offsets.lookup(argument));
    if (unsigned event = body.argEvents[i]; event != kStart)
      arrived[event / 64] |= int64_t(uint64_t(1) << (event % 64));
  }
  for (auto [i, type] : llvm::enumerate(entry.getResultTypes())) {
    resultNames.push_back(nameOf(entry.getResultAttr(i, "amp.name")));
    resultTypes.push_back(TypeAttr::get(type));
  }
  IntegerAttr loss;
  if (std::optional<unsigned> number = lossResult(entry))
    loss = b.getI64IntegerAttr(*number);
  std::vector<std::string> names;
  SmallVector<int64_t> ended = endOfBackward(body, gradients, names);
  rt::ModelOp::create(b, entry.getLoc(), entry.getSymName(),
                      body.handler(kStart), body.bytes, arrived,
                      b.getArrayAttr(fieldNames), b.getArrayAttr(fieldTypes),
                      offsets, b.getArrayAttr(resultNames),
                      b.getArrayAttr(resultTypes), bodies.results(body).count,
                      roleName(roleOf(entry)), loss, ended,
                      b.getStrArrayAttr(SmallVector<StringRef>(
                          names.begin(), names.end())));
}

namespace {
struct ConvertAmpToAmpRT
    : amp::impl::ConvertAmpToAmpRTPassBase<ConvertAmpToAmpRT> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<GraphOp> graphs(module.getOps<GraphOp>());
    if (!findEntry<GraphOp>(module, Role::predict)) {
      module.emitError("expected a public graph, the model's entry");
      return signalPassFailure();
    }
    VectorTarget target{lanes, registers,
                        gemm == Gemm::automatic ? lanes >= 8
                                                : gemm == Gemm::generated};
    Bodies bodies(module);
    CellAnalyses analyses(module, bodies);
    OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
    for (ParamOp param : module.getOps<ParamOp>())
      if (analyses.paramReads.isReadByControl(param))
        param->setAttr(rt::AmpRTDialect::getReadByControlAttrName(),
                       b.getUnitAttr());
    for (GraphOp graph : graphs)
      if (graph.isPublic())
        emitModel(b, bodies, analyses.gradients, graph);
    for (const auto &body : bodies.all()) {
      emitSites(b, *body);
      emitBody(b, bodies, *body, analyses.lifetimes);
      for (CellOp cell : body->block->getOps<CellOp>())
        emitCell(b, bodies, *body, cell, analyses, target);
    }
    emitLinears(b, module);
    emitGradients(b, module);
    for (GraphOp graph : graphs)
      graph.erase();
  }
};
} // namespace
