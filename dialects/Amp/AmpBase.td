//===- AmpBase.td - The amp dialect and its base classes -*- tablegen -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_BASE_TD
#define AMP_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Amp_Dialect : Dialect {
  let name = "amp";
  let cppNamespace = "::amp";
  let summary = "Per-instance programs and the dataflow graphs made from them";
  let description = [{
    Two levels share this dialect (dialects/Amp/SPEC.md states the semantics and
    labels every constraint):

    * Level A, the program: what people write for ONE instance, together with
      `func`, `scf`, `arith`, `math` and `tensor`. The dialect adds only what
      these lack: parameters, lookups, products with them, independent maps,
      scans, collectors.
    * Level B, the graph: `amp.graph` holds nodes; every SSA value is an edge
      that carries at most one token per activation. Branch, merge, loop, call
      and map are AMPNet's control nodes (Gaunt et al. 2017); cells and control
      steps are what batching makes of the rest.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"
  ];
}

class Amp_Op<string mnemonic, list<Trait> traits = []>
    : Op<Amp_Dialect, mnemonic, traits>;

#endif // AMP_BASE_TD
