//===- AmpGradientOps.td - Ops of differentiated graphs -*- tablegen -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_GRADIENT_OPS_TD
#define AMP_GRADIENT_OPS_TD

include "Amp/AmpAttrs.td"
include "Amp/AmpTypes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Amp_BackwardOp : Amp_Op<"backward", [
    MemoryEffects<[MemRead<DefaultResource, 0, FullEffect>,
                   MemWrite<DefaultResource, 0, FullEffect>]>]> {
  let summary = "the backward half of a call, loop or map";
  let description = [{
    Gives the activations that a differentiated `amp.call`, `amp.loop` or `amp.map`
    has opened the gradients of its results, and yields those of what it was
    given. Strict in nothing: each input goes on when it is there, and each result
    arrives on its own. The forward half and this one are one node in two places,
    because its results lead to its inputs.

    ```mlir
    %y, %tape = amp.call @f(%x) : (tensor<4xf32>) -> (tensor<4xf32>, !amp.tape)
    %dx = amp.backward %tape(%dy) : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Amp_TapeType:$tape, Variadic<Amp_Value>:$inputs);
  let results = (outs Variadic<Amp_Value>:$results);
  let assemblyFormat = "$tape `(` $inputs `)` attr-dict `:` functional-type($inputs, $results)";
  let hasVerifier = 1;
}

/// Adds to the gradient of a parameter; no token leaves it.
class Amp_GradientOp<string mnemonic>
    : Amp_Op<mnemonic, [DeclareOpInterfaceMethods<SymbolUserOpInterface>,
        MemoryEffects<[MemWrite<DefaultResource, 0, FullEffect>]>]>;

def Amp_AddGradientOp : Amp_GradientOp<"add_gradient"> {
  let summary = "adds to a parameter's gradient";
  let description = [{
    The value has the parameter's type, or more dimensions in front, over which
    is summed (a bias that is added to many rows).

    ```mlir
    amp.add_gradient @b, %dy : tensor<?x384xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param, Amp_FloatTensor:$value);
  let assemblyFormat = "$param `,` $value `:` type($value) attr-dict";
}

def Amp_LinearGradientOp : Amp_GradientOp<"linear_gradient"> {
  let summary = "adds the gradient of a product's parameter";
  let description = [{
    For `y = amp.linear x, W`: that of W grows by the sum of `x_r^T dy_r` over all
    rows r. Rows are kept and multiplied once for many of them (architecture,
    section 9).

    ```mlir
    amp.linear_gradient @W, %x, %dy : tensor<128xf32>, tensor<384xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param, Amp_FloatTensor:$x,
                       Amp_FloatTensor:$dy);
  let assemblyFormat = "$param `,` $x `,` $dy `:` type($x) `,` type($dy) attr-dict";
}

def Amp_GroupedLinearGradientOp : Amp_GradientOp<"grouped_linear_gradient"> {
  let summary = "adds the gradient of a grouped product's parameter";
  let description = [{
    As `amp.linear_gradient`, for `amp.grouped_linear`: row r adds to matrix
    `which[r]`.

    ```mlir
    amp.grouped_linear_gradient @A[%type], %x, %dy
        : tensor<?x100xf32>, tensor<?x100xf32>, tensor<?xi32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param, Amp_FloatTensor:$x,
                       Amp_FloatTensor:$dy, Amp_IndexVector:$which);
  let assemblyFormat = [{
    $param `[` $which `]` `,` $x `,` $dy `:` type($x) `,` type($dy) `,` type($which)
    attr-dict
  }];
}

def Amp_RowGradientOp : Amp_GradientOp<"row_gradient"> {
  let summary = "adds to the gradient of a parameter's rows";
  let description = [{
    For `amp.lookup` and `amp.gather`: the row that `index` names grows by `row`,
    or each of those that a vector of indices names by its row.

    ```mlir
    amp.row_gradient @emb[%w], %dx : tensor<128xf32>, i32
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param,
                       AnyTypeOf<[Amp_Integer, Amp_IndexVector]>:$index,
                       Amp_FloatTensor:$row);
  let assemblyFormat = "$param `[` $index `]` `,` $row `:` type($row) `,` type($index) attr-dict";
}

def Amp_LossGradientOp : Amp_Op<"loss_gradient", [Pure,
    AllTypesMatch<["x", "result"]>]> {
  let summary = "the gradient of a loss";
  let description = [{
    Of `l = amp.loss x, target`, times `dl`: for `cross_entropy`
    `(softmax(x) - onehot(target)) dl`, for `squared_error` `2 (x - target) dl`,
    for `absolute_error` the sign of the difference, and for `hinge` one for each
    other class within the margin, less their number for the target's.

    ```mlir
    %dx = amp.loss_gradient cross_entropy %x, %tag, %dl
        : tensor<?x17xf32>, tensor<?xi32>, f32
    ```
  }];
  let arguments = (ins Amp_LossAttr:$kind, Amp_FloatTensor:$x,
                       AnyTypeOf<[Amp_Integer, Amp_Tensor]>:$target,
                       AnyTypeOf<[F32, F64]>:$dl);
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat = [{
    `` $kind $x `,` $target `,` $dl `:` type($x) `,` type($target) `,` type($dl) attr-dict
  }];
  let hasVerifier = 1;
}

def Amp_DropoutMaskOp : Amp_Op<"dropout_mask", [Pure,
    AllTypesMatch<["like", "result"]>]> {
  let summary = "what amp.dropout multiplies with";
  let description = [{
    0 with probability `rate`, else `1 / (1 - rate)`, for each element of a tensor
    of the size of `like`, whose elements it does not read. `salt` tells the ops of
    a module apart.

    ```mlir
    %m = amp.dropout_mask %x[%t] rate 0.3 salt 2 : tensor<128xf32>, index
    ```
  }];
  let arguments = (ins Amp_FloatTensor:$like, Variadic<Amp_Integer>:$keys,
                       F64Attr:$rate, I64Attr:$salt);
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat = [{
    $like (`[` $keys^ `]`)? `rate` $rate `salt` $salt `:` type($like)
    (`,` type($keys)^)? attr-dict
  }];
  let extraClassDeclaration = [{
    /// The numbers below which 32 random bits mean zero.
    uint32_t getThreshold() {
      return uint32_t(getRate().convertToDouble() * 4294967296.0);
    }
  }];
}

def Amp_SoftmaxGradientOp : Amp_Op<"softmax_gradient", [Pure,
    SameOperandsAndResultType]> {
  let summary = "the gradient of a soft-max";
  let description = [{
    Of `y = amp.softmax x`: `y (dy - sum(y dy))`, the sum over the last dimension.

    ```mlir
    %dx = amp.softmax_gradient %y, %dy : tensor<?x5xf32>
    ```
  }];
  let arguments = (ins Amp_FloatTensor:$y, Amp_FloatTensor:$dy);
  let results = (outs Amp_FloatTensor:$dx);
  let assemblyFormat = "$y `,` $dy `:` type($dx) attr-dict";
}

#endif // AMP_GRADIENT_OPS_TD
