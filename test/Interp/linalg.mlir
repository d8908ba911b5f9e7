// Structured ops: linalg.generic and the named ones.

// RUN: split-file %s %t
// RUN: ampc --interpret %t/generic.mlir --input %t/generic.jsonl --output - | FileCheck %s --check-prefix=GENERIC
// RUN: ampc --interpret %t/products.mlir --input %t/products.jsonl --output - | FileCheck %s --check-prefix=PRODUCT
// RUN: ampc --interpret %t/shapes.mlir --input %t/products.jsonl --output - | FileCheck %s --check-prefix=SHAPE
// RUN: ampc --interpret %t/late.mlir --input %t/late.jsonl --output - | FileCheck %s --check-prefix=LATE
// RUN: not ampc --interpret %t/errors.mlir --input %t/errors.jsonl --output - 2>/dev/null | FileCheck %s --check-prefix=ERROR

//--- generic.jsonl
{"x": [[1, 2, 3], [4, 5, 6]], "k": 100}
{"x": [], "k": 100}

//--- generic.mlir
// The loops run in their order, the last one fastest: digits are appended to what is there.
// GENERIC{LITERAL}: {"rows":[123,456],"columns":[14,25,36],"numbers":[[100,101,102],[110,111,112]],
// GENERIC-SAME{LITERAL}: "transposed":[[1,4],[2,5],[3,6]],"sum":21,"count":6,"all":123456}
// GENERIC{LITERAL}: {"rows":[],"columns":[0,0,0],"numbers":[],"transposed":[[],[],[]],"sum":0,"count":0,"all":0}
#in = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#one = affine_map<(i, j) -> ()>
func.func @f(%x: tensor<?x3xi64> {amp.name = "x"}, %k: i64 {amp.name = "k"})
    -> (tensor<?xi64> {amp.name = "rows"}, tensor<3xi64> {amp.name = "columns"}, tensor<?x3xi64> {amp.name = "numbers"},
        tensor<3x?xi64> {amp.name = "transposed"}, tensor<i64> {amp.name = "sum"}, tensor<i64> {amp.name = "count"},
        tensor<i64> {amp.name = "all"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %ten = arith.constant 10 : i64
  %n = tensor.dim %x, %c0 : tensor<?x3xi64>
  %zeros = tensor.splat %zero[%n] : tensor<?xi64>
  %rows = linalg.generic {indexing_maps = [#in, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x3xi64>) outs(%zeros : tensor<?xi64>) {
  ^bb0(%a: i64, %digits: i64):
    %shifted = arith.muli %digits, %ten : i64
    %more = arith.addi %shifted, %a : i64
    linalg.yield %more : i64
  } -> tensor<?xi64>
  %zeros3 = arith.constant dense<0> : tensor<3xi64>
  %columns = linalg.generic {indexing_maps = [#in, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<?x3xi64>) outs(%zeros3 : tensor<3xi64>) {
  ^bb0(%a: i64, %digits: i64):
    %shifted = arith.muli %digits, %ten : i64
    %more = arith.addi %shifted, %a : i64
    linalg.yield %more : i64
  } -> tensor<3xi64>
  // The indices, and a scalar operand.
  %empty = tensor.empty(%n) : tensor<?x3xi64>
  %numbers = linalg.generic {indexing_maps = [#one, #in], iterator_types = ["parallel", "parallel"]}
      ins(%k : i64) outs(%empty : tensor<?x3xi64>) {
  ^bb0(%a: i64, %unused: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.index_cast %i : index to i64
    %q = arith.index_cast %j : index to i64
    %r = arith.muli %p, %ten : i64
    %s = arith.addi %r, %q : i64
    %t = arith.addi %s, %a : i64
    linalg.yield %t : i64
  } -> tensor<?x3xi64>
  %turned_empty = tensor.empty(%n) : tensor<3x?xi64>
  %transposed = linalg.generic {indexing_maps = [#in, #turned], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x3xi64>) outs(%turned_empty : tensor<3x?xi64>) {
  ^bb0(%a: i64, %unused: i64):
    linalg.yield %a : i64
  } -> tensor<3x?xi64>
  // Three results at once.
  %none = arith.constant dense<0> : tensor<i64>
  %sum, %count, %all = linalg.generic {indexing_maps = [#in, #one, #one, #one], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<?x3xi64>) outs(%none, %none, %none : tensor<i64>, tensor<i64>, tensor<i64>) {
  ^bb0(%a: i64, %s: i64, %c: i64, %digits: i64):
    %s1 = arith.addi %s, %a : i64
    %c1 = arith.addi %c, %one : i64
    %shifted = arith.muli %digits, %ten : i64
    %more = arith.addi %shifted, %a : i64
    linalg.yield %s1, %c1, %more : i64, i64, i64
  } -> (tensor<i64>, tensor<i64>, tensor<i64>)
  return %rows, %columns, %numbers, %transposed, %sum, %count, %all
      : tensor<?xi64>, tensor<3xi64>, tensor<?x3xi64>, tensor<3x?xi64>, tensor<i64>, tensor<i64>, tensor<i64>
}

//--- products.jsonl
{"A": [[1, 2], [3, 4], [5, 6]], "v": [1, 10]}

//--- products.mlir
// A B = (1 2; 3 4; 5 6) (1 0 2; 0 1 3).
// PRODUCT{LITERAL}: {"matmul":[[1.0,2.0,8.0],[3.0,4.0,18.0],[5.0,6.0,28.0]],"matvec":[21.0,43.0,65.0],"vecmat":[1.0,10.0,32.0],"dot":101.0,
// PRODUCT-SAME{LITERAL}: "batch":[[[11.0],[22.0]],[[33.0],[44.0]]],"accumulated":[[2.0,3.0,9.0],[4.0,5.0,19.0],[6.0,7.0,29.0]],
// A window of two numbers, 1 * a + 10 * b.
// PRODUCT-SAME: "conv":[21.0,32.0,43.0]}
func.func @f(%A: tensor<?x2xf32> {amp.name = "A"}, %v: tensor<2xf32> {amp.name = "v"})
    -> (tensor<?x3xf32> {amp.name = "matmul"}, tensor<?xf32> {amp.name = "matvec"}, tensor<3xf32> {amp.name = "vecmat"},
        tensor<f32> {amp.name = "dot"}, tensor<2x2x1xf32> {amp.name = "batch"}, tensor<?x3xf32> {amp.name = "accumulated"},
        tensor<3xf32> {amp.name = "conv"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %A, %c0 : tensor<?x2xf32>
  %B = arith.constant dense<[[1.0, 0.0, 2.0], [0.0, 1.0, 3.0]]> : tensor<2x3xf32>
  %mn = tensor.empty(%n) : tensor<?x3xf32>
  %m = tensor.empty(%n) : tensor<?xf32>
  %zeros2 = linalg.fill ins(%zero : f32) outs(%mn : tensor<?x3xf32>) -> tensor<?x3xf32>
  %ones2 = linalg.fill ins(%one : f32) outs(%mn : tensor<?x3xf32>) -> tensor<?x3xf32>
  %zeros1 = linalg.fill ins(%zero : f32) outs(%m : tensor<?xf32>) -> tensor<?xf32>
  %zeros3 = arith.constant dense<0.0> : tensor<3xf32>
  %zeros0 = arith.constant dense<0.0> : tensor<f32>
  %matmul = linalg.matmul ins(%A, %B : tensor<?x2xf32>, tensor<2x3xf32>) outs(%zeros2 : tensor<?x3xf32>) -> tensor<?x3xf32>
  %accumulated = linalg.matmul ins(%A, %B : tensor<?x2xf32>, tensor<2x3xf32>) outs(%ones2 : tensor<?x3xf32>) -> tensor<?x3xf32>
  %matvec = linalg.matvec ins(%A, %v : tensor<?x2xf32>, tensor<2xf32>) outs(%zeros1 : tensor<?xf32>) -> tensor<?xf32>
  %vecmat = linalg.vecmat ins(%v, %B : tensor<2xf32>, tensor<2x3xf32>) outs(%zeros3 : tensor<3xf32>) -> tensor<3xf32>
  %dot = linalg.dot ins(%v, %v : tensor<2xf32>, tensor<2xf32>) outs(%zeros0 : tensor<f32>) -> tensor<f32>
  %P = arith.constant dense<[[[1.0, 1.0], [2.0, 2.0]], [[3.0, 3.0], [4.0, 4.0]]]> : tensor<2x2x2xf32>
  %Q = arith.constant dense<[[[1.0], [10.0]], [[1.0], [10.0]]]> : tensor<2x2x1xf32>
  %zerosB = arith.constant dense<0.0> : tensor<2x2x1xf32>
  %batch = linalg.batch_matmul ins(%P, %Q : tensor<2x2x2xf32>, tensor<2x2x1xf32>) outs(%zerosB : tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
  %signal = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %conv = linalg.conv_1d ins(%signal, %v : tensor<4xf32>, tensor<2xf32>) outs(%zeros3 : tensor<3xf32>) -> tensor<3xf32>
  return %matmul, %matvec, %vecmat, %dot, %batch, %accumulated, %conv
      : tensor<?x3xf32>, tensor<?xf32>, tensor<3xf32>, tensor<f32>, tensor<2x2x1xf32>, tensor<?x3xf32>, tensor<3xf32>
}

//--- shapes.mlir
// SHAPE{LITERAL}: {"transpose":[[1.0,3.0,5.0],[2.0,4.0,6.0]],"broadcast":[[1.0,10.0],[1.0,10.0],[1.0,10.0]],"reduce":[9.0,12.0],
// SHAPE-SAME{LITERAL}: "map":[[1.0,20.0],[3.0,40.0],[5.0,60.0]],"elementwise":[[-1.0,-2.0],[-3.0,-4.0],[-5.0,-6.0]],
// SHAPE-SAME{LITERAL}: "add":[[2.0,4.0],[6.0,8.0],[10.0,12.0]],"bf16":256.0,"max":[6.0]}
func.func @f(%A: tensor<3x2xf32> {amp.name = "A"}, %v: tensor<2xf32> {amp.name = "v"})
    -> (tensor<2x3xf32> {amp.name = "transpose"}, tensor<3x2xf32> {amp.name = "broadcast"}, tensor<2xf32> {amp.name = "reduce"},
        tensor<3x2xf32> {amp.name = "map"}, tensor<3x2xf32> {amp.name = "elementwise"}, tensor<3x2xf32> {amp.name = "add"},
        tensor<bf16> {amp.name = "bf16"}, tensor<1xf32> {amp.name = "max"}) {
  %e32 = tensor.empty() : tensor<3x2xf32>
  %e23 = tensor.empty() : tensor<2x3xf32>
  %zeros2 = arith.constant dense<0.0> : tensor<2xf32>
  %transpose = linalg.transpose ins(%A : tensor<3x2xf32>) outs(%e23 : tensor<2x3xf32>) permutation = [1, 0]
  %broadcast = linalg.broadcast ins(%v : tensor<2xf32>) outs(%e32 : tensor<3x2xf32>) dimensions = [0]
  %reduce = linalg.reduce { arith.addf } ins(%A : tensor<3x2xf32>) outs(%zeros2 : tensor<2xf32>) dimensions = [0]
  %map = linalg.map { arith.mulf } ins(%A, %broadcast : tensor<3x2xf32>, tensor<3x2xf32>) outs(%e32 : tensor<3x2xf32>)
  %elementwise = linalg.elementwise kind=#linalg.elementwise_kind<negf> ins(%A : tensor<3x2xf32>) outs(%e32 : tensor<3x2xf32>) -> tensor<3x2xf32>
  %add = linalg.add ins(%A, %A : tensor<3x2xf32>, tensor<3x2xf32>) outs(%e32 : tensor<3x2xf32>) -> tensor<3x2xf32>
  // Here each sum is a value of its own, and is rounded: 256 + 1 is 256 in bf16, two times.
  %b = arith.constant dense<[256.0, 1.0, 1.0]> : tensor<3xbf16>
  %b0 = arith.constant dense<0.0> : tensor<bf16>
  %bf16 = linalg.reduce { arith.addf } ins(%b : tensor<3xbf16>) outs(%b0 : tensor<bf16>) dimensions = [0]
  %least = arith.constant dense<0xFF800000> : tensor<1xf32>
  %flat = tensor.collapse_shape %A [[0, 1]] : tensor<3x2xf32> into tensor<6xf32>
  %rows = tensor.expand_shape %flat [[0, 1]] output_shape [1, 6] : tensor<6xf32> into tensor<1x6xf32>
  %max = linalg.reduce { arith.maximumf } ins(%rows : tensor<1x6xf32>) outs(%least : tensor<1xf32>) dimensions = [1]
  return %transpose, %broadcast, %reduce, %map, %elementwise, %add, %bf16, %max
      : tensor<2x3xf32>, tensor<3x2xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<bf16>, tensor<1xf32>
}

//--- late.jsonl
{"n": 3}

//--- late.mlir
// What the body uses from outside, and an operand, are given later in the text: (0 + 3) * 3 = 9, each time.
// LATE: {"y":[9,9]}
func.func @f(%n: i64 {amp.name = "n"}) -> (tensor<2xi64> {amp.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = amp.collector %c1 : !amp.collector<tensor<2xi64>>
  %rows = amp.collect %out : !amp.collector<tensor<2xi64>> -> tensor<?x2xi64>
  %x = tensor.extract_slice %rows[0, 0] [1, 2] [1, 1] : tensor<?x2xi64> to tensor<2xi64>
  %late = tensor.extract %rows[%c0, %c1] : tensor<?x2xi64>
  %zeros = arith.constant dense<0> : tensor<2xi64>
  %y = linalg.map ins(%x : tensor<2xi64>) outs(%zeros : tensor<2xi64>)
    (%a: i64, %unused: i64) {
      %b = arith.muli %a, %late : i64
      linalg.yield %b : i64
    }
  %row = tensor.splat %n : tensor<2xi64>
  amp.emit %row, %out[%c0] : !amp.collector<tensor<2xi64>>, index
  return %y : tensor<2xi64>
}

//--- errors.jsonl
{"case": 0, "A": [[1, 2], [3, 4]], "B": [[1, 2, 3], [4, 5, 6]], "C": [[0, 0, 0], [0, 0, 0]]}
{"case": 0, "A": [[1, 2], [3, 4]], "B": [[1, 2, 3]], "C": [[0, 0, 0], [0, 0, 0]]}
{"case": 0, "A": [[1, 2], [3, 4]], "B": [[1, 2, 3], [4, 5, 6]], "C": [[0, 0, 0]]}
{"case": 1, "A": [[1, 2], [3, 0]], "B": [[1, 1, 1]], "C": [[0, 0, 0], [0, 0, 0]]}
{"case": 2, "A": [[1, 2], [3, 0]], "B": [[1, 1, 1]], "C": [[0, 0, 0], [0, 0, 0]]}

//--- errors.mlir
func.func @f(%case: index {amp.name = "case"}, %A: tensor<?x?xi32> {amp.name = "A"}, %B: tensor<?x?xi32> {amp.name = "B"},
             %C: tensor<?x?xi32> {amp.name = "C"}) -> (tensor<?x?xi32> {amp.name = "y"}) {
  // ERROR{LITERAL}: {"y":[[9,12,15],[19,26,33]]}
  %y = scf.index_switch %case -> tensor<?x?xi32>
  case 0 { // ERROR: {"error":"{{.*}}errors.mlir:6:10: operand 1 is a tensor<1x3xi32>, but dimension 0 must be 2"}
    %r = linalg.matmul ins(%A, %B : tensor<?x?xi32>, tensor<?x?xi32>) outs(%C : tensor<?x?xi32>) -> tensor<?x?xi32>
    scf.yield %r : tensor<?x?xi32> // ERROR: {"error":"{{.*}}errors.mlir:6:10: operand 2 is a tensor<1x3xi32>, but dimension 0 must be 2"}
  }
  case 1 { // ERROR: {"error":"{{.*}}errors.mlir:13:12: division by zero"}
    %c = arith.constant 12 : i32
    %r = linalg.map ins(%A : tensor<?x?xi32>) outs(%A : tensor<?x?xi32>)
      (%a: i32, %unused: i32) {
      %q = arith.divsi %c, %a : i32
      linalg.yield %q : i32
    }
    scf.yield %r : tensor<?x?xi32>
  }
  default { // ERROR: {"error":"{{.*}}errors.mlir:22:10: index 3 is outside [0, 3)"}
    %long = arith.constant dense<0> : tensor<3xi32>
    %open = tensor.cast %long : tensor<3xi32> to tensor<?xi32>
    %v = arith.constant dense<1> : tensor<2xi32>
    %r = linalg.conv_1d ins(%open, %v : tensor<?xi32>, tensor<2xi32>) outs(%long : tensor<3xi32>) -> tensor<3xi32>
    scf.yield %A : tensor<?x?xi32>
  }
  return %y : tensor<?x?xi32>
}
