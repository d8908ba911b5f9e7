//===- AmpConversionPasses.td - Conversions between levels -*- tablegen -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CONVERSION_PASSES_TD
#define AMP_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// ProgramToGraph: level A to level B
//===----------------------------------------------------------------------===//

def ConvertProgramToGraphPass
    : Pass<"convert-program-to-graph", "::mlir::ModuleOp"> {
  let summary = "turns functions with control flow into graphs of nodes";
  let description = [{
    Requires a verified program. `func.func` becomes `amp.graph`, `scf.if`
    branches and merges, `scf.for`, `scf.while` and `amp.scan` become `amp.loop`,
    `func.call` `amp.call`. Afterwards no scf or func op is left, or a diagnostic
    has named it and the reason. Run no canonicalizer afterwards: what it folds to
    a constant no longer says on which side of a branch it exists.

    ```mlir
    // before
    %y = scf.if %c -> (tensor<4xf32>) {
      %t = math.tanh %x : tensor<4xf32>
      scf.yield %t : tensor<4xf32>
    } else {
      scf.yield %x : tensor<4xf32>
    }
    // after
    %xt, %xf = amp.branch %c, %x : tensor<4xf32>
    %t = math.tanh %xt : tensor<4xf32>
    %y = amp.merge %t, %xf : tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::amp::AmpDialect"];
}

//===----------------------------------------------------------------------===//
// AmpToAmpRT: level B to level C
//===----------------------------------------------------------------------===//

def ConvertAmpToAmpRTPass : Pass<"convert-amp-to-amprt", "::mlir::ModuleOp"> {
  let summary = "lays out frames and writes handlers and batched cells";
  let description = [{
    Requires phase `batched`. Every graph, loop body and map body becomes a frame
    layout and one handler an event; every cell a compute and a complete function;
    calls become sites. Afterwards the module holds functions, the tables of
    `amprt`, and parameters.

    ```mlir
    // before
    %y = amp.cell "f.0"(%x) : (tensor<4xf32>) -> tensor<4xf32> { ... }
    // after
    amprt.cell @f.0 compute @f.0.compute complete @f.0.complete product false priority 1 "math.tanh"
    ```
  }];
  let dependentDialects = [
    "::amp::rt::AmpRTDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
  let options = [
    Option<"gemm", "gemm", "::amp::Gemm", /*default=*/"::amp::Gemm::automatic",
           "Who multiplies: auto, codegen or onednn",
           [{::llvm::cl::values(
             clEnumValN(::amp::Gemm::automatic, "auto", "as measured best"),
             clEnumValN(::amp::Gemm::generated, "codegen", "generated kernels"),
             clEnumValN(::amp::Gemm::library, "onednn", "the library"))}]>,
    Option<"lanes", "lanes", "int64_t", /*default=*/"8",
           "f32 elements of a vector register">,
    Option<"registers", "registers", "int64_t", /*default=*/"16",
           "Vector registers">
  ];
}

//===----------------------------------------------------------------------===//
// AmpRTToLLVM: level C to the LLVM dialect
//===----------------------------------------------------------------------===//

def ConvertAmpRTToLLVMPass : Pass<"convert-amprt-to-llvm", "::mlir::ModuleOp"> {
  let summary = "turns amprt ops into memory accesses and runtime calls";
  let description = [{
    Requires phase `runtime` without scf. Field offsets and names come from
    runtime/include/amprt/abi.h. The tables become the constant `amprt_model`.

    ```mlir
    // before
    %w = amprt.load %frame[48] : i32
    // after
    %p = llvm.getelementptr %frame[48] : (!llvm.ptr) -> !llvm.ptr, i8
    %w = llvm.load %p : !llvm.ptr -> i32
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // AMP_CONVERSION_PASSES_TD
