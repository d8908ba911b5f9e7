//===- AmpAttrs.td - Enums of the amp dialect -*- tablegen -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_ATTRS_TD
#define AMP_ATTRS_TD

include "Amp/AmpBase.td"

// The numbers are those of amprt_init_t in runtime/include/amprt/abi.h.
def Amp_InitKind : I32Enum<"InitKind", "how a parameter starts", [
  I32EnumCase<"Zeros", 0, "zeros">,
  I32EnumCase<"Constant", 1, "constant">,
  I32EnumCase<"Uniform", 2, "uniform">,
  I32EnumCase<"Normal", 3, "normal">,
  I32EnumCase<"Glorot", 4, "glorot">
]> {
  let cppNamespace = "::amp";
}

def Amp_InitAttr : AttrDef<Amp_Dialect, "Init"> {
  let mnemonic = "init";
  let summary = "Initial values of a parameter that the weights file lacks";
  let description = [{
    `zeros`; `constant, a`; `uniform, a, b`: in [a, b); `normal, b`: mean 0,
    standard deviation b; `glorot`: uniform in ±sqrt(6 / (rows + columns)) of the
    last two dimensions (Glorot and Bengio 2010).

    ```mlir
    amp.param @emb : tensor<?x128xf32> init(normal, 0.1)
    ```
  }];
  let parameters = (ins "::amp::InitKind":$kind, APFloatParameter<"first number">:$a,
                        APFloatParameter<"second number">:$b);
  let hasCustomAssemblyFormat = 1;
}

def Amp_Reduction : I32Enum<"Reduction", "what becomes of many rows", [
  I32EnumCase<"Sum", 0, "sum">,
  I32EnumCase<"Mean", 1, "mean">,
  I32EnumCase<"Max", 2, "max">
]> {
  let cppNamespace = "::amp";
}
def Amp_ReductionAttr : EnumAttr<Amp_Dialect, Amp_Reduction, "reduction"> {
  let assemblyFormat = "$value";
}

def Amp_LossKind : I32Enum<"LossKind", "kind of a loss", [
  I32EnumCase<"CrossEntropy", 0, "cross_entropy">,
  I32EnumCase<"SquaredError", 1, "squared_error">,
  I32EnumCase<"AbsoluteError", 2, "absolute_error">,
  I32EnumCase<"Hinge", 3, "hinge">
]> {
  let cppNamespace = "::amp";
}
def Amp_LossAttr : EnumAttr<Amp_Dialect, Amp_LossKind, "loss_kind"> {
  let assemblyFormat = "$value";
}

#endif // AMP_ATTRS_TD
