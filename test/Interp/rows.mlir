// Rows of graphs and sequences: numbers, gathers, segments, pools, groups, products with a weight for each row, losses.

// RUN: split-file %s %t
// RUN: ampc --interpret %t/iota.mlir --input %t/iota.jsonl --output - | FileCheck %s --check-prefix=IOTA
// RUN: ampc --interpret %t/gather.mlir --input %t/gather.jsonl --output - | FileCheck %s --check-prefix=GATHER
// RUN: ampc --interpret %t/segment.mlir --input %t/segment.jsonl --output - | FileCheck %s --check-prefix=SEGMENT
// RUN: ampc --interpret %t/rounding.mlir --input %t/rounding.jsonl --output - | FileCheck %s --check-prefix=ROUND
// RUN: ampc --interpret %t/grouped.mlir --input %t/grouped.jsonl --output - | FileCheck %s --check-prefix=GROUPED
// RUN: ampc --interpret %t/group.mlir --input %t/group.jsonl --output - | FileCheck %s --check-prefix=GROUP
// RUN: ampc --interpret %t/loss.mlir --input %t/loss.jsonl --output - | FileCheck %s --check-prefix=LOSS

//--- iota.jsonl
{"n": 3}
{"n": 0}
{"n": -1}

//--- iota.mlir
// IOTA: {"i":[0,1,2]}
// IOTA: {"i":[]}
// IOTA: {"i":[]}
func.func @f(%n: index {amp.name = "n"}) -> (tensor<?xindex> {amp.name = "i"}) {
  %i = amp.iota %n : tensor<?xindex>
  return %i : tensor<?xindex>
}

//--- gather.jsonl
{"x": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], "i": [2, 0, 2, 1]}
{"x": [[1.0, 2.0]], "i": []}
{"x": [], "i": []}

//--- gather.mlir
// GATHER{LITERAL}: {"rows":[[5.0,6.0],[1.0,2.0],[5.0,6.0],[3.0,4.0]],"numbers":[30,10,30],"deep":[[[3],[4]]]}
// GATHER{LITERAL}: {"rows":[],"numbers":[30,10,30],"deep":[[[3],[4]]]}
// GATHER{LITERAL}: {"rows":[],"numbers":[30,10,30],"deep":[[[3],[4]]]}
func.func @f(%x: tensor<?x2xf32> {amp.name = "x"}, %i: tensor<?xi32> {amp.name = "i"})
    -> (tensor<?x2xf32> {amp.name = "rows"}, tensor<3xi32> {amp.name = "numbers"}, tensor<1x2x1xi64> {amp.name = "deep"}) {
  %rows = amp.gather %x[%i] : tensor<?x2xf32>, tensor<?xi32>
  %v = arith.constant dense<[10, 20, 30]> : tensor<3xi32>
  %at = arith.constant dense<[2, 0, 2]> : tensor<3xindex>
  %numbers = amp.gather %v[%at] : tensor<3xi32>, tensor<3xindex>
  %m = arith.constant dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi64>
  %one = arith.constant dense<1> : tensor<1xi64>
  %deep = amp.gather %m[%one] : tensor<2x2x1xi64>, tensor<1xi64>
  return %rows, %numbers, %deep : tensor<?x2xf32>, tensor<3xi32>, tensor<1x2x1xi64>
}

//--- segment.jsonl
{"x": [[1.0, -2.0], [3.0, 4.0], [5.0, -6.0]], "s": [2, 0, 2], "n": 4}
{"x": [], "s": [], "n": 1}
{"x": [], "s": [], "n": -1}

//--- segment.mlir
// Segment 0 has the second row, 2 the first and the third one, 1 and 3 none.
// SEGMENT{LITERAL}: {"sum":[[3.0,4.0],[0.0,0.0],[6.0,-8.0],[0.0,0.0]],
// SEGMENT-SAME{LITERAL}: "mean":[[3.0,4.0],[0.0,0.0],[3.0,-4.0],[0.0,0.0]],
// SEGMENT-SAME{LITERAL}: "max":[[3.0,4.0],[0.0,0.0],[5.0,-2.0],[0.0,0.0]],
// SEGMENT-SAME: "pool_sum":[9.0,-4.0],"pool_mean":[3.0,-1.3333334],"pool_max":[5.0,4.0]}
// SEGMENT{LITERAL}: {"sum":[[0.0,0.0]],"mean":[[0.0,0.0]],"max":[[0.0,0.0]],
// SEGMENT-SAME: "pool_sum":[0.0,0.0],"pool_mean":[0.0,0.0],"pool_max":[0.0,0.0]}
// SEGMENT: {"sum":[],"mean":[],"max":[],"pool_sum":[0.0,0.0],
func.func @f(%x: tensor<?x2xf32> {amp.name = "x"}, %s: tensor<?xi32> {amp.name = "s"}, %n: index {amp.name = "n"})
    -> (tensor<?x2xf32> {amp.name = "sum"}, tensor<?x2xf32> {amp.name = "mean"}, tensor<?x2xf32> {amp.name = "max"},
        tensor<2xf32> {amp.name = "pool_sum"}, tensor<2xf32> {amp.name = "pool_mean"}, tensor<2xf32> {amp.name = "pool_max"}) {
  %sum = amp.segment sum %x[%s] to %n : tensor<?x2xf32>, tensor<?xi32>
  %mean = amp.segment mean %x[%s] to %n : tensor<?x2xf32>, tensor<?xi32>
  %max = amp.segment max %x[%s] to %n : tensor<?x2xf32>, tensor<?xi32>
  %pool_sum = amp.pool sum %x : tensor<?x2xf32>
  %pool_mean = amp.pool mean %x : tensor<?x2xf32>
  %pool_max = amp.pool max %x : tensor<?x2xf32>
  return %sum, %mean, %max, %pool_sum, %pool_mean, %pool_max
      : tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

//--- rounding.jsonl
{"n": 1}

//--- rounding.mlir
// 256 + 1 + 1 is 258 in bf16, but 256 if each sum is rounded; the mean is 86. Vectors pool to scalars. A maximum
// with a NaN is NaN, and +0 is above -0.
// ROUND: {"sum":258.0,"mean":[86.0],"half":2050.0,"nan":[null,0.0,-0.0]}
func.func @f(%n: index {amp.name = "n"})
    -> (tensor<bf16> {amp.name = "sum"}, tensor<?xbf16> {amp.name = "mean"}, tensor<f16> {amp.name = "half"}, tensor<3xf32> {amp.name = "nan"}) {
  %x = arith.constant dense<[256.0, 1.0, 1.0]> : tensor<3xbf16>
  %s = arith.constant dense<0> : tensor<3xi32>
  %sum = amp.pool sum %x : tensor<3xbf16>
  %mean = amp.segment mean %x[%s] to %n : tensor<3xbf16>, tensor<3xi32>
  %h = arith.constant dense<[2048.0, 1.0, 1.0]> : tensor<3xf16>
  %half = amp.pool sum %h : tensor<3xf16>
  %y = arith.constant dense<[[1.0, -0.0, -0.0], [0x7FC00000, 0.0, -0.0], [2.0, -0.0, -0.0]]> : tensor<3x3xf32>
  %nan = amp.pool max %y : tensor<3x3xf32>
  return %sum, %mean, %half, %nan : tensor<bf16>, tensor<?xbf16>, tensor<f16>, tensor<3xf32>
}

//--- grouped.jsonl
{"x": [[1.0, 2.0], [3.0, 4.0], [1.0, 0.0]], "which": [1, 0, 1]}
{"x": [], "which": []}

//--- grouped.mlir
// The weight of group 0 is the identity, that of group 1 swaps, adds, and multiplies the first one by 10. With biases, 100 or 200
// is added.
// GROUPED{LITERAL}: {"y":[[2.0,1.0,13.0],[3.0,4.0,0.0],[0.0,1.0,11.0]],
// GROUPED-SAME{LITERAL}: "z":[[202.0,201.0,213.0],[103.0,104.0,100.0],[200.0,201.0,211.0]],"cancel":[[1.0]]}
// GROUPED: {"y":[],"z":[],
func.func @f(%x: tensor<?x2xf32> {amp.name = "x"}, %which: tensor<?xi32> {amp.name = "which"})
    -> (tensor<?x3xf32> {amp.name = "y"}, tensor<?x3xf32> {amp.name = "z"}, tensor<1x1xf32> {amp.name = "cancel"}) {
  %W = arith.constant dense<[[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0.0, 1.0, 11.0], [1.0, 0.0, 1.0]]]> : tensor<2x2x3xf32>
  %b = arith.constant dense<[[100.0, 100.0, 100.0], [200.0, 200.0, 200.0]]> : tensor<2x3xf32>
  %y = amp.grouped_linear %x, %W[%which] : tensor<?x2xf32>, tensor<2x2x3xf32>, tensor<?xi32>
  %z = amp.grouped_linear %x, %W[%which], %b : tensor<?x2xf32>, tensor<2x2x3xf32>, tensor<?xi32>, tensor<2x3xf32>
  // 2^24 + 1 - 2^24: rounded once, at the end.
  %u = arith.constant dense<[[16777216.0, 1.0, -16777216.0]]> : tensor<1x3xf32>
  %ones = arith.constant dense<1.0> : tensor<1x3x1xf32>
  %zero = arith.constant dense<0> : tensor<1xindex>
  %cancel = amp.grouped_linear %u, %ones[%zero] : tensor<1x3xf32>, tensor<1x3x1xf32>, tensor<1xindex>
  return %y, %z, %cancel : tensor<?x3xf32>, tensor<?x3xf32>, tensor<1x1xf32>
}

//--- group.jsonl
{"x": [[0.0, 0.5], [1.0, 1.5], [2.0, 2.5], [3.0, 3.5], [4.0, 4.5]], "keys": [3, 0, 3, 1, 0], "n": 4}
{"x": [], "keys": [], "n": 2}
{"x": [], "keys": [], "n": -3}

//--- group.mlir
// GROUP{LITERAL}: {"rows":[[1.0,1.5],[4.0,4.5],[3.0,3.5],[0.0,0.5],[2.0,2.5]],"starts":[0,2,3,3,5],
// GROUP-SAME{LITERAL}: "back":[[0.0,0.5],[1.0,1.5],[2.0,2.5],[3.0,3.5],[4.0,4.5]],"sums":[5.0,3.0,0.0,2.0]}
// GROUP: {"rows":[],"starts":[0,0,0],"back":[],"sums":[0.0,0.0]}
// GROUP: {"rows":[],"starts":[0],"back":[],"sums":[]}
func.func @f(%x: tensor<?x2xf32> {amp.name = "x"}, %keys: tensor<?xi32> {amp.name = "keys"}, %n: index {amp.name = "n"})
    -> (tensor<?x2xf32> {amp.name = "rows"}, tensor<?xindex> {amp.name = "starts"}, tensor<?x2xf32> {amp.name = "back"},
        tensor<?xf32> {amp.name = "sums"}) {
  %rows, %starts = amp.group %x[%keys] to %n : tensor<?x2xf32>, tensor<?xi32>
  %back = amp.ungroup %rows[%keys] to %n : tensor<?x2xf32>, tensor<?xi32>
  // The sums of the first column of each group, from where it starts to where it ends.
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sums = amp.map %k to %n -> (tensor<?xf32>) {
    %next = arith.addi %k, %c1 : index
    %from = tensor.extract %starts[%k] : tensor<?xindex>
    %to = tensor.extract %starts[%next] : tensor<?xindex>
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %i = %from to %to step %c1 iter_args(%s = %zero) -> (f32) {
      %v = tensor.extract %rows[%i, %c0] : tensor<?x2xf32>
      %t = arith.addf %s, %v : f32
      scf.yield %t : f32
    }
    amp.yield %sum : f32
  }
  return %rows, %starts, %back, %sums : tensor<?x2xf32>, tensor<?xindex>, tensor<?x2xf32>, tensor<?xf32>
}

//--- loss.jsonl
{"x": [[0.0, 0.0], [1000.0, 999.0]], "tags": [1, 0]}
{"x": [], "tags": []}

//--- loss.mlir
// log 2 = 0.693147 for the first row; log(1 + 1/e) = 0.313262 for the second one. The vector: log(e^0 + e^log 3) - log 3
// = log(4/3) = 0.287682. (1 - 3)^2 + (2 - 5)^2 = 13. A target that cannot be: infinite.
// LOSS: {"rows":1.00640{{[0-9]+}},"vector":0.287682{{[0-9]+}},"squares":13.0,"bf16":13.0,"impossible":null}
// LOSS: {"rows":0.0,"vector":0.287682{{[0-9]+}},"squares":13.0,"bf16":13.0,"impossible":null}
func.func @f(%x: tensor<?x2xf32> {amp.name = "x"}, %tags: tensor<?xi32> {amp.name = "tags"})
    -> (f32 {amp.name = "rows"}, f64 {amp.name = "vector"}, f32 {amp.name = "squares"}, f32 {amp.name = "bf16"}, f32 {amp.name = "impossible"}) {
  %rows = amp.loss cross_entropy %x, %tags : tensor<?x2xf32>, tensor<?xi32> -> f32
  %c1 = arith.constant 1 : index
  %v = arith.constant dense<[0.0, 1.0986122886681098]> : tensor<2xf64>
  %vector = amp.loss cross_entropy %v, %c1 : tensor<2xf64>, index -> f64
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = arith.constant dense<[3.0, 5.0]> : tensor<2xf32>
  %squares = amp.loss squared_error %a, %b : tensor<2xf32>, tensor<2xf32> -> f32
  %a16 = arith.constant dense<[[1.0], [2.0]]> : tensor<2x1xbf16>
  %b16 = arith.constant dense<[[3.0], [5.0]]> : tensor<2x1xbf16>
  %bf16 = amp.loss squared_error %a16, %b16 : tensor<2x1xbf16>, tensor<2x1xbf16> -> f32
  %w = arith.constant dense<[0.0, 0xFF800000]> : tensor<2xf32>
  %impossible = amp.loss cross_entropy %w, %c1 : tensor<2xf32>, index -> f32
  return %rows, %vector, %squares, %bf16, %impossible : f32, f64, f32, f32, f32
}
