//===- AmpRTTables.td - What a model's descriptor is made of -*- tablegen -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMPRT_TABLES_TD
#define AMPRT_TABLES_TD

include "AmpRT/AmpRTBase.td"

def AmpRT_ModelOp : AmpRT_Op<"model", [HasParent<"::mlir::ModuleOp">]> {
  let summary = "the model's descriptor (amprt_model_t)";
  let description = [{
    Names, types and frame offsets of the fields, names and types of the results,
    the entry handler and its frame, as one of the ways to run the model. A module
    has one of role `predict`, and at most one of `evaluate` and `train` each;
    `loss` is the number of these' result that is the loss. Of a train entry,
    `ended` has the events of its frame that have happened when the backward pass
    has ended, as bits of the `arrived` words, and `ended_names` what they are.
  }];
  let arguments = (ins StrAttr:$name, FlatSymbolRefAttr:$entry,
                       I64Attr:$entry_bytes, DenseI64ArrayAttr:$arrived,
                       StrArrayAttr:$field_names, TypeArrayAttr:$field_types,
                       DenseI64ArrayAttr:$field_offsets,
                       StrArrayAttr:$result_names, TypeArrayAttr:$result_types,
                       I64Attr:$result_events,
                       DefaultValuedStrAttr<StrAttr, "predict">:$role,
                       OptionalAttr<I64Attr>:$loss,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$ended,
                       DefaultValuedAttr<StrArrayAttr, "{}">:$ended_names);
  let assemblyFormat = "$name $entry attr-dict";
}

def AmpRT_FrameOp : AmpRT_Op<"frame", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "the layout of a graph's frames";
  let description = [{
    Bytes in all, and for people: the events by bit, and the words by offset.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$bytes,
                       I64Attr:$arrived_words, StrArrayAttr:$events,
                       StrArrayAttr:$words);
  let assemblyFormat = [{
    $sym_name `bytes` $bytes `arrived` $arrived_words `events` $events
    `words` $words attr-dict
  }];
}

def AmpRT_ValueAttr : AttrDef<AmpRT_Dialect, "Value"> {
  let mnemonic = "value";
  let summary = "a value in a frame (amprt_value_t)";
  let description = [{
    Its first word lies `at` so many bytes in the activation's frame, or in that of
    the activation so many parents `up`.

    ```mlir
    #amprt.value<tensor<?x4xf32> at 80 up 1>
    ```
  }];
  let parameters = (ins "::mlir::Type":$type, "int64_t":$offset,
                        DefaultValuedParameter<"int64_t", "0">:$levels);
  let assemblyFormat = "`<` $type `at` $offset (`up` $levels^)? `>`";
  let genVerifyDecl = 1;
}

def AmpRT_ValuesAttr : ArrayOfAttr<AmpRT_Dialect, "Values", "values", "ValueAttr"> {
  let summary = "values in frames";
}

def AmpRT_CellOp : AmpRT_Op<"cell", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "a cell: its functions and what is known of it";
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$compute,
                       FlatSymbolRefAttr:$complete, BoolAttr:$has_product,
                       UnitAttr:$backward, I64Attr:$priority,
                       ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<4294967295>]>:$work,
                       AmpRT_ValuesAttr:$reads, AmpRT_ValuesAttr:$writes,
                       TypedArrayAttrBase<FlatSymbolRefAttr, "parameters">:$params,
                       StrAttr:$summary);
  let description = [{
    Its number in the model's table is its position among the module's cells.
    `backward`: it works on gradients. `priority`: cells on the longest path from
    this one, which counts, to the end of its activation. `work`: floating-point
    operations of an activation, estimated. `reads` is all that `compute` reads of
    frames but for the head of the activation's own, `writes` all that it sets
    there, and `params` what it reads or gives gradients to, directly or as rows
    that what it reads may point to.

    ```mlir
    amprt.cell @f.0 compute @f.0.compute complete @f.0.complete product true
      priority 1 work 36 reads [<tensor<4xf32> at 56>] writes [<tensor<4xf32> at 64>]
      params [@V] "amp.linear, math.tanh"
    ```
  }];
  let assemblyFormat = [{
    $sym_name `compute` $compute `complete` $complete `product` $has_product
    (`backward` $backward^)? `priority` $priority `work` $work `reads` $reads
    `writes` $writes `params` $params $summary attr-dict
  }];
}

def AmpRT_LinearOp : AmpRT_Op<"linear", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "a product with a parameter as its right side";
  let description = [{
    Its number in the model's table is its position among the module's products.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$param,
                       DefaultValuedAttr<I64Attr, "1">:$groups, I64Attr:$k,
                       I64Attr:$n, UnitAttr:$transposed);
  let assemblyFormat = [{
    $sym_name (`transposed` $transposed^)? $param (`groups` $groups^)? $k $n attr-dict
  }];
}

def AmpRT_GradientOp : AmpRT_Op<"gradient", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "a product whose parameter gets gradients (amprt_gradient_desc_t)";
  let description = [{
    Of all of a parameter [k, n], or of `groups` of them. Its number in the model's
    table is its position among the module's gradients.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$param,
                       DefaultValuedAttr<I64Attr, "1">:$groups, I64Attr:$k,
                       I64Attr:$n);
  let assemblyFormat = "$sym_name $param (`groups` $groups^)? $k $n attr-dict";
}

def AmpRT_PanelOp : AmpRT_Op<"panel", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "packed weights of generated products (amprt_panel_desc_t)";
  let description = [{
    Part i is `k` rows of `params[i]` from `rows[i]` on, and `width` columns from
    `columns[i]` on; where `transposed[i]` is set, rows and columns of the parameter
    exchange their roles. Its number in the model's table is its position among the
    module's panels.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypedArrayAttrBase<FlatSymbolRefAttr, "parameters">:$params,
                       DenseI64ArrayAttr:$rows, DenseI64ArrayAttr:$columns,
                       DenseBoolArrayAttr:$transposed, I64Attr:$k, I64Attr:$width, I32Attr:$lanes,
                       I32Attr:$unroll);
  let assemblyFormat = [{
    $sym_name $params `rows` $rows `columns` $columns `transposed` $transposed `k` $k `width` $width
    `lanes` $lanes `unroll` $unroll attr-dict
  }];
  let hasVerifier = 1;
}

def AmpRT_SiteOp : AmpRT_Op<"site", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "where a call's results go (amprt_site_t)";
  let description = [{
    `handlers`: one for each result event of the callee; `offsets`: the byte
    offset in the caller's frame of each result word.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypedArrayAttrBase<FlatSymbolRefAttr, "handlers">:$handlers,
                       DenseI32ArrayAttr:$offsets);
  let assemblyFormat = "$sym_name $handlers $offsets attr-dict";
}

#endif // AMPRT_TABLES_TD
