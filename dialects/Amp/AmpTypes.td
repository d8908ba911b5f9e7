//===- AmpTypes.td - Types of the amp dialect -*- tablegen -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TYPES_TD
#define AMP_TYPES_TD

include "Amp/AmpBase.td"

def Amp_CollectorType : TypeDef<Amp_Dialect, "Collector"> {
  let mnemonic = "collector";
  let summary = "A write-once array of rows that are given in any order";
  let description = [{
    The number of rows is fixed when the collector is made. Each row is given
    exactly once by `amp.emit`; `amp.collect` waits for all of them. The row is
    a tensor of static shape.

    ```mlir
    !amp.collector<tensor<5xf32>>
    ```
  }];
  let parameters = (ins "::mlir::RankedTensorType":$row);
  let assemblyFormat = "`<` $row `>`";
  let genVerifyDecl = 1;
}

def Amp_ListType : TypeDef<Amp_Dialect, "List"> {
  let mnemonic = "list";
  let summary = "A persistent list";
  let description = [{
    Elements are pushed and popped at one end. No op changes a list: lists share
    what they have in common. A stack by `amp.push` and `amp.pop`, a queue by
    `amp.push` and an index that `amp.at` takes, a growing cache by `amp.push` and
    `amp.stack`. An element is a scalar, a tensor, or a list.

    ```mlir
    !amp.list<tensor<64xf32>>
    ```
  }];
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
  let genVerifyDecl = 1;
}

def Amp_TapeType : TypeDef<Amp_Dialect, "Tape"> {
  let mnemonic = "tape";
  let summary = "Activations whose gradients are still to come";
  let description = [{
    What `amp.call`, `amp.loop` and `amp.map` leave open where what they run has
    adjoint inputs: `amp.backward` gives these. The activations' frames, which
    hold what the backward pass reads, are the tape; the token itself carries
    nothing.
  }];
}

/// What an edge may carry (SPEC T1).
def Amp_Scalar : AnyTypeOf<[F32, F64, I1, I32, I64, Index]>;
def Amp_Element : AnyTypeOf<[F32, F64, BF16, F16, I1, I32, I64, Index]>;
def Amp_Tensor : RankedTensorOf<[F32, F64, BF16, F16, I1, I32, I64, Index]>;
def Amp_FloatTensor : RankedTensorOf<[F32, F64, BF16, F16]>;
def Amp_Value : AnyTypeOf<[Amp_Scalar, Amp_Tensor, Amp_CollectorType, Amp_ListType]>;
def Amp_ValueOrTape : AnyTypeOf<[Amp_Value, Amp_TapeType]>;
def Amp_Float : AnyTypeOf<[F32, F64, Amp_FloatTensor]>;
def Amp_Integer : AnyTypeOf<[I32, I64, Index]>;
def Amp_IndexVector : RankedTensorOf<[I32, I64, Index]>; // of rank 1

#endif // AMP_TYPES_TD
