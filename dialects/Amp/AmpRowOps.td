//===- AmpRowOps.td - Level A: rows of graphs and sequences -*- tablegen -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_ROW_OPS_TD
#define AMP_ROW_OPS_TD

include "Amp/AmpAttrs.td"
include "Amp/AmpTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Amp_IotaOp : Amp_Op<"iota", [Pure]> {
  let summary = "the numbers from 0 on";
  let description = [{
    Element i is i, for i in [0, count); a count below zero counts as zero.

    ```mlir
    %i = amp.iota %n : tensor<?xindex>
    ```
  }];
  let arguments = (ins Index:$count);
  let results = (outs 1DTensorOf<[Index]>:$result);
  let assemblyFormat = "$count `:` type($result) attr-dict";
  let hasVerifier = 1;
}

def Amp_GatherOp : Amp_Op<"gather", [NoMemoryEffect,
    InferTypeOpAdaptor]> { // gather_c2
  let summary = "rows of a tensor, by index";
  let description = [{
    Row i of the result is row `indices[i]` of `x`. An index outside [0, rows of
    `x`) fails the instance.

    ```mlir
    %from = amp.gather %h[%src] : tensor<?x100xf32>, tensor<?xi32>
    ```
  }];
  let arguments = (ins Amp_Tensor:$x, Amp_IndexVector:$indices);
  let results = (outs Amp_Tensor:$rows);
  let assemblyFormat = "$x `[` $indices `]` `:` type($x) `,` type($indices) attr-dict";
  let hasVerifier = 1;
}

def Amp_SegmentOp : Amp_Op<"segment", [NoMemoryEffect,
    InferTypeOpAdaptor]> { // segment_c3
  let summary = "sum, mean or maximum of the rows that belong together";
  let description = [{
    Row i of `x` belongs to segment `segments[i]`; row s of the result is the
    sum, mean or (element by element) maximum of segment s, added up in the order
    of the rows. Of an empty segment all three are 0. A count below zero counts
    as zero. A segment outside [0, count) fails the instance.

    ```mlir
    %m = amp.segment sum %messages[%dst] to %n : tensor<?x100xf32>, tensor<?xi32>
    ```
  }];
  let arguments = (ins Amp_ReductionAttr:$kind, Amp_FloatTensor:$x,
                       Amp_IndexVector:$segments, Index:$count);
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat = [{
    `` $kind $x `[` $segments `]` `to` $count `:` type($x) `,` type($segments)
    attr-dict
  }];
  let hasVerifier = 1;
}

def Amp_PoolOp : Amp_Op<"pool", [Pure, InferTypeOpAdaptor]> { // pool_c2
  let summary = "sum, mean or maximum over all rows";
  let description = [{
    Over dimension 0, added up in its order. Without rows all three are 0.

    ```mlir
    %s = amp.pool mean %hs : tensor<?x128xf32>  // tensor<128xf32>
    ```
  }];
  let arguments = (ins Amp_ReductionAttr:$kind, Amp_FloatTensor:$x);
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat = "`` $kind $x `:` type($x) attr-dict";
  let hasVerifier = 1;
}

def Amp_GroupedLinearOp : Amp_Op<"grouped_linear", [NoMemoryEffect,
    InferTypeOpAdaptor]> { // grouped_linear_c5
  let summary = "x W, with a W for each row";
  let description = [{
    `x` is [m, k], `weights` [g, k, n], `which` [m], `biases` [g, n]; row i of
    the result [m, n] is `x[i] weights[which[i]] + biases[which[i]]`. What an
    edge's type or a router chooses. An index outside [0, g) fails the instance.
    Where `weights` is a parameter, the rows of all instances that are ready are
    one product a group.

    ```mlir
    %y = amp.grouped_linear %h, %A[%type], %a
        : tensor<?x100xf32>, tensor<8x100x100xf32>, tensor<?xi32>, tensor<8x100xf32>
    ```
  }];
  let arguments = (ins Amp_FloatTensor:$x, Amp_FloatTensor:$weights,
                       Amp_IndexVector:$which, Optional<Amp_FloatTensor>:$biases);
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $weights `[` $which `]` (`,` $biases^)? `:` type($x) `,`
    type($weights) `,` type($which) (`,` type($biases)^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Amp_GroupOp : Amp_Op<"group", [NoMemoryEffect,
    InferTypeOpAdaptor]> { // group_c2
  let summary = "rows put together by a computed key";
  let description = [{
    AMPNet's Group. Row i of `x` has key `keys[i]`; `rows` has those of key 0
    first, then those of key 1, and so on, each key's in their old order. Those of
    key k are rows [starts[k], starts[k + 1]); `starts` has count + 1 elements.
    How many rows a key has to wait for is in `keys`, so nothing can hang. A count
    below zero counts as zero. A key outside [0, count) fails the instance.

    ```mlir
    %rows, %starts = amp.group %x[%keys] to %n : tensor<?x100xf32>, tensor<?xi32>
    ```
  }];
  let arguments = (ins Amp_Tensor:$x, Amp_IndexVector:$keys, Index:$count);
  let results = (outs Amp_Tensor:$rows, RankedTensorOf<[Index]>:$starts);
  let assemblyFormat = [{
    $x `[` $keys `]` `to` $count `:` type($x) `,` type($keys) attr-dict
  }];
  let hasVerifier = 1;
}

def Amp_UngroupOp : Amp_Op<"ungroup", [NoMemoryEffect,
    InferTypeOpAdaptor]> { // ungroup_c2
  let summary = "rows put back to where a group took them from";
  let description = [{
    AMPNet's Ungroup, the inverse of `amp.group` with the same keys and count.

    ```mlir
    %x = amp.ungroup %rows[%keys] to %n : tensor<?x100xf32>, tensor<?xi32>
    ```
  }];
  let arguments = (ins Amp_Tensor:$rows, Amp_IndexVector:$keys, Index:$count);
  let results = (outs Amp_Tensor:$x);
  let assemblyFormat = [{
    $rows `[` $keys `]` `to` $count `:` type($rows) `,` type($keys) attr-dict
  }];
  let hasVerifier = 1;
}

def Amp_LossOp : Amp_Op<"loss", [NoMemoryEffect]> {
  let summary = "how far a prediction is from what it should be";
  let description = [{
    AMPNet's Loss. `cross_entropy`: `log sum exp(x) - x[target]` for the last
    dimension of `x`, summed over the others; a target outside [0, classes) fails
    the instance. `squared_error` and `absolute_error`: the sum of the
    squared or absolute differences. `hinge`: the sum over all other classes j of
    `max(0, 1 + x[j] - x[target])` (Crammer and Singer 2001, summed).

    ```mlir
    %l = amp.loss cross_entropy %logits, %tag : tensor<?x17xf32>, tensor<?xi32> -> f32
    %e = amp.loss squared_error %pred, %y : tensor<1xf32>, tensor<1xf32> -> f32
    ```
  }];
  let arguments = (ins Amp_LossAttr:$kind, Amp_FloatTensor:$x,
                       AnyTypeOf<[Amp_Integer, Amp_Tensor]>:$target);
  let results = (outs AnyTypeOf<[F32, F64]>:$loss);
  let assemblyFormat = [{
    `` $kind $x `,` $target `:` type($x) `,` type($target) `->` type($loss) attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the target says a class for each position, not a number.
    static bool hasClasses(LossKind kind) {
      return kind == LossKind::CrossEntropy || kind == LossKind::Hinge;
    }
    /// Whether `op` has a target that fits `x`; else says so.
    static ::llvm::LogicalResult verifyTarget(::mlir::Operation *op, LossKind kind,
                                              ::mlir::Value x, ::mlir::Value target);
    /// The type of a loss of values of type `x`.
    static ::mlir::Type typeFor(::mlir::Type x);
  }];
}

#endif // AMP_ROW_OPS_TD
