// Gradients of linalg ops: from their bodies; of tensor ops that shape.
// RUN: split-file %s %t
// RUN: ampc --check-gradients %t/linalg.mlir --input %t/linalg.jsonl --samples 0 | FileCheck %s --check-prefix=LINALG
// RUN: ampc --check-gradients %t/shapes.mlir --input %t/shapes.jsonl --samples 0 | FileCheck %s --check-prefix=SHAPES

// LINALG:      A: 12 checked, 12 not zero
// LINALG-NEXT: B: 18 checked, 18 not zero
// LINALG-NEXT: v: 4 checked, 4 not zero

// SHAPES:      m: 12 checked, 12 not zero
// SHAPES-NEXT: v: 4 checked, 4 not zero

//--- linalg.mlir
// Products of values, of a parameter with what it is added to; sums; elements turned around, and multiplied by their index.
amp.param @A : tensor<2x3xf32> init(normal, 0.5)
amp.param @B : tensor<3x3xf32> init(normal, 0.5)
amp.param @v : tensor<2xf32> init(normal, 1.0)
func.func @linalg(%x: tensor<2xf32> {amp.name = "x"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %A0 = amp.get @A : tensor<2x3xf32>
  %B = amp.get @B : tensor<3x3xf32>
  %v0 = amp.get @v : tensor<2xf32>
  %A = math.sin %A0 : tensor<2x3xf32>
  %v = math.exp %v0 : tensor<2xf32>
  %C = linalg.matmul ins(%A, %B : tensor<2x3xf32>, tensor<3x3xf32>) outs(%A : tensor<2x3xf32>) -> tensor<2x3xf32>
  %z3 = arith.constant dense<0.0> : tensor<3xf32>
  %z2 = arith.constant dense<0.0> : tensor<2xf32>
  %z0 = arith.constant dense<0.0> : tensor<f32>
  %a = linalg.vecmat ins(%v, %C : tensor<2xf32>, tensor<2x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
  %t = math.tanh %a : tensor<3xf32>
  %b = linalg.matvec ins(%C, %t : tensor<2x3xf32>, tensor<3xf32>) outs(%v : tensor<2xf32>) -> tensor<2xf32>
  %d = linalg.dot ins(%t, %a : tensor<3xf32>, tensor<3xf32>) outs(%z0 : tensor<f32>) -> tensor<f32>
  %e3 = tensor.empty() : tensor<3xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (2 - i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]} ins(%t, %a : tensor<3xf32>, tensor<3xf32>) outs(%e3 : tensor<3xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %m = arith.mulf %p, %k : f32
    %n = arith.subf %m, %q : f32
    %r = math.tanh %n : f32
    %s = arith.mulf %r, %p : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %e23 = tensor.empty() : tensor<2x3xf32>
  %w = linalg.broadcast ins(%b : tensor<2xf32>) outs(%e23 : tensor<2x3xf32>) dimensions = [1]
  %mapped = linalg.map ins(%w, %C : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e23 : tensor<2x3xf32>)
    (%p: f32, %q: f32, %o: f32) {
      %s = arith.mulf %p, %q : f32
      linalg.yield %s : f32
    }
  %sum = linalg.reduce ins(%mapped : tensor<2x3xf32>) outs(%z2 : tensor<2xf32>) dimensions = [1]
    (%p: f32, %q: f32) {
      %s = arith.addf %p, %q : f32
      linalg.yield %s : f32
    }
  %f = tensor.extract %d[] : tensor<f32>
  %fs = tensor.splat %f : tensor<2xf32>
  %0 = arith.addf %sum, %fs : tensor<2xf32>
  %gs = amp.pool sum %g : tensor<3xf32>
  %g0 = tensor.extract %gs[] : tensor<f32>
  %g1 = tensor.splat %g0 : tensor<2xf32>
  %1 = arith.mulf %0, %g1 : tensor<2xf32>
  %l = amp.loss squared_error %1, %x : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- linalg.jsonl
{"x": [0.5, -1.5]}
{"x": [2, 0.25]}

//--- shapes.mlir
amp.param @m : tensor<2x3xf32> init(normal, 0.5)
amp.param @v : tensor<2xf32> init(normal, 1.0)
func.func @shapes(%x: tensor<?x4xf32> {amp.name = "x"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m0 = amp.get @m : tensor<2x3xf32>
  %v = amp.get @v : tensor<2xf32>
  %m = math.sin %m0 : tensor<2x3xf32>
  %s = tensor.extract %v[%c0] : tensor<2xf32>
  %u = math.exp %s : f32
  %a = tensor.insert %u into %m[%c1, %c0] : tensor<2x3xf32>
  %shape = arith.constant dense<[3, 2]> : tensor<2xindex>
  %b = tensor.reshape %a(%shape) : (tensor<2x3xf32>, tensor<2xindex>) -> tensor<3x2xf32>
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %k = arith.subi %n, %c1 : index
  %zero = arith.constant 0.5 : f32
  %wide = tensor.pad %m low[0, 0] high[%k, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<2x3xf32> to tensor<?x4xf32>
  %mixed = arith.addf %wide, %wide : tensor<?x4xf32>
  %p = amp.pool sum %mixed : tensor<?x4xf32>
  %q = amp.pool mean %b : tensor<3x2xf32>
  %r = arith.mulf %q, %v : tensor<2xf32>
  %t = tensor.concat dim(0) %r, %q : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %y = amp.pool mean %x : tensor<?x4xf32>
  %z = arith.mulf %p, %t : tensor<4xf32>
  %l = amp.loss squared_error %z, %y : tensor<4xf32>, tensor<4xf32> -> f32
  return %l : f32
}
//--- shapes.jsonl
{"x": [[0.5, -1.5, 0.25, 1]]}
{"x": [[2, 0.25, 1, 0.5], [0.5, -1.5, 0.25, 1], [1, 1, 1, 2]]}
