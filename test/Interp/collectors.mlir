// Collectors: rows in any order, and what waits for them.

// RUN: split-file %s %t
// RUN: ampc --interpret %t/plain.mlir --input %t/in.jsonl --output - | FileCheck %s --check-prefix=PLAIN
// RUN: ampc --interpret %t/later.mlir --input %t/in.jsonl --output - | FileCheck %s --check-prefix=LATER
// RUN: ampc --interpret %t/control.mlir --input %t/in.jsonl --output - | FileCheck %s --check-prefix=CONTROL
// RUN: ampc --interpret %t/regions.mlir --input %t/in.jsonl --output - | FileCheck %s --check-prefix=REGION

//--- in.jsonl
{"n": 3}
{"n": 0}

//--- plain.mlir
// Row i is given by the call for i, last one first; two collectors at once.
// PLAIN{LITERAL}: {"rows":[[0.0,0.0],[1.0,1.0],[2.0,2.0]],"flags":[[true],[true],[true]]}
// PLAIN: {"rows":[],"flags":[]}
func.func @f(%n: index {amp.name = "n"}) -> (tensor<?x2xf32> {amp.name = "rows"}, tensor<?x1xi1> {amp.name = "flags"}) {
  %out = amp.collector %n : !amp.collector<tensor<2xf32>>
  %flags = amp.collector %n : !amp.collector<tensor<1xi1>>
  call @give(%n, %out, %flags) : (index, !amp.collector<tensor<2xf32>>, !amp.collector<tensor<1xi1>>) -> ()
  %rows = amp.collect %out : !amp.collector<tensor<2xf32>> -> tensor<?x2xf32>
  %all = amp.collect %flags : !amp.collector<tensor<1xi1>> -> tensor<?x1xi1>
  return %rows, %all : tensor<?x2xf32>, tensor<?x1xi1>
}
func.func private @give(%n: index, %out: !amp.collector<tensor<2xf32>>, %flags: !amp.collector<tensor<1xi1>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %some = arith.cmpi sgt, %n, %c0 : index
  scf.if %some {
    %i = arith.subi %n, %c1 : index
    %k = arith.index_cast %i : index to i32
    %x = arith.sitofp %k : i32 to f32
    %row = tensor.splat %x : tensor<2xf32>
    %true = arith.constant dense<true> : tensor<1xi1>
    amp.emit %row, %out[%i] : !amp.collector<tensor<2xf32>>, index
    amp.emit %true, %flags[%k] : !amp.collector<tensor<1xi1>>, i32
    func.call @give(%i, %out, %flags) : (index, !amp.collector<tensor<2xf32>>, !amp.collector<tensor<1xi1>>) -> ()
  }
  return
}

//--- later.mlir
// The rows are given after the collect, and after the uses of what it gives.
// LATER{LITERAL}: {"sums":[10.0,20.0,30.0],"first":[[0.0,1.0,2.0]],"count":3}
// LATER{LITERAL}: {"sums":[],"first":[[]],"count":0}
func.func @f(%n: index {amp.name = "n"})
    -> (tensor<?xf32> {amp.name = "sums"}, tensor<1x?xf32> {amp.name = "first"}, index {amp.name = "count"}) {
  %c0 = arith.constant 0 : index
  %out = amp.collector %n : !amp.collector<tensor<1xf32>>
  %rows = amp.collect %out : !amp.collector<tensor<1xf32>> -> tensor<?x1xf32>
  %count = tensor.dim %rows, %c0 : tensor<?x1xf32>
  %flat = tensor.collapse_shape %rows [[0, 1]] : tensor<?x1xf32> into tensor<?xf32>
  %ten = arith.constant 10.0 : f32
  // A map as long as the rows that are not there yet.
  %sums, %each = amp.map %i to %count -> (tensor<?xf32>, tensor<?xf32>) {
    %x = tensor.extract %flat[%i] : tensor<?xf32>
    %one = arith.constant 1.0 : f32
    %y = arith.addf %x, %one : f32
    %z = arith.mulf %y, %ten : f32
    amp.yield %z, %x : f32, f32
  }
  %first = tensor.expand_shape %each [[0, 1]] output_shape [1, %count] : tensor<?xf32> into tensor<1x?xf32>
  %index = amp.map %i to %n -> (tensor<?xindex>) {
    %k = arith.index_cast %i : index to i32
    %x = arith.sitofp %k : i32 to f32
    %row = tensor.from_elements %x : tensor<1xf32>
    amp.emit %row, %out[%i] : !amp.collector<tensor<1xf32>>, index
    amp.yield %i : index
  }
  return %sums, %first, %count : tensor<?xf32>, tensor<1x?xf32>, index
}

//--- control.mlir
// Branches, loop bounds and a loop's condition that depend on rows given later.
// CONTROL: {"if":1,"for":3,"while":4,"deep":7}
// CONTROL: {"if":0,"for":0,"while":1,"deep":1}
func.func @f(%n: index {amp.name = "n"})
    -> (index {amp.name = "if"}, index {amp.name = "for"}, index {amp.name = "while"}, index {amp.name = "deep"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %out = amp.collector %c1 : !amp.collector<tensor<1xindex>>
  %rows = amp.collect %out : !amp.collector<tensor<1xindex>> -> tensor<?x1xindex>
  %late = tensor.extract %rows[%c0, %c0] : tensor<?x1xindex>
  %some = arith.cmpi sgt, %late, %c0 : index
  %if = scf.if %some -> index {
    scf.yield %c1 : index
  } else {
    scf.yield %c0 : index
  }
  %for = scf.for %i = %c0 to %late step %c1 iter_args(%s = %c0) -> (index) {
    %t = arith.addi %s, %c1 : index
    scf.yield %t : index
  }
  // Doubles until it is above the late value: stops before its first turn is decided.
  %while = scf.while (%m = %c1) : (index) -> index {
    %more = arith.cmpi sle, %m, %late : index
    scf.condition(%more) %m : index
  } do {
  ^bb0(%m: index):
    %double = arith.muli %m, %c2 : index
    scf.yield %double : index
  }
  // Hands a late value through a call and a scan.
  %deep = call @deep(%for, %while) : (index, index) -> index
  %row = tensor.from_elements %n : tensor<1xindex>
  amp.emit %row, %out[%c0] : !amp.collector<tensor<1xindex>>, index
  return %if, %for, %while, %deep : index, index, index, index
}
func.func private @deep(%a: index, %b: index) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %first, %second = amp.scan %t = %c0 to %c2 carry(%x = %a, %y = %b) : (index, index) {
    amp.yield %y, %x : index, index
  }
  %sum = arith.addi %first, %second : index
  return %sum : index
}

//--- regions.mlir
// One row is given inside the region that uses the collected rows, the other one by a region that uses them, too.
// REGION: {"sum":3}
// REGION: {"sum":3}
func.func @f(%n: index {amp.name = "n"}) -> (index {amp.name = "sum"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %out = amp.collector %c2 : !amp.collector<tensor<1xindex>>
  %rows = amp.collect %out : !amp.collector<tensor<1xindex>> -> tensor<?x1xindex>
  %a = scf.if %true -> index {
    %x = tensor.extract %rows[%c1, %c0] : tensor<?x1xindex>
    %row = tensor.from_elements %c1 : tensor<1xindex>
    amp.emit %row, %out[%c0] : !amp.collector<tensor<1xindex>>, index
    scf.yield %x : index
  } else {
    scf.yield %c0 : index
  }
  %b = func.call @second(%rows, %out) : (tensor<?x1xindex>, !amp.collector<tensor<1xindex>>) -> index
  %sum = arith.addi %a, %b : index
  return %sum : index
}
func.func private @second(%rows: tensor<?x1xindex>, %out: !amp.collector<tensor<1xindex>>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tensor.extract %rows[%c0, %c0] : tensor<?x1xindex>
  %row = tensor.from_elements %c2 : tensor<1xindex>
  amp.emit %row, %out[%c1] : !amp.collector<tensor<1xindex>>, index
  return %x : index
}
