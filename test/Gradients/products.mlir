// Derivatives of products with parameters, of lookups and of biases, with one row, with many, and with none.
// RUN: split-file %s %t
// RUN: ampc --check-gradients %t/linear.mlir --input %t/linear.jsonl --samples 0 | FileCheck %s --check-prefix=LINEAR
// RUN: ampc --check-gradients %t/grouped.mlir --input %t/grouped.jsonl --samples 0 | FileCheck %s --check-prefix=GROUPED
// RUN: ampc --check-gradients %t/lookup.mlir --input %t/lookup.jsonl --samples 0 | FileCheck %s --check-prefix=LOOKUP
// RUN: ampc --check-gradients %t/shared.mlir --input %t/shared.jsonl --samples 0 | FileCheck %s --check-prefix=SHARED

// LINEAR:      U: 36 checked, 36 not zero
// LINEAR-NEXT: W: 18 checked, 18 not zero
// LINEAR-NEXT: b: 9 checked, 6 not zero
// LINEAR-NEXT: c: 9 checked, 9 not zero
// LINEAR-NEXT: x: 6 checked, 6 not zero

// GROUPED:      A: 36 checked, 24 not zero
// GROUPED-NEXT: B: 24 checked, 24 not zero
// GROUPED-NEXT: a: 18 checked, 12 not zero

// LOOKUP:      emb: 24 checked, 14 not zero
// LOOKUP-NEXT: gathered: 16 checked, 12 not zero
// LOOKUP-NEXT: scalars: 8 checked, 2 not zero
// LOOKUP-NEXT: table: 16 checked, 8 not zero

// SHARED: W: 8 checked, 8 not zero
// SHARED: b: 4 checked, 4 not zero

//--- linear.mlir
// One row, three dimensions of rows, and an open number of them, none in the first instance.
amp.param @x : tensor<2xf32> init(normal, 1.0)
amp.param @W : tensor<2x3xf32> init(normal, 1.0)
amp.param @b : tensor<3xf32> init(normal, 1.0)
amp.param @U : tensor<3x4xf32> init(normal, 0.5)
amp.param @c : tensor<3xf32> init(normal, 1.0)
func.func @linear(%rows: tensor<?x2xf32> {amp.name = "rows"}, %target: tensor<4xf32> {amp.name = "target"})
    -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %W = amp.get @W : tensor<2x3xf32>
  %b = amp.get @b : tensor<3xf32>
  %U = amp.get @U : tensor<3x4xf32>
  %x = amp.get @x : tensor<2xf32>
  %c = amp.get @c : tensor<3xf32>
  %g = amp.linear %rows, %W, %b : tensor<?x2xf32>, tensor<2x3xf32>, tensor<3xf32>
  %h = math.tanh %g : tensor<?x3xf32>
  // A bias that is computed.
  %t = math.tanh %c : tensor<3xf32>
  %g2 = amp.linear %rows, %W, %t : tensor<?x2xf32>, tensor<2x3xf32>, tensor<3xf32>
  %h2 = arith.mulf %h, %g2 : tensor<?x3xf32>
  %y = amp.linear %h2, %U : tensor<?x3xf32>, tensor<3x4xf32>
  %p = amp.pool mean %y : tensor<?x4xf32>
  %l0 = amp.loss squared_error %p, %target : tensor<4xf32>, tensor<4xf32> -> f32
  %z = amp.linear %x, %W, %c : tensor<2xf32>, tensor<2x3xf32>, tensor<3xf32>
  // In three dimensions.
  %empty = tensor.empty() : tensor<2x1x3xf32>
  %cube = linalg.broadcast ins(%z : tensor<3xf32>) outs(%empty : tensor<2x1x3xf32>) dimensions = [0, 1]
  %v = amp.linear %cube, %U : tensor<2x1x3xf32>, tensor<3x4xf32>
  %flat = tensor.collapse_shape %v [[0, 1], [2]] : tensor<2x1x4xf32> into tensor<2x4xf32>
  %tags = arith.constant dense<[3, 1]> : tensor<2xi32>
  %l1 = amp.loss cross_entropy %flat, %tags : tensor<2x4xf32>, tensor<2xi32> -> f32
  %l = arith.addf %l0, %l1 : f32
  return %l : f32
}
//--- linear.jsonl
{"rows": [], "target": [1, 0, 0.5, 0.25]}
{"rows": [[1, 2]], "target": [1, 0, 0.5, 0.25]}
{"rows": [[1, 2], [-0.5, 0.25], [0.125, -1]], "target": [1, 0, 0.5, 0.25]}

//--- grouped.mlir
// One of the matrices is not chosen by anyone.
amp.param @A : tensor<3x2x3xf32> init(normal, 0.5)
amp.param @a : tensor<3x3xf32> init(normal, 0.5)
amp.param @B : tensor<2x3x2xf32> init(normal, 0.5)
func.func @grouped(%x: tensor<?x2xf32> {amp.name = "x"}, %which: tensor<?xi32> {amp.name = "which"})
    -> (f32 {amp.name = "loss", amp.loss}) {
  %A = amp.get @A : tensor<3x2x3xf32>
  %a = amp.get @a : tensor<3x3xf32>
  %B = amp.get @B : tensor<2x3x2xf32>
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %g = amp.grouped_linear %x, %A[%which], %a : tensor<?x2xf32>, tensor<3x2x3xf32>, tensor<?xi32>, tensor<3x3xf32>
  %h = math.tanh %g : tensor<?x3xf32>
  %n = tensor.dim %which, %c0 : tensor<?xi32>
  %half = amp.map %i to %n -> (tensor<?xi32>) {
    %w = tensor.extract %which[%i] : tensor<?xi32>
    %s = arith.shrui %w, %one : i32
    amp.yield %s : i32
  }
  %y = amp.grouped_linear %h, %B[%half] : tensor<?x3xf32>, tensor<2x3x2xf32>, tensor<?xi32>
  %s = math.sin %y : tensor<?x2xf32>
  %l = amp.loss squared_error %s, %x : tensor<?x2xf32>, tensor<?x2xf32> -> f32
  return %l : f32
}
//--- grouped.jsonl
{"x": [[1, 2], [0.5, -1], [-2, 1]], "which": [2, 0, 2]}
{"x": [[1, -2], [0.5, -1], [-2, 0.5], [0.25, 0.5]], "which": [0, 2, 0, 0]}

//--- lookup.mlir
// Rows of parameters and of values, some more than once: their gradients add up.
amp.param @emb : tensor<6x2xf32> init(normal, 1.0)
amp.param @table : tensor<2x2x2xf32> init(normal, 1.0)
amp.param @scalars : tensor<4xf32> init(normal, 1.0)
amp.param @gathered : tensor<4x2xf32> init(normal, 1.0)
func.func @lookup(%words: tensor<?xi32> {amp.name = "words"}, %i: i64 {amp.name = "i"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %emb = amp.get @emb : tensor<6x2xf32>
  %table = amp.get @table : tensor<2x2x2xf32>
  %scalars = amp.get @scalars : tensor<4xf32>
  %gathered = amp.get @gathered : tensor<4x2xf32>
  %w0 = tensor.extract %words[%c0] : tensor<?xi32>
  %w1 = tensor.extract %words[%c1] : tensor<?xi32>
  %x0 = amp.lookup %emb[%w0] : tensor<6x2xf32>, i32
  %x1 = amp.lookup %emb[%w1] : tensor<6x2xf32>, i32
  %xs = amp.gather %emb[%words] : tensor<6x2xf32>, tensor<?xi32>
  %x2 = amp.pool sum %xs : tensor<?x2xf32>
  %x3 = arith.mulf %x0, %x1 : tensor<2xf32>
  %x4 = arith.mulf %x2, %x3 : tensor<2xf32>
  %m = amp.lookup %table[%i] : tensor<2x2x2xf32>, i64
  %m0 = math.sin %m : tensor<2x2xf32>
  %m1 = amp.lookup %m0[%i] : tensor<2x2xf32>, i64
  %t0 = math.sin %table : tensor<2x2x2xf32>
  %t1 = amp.lookup %t0[%c0] : tensor<2x2x2xf32>, index
  %t2 = amp.lookup %t1[%c1] : tensor<2x2xf32>, index
  %m2 = arith.mulf %m1, %t2 : tensor<2xf32>
  %s0 = amp.lookup %scalars[%i] : tensor<4xf32>, i64
  %s1 = tensor.extract %s0[] : tensor<f32>
  %s2 = tensor.splat %s1 : tensor<2xf32>
  // The rows of a value, by index.
  %g0 = math.sin %gathered : tensor<4x2xf32>
  %indices = arith.constant dense<[1, 3, 1, 0]> : tensor<4xi64>
  %g1 = amp.gather %g0[%indices] : tensor<4x2xf32>, tensor<4xi64>
  %g2 = arith.mulf %g1, %g1 : tensor<4x2xf32>
  %g3 = amp.pool mean %g2 : tensor<4x2xf32>
  %y0 = arith.addf %x4, %m2 : tensor<2xf32>
  %y1 = arith.addf %y0, %s2 : tensor<2xf32>
  %y2 = arith.addf %y1, %g3 : tensor<2xf32>
  %target = arith.constant dense<[0.3, -0.5]> : tensor<2xf32>
  %l = amp.loss squared_error %y2, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- lookup.jsonl
{"words": [4, 2, 4, 1], "i": 1}
{"words": [3, 3, 0, 5, 0, 1], "i": 0}

//--- shared.mlir
// One weight in two products, one of which follows the other; a bias that is used by itself, too.
amp.param @W : tensor<2x2xf32> init(normal, 1.0)
amp.param @b : tensor<2xf32> init(normal, 1.0)
func.func @shared(%x: tensor<2xf32> {amp.name = "x"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %W = amp.get @W : tensor<2x2xf32>
  %b = amp.get @b : tensor<2xf32>
  %g = amp.linear %x, %W, %b : tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>
  %h = math.tanh %g : tensor<2xf32>
  %k = amp.linear %h, %W, %b : tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>
  %y = arith.mulf %k, %b : tensor<2xf32>
  // As it is, and as rows.
  %r = tensor.extract_slice %W[1, 0] [1, 2] [1, 1] : tensor<2x2xf32> to tensor<2xf32>
  %z = arith.addf %y, %r : tensor<2xf32>
  %l = amp.loss squared_error %z, %x : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- shared.jsonl
{"x": [0.5, 2]}
{"x": [-1, 0.25]}
