//===- AmpNodeOps.td - Level B: graphs and their nodes -*- tablegen -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_NODE_OPS_TD
#define AMP_NODE_OPS_TD

include "Amp/AmpTypes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Amp_GraphOp : Amp_Op<"graph", [IsolatedFromAbove, Symbol,
    FunctionOpInterface, HasParent<"::mlir::ModuleOp">, // graph_c2
    SingleBlockImplicitTerminator<"::amp::ReturnOp">]> {
  let summary = "a dataflow graph";
  let description = [{
    One block of nodes. A node is any op of this dialect's level B, or a pure
    per-instance op, which is a transform of its own. Every SSA value is an edge;
    within one activation it carries at most one token, and a node fires when all
    its operands' tokens are there (SPEC S1). The public graph is the model's
    entry: its argument and result attributes `amp.name` name the fields.

    ```mlir
    amp.graph private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = arith.addf %x, %x : tensor<4xf32>
      amp.return %y : tensor<4xf32>
    }
    ```

    Of a differentiated graph, the last `adjoint_inputs` arguments are gradients
    of results, which come when the caller has them (`amp.backward`), and the last
    `adjoint_results` results are gradients of arguments.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<I64Attr>:$adjoint_inputs,
                       OptionalAttr<I64Attr>:$adjoint_results,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::StringAttr":$name,
      "::mlir::TypeAttr":$type, "::mlir::StringAttr":$visibility,
      "::mlir::ArrayAttr":$argAttrs, "::mlir::ArrayAttr":$resAttrs), [{
    build($_builder, $_state, name, type, /*adjoint_inputs=*/{},
          /*adjoint_results=*/{}, visibility, argAttrs, resAttrs);
  }]>];
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    /// Of the arguments and results, how many come last as adjoints.
    unsigned adjointInputs() { return getAdjointInputs().value_or(0); }
    unsigned adjointResults() { return getAdjointResults().value_or(0); }
    bool isDifferentiated() { return getAdjointInputs().has_value(); }
  }];
}

def Amp_ReturnOp : Amp_Op<"return", [Pure, Terminator, ReturnLike,
    HasParent<"GraphOp">]> {
  let summary = "the results of a graph";
  let description = [{
    Each result is delivered when its token arrives, not when all have
    (SPEC S5). No result may be conditional: a token that exists on one side of a
    branch only must be merged first.

    ```mlir
    amp.return %h, %c : tensor<128xf32>, tensor<128xf32>
    ```
  }];
  let arguments = (ins Variadic<Amp_Value>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let hasVerifier = 1;
}

def Amp_TransformOp : Amp_Op<"transform", [IsolatedFromAbove,
    SingleBlockImplicitTerminator<"::amp::YieldOp">, RecursiveMemoryEffects]> {
  let summary = "several per-instance ops as one node";
  let description = [{
    AMPNet's (parameterised or plain) payload transform: the region's ops run
    when all operands are there. The region holds pure per-instance ops only.

    ```mlir
    %y = amp.transform(%x) : (tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %b = math.tanh %a : tensor<4xf32>
      amp.yield %b : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Amp_Value>:$inputs);
  let results = (outs Variadic<Amp_Value>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` `:` functional-type($inputs, $results) attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
}

// Not pure: it asks what its own activation decided. The same branch in a body and
// around it are two decisions, so neither may stand for the other.
def Amp_BranchOp : Amp_Op<"branch", [
    MemoryEffects<[MemRead<DefaultResource, 0, FullEffect>]>,
    AllTypesMatch<["value", "onTrue", "onFalse"]>]> { // branch_c1
  let summary = "routes a token by a condition";
  let description = [{
    AMPNet's Cond. The token leaves on one of the two results; what depends on
    the other does not run. All branches of one body on the same condition value
    are one decision.

    ```mlir
    %t, %f = amp.branch %leaf, %x : tensor<128xf32>
    ```
  }];
  let arguments = (ins I1:$condition, Amp_Value:$value);
  let results = (outs Amp_Value:$onTrue, Amp_Value:$onFalse);
  let assemblyFormat = "$condition `,` $value `:` type($value) attr-dict";
}

def Amp_MergeOp : Amp_Op<"merge", [Pure,
    SameOperandsAndResultType]> { // merge_c3
  let summary = "joins two alternatives";
  let description = [{
    AMPNet's Phi: passes on whichever of its operands arrives. They must exclude
    one another: come from opposite sides of one branch (SPEC merge_c1). There
    are no racing merges.

    ```mlir
    %h = amp.merge %leafH, %innerH : tensor<128xf32>
    ```
  }];
  let arguments = (ins Amp_Value:$onTrue, Amp_Value:$onFalse);
  let results = (outs Amp_Value:$result);
  let assemblyFormat = "$onTrue `,` $onFalse `:` type($result) attr-dict";
}

def Amp_ForkOp : Amp_Op<"fork", [Pure]> {
  let summary = "one token to several places";
  let description = [{
    AMPNet's Bcast. Several uses of a value mean the same; `amp-materialize-forks`
    makes them explicit, so that each value has one use, and `amp-erase-forks`
    removes them.

    ```mlir
    %a, %b = amp.fork %x : tensor<4xf32> to 2
    ```
  }];
  let arguments = (ins Amp_Value:$value);
  let results = (outs Variadic<Amp_Value>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Amp_SinkOp : Amp_Op<"sink", [
    MemoryEffects<[MemWrite<DefaultResource, 0, FullEffect>]>]> {
  let summary = "where a token ends";
  let description = [{
    Takes a token that nothing needs. No use of a value means the same; see
    `amp.fork`.

    ```mlir
    amp.sink %x : tensor<4xf32>
    ```
  }];
  let arguments = (ins Amp_Value:$value);
  let assemblyFormat = "$value `:` type($value) attr-dict";
}

def Amp_RekeyOp : Amp_Op<"rekey", [IsolatedFromAbove, NoMemoryEffect,
    AllTypesMatch<["key", "result"]>]> {
  let summary = "an invertible change of a key that the graph states itself";
  let description = [{
    AMPNet's Isu (invertible state update): `result` is what `forward` yields for
    `key`. `inverse` leads back, which the backward pass needs; a key that it does
    not lead back to fails the instance. The keys of loops, calls, maps and groups
    are changed by these nodes themselves; this one is for keys that are values
    of the graph: a position, a node's number. Regions hold scalar ops only.

    ```mlir
    %next = amp.rekey %i : index forward {
    ^bb0(%k: index):
      %1 = arith.addi %k, %one : index
      amp.yield %1 : index
    } inverse {
      ...
    }
    ```
  }];
  let arguments = (ins AnyTypeOf<[I32, I64, Index]>:$key);
  let results = (outs AnyTypeOf<[I32, I64, Index]>:$result);
  let regions = (region SizedRegion<1>:$forward, SizedRegion<1>:$inverse);
  let assemblyFormat = [{
    $key `:` type($key) `forward` $forward `inverse` $inverse attr-dict
  }];
  let hasRegionVerifier = 1;
}

def Amp_CallOp : Amp_Op<"call", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    MemoryEffects<[MemRead<DefaultResource, 0, FullEffect>,
                   MemWrite<DefaultResource, 0, FullEffect>]>]> {
  let summary = "runs another graph";
  let description = [{
    Opens an activation of `callee` when its scalar and collector operands, and
    `after`, have arrived; tensor operands may follow later. Each result arrives
    on its own. Calls without a dependency between them run concurrently;
    recursion is unbounded but for the step limit.

    The call of a differentiated graph gives no adjoint inputs, has no adjoint
    results, and has a tape as its last result.

    ```mlir
    %h, %c = amp.call @node(%words, %l) : (tensor<?xi32>, index) -> (tensor<128xf32>, tensor<128xf32>)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Amp_Value>:$inputs,
                       Variadic<Amp_Value>:$after);
  let results = (outs Variadic<Amp_ValueOrTape>:$results);
  let assemblyFormat = [{
    $callee `(` $inputs `)` (`after` `(` $after^ `:` type($after) `)`)?
    attr-dict `:` functional-type($inputs, $results)
  }];
  let extraClassDeclaration = [{
    /// Null unless what it calls is differentiated.
    ::mlir::Value getTape();
    /// The results without the tape.
    ::mlir::Operation::result_range getForwardResults() {
      return getResults().drop_back(getTape() ? 1 : 0);
    }
  }];
}

def Amp_LoopOp : Amp_Op<"loop", [AttrSizedOperandSegments,
    AttrSizedResultSegments, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "iterations, each an activation of its own";
  let description = [{
    AMPNet's loop: the key of an iteration's tokens is the loop's with the
    iteration number added (the paper's invertible state update).

    *With a range*, one activation for each index from `lower` up to `upper` by
    `step` (descending with `reverse`); the body's arguments are the index and the
    carried values; `amp.next` gives the next carried values and the values to
    stack. Results: the last carried values, then the stacked ones. All
    activations are opened at once; each carried token starts what waits for it
    as soon as it is there, so iterations overlap (SPEC S4).

    *Without a range*, the body's arguments are the carried values, and
    `amp.next` has a condition: if it holds, the next iteration begins with the
    `carried` values, which exist on the condition's true side; if not, the
    `exit` values, which exist on its false side, are the loop's results.

    The body may use values from outside; the loop begins when they are there.

    *Differentiated*, it has a tape as its last result. `adjoint_carried`,
    `adjoint_exit` and `adjoint_stacked` are the numbers of the values whose
    gradients come; in this order, its body has an argument more for each: the
    gradient of what amp.next carries, exits with, and stacks. `amp.next` has `adjoint` values: the
    gradients of the carried arguments, which go to the iteration before, or from
    the first to `amp.backward`'s results; then values to stack, whose stacks are
    further results of `amp.backward`. That takes the gradients of the last
    carried (with a range) or exit values, and of the stacked results.

    ```mlir
    %h, %hs = amp.loop range(%lo, %up, %one) init(%h0) : ... {
    ^bb0(%i: index, %h: tensor<50xf32>):
      ...
      amp.next carried(%h2 : tensor<50xf32>) stacked(%h2 : tensor<50xf32>)
    }
    ```
  }];
  let arguments = (ins Optional<Index>:$lower, Optional<Index>:$upper,
                       Optional<Index>:$step, Variadic<Amp_Value>:$init,
                       Variadic<Amp_Value>:$after, UnitAttr:$reverse,
                       OptionalAttr<DenseI64ArrayAttr>:$adjoint_carried,
                       OptionalAttr<DenseI64ArrayAttr>:$adjoint_exit,
                       OptionalAttr<DenseI64ArrayAttr>:$adjoint_stacked);
  let results = (outs Variadic<Amp_Value>:$last, Variadic<Amp_Tensor>:$stacked,
                      Optional<Amp_TapeType>:$tape);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`reverse` $reverse^)?
    (`range` `(` $lower^ `,` $upper `,` $step `)`)?
    (`init` `(` $init^ `:` type($init) `)`)?
    (`after` `(` $after^ `:` type($after) `)`)?
    `->` custom<TypesInParens>(type($last))
    `stacked` custom<TypesInParens>(type($stacked))
    (`tape` type($tape)^)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let builders = [
    /// One that is not differentiated.
    OpBuilder<(ins "::mlir::TypeRange":$last, "::mlir::TypeRange":$stacked,
                   "::mlir::Value":$lower, "::mlir::Value":$upper,
                   "::mlir::Value":$step, "::mlir::ValueRange":$init,
                   "::mlir::ValueRange":$after, "bool":$reverse), [{
      build($_builder, $_state, last, stacked, ::mlir::Type(), lower, upper, step,
            init, after, reverse ? $_builder.getUnitAttr() : ::mlir::UnitAttr(),
            ::mlir::DenseI64ArrayAttr(), ::mlir::DenseI64ArrayAttr(),
            ::mlir::DenseI64ArrayAttr());
    }]>];
  let extraClassDeclaration = [{
    bool hasRange() { return static_cast<bool>(getLower()); }
    /// The body's arguments that hold the carried values.
    ::mlir::Block::BlockArgListType getCarriedArgs() {
      return getBody().getArguments().slice(hasRange() ? 1 : 0, getInit().size());
    }
    ::llvm::ArrayRef<int64_t> adjointsCarried() {
      return getAdjointCarried().value_or(::llvm::ArrayRef<int64_t>());
    }
    ::llvm::ArrayRef<int64_t> adjointsExit() {
      return getAdjointExit().value_or(::llvm::ArrayRef<int64_t>());
    }
    ::llvm::ArrayRef<int64_t> adjointsStacked() {
      return getAdjointStacked().value_or(::llvm::ArrayRef<int64_t>());
    }
    /// The body's arguments that hold gradients.
    ::mlir::Block::BlockArgListType getAdjointArgs() {
      return getBody().getArguments().drop_front((hasRange() ? 1 : 0) + getInit().size());
    }
    NextOp getNext();
  }];
}

def Amp_NextOp : Amp_Op<"next", [Pure, Terminator, AttrSizedOperandSegments,
    HasParent<"LoopOp">]> { // next_c5
  let summary = "ends an iteration";
  let description = [{
    See `amp.loop`.

    ```mlir
    amp.next while(%more) carried(%a : i32) exit(%b : i32)
    ```
  }];
  let arguments = (ins Optional<I1>:$condition, Variadic<Amp_Value>:$carried,
                       Variadic<Amp_Value>:$exit, Variadic<Amp_Value>:$stacked,
                       Variadic<Amp_Value>:$adjoint);
  let assemblyFormat = [{
    (`while` `(` $condition^ `)`)?
    (`carried` `(` $carried^ `:` type($carried) `)`)?
    (`exit` `(` $exit^ `:` type($exit) `)`)?
    (`stacked` `(` $stacked^ `:` type($stacked) `)`)?
    (`adjoint` `(` $adjoint^ `:` type($adjoint) `)`)? attr-dict
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$condition,
      "::mlir::ValueRange":$carried, "::mlir::ValueRange":$exit,
      "::mlir::ValueRange":$stacked), [{
    build($_builder, $_state, condition, carried, exit, stacked,
          /*adjoint=*/::mlir::ValueRange());
  }]>];
}

def Amp_CellOp : Amp_Op<"cell", [IsolatedFromAbove,
    SingleBlockImplicitTerminator<"::amp::YieldOp">, RecursiveMemoryEffects]> {
  let summary = "tensor work that is batched over activations";
  let description = [{
    Made by `amp-form-cells`: the largest convex group of per-instance tensor ops
    that become ready together. At run time the activations of one cell that are
    ready, from whatever instances, are one kernel call. Two activations may share
    a call only if they belong to the same cell, so batching is injective by
    construction.

    ```mlir
    %y = amp.cell "inner"(%x) : (tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4xf32>):
      %b = math.tanh %a : tensor<4xf32>
      amp.yield %b : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<Amp_Value>:$inputs);
  let results = (outs Variadic<Amp_Value>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name `(` $inputs `)` `:` functional-type($inputs, $results) attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
}

def Amp_ControlOp : Amp_Op<"control", [IsolatedFromAbove,
    SingleBlockImplicitTerminator<"::amp::YieldOp">, RecursiveMemoryEffects]> {
  let summary = "scalar work that runs at once on the frame";
  let description = [{
    Made by `amp-form-cells`: indices, conditions and views (a row of a table, a
    slice), which cost less than a queue. Never batched; may fail the instance.

    ```mlir
    %w = amp.control(%words, %i) : (tensor<?xi32>, index) -> i32 {
    ^bb0(%a: tensor<?xi32>, %b: index):
      %c = tensor.extract %a[%b] : tensor<?xi32>
      amp.yield %c : i32
    }
    ```
  }];
  let arguments = (ins Variadic<Amp_Value>:$inputs);
  let results = (outs Variadic<Amp_Value>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` `:` functional-type($inputs, $results) attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
}

#endif // AMP_NODE_OPS_TD
