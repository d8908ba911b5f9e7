// Flatmaps: each element gives rows of its own number.

// RUN: split-file %s %t
// RUN: ampc --interpret %t/model.mlir --input %t/in.jsonl --output - | FileCheck %s
// RUN: ampc --interpret %t/late.mlir --input %t/late.jsonl --output - | FileCheck %s --check-prefix=LATE
// RUN: not ampc --interpret %t/errors.mlir --input %t/errors.jsonl --output - 2>/dev/null | FileCheck %s --check-prefix=ERROR

//--- in.jsonl
{"sizes": [2, 0, 1], "x": [[0.5, 1.5], [2.5, 3.5]]}
{"sizes": [0, 0], "x": [[0.5, 1.5], [2.5, 3.5]]}
{"sizes": [], "x": [[0.5, 1.5], [2.5, 3.5]]}

//--- model.mlir
// Element i repeats the first sizes[i] rows of x, and gives the numbers below sizes[i]: the second one gives nothing.
// CHECK{LITERAL}: {"rows":[[0.5,1.5],[2.5,3.5],[0.5,1.5]],"numbers":[0,1,0]}
// CHECK{LITERAL}: {"rows":[],"numbers":[]}
// CHECK{LITERAL}: {"rows":[],"numbers":[]}
func.func @f(%sizes: tensor<?xindex> {amp.name = "sizes"}, %x: tensor<?x2xf32> {amp.name = "x"})
    -> (tensor<?x2xf32> {amp.name = "rows"}, tensor<?xindex> {amp.name = "numbers"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %sizes, %c0 : tensor<?xindex>
  %rows, %numbers = amp.flatmap %i to %n -> (tensor<?x2xf32>, tensor<?xindex>) {
    %size = tensor.extract %sizes[%i] : tensor<?xindex>
    %part = tensor.extract_slice %x[0, 0] [%size, 2] [1, 1] : tensor<?x2xf32> to tensor<?x2xf32>
    %below = amp.map %k to %size -> (tensor<?xindex>) {
      amp.yield %k : index
    }
    amp.yield %part, %below : tensor<?x2xf32>, tensor<?xindex>
  }
  return %rows, %numbers : tensor<?x2xf32>, tensor<?xindex>
}

//--- late.jsonl
{"n": 3}
{"n": -1}

//--- late.mlir
// Parts that depend on a row which is given later in the text: element i has row i + 1 times.
// LATE: {"all":[5,5,5,5,5,5]}
// LATE: {"all":[]}
func.func @f(%n: index {amp.name = "n"}) -> (tensor<?xindex> {amp.name = "all"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = amp.collector %c1 : !amp.collector<tensor<1xindex>>
  %rows = amp.collect %out : !amp.collector<tensor<1xindex>> -> tensor<?x1xindex>
  %late = tensor.extract %rows[%c0, %c0] : tensor<?x1xindex>
  %all = amp.flatmap %i to %n -> (tensor<?xindex>) {
    %size = arith.addi %i, %c1 : index
    %part = tensor.splat %late[%size] : tensor<?xindex>
    amp.yield %part : tensor<?xindex>
  }
  %row = arith.constant dense<5> : tensor<1xindex>
  amp.emit %row, %out[%c0] : !amp.collector<tensor<1xindex>>, index
  return %all : tensor<?xindex>
}

//--- errors.jsonl
{"n": 2, "size": 3}
{"n": 2, "size": 4}
{"n": 1, "size": -268435456}
{"n": 2, "size": -268435456}

//--- errors.mlir
// What an element does may fail; and all rows together may be too many.
// ERROR: {"count":6}
// ERROR: {"error":"{{.*}}errors.mlir:20:13: index 3 is outside [0, 3)"}
// ERROR: {"count":3}
// ERROR: {"error":"{{.*}}errors.mlir:14:12: a tensor has more than 268435456 elements"}
func.func @f(%n: index {amp.name = "n"}, %size: index {amp.name = "size"}) -> (index {amp.name = "count"}) {
  %x = arith.constant dense<1.0> : tensor<3xf32>
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %large = arith.cmpi slt, %size, %c0 : index
  %minus = arith.subi %c0, %size : index
  // Rows without elements, where size is below zero.
  %empty_rows = arith.maxsi %minus, %c0 : index
  %empty = amp.flatmap %i to %n -> (tensor<?x0xf32>) {
    %part = tensor.empty(%empty_rows) : tensor<?x0xf32>
    amp.yield %part : tensor<?x0xf32>
  }
  %rows = amp.flatmap %i to %n -> (tensor<?xf32>) {
    %s = arith.select %large, %c3, %size : index
    %part = tensor.extract_slice %x[0] [%s] [1] : tensor<3xf32> to tensor<?xf32>
    amp.yield %part : tensor<?xf32>
  }
  %count = tensor.dim %rows, %c0 : tensor<?xf32>
  return %count : index
}
