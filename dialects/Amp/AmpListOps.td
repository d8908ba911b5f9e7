//===- AmpListOps.td - Level A: persistent lists -*- tablegen -*-===//
//
// Part of the ampc project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIST_OPS_TD
#define AMP_LIST_OPS_TD

include "Amp/AmpTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// The type of what a list holds.
class Amp_ElementOf<string whole, string value> : TypesMatchWith<
    "the list's element type", whole, value,
    "::mlir::cast<ListType>($_self).getElement()">;

def Amp_ListOp : Amp_Op<"list", [Pure]> {
  let summary = "the empty list";
  let description = [{
    ```mlir
    %none = amp.list : !amp.list<i32>
    ```
  }];
  let results = (outs Amp_ListType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Amp_PushOp : Amp_Op<"push", [Pure, Amp_ElementOf<"list", "value">,
    AllTypesMatch<["list", "result"]>]> {
  let summary = "a list with one element more";
  let description = [{
    The new element is the last one. O(1); `list` stays as it is, and both share
    all that is in it.

    ```mlir
    %l1 = amp.push %x, %l0 : !amp.list<tensor<64xf32>>
    ```
  }];
  let arguments = (ins Amp_Value:$value, Amp_ListType:$list);
  let results = (outs Amp_ListType:$result);
  let assemblyFormat = "$value `,` $list `:` type($list) attr-dict";
}

def Amp_PopOp : Amp_Op<"pop", [NoMemoryEffect, Amp_ElementOf<"list", "value">,
    AllTypesMatch<["list", "rest"]>]> {
  let summary = "a list's last element, and the list without it";
  let description = [{
    O(1). An empty list fails the instance.

    ```mlir
    %rest, %top = amp.pop %stack : !amp.list<i32>
    ```
  }];
  let arguments = (ins Amp_ListType:$list);
  let results = (outs Amp_ListType:$rest, Amp_Value:$value);
  let assemblyFormat = "$list `:` type($list) attr-dict";
}

def Amp_AtOp : Amp_Op<"at", [NoMemoryEffect, Amp_ElementOf<"list", "value">]> {
  let summary = "an element of a list";
  let description = [{
    Number `index`, counted from the first one that was pushed. An index outside
    [0, length) fails the instance. O(log length), and O(1) for the last one.

    ```mlir
    %x = amp.at %queue[%head] : !amp.list<tensor<64xf32>>, index
    ```
  }];
  let arguments = (ins Amp_ListType:$list, Amp_Integer:$index);
  let results = (outs Amp_Value:$value);
  let assemblyFormat = "$list `[` $index `]` `:` type($list) `,` type($index) attr-dict";
}

def Amp_LengthOp : Amp_Op<"length", [Pure]> {
  let summary = "the number of a list's elements";
  let description = [{
    ```mlir
    %n = amp.length %stack : !amp.list<i32>
    ```
  }];
  let arguments = (ins Amp_ListType:$list);
  let results = (outs Index:$length);
  let assemblyFormat = "$list `:` type($list) attr-dict";
}

def Amp_StackOp : Amp_Op<"stack", [Pure, InferTypeOpAdaptor]> { // stack_c2
  let summary = "a list's elements as the rows of one tensor";
  let description = [{
    The first one that was pushed is row 0. Attention over a cache that grows
    reads the cache so: a list that has been stacked and is pushed on is stacked
    again at the cost of what was pushed.

    ```mlir
    %k = amp.stack %keys : !amp.list<tensor<64xf32>>  // tensor<?x64xf32>
    ```
  }];
  let arguments = (ins Amp_ListType:$list);
  let results = (outs Amp_Tensor:$rows);
  let assemblyFormat = "$list `:` type($list) attr-dict";
  let hasVerifier = 1;
}

#endif // AMP_LIST_OPS_TD
