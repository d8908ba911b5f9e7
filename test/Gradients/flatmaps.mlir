// Gradients through maps whose elements have rows of a number of their own.
// RUN: split-file %s %t
// RUN: ampc --check-gradients %t/flatmaps.mlir --input %t/flatmaps.jsonl --samples 0 | FileCheck %s

// CHECK:      W: 16 checked, 8 not zero
// CHECK-NEXT: emb: 32 checked, 14 not zero

//--- flatmaps.mlir
// Parts of a value that is used by all elements, and of what each computes; integers beside them, which have no gradient.
amp.param @W : tensor<2x2xf32> init(normal, 0.7)
amp.param @emb : tensor<4x2xf32> init(normal, 1.0)
func.func @flatmaps(%k: tensor<?xi32> {amp.name = "k"}, %n: index {amp.name = "n"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %emb = amp.get @emb : tensor<4x2xf32>
  %W = amp.get @W : tensor<2x2xf32>
  %g = amp.gather %emb[%k] : tensor<4x2xf32>, tensor<?xi32>
  %h = math.sin %g : tensor<?x2xf32>
  %m = tensor.dim %h, %c0 : tensor<?x2xf32>
  %parts, %numbers, %firsts = amp.flatmap %i to %n -> (tensor<?x2xf32>, tensor<?xi32>, tensor<?xf32>) {
    %size = arith.minui %i, %m : index
    %part = tensor.extract_slice %h[0, 0] [%size, 2] [1, 1] : tensor<?x2xf32> to tensor<?x2xf32>
    %y = amp.linear %part, %W : tensor<?x2xf32>, tensor<2x2xf32>
    %even = arith.remui %i, %c2 : index
    %is = arith.cmpi eq, %even, %c0 : index
    %z = scf.if %is -> tensor<?x2xf32> {
      %t = math.tanh %y : tensor<?x2xf32>
      scf.yield %t : tensor<?x2xf32>
    } else {
      scf.yield %h : tensor<?x2xf32>
    }
    %s = amp.pool mean %z : tensor<?x2xf32>
    %o = tensor.cast %s : tensor<2xf32> to tensor<?xf32>
    amp.yield %z, %k, %o : tensor<?x2xf32>, tensor<?xi32>, tensor<?xf32>
  }
  %p = amp.pool max %parts : tensor<?x2xf32>
  %q = amp.pool sum %firsts : tensor<?xf32>
  %r = tensor.extract %q[] : tensor<f32>
  %s = tensor.splat %r : tensor<2xf32>
  %t = amp.gather %emb[%numbers] : tensor<4x2xf32>, tensor<?xi32>
  %u = amp.pool mean %t : tensor<?x2xf32>
  %v = arith.mulf %p, %s : tensor<2xf32>
  %w = arith.addf %v, %u : tensor<2xf32>
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %l = amp.loss squared_error %w, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- flatmaps.jsonl
{"k": [2, 0], "n": 0}
{"k": [2], "n": 1}
{"k": [1, 3, 1], "n": 3}
{"k": [2, 0, 3, 1], "n": 6}
