//===- Pipelines.h - From a program to the LLVM dialect ---------*- C++ -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler's phases and the passes of each. A verify pass stands at each
// boundary, so what holds there is checked, not only said.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_PIPELINES_PIPELINES_H
#define AMP_PIPELINES_PIPELINES_H

#include "amp/Conversion/VectorTarget.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace amp {

/// Where compilation can stop. What each means is in `phases()`.
enum class Phase {
  program,
  graph,
  differentiated,
  batched,
  placed,
  runtime,
  llvm
};

struct PhaseInfo {
  Phase phase;
  llvm::StringRef name;
  llvm::StringRef summary; ///< What the module is after it.
};

/// All phases in their order.
llvm::ArrayRef<PhaseInfo> phases();
llvm::StringRef phaseName(Phase phase);
std::optional<Phase> parsePhase(llvm::StringRef name);

/// What the phases from `graph` on are made for.
struct PipelineOptions {
  bool train = false;     ///< Make the graphs that train as well.
  Gemm gemm = Gemm::automatic;
  int64_t lanes = 8;      ///< f32 elements of a vector register.
  int64_t registers = 16; ///< Vector registers.
};

/// Requires a parsed module. Afterwards it is a per-instance program that the
/// compiler can handle; it is not changed.
void populateProgramPhase(mlir::OpPassManager &passes);

/// Requires a program. Afterwards the module holds graphs and parameters only;
/// calls that are not recursive are inlined.
void populateGraphPhase(mlir::OpPassManager &passes);

/// Requires graphs written by hand. Afterwards they are known to be right.
void populateGraphCheck(mlir::OpPassManager &passes);

/// Requires graphs. Afterwards the entry predicts, without its loss; to train, two
/// more are there: one that evaluates the loss, and one that trains.
void populateDifferentiatedPhase(mlir::OpPassManager &passes,
                                 const PipelineOptions &options = {});

/// Requires graphs. Afterwards every node is a cell, a control step or a
/// control node, and every op of a cell can be batched.
void populateBatchedPhase(mlir::OpPassManager &passes);

/// Requires cells. Afterwards it is known which worker runs each cell.
/// Instances are sharded over workers, so nothing is written down.
void populatePlacedPhase(mlir::OpPassManager &passes);

/// Requires placed cells. Afterwards the module holds what the runtime
/// executes: frame layouts, handlers, batched functions, tables.
void populateRuntimePhase(mlir::OpPassManager &passes,
                          const PipelineOptions &options = {});

/// Requires phase runtime. Afterwards the module is in the LLVM dialect, and
/// the one symbol that others see is `amprt_model`.
void populateLLVMPhase(mlir::OpPassManager &passes);

/// The passes of the phases after `from` (of all where there is none) up to
/// `to`.
void populatePipeline(mlir::OpPassManager &passes, std::optional<Phase> from,
                      Phase to, const PipelineOptions &options = {});

/// Registers each phase as a textual pipeline: `amp-phase-graph`, ...
void registerPipelines();

} // namespace amp

#endif // AMP_PIPELINES_PIPELINES_H
