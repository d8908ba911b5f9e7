//===- InlineCalls.cpp - Inlines functions that are not recursive ---------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A function has one block and ends with its results, so inlining a call is to
// copy the callee's ops before it. Upstream's inliner would do the same behind
// an interface that each dialect must implement. The copies keep their places
// in the callee: an instance that fails there names the line that people wrote.
//
#include "amp/Dialect/Amp/Transforms/Passes.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"

namespace amp {
#define GEN_PASS_DEF_INLINECALLSPASS
#include "amp/Dialect/Amp/Transforms/Passes.h.inc"
} // namespace amp

using namespace mlir;
using namespace amp;

/// A chain of functions that each call the next one twice grows without bound;
/// beyond so many ops a call costs less than its copy.
static constexpr unsigned maxOps = 20'000;

static unsigned countOps(func::FuncOp function) {
  unsigned count = 0;
  function.walk([&](Operation *) { ++count; });
  return count;
}

static void inlineCall(func::CallOp call, func::FuncOp callee) {
  IRMapping mapping;
  mapping.map(callee.getArguments(), call.getOperands());
  OpBuilder builder(call);
  Block &body = callee.getBody().front();
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  for (auto [result, value] :
       llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookup(value));
  call.erase();
}

namespace {
class InlineCalls : public amp::impl::InlineCallsPassBase<InlineCalls> {
public:
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    const CallGraph graph(getOperation());
    DenseMap<Operation *, unsigned> inlinable; // to its number of ops
    // Callees come before their callers.
    for (auto it = llvm::scc_begin(&graph); !it.isAtEnd(); ++it) {
      for (CallGraphNode *node : *it) {
        if (node->isExternal())
          continue;
        auto function =
            dyn_cast<func::FuncOp>(node->getCallableRegion()->getParentOp());
        if (!function)
          continue;
        unsigned count = inlineInto(function, symbols, inlinable);
        if (!it.hasCycle() && function.getBody().hasOneBlock() &&
            !function.getNoInline())
          inlinable[function] = count;
      }
    }
    eraseUnreached(symbols);
  }

private:
  /// Inlines calls in `function` and returns how many ops it has then.
  unsigned inlineInto(func::FuncOp function, SymbolTable &symbols,
                      const DenseMap<Operation *, unsigned> &inlinable) {
    SmallVector<func::CallOp> calls;
    function.walk([&](func::CallOp call) { calls.push_back(call); });
    unsigned count = countOps(function);
    for (func::CallOp call : calls) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      auto it = callee ? inlinable.find(callee) : inlinable.end();
      if (it == inlinable.end() || call.getNoInline())
        continue;
      if (count + it->second > maxOps) {
        remark::missed(
            call.getLoc(),
            remark::RemarkOpts::name("TooLarge").category("amp-inline-calls"))
            << ("call of " + call.getCallee() +
                " is not inlined: the function would have more than " +
                Twine(maxOps) + " ops")
                   .str();
        continue;
      }
      inlineCall(call, callee);
      count += it->second;
    }
    return count;
  }

  /// Erases the private functions that no public one needs.
  void eraseUnreached(SymbolTable &symbols) {
    llvm::SetVector<Operation *> reached;
    for (Operation &op : *getOperation().getBody()) {
      auto function = dyn_cast<func::FuncOp>(op);
      if (!function || function.isPublic())
        reached.insert(&op);
    }
    for (unsigned i = 0; i < reached.size(); ++i)
      if (auto uses = SymbolTable::getSymbolUses(reached[i]))
        for (SymbolTable::SymbolUse use : *uses)
          if (Operation *symbol =
                  symbols.lookup(use.getSymbolRef().getRootReference()))
            reached.insert(symbol);
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (!reached.contains(function))
        symbols.erase(function);
  }
};
} // namespace
