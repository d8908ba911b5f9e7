// Loops with a range: no iteration, one, many; steps; carried values that swap; a loop in a loop.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: ampc %t/model.mlir -o %t/model
// RUN: ampc --interpret %t/model.mlir --input %t/in.jsonl --output %t/oracle.jsonl
// RUN: %python %S/Inputs/agree.py %t/model %t/in.jsonl %t/oracle.jsonl

//--- model.mlir
amp.param @W : tensor<4x4xf32> init(glorot)
func.func @loops(%x: tensor<4xf32> {amp.name = "x"}, %n: index {amp.name = "n"})
    -> (tensor<4xf32> {amp.name = "a"}, tensor<4xf32> {amp.name = "b"}, index {amp.name = "sum"}) {
  %W = amp.get @W : tensor<4x4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  // Carried values swap places, so they are told apart.
  %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %x) -> (tensor<4xf32>, tensor<4xf32>) {
    %y = amp.linear %p, %W : tensor<4xf32>, tensor<4x4xf32>
    %z = math.tanh %y : tensor<4xf32>
    scf.yield %q, %z : tensor<4xf32>, tensor<4xf32>
  }
  // Steps of three, a scalar carried, a loop inside.
  %sum = scf.for %i = %c0 to %n step %c3 iter_args(%s = %c1) -> (index) {
    %t = scf.for %j = %c0 to %i step %c1 iter_args(%u = %s) -> (index) {
      %v = arith.addi %u, %j : index
      scf.yield %v : index
    }
    scf.yield %t : index
  }
  return %a, %b, %sum : tensor<4xf32>, tensor<4xf32>, index
}
//--- in.jsonl
{"x": [0.5, -1, 2, 0.25], "n": 0}
{"x": [0.5, -1, 2, 0.25], "n": 1}
{"x": [1, -2, 3, -4], "n": 2}
{"x": [0.1, 0.2, 0.3, 0.4], "n": 7}
{"x": [0.1, 0.2, 0.3, 0.4], "n": 40}
