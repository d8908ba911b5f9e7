// Tensor ops: elements, slices, shapes.

// RUN: split-file %s %t
// RUN: ampc --interpret %t/elements.mlir --input %t/elements.jsonl --output - | FileCheck %s --check-prefix=ELEM
// RUN: ampc --interpret %t/slices.mlir --input %t/slices.jsonl --output - | FileCheck %s --check-prefix=SLICE
// RUN: ampc --interpret %t/joins.mlir --input %t/joins.jsonl --output - | FileCheck %s --check-prefix=JOIN
// RUN: ampc --interpret %t/shapes.mlir --input %t/shapes.jsonl --output - | FileCheck %s --check-prefix=SHAPE

//--- elements.jsonl
{"x": [[1, 2, 3], [4, 5, 6]], "i": 1, "n": 3}

//--- elements.mlir
// ELEM{LITERAL}: {"extract":6,"insert":[[1,2,3],[9,5,6]],"unchanged":[[1,2,3],[4,5,6]],"from_elements":[[6,6],[9,9]],
// ELEM-SAME{LITERAL}: "splat":[9,9,9],"empty":3,"generate":[[0,1],[10,11],[20,21]],"rank0":9}
func.func @f(%x: tensor<?x3xi32> {amp.name = "x"}, %i: index {amp.name = "i"}, %n: index {amp.name = "n"})
    -> (i32 {amp.name = "extract"}, tensor<?x3xi32> {amp.name = "insert"}, tensor<?x3xi32> {amp.name = "unchanged"},
        tensor<2x2xi32> {amp.name = "from_elements"}, tensor<?xi32> {amp.name = "splat"}, index {amp.name = "empty"},
        tensor<?x2xi32> {amp.name = "generate"}, tensor<i32> {amp.name = "rank0"}) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %nine = arith.constant 9 : i32
  %extract = tensor.extract %x[%i, %c2] : tensor<?x3xi32>
  %insert = tensor.insert %nine into %x[%i, %c0] : tensor<?x3xi32>
  %from = tensor.from_elements %extract, %extract, %nine, %nine : tensor<2x2xi32>
  %splat = tensor.splat %nine[%n] : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %empty = tensor.dim %e, %c0 : tensor<?x4xf32>
  %generate = tensor.generate %n {
  ^bb0(%r: index, %c: index):
    %ten = arith.constant 10 : index
    %a = arith.muli %r, %ten : index
    %b = arith.addi %a, %c : index
    %v = arith.index_cast %b : index to i32
    tensor.yield %v : i32
  } : tensor<?x2xi32>
  %rank0 = tensor.from_elements %nine : tensor<i32>
  return %extract, %insert, %x, %from, %splat, %empty, %generate, %rank0
      : i32, tensor<?x3xi32>, tensor<?x3xi32>, tensor<2x2xi32>, tensor<?xi32>, index, tensor<?x2xi32>, tensor<i32>
}

//--- slices.jsonl
{"x": [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], "o": 1, "n": 2, "s": 2, "row": [-1, -2]}
{"x": [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], "o": 3, "n": 0, "s": 1, "row": []}

//--- slices.mlir
// SLICE{LITERAL}: {"static":[[6,7],[10,11]],"dynamic":[[5,7],[9,11]],"column":[2,6,10],"scalar":[8],
// SLICE-SAME{LITERAL}: "insert":[[1,2,3,4],[0,0,7,8],[0,0,11,12]],"row":[[1,2,3,4],[5,-1,7,-2],[9,10,11,12]]}
// Nothing, from just behind the end.
// SLICE{LITERAL}: "dynamic":[],
func.func @f(%x: tensor<3x4xi32> {amp.name = "x"}, %o: index {amp.name = "o"}, %n: index {amp.name = "n"},
             %s: index {amp.name = "s"}, %r: tensor<?xi32> {amp.name = "row"})
    -> (tensor<2x2xi32> {amp.name = "static"}, tensor<?x2xi32> {amp.name = "dynamic"}, tensor<3xi32> {amp.name = "column"},
        tensor<1xi32> {amp.name = "scalar"}, tensor<3x4xi32> {amp.name = "insert"}, tensor<3x4xi32> {amp.name = "row"}) {
  %static = tensor.extract_slice %x[1, 1] [2, 2] [1, 1] : tensor<3x4xi32> to tensor<2x2xi32>
  %dynamic = tensor.extract_slice %x[%o, 0] [%n, 2] [1, %s] : tensor<3x4xi32> to tensor<?x2xi32>
  %column = tensor.extract_slice %x[0, 1] [3, 1] [1, 1] : tensor<3x4xi32> to tensor<3xi32>
  %scalar = tensor.extract_slice %x[1, 3] [1, 1] [1, 1] : tensor<3x4xi32> to tensor<1xi32>
  %zeros = arith.constant dense<0> : tensor<2x2xi32>
  %insert = tensor.insert_slice %zeros into %x[1, 0] [2, 2] [1, 1] : tensor<2x2xi32> into tensor<3x4xi32>
  %row = tensor.insert_slice %r into %x[1, %o] [1, %n] [1, %s] : tensor<?xi32> into tensor<3x4xi32>
  return %static, %dynamic, %column, %scalar, %insert, %row
      : tensor<2x2xi32>, tensor<?x2xi32>, tensor<3xi32>, tensor<1xi32>, tensor<3x4xi32>, tensor<3x4xi32>
}

//--- joins.jsonl
{"a": [[1, 2]], "b": [[3, 4], [5, 6]]}
{"a": [], "b": []}

//--- joins.mlir
// JOIN{LITERAL}: {"rows":[[1,2],[3,4],[5,6]],"columns":[[3,4,0],[5,6,0]],"pad":[[7,7,7,7],[7,1,2,7]]}
// JOIN{LITERAL}: {"rows":[],"columns":[],"pad":[[7,7,7,7]]}
func.func @f(%a: tensor<?x2xi32> {amp.name = "a"}, %b: tensor<?x2xi32> {amp.name = "b"})
    -> (tensor<?x2xi32> {amp.name = "rows"}, tensor<?x3xi32> {amp.name = "columns"}, tensor<?x4xi32> {amp.name = "pad"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %rows = tensor.concat dim(0) %a, %b : (tensor<?x2xi32>, tensor<?x2xi32>) -> tensor<?x2xi32>
  %n = tensor.dim %b, %c0 : tensor<?x2xi32>
  %column = tensor.splat %zero[%n] : tensor<?x1xi32>
  %columns = tensor.concat dim(1) %b, %column : (tensor<?x2xi32>, tensor<?x1xi32>) -> tensor<?x3xi32>
  %pad = tensor.pad %a low[1, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    %seven = arith.constant 7 : i32
    tensor.yield %seven : i32
  } : tensor<?x2xi32> to tensor<?x4xi32>
  return %rows, %columns, %pad : tensor<?x2xi32>, tensor<?x3xi32>, tensor<?x4xi32>
}

//--- shapes.jsonl
{"x": [[1, 2, 3], [4, 5, 6]], "n": 2}

//--- shapes.mlir
// SHAPE{LITERAL}: {"dim":2,"rank":2,"cast":[[1,2,3],[4,5,6]],"expand":[[[1],[2],[3]],[[4],[5],[6]]],"collapse":[1,2,3,4,5,6],"reshape":[[1,2],[3,4],[5,6]]}
func.func @f(%x: tensor<?x3xi32> {amp.name = "x"}, %n: index {amp.name = "n"})
    -> (index {amp.name = "dim"}, index {amp.name = "rank"}, tensor<2x3xi32> {amp.name = "cast"},
        tensor<?x3x1xi32> {amp.name = "expand"}, tensor<?xi32> {amp.name = "collapse"}, tensor<3x2xi32> {amp.name = "reshape"}) {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %x, %c0 : tensor<?x3xi32>
  %rank = tensor.rank %x : tensor<?x3xi32>
  %cast = tensor.cast %x : tensor<?x3xi32> to tensor<2x3xi32>
  %expand = tensor.expand_shape %x [[0], [1, 2]] output_shape [%n, 3, 1] : tensor<?x3xi32> into tensor<?x3x1xi32>
  %collapse = tensor.collapse_shape %x [[0, 1]] : tensor<?x3xi32> into tensor<?xi32>
  %shape = arith.constant dense<[3, 2]> : tensor<2xindex>
  %reshape = tensor.reshape %x(%shape) : (tensor<?x3xi32>, tensor<2xindex>) -> tensor<3x2xi32>
  return %dim, %rank, %cast, %expand, %collapse, %reshape
      : index, index, tensor<2x3xi32>, tensor<?x3x1xi32>, tensor<?xi32>, tensor<3x2xi32>
}
