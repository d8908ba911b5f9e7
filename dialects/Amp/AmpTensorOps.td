//===- AmpTensorOps.td - Level A: parameters and tensor ops -*- tablegen -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TENSOR_OPS_TD
#define AMP_TENSOR_OPS_TD

include "Amp/AmpAttrs.td"
include "Amp/AmpTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

def Amp_ParamOp : Amp_Op<"param", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "a parameter of the model";
  let description = [{
    Declares a parameter: shared by all instances, read by `amp.get`, given by
    the weights file under its symbol name or, if it lacks it, initialised from
    the seed. Only dimension 0 may be open: then the file fixes it, so that a
    vocabulary is never part of a program.

    ```mlir
    amp.param @emb : tensor<?x128xf32> init(normal, 0.1)
    amp.param @U   : tensor<256x384xf32> init(glorot)
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<Amp_FloatTensor>:$type, // param_c2
                       Amp_InitAttr:$init);
  let assemblyFormat = "$sym_name `:` $type `init` `` $init attr-dict";
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getTensorType() {
      return ::mlir::cast<::mlir::RankedTensorType>(getType());
    }
  }];
  let hasVerifier = 1;
}

def Amp_GetOp : Amp_Op<"get", [Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the value of a parameter";
  let description = [{
    The parameter's tensor. Uniform: the same for all instances, so it is never
    copied, and needs no token. With `transposed`, its last two dimensions are
    exchanged, as the gradient of a product needs it; such a value is a product's
    right side and nothing else.

    ```mlir
    %U = amp.get @U : tensor<256x384xf32>
    %T = amp.get transposed @U : tensor<384x256xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$param, UnitAttr:$transposed);
  let results = (outs Amp_FloatTensor:$value);
  let assemblyFormat = "(`transposed` $transposed^)? $param `:` type($value) attr-dict";
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::mlir::FlatSymbolRefAttr":$param),
    [{ build($_builder, $_state, type, param, ::mlir::UnitAttr()); }]>];
}

def Amp_LookupOp : Amp_Op<"lookup", [NoMemoryEffect,
    InferTypeOpAdaptor]> { // lookup_c2
  let summary = "one row of a table";
  let description = [{
    `table[index]`: the table's row, all inner dimensions of it. An index outside
    [0, rows) fails the instance with the place and the numbers; no other
    instance notices. Not speculatable.

    ```mlir
    %x = amp.lookup %emb[%w] : tensor<?x128xf32>, i32
    ```
  }];
  let arguments = (ins Amp_Tensor:$table, Amp_Integer:$index);
  let results = (outs Amp_Tensor:$row);
  let assemblyFormat =
      "$table `[` $index `]` `:` type($table) `,` type($index) attr-dict";
  let hasVerifier = 1;
}

def Amp_LinearOp : Amp_Op<"linear", [Pure,
    InferTypeOpAdaptor]> { // linear_c6
  let summary = "x W, or x W + b";
  let description = [{
    `x` is [..., k], `weight` [k, n], `bias` [n]; the result [..., n] (leading
    dimensions as in `x`). Where `weight` is uniform, each leading position is a
    row of one matrix product over all instances that are ready.

    ```mlir
    %g = amp.linear %x, %W, %b : tensor<128xf32>, tensor<128x384xf32>, tensor<384xf32>
    ```
  }];
  let arguments = (ins Amp_FloatTensor:$x, Amp_FloatTensor:$weight,
                       Optional<Amp_FloatTensor>:$bias);
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $weight (`,` $bias^)? `:` type($x) `,` type($weight)
    (`,` type($bias)^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Amp_DropoutOp : Amp_Op<"dropout", [Pure, AllTypesMatch<["x", "result"]>]> {
  let summary = "sets elements to zero while training";
  let description = [{
    While training, each element is zero with probability `rate`, and else divided
    by `1 - rate` (Srivastava et al. 2014); otherwise the result is `x`. Which
    elements are zero depends on the instance's seed, the op, the keys and the
    element's place alone: never on batching. Activations that should differ (a
    loop's iterations) give different keys.

    ```mlir
    %y = amp.dropout %x[%t] rate 0.3 : tensor<128xf32>, index
    ```
  }];
  let arguments = (ins Amp_FloatTensor:$x, Variadic<Amp_Integer>:$keys,
                       F64Attr:$rate);
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat = [{
    $x (`[` $keys^ `]`)? `rate` $rate `:` type($x) (`,` type($keys)^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Amp_SigmoidOp : Amp_Op<"sigmoid", [Pure, SameOperandsAndResultType,
    Elementwise, Scalarizable, Vectorizable, Tensorizable]> {
  let summary = "the logistic function, element by element";
  let description = [{
    `1 / (1 + exp(-x))`.

    ```mlir
    %i = amp.sigmoid %a : tensor<128xf32>
    ```
  }];
  let arguments = (ins FloatLike:$x);
  let results = (outs FloatLike:$result);
  let assemblyFormat = "$x `:` type($x) attr-dict";
}

def Amp_SoftmaxOp : Amp_Op<"softmax", [Pure, SameOperandsAndResultType]> {
  let summary = "soft-max over the last dimension";
  let description = [{
    `exp(x - max x) / sum exp(x - max x)` over the last dimension, for each
    position of the others. Over an empty dimension the result is empty.

    ```mlir
    %p = amp.softmax %scores : tensor<5xf32>
    ```
  }];
  let arguments = (ins Amp_FloatTensor:$x);
  let results = (outs Amp_FloatTensor:$result);
  let assemblyFormat = "$x `:` type($x) attr-dict";
  let hasVerifier = 1;
}

def Amp_ArgmaxOp : Amp_Op<"argmax", [NoMemoryEffect]> {
  let summary = "index of the largest element of a vector";
  let description = [{
    The lowest index among the largest elements; a NaN counts as larger than any
    number. An empty vector fails the instance.

    ```mlir
    %k = amp.argmax %scores : tensor<5xf32>
    ```
  }];
  let arguments = (ins Amp_FloatTensor:$x);
  let results = (outs Index:$index);
  let assemblyFormat = "$x `:` type($x) attr-dict";
  let hasVerifier = 1;
}

#endif // AMP_TENSOR_OPS_TD
