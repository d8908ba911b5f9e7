// tensor.generate: indices, scalars from outside, elements of tensors that the instance gives or a product makes, and
// divisions; what takes an element from outside, divides by zero, or has no possible size fails.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: ampc %t/model.mlir -o %t/model
// RUN: not ampc --interpret %t/model.mlir --input %t/in.jsonl --output %t/oracle.jsonl
// RUN: %python %S/Inputs/agree.py %t/model %t/in.jsonl %t/oracle.jsonl
// RUN: not %t/model run --input %t/in.jsonl --quiet | FileCheck %s
// CHECK-COUNT-2: {"outer":
// CHECK: {"error":"{{.*}}: index 2 is outside [0, 2)"}
// CHECK: {"error":"{{.*}}: a tensor's size is negative"}
// CHECK: {"error":"{{.*}}: a tensor has too many elements"}
// CHECK: {"error":"{{.*}}: a tensor has too many elements"}
// CHECK: {"error":"{{.*}}: integer division by zero"}

//--- model.mlir
amp.param @W : tensor<4x4xf32> init(normal, 0.7)
func.func @generates(%x: tensor<?x4xf32> {amp.name = "x"}, %n: index {amp.name = "n"}, %m: index {amp.name = "m"}, %d: i32 {amp.name = "d"}, %k: tensor<?xi32> {amp.name = "k"})
    -> (tensor<?x4xf32> {amp.name = "outer"}, tensor<?xi32> {amp.name = "chosen"}, tensor<4x4xf32> {amp.name = "turned"}, tensor<?x?xindex> {amp.name = "both"},
        tensor<?xf32> {amp.name = "sizes"}, tensor<3xi1> {amp.name = "arm"}, tensor<?xbf16> {amp.name = "narrow"}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %W = amp.get @W : tensor<4x4xf32>
  // In one cell with what makes and what uses its tensors; the product's rows are read in any order.
  %t = math.absf %x : tensor<?x4xf32>
  %y = amp.linear %t, %W : tensor<?x4xf32>, tensor<4x4xf32>
  %h = math.tanh %y : tensor<?x4xf32>
  %outer0 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %r = arith.remui %j, %c4 : index
    %a = tensor.extract %h[%i, %r] : tensor<?x4xf32>
    %b = tensor.extract %W[%j, %r] : tensor<4x4xf32>
    %v = arith.subf %a, %b : f32
    tensor.yield %v : f32
  } : tensor<?x4xf32>
  %outer = arith.negf %outer0 : tensor<?x4xf32>

  // Indices of the instance; a division that may fail.
  %size = tensor.dim %k, %c0 : tensor<?xi32>
  %table = arith.constant dense<[7, -3, 9]> : tensor<3xi32>
  %chosen = tensor.generate %size {
  ^bb0(%i: index):
    %at = tensor.extract %k[%i] : tensor<?xi32>
    %index = arith.index_cast %at : i32 to index
    %v = tensor.extract %table[%index] : tensor<3xi32>
    %q = arith.divsi %v, %d : i32
    tensor.yield %q : i32
  } : tensor<?xi32>

  // Of a known size: a parameter turned.
  %turned = tensor.generate {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %W[%j, %i] : tensor<4x4xf32>
    tensor.yield %v : f32
  } : tensor<4x4xf32>

  // Of two open sizes.
  %both = tensor.generate %n, %m {
  ^bb0(%i: index, %j: index):
    %v = arith.muli %i, %m : index
    %w = arith.addi %v, %j : index
    tensor.yield %w : index
  } : tensor<?x?xindex>
  %sizes = tensor.generate %n {
  ^bb0(%i: index):
    %v = tensor.dim %h, %c0 : tensor<?x4xf32>
    %w = arith.addi %v, %i : index
    %c = arith.index_cast %w : index to i32
    %f = arith.sitofp %c : i32 to f32
    tensor.yield %f : f32
  } : tensor<?xf32>

  // In an arm, with and without anything from outside; it runs there only.
  %positive = arith.cmpi sgt, %n, %c0 : index
  %arm = scf.if %positive -> tensor<3xi1> {
    %p = tensor.generate {
    ^bb0(%i: index):
      %v = tensor.dim %x, %i : tensor<?x4xf32>
      %w = arith.cmpi eq, %v, %i : index
      tensor.yield %w : i1
    } : tensor<1xi1>
    %q = tensor.generate {
    ^bb0(%i: index):
      %w = arith.cmpi eq, %i, %c0 : index
      tensor.yield %w : i1
    } : tensor<2xi1>
    %a = tensor.concat dim(0) %p, %q : (tensor<1xi1>, tensor<2xi1>) -> tensor<3xi1>
    scf.yield %a : tensor<3xi1>
  } else {
    %one = arith.constant 1 : index
    %a = tensor.generate {
    ^bb0(%i: index):
      %v = arith.divui %i, %n : index
      %w = arith.cmpi eq, %v, %one : index
      tensor.yield %w : i1
    } : tensor<3xi1>
    scf.yield %a : tensor<3xi1>
  }
  %half = arith.constant 0.5 : f32
  %narrow = tensor.generate %n {
  ^bb0(%i: index):
    %c = arith.index_cast %i : index to i32
    %f = arith.sitofp %c : i32 to bf16
    %w = arith.truncf %half : f32 to bf16
    %v = arith.addf %f, %w : bf16
    tensor.yield %v : bf16
  } : tensor<?xbf16>
  return %outer, %chosen, %turned, %both, %sizes, %arm, %narrow
      : tensor<?x4xf32>, tensor<?xi32>, tensor<4x4xf32>, tensor<?x?xindex>, tensor<?xf32>, tensor<3xi1>, tensor<?xbf16>
}

//--- in.jsonl
{"x": [[1, -2, 3, 4], [0.5, 0.25, -1, 0]], "n": 2, "m": 3, "d": 2, "k": [0, 2, 1, 1]}
{"x": [[1, -2, 3, 4], [0.5, 0.25, -1, 0], [1, 1, 1, 1]], "n": 1, "m": 0, "d": -1, "k": []}
{"x": [[1, -2, 3, 4], [0.5, 0.25, -1, 0]], "n": 3, "m": 3, "d": 2, "k": [0]}
{"x": [[1, -2, 3, 4]], "n": 1, "m": -3, "d": 2, "k": [0]}
{"x": [[1, -2, 3, 4]], "n": 1, "m": 1099511627776, "d": 2, "k": [0]}
{"x": [[1, -2, 3, 4]], "n": 1, "m": 268435457, "d": 2, "k": [0]}
{"x": [[1, -2, 3, 4]], "n": 1, "m": 2, "d": 0, "k": [0]}
{"x": [[1, -2, 3, 4]], "n": 1, "m": 2, "d": 1, "k": [0, 3]}
{"x": [[1, -2, 3, 4]], "n": 1, "m": 2, "d": 1, "k": [0, -1]}
{"x": [[1, -2, 3, 4]], "n": 0, "m": 2, "d": 1, "k": [0]}
{"x": [], "n": 0, "m": 2, "d": 0, "k": []}
{"x": [], "n": 1, "m": 2, "d": 1, "k": []}
