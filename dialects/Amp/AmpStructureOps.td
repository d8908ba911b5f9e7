//===- AmpStructureOps.td - Level A: maps, scans, collectors -*- tablegen -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_STRUCTURE_OPS_TD
#define AMP_STRUCTURE_OPS_TD

include "Amp/AmpTypes.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Amp_MapOp : Amp_Op<"map", [SingleBlockImplicitTerminator<"::amp::YieldOp">,
    RecursiveMemoryEffects]> {
  let summary = "independent iterations, results stacked";
  let description = [{
    Runs its body once for each index in [0, count), in no order; each yielded
    value becomes the row of that index in the stacked result. A count below
    zero counts as zero. A yielded scalar stacks to a vector. Legal at levels A
    and B: at level B the body is a graph, one activation an element.

    ```mlir
    %xs = amp.map %t to %n -> (tensor<?x128xf32>) {
      %w = tensor.extract %word[%t] : tensor<?xi32>
      %x = amp.lookup %emb[%w] : tensor<?x128xf32>, i32
      amp.yield %x : tensor<128xf32>
    }
    ```

    *Differentiated* (at level B), it has a tape as its last result, and its body
    an argument more for each result that `adjoint_stacked` numbers: the gradient
    of the element's row. What the body yields behind the rows is stacked, too:
    these are the results of `amp.backward`.
  }];
  let arguments = (ins Index:$count, OptionalAttr<DenseI64ArrayAttr>:$adjoint_stacked);
  let results = (outs Variadic<Amp_ValueOrTape>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$results,
      "::mlir::Value":$count), [{
    build($_builder, $_state, results, count, ::mlir::DenseI64ArrayAttr());
  }]>];
  let extraClassDeclaration = [{
    /// Null unless it is differentiated.
    ::mlir::Value getTape();
    ::mlir::Operation::result_range getStacked() {
      return getResults().drop_back(getTape() ? 1 : 0);
    }
    ::llvm::ArrayRef<int64_t> adjointsStacked() {
      return getAdjointStacked().value_or(::llvm::ArrayRef<int64_t>());
    }
    ::mlir::Block::BlockArgListType getAdjointArgs() {
      return getBody().getArguments().drop_front();
    }
  }];
}

def Amp_FlatmapOp : Amp_Op<"flatmap", [SingleBlockImplicitTerminator<"::amp::YieldOp">,
    RecursiveMemoryEffects]> {
  let summary = "independent iterations, each with rows of its own number";
  let description = [{
    AMPNet's Flatmap: one message in, a number of messages out that its data
    decide. As `amp.map`, but each yielded value is a tensor with an open
    dimension 0, and the result has the rows of all of them, in the order of the
    indices.

    ```mlir
    %rows = amp.flatmap %i to %n -> (tensor<?x16xf32>) {
      %part = tensor.extract_slice %x[%i, 0] [%size, 16] [1, 1] : ...
      amp.yield %part : tensor<?x16xf32>
    }
    ```
  }];
  let arguments = (ins Index:$count);
  let results = (outs Variadic<Amp_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Amp_ScanOp : Amp_Op<"scan", [SingleBlockImplicitTerminator<"::amp::YieldOp">,
    RecursiveMemoryEffects, AttrSizedResultSegments]> {
  let summary = "iterations with carried values, and results stacked";
  let description = [{
    Runs its body for each index in [lower, upper), ascending, or descending
    with `reverse`. The body's arguments are the index and the carried values; it
    yields the next carried values, then the values to stack. Results are the
    last carried values, then the stacked ones: row `i - lower` comes from index
    i, whatever the direction. An iteration starts as soon as what it needs is
    there (SPEC S4): only carried values order iterations.

    ```mlir
    %hN, %cN, %hs = amp.scan reverse %t = %zero to %n carry(%h = %h0, %c = %c0)
        : (tensor<50xf32>, tensor<50xf32>) -> (tensor<?x50xf32>) {
      ...
      amp.yield %h2, %c2, %h2 : tensor<50xf32>, tensor<50xf32>, tensor<50xf32>
    }
    ```
  }];
  let arguments = (ins Index:$lower, Index:$upper, Variadic<Amp_Value>:$init,
                       UnitAttr:$reverse);
  let results = (outs Variadic<Amp_Value>:$last, Variadic<Amp_Tensor>:$stacked);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Amp_YieldOp : Amp_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["MapOp", "FlatmapOp", "ScanOp", "TransformOp", "CellOp", "ControlOp",
                 "RekeyOp"]>]> {
  let summary = "the values of a body";
  let description = [{
    Ends the body of a map, flatmap, scan, transform, cell, control step or re-key.

    ```mlir
    amp.yield %h, %c : tensor<128xf32>, tensor<128xf32>
    ```
  }];
  let arguments = (ins Variadic<Amp_Value>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
}

def Amp_CollectorOp : Amp_Op<"collector", [
    MemoryEffects<[MemAlloc<DefaultResource, 0, FullEffect>]>]> {
  let summary = "makes a collector of a fixed number of rows";
  let description = [{
    A count below zero counts as zero. If the instance ends with rows missing it
    fails, and says which collector and how many.

    ```mlir
    %out = amp.collector %n : !amp.collector<tensor<5xf32>>
    ```
  }];
  let arguments = (ins Index:$count);
  let results = (outs Amp_CollectorType:$collector);
  let assemblyFormat = "$count `:` type($collector) attr-dict";
}

def Amp_EmitOp : Amp_Op<"emit", [
    TypesMatchWith<"the collector's row type (emit_c1)", "collector", "row",
                   "::mlir::cast<CollectorType>($_self).getRow()">,
    MemoryEffects<[MemWrite<DefaultResource, 0, FullEffect>]>]> {
  let summary = "gives a collector one of its rows";
  let description = [{
    Has no order relative to any other node: the row is in when its value and
    its index are. An index outside the collector, or given twice, fails the
    instance.

    ```mlir
    amp.emit %logits, %out[%node] : !amp.collector<tensor<5xf32>>, index
    ```
  }];
  let arguments = (ins Amp_Tensor:$row, Amp_CollectorType:$collector,
                       Amp_Integer:$index);
  let assemblyFormat = [{
    $row `,` $collector `[` $index `]` `:` type($collector) `,` type($index)
    attr-dict
  }];
}

def Amp_CollectOp : Amp_Op<"collect", [
    MemoryEffects<[MemRead<DefaultResource, 0, FullEffect>]>]> {
  let summary = "all rows of a collector, stacked";
  let description = [{
    Its result arrives when every row is in. Must stand in the activation that
    made the collector (SPEC collect_c2), at most once a collector.

    ```mlir
    %logits = amp.collect %out : !amp.collector<tensor<5xf32>> -> tensor<?x5xf32>
    ```
  }];
  let arguments = (ins Amp_CollectorType:$collector);
  let results = (outs Amp_Tensor:$rows);
  let assemblyFormat = "$collector `:` type($collector) `->` type($rows) attr-dict";
  let hasVerifier = 1;
}

#endif // AMP_STRUCTURE_OPS_TD
