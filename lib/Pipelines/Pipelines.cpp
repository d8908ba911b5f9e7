//===- Pipelines.cpp - From a program to the LLVM dialect -----------------===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Pipelines/Pipelines.h"

#include "FuseMultiplyAdd.h"

#include "amp/Conversion/Passes.h"
#include "amp/Dialect/Amp/Transforms/Passes.h"

#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;

namespace amp {

static constexpr PhaseInfo kPhases[] = {
    {Phase::program, "program", "the per-instance program, checked"},
    {Phase::graph, "graph", "dataflow graphs of nodes"},
    {Phase::differentiated, "differentiated",
     "graphs that predict, evaluate and train"},
    {Phase::batched, "batched", "nodes grouped into cells and control steps"},
    {Phase::placed, "placed", "cells assigned to workers"},
    {Phase::runtime, "runtime", "frames, handlers and batched functions"},
    {Phase::llvm, "llvm", "the LLVM dialect"},
};

ArrayRef<PhaseInfo> phases() { return kPhases; }

StringRef phaseName(Phase phase) {
  return kPhases[static_cast<unsigned>(phase)].name;
}

std::optional<Phase> parsePhase(StringRef name) {
  for (const PhaseInfo &info : kPhases)
    if (info.name == name)
      return info.phase;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// program
//===----------------------------------------------------------------------===//

void populateProgramPhase(OpPassManager &passes) {
  passes.addPass(createVerifyProgramPass());
}

//===----------------------------------------------------------------------===//
// graph
//===----------------------------------------------------------------------===//

/// The canonicalizer, but for a pattern that takes it that a loop's tensor
/// keeps the shape of its initial value: carried rows may grow.
static std::unique_ptr<Pass> createProgramCanonicalizer() {
  return createCanonicalizerPass(
      GreedyRewriteConfig(), {"(anonymous namespace)::ForOpTensorCastFolder"});
}

void populateGraphPhase(OpPassManager &passes) {
  passes.addPass(createDecomposeOpsPass());
  // A call costs a frame, so calls go first; what inlining made of constants
  // and repeated slices is folded before it becomes nodes and edges.
  passes.addPass(createInlineCallsPass());
  passes.addPass(createProgramCanonicalizer());
  passes.addPass(createBatchMapsPass());
  passes.addPass(createProgramCanonicalizer());
  passes.addPass(createCSEPass());
  passes.addPass(createProgramCanonicalizer());
  passes.addPass(createConvertProgramToGraphPass());
  // No canonicalisation from here on: folding a token of one side of a branch
  // to a constant would lose the side, and with it the merge's alternatives.
  passes.addPass(createCSEPass());
  passes.addPass(createVerifyGraphPass());
}

void populateGraphCheck(OpPassManager &passes) {
  passes.addPass(createVerifyGraphPass());
}

//===----------------------------------------------------------------------===//
// differentiated
//===----------------------------------------------------------------------===//

void populateDifferentiatedPhase(OpPassManager &passes,
                                 const PipelineOptions &options) {
  SplitLossPassOptions split;
  split.keep = options.train;
  passes.addPass(createSplitLossPass(split));
  if (!options.train)
    return;
  passes.addPass(createEraseForksPass()); // of a graph written by hand
  passes.addPass(createDifferentiatePass());
  passes.addPass(createCSEPass());
  passes.addPass(createVerifyGraphPass());
}

//===----------------------------------------------------------------------===//
// batched
//===----------------------------------------------------------------------===//

void populateBatchedPhase(OpPassManager &passes) {
  passes.addPass(createDecomposeOpsPass()); // of a graph written by hand
  passes.addPass(createEraseForksPass());
  passes.addPass(createFormCellsPass());
  passes.addPass(createVerifyCellsPass());
}

//===----------------------------------------------------------------------===//
// placed
//===----------------------------------------------------------------------===//

void populatePlacedPhase(OpPassManager &) {}

//===----------------------------------------------------------------------===//
// runtime
//===----------------------------------------------------------------------===//

void populateRuntimePhase(OpPassManager &passes,
                          const PipelineOptions &options) {
  ConvertAmpToAmpRTPassOptions conversion;
  conversion.gemm = options.gemm;
  conversion.lanes = options.lanes;
  conversion.registers = options.registers;
  passes.addPass(createConvertAmpToAmpRTPass(conversion));
}

//===----------------------------------------------------------------------===//
// llvm
//===----------------------------------------------------------------------===//

/// Arithmetic on bf16 and f16 becomes arithmetic on f32, rounded; the
/// conversions of bf16 are made of integer ops, for which no library is called.
static void addNarrowFloats(OpPassManager &passes) {
  passes.addPass(math::createMathExtendToSupportedTypes());
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs = {"bf16", "f16"};
  passes.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
}

void populateLLVMPhase(OpPassManager &passes) {
  addNarrowFloats(passes);
  passes.addPass(createExpandMathPass());
  // Before constants and casts hide which products are summed.
  passes.addPass(createFuseMultiplyAddPass());
  passes.addPass(createSCFToControlFlowPass());
  // Divisions that round up or down, for which LLVM has no instruction.
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  passes.addPass(arith::createArithExpandOpsPass(expand));
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(createConvertAmpRTToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

static void populatePhase(OpPassManager &passes, Phase phase,
                          const PipelineOptions &options) {
  switch (phase) {
  case Phase::program:
    return populateProgramPhase(passes);
  case Phase::graph:
    return populateGraphPhase(passes);
  case Phase::differentiated:
    return populateDifferentiatedPhase(passes, options);
  case Phase::batched:
    return populateBatchedPhase(passes);
  case Phase::placed:
    return populatePlacedPhase(passes);
  case Phase::runtime:
    return populateRuntimePhase(passes, options);
  case Phase::llvm:
    return populateLLVMPhase(passes);
  }
  llvm_unreachable("all phases are handled");
}

void populatePipeline(OpPassManager &passes, std::optional<Phase> from,
                      Phase to, const PipelineOptions &options) {
  for (const PhaseInfo &info : kPhases)
    if ((!from || info.phase > *from) && info.phase <= to)
      populatePhase(passes, info.phase, options);
}

void registerPipelines() {
  for (const PhaseInfo &info : kPhases)
    PassPipelineRegistration<>(("amp-phase-" + info.name).str(), info.summary,
                               [phase = info.phase](OpPassManager &passes) {
                                 populatePhase(passes, phase, {});
                               });
}

} // namespace amp
