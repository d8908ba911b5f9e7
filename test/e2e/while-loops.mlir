// A while loop whose condition is computed from what it carries; one that never runs its body; a decoder-like stop.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: ampc %t/model.mlir -o %t/model
// RUN: ampc --interpret %t/model.mlir --input %t/in.jsonl --output %t/oracle.jsonl
// RUN: %python %S/Inputs/agree.py %t/model %t/in.jsonl %t/oracle.jsonl

//--- model.mlir
amp.param @W : tensor<4x4xf32> init(glorot)
func.func @whiles(%x: tensor<4xf32> {amp.name = "x"}, %limit: i32 {amp.name = "limit"})
    -> (tensor<4xf32> {amp.name = "y"}, i32 {amp.name = "steps"}) {
  %W = amp.get @W : tensor<4x4xf32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c2 = arith.constant 2 : index
  %y, %steps = scf.while (%h = %x, %n = %zero) : (tensor<4xf32>, i32) -> (tensor<4xf32>, i32) {
    %k = amp.argmax %h : tensor<4xf32>
    %other = arith.cmpi ne, %k, %c2 : index
    %within = arith.cmpi slt, %n, %limit : i32
    %more = arith.andi %other, %within : i1
    scf.condition(%more) %h, %n : tensor<4xf32>, i32
  } do {
  ^bb0(%h: tensor<4xf32>, %n: i32):
    %g = amp.linear %h, %W : tensor<4xf32>, tensor<4x4xf32>
    %h2 = math.tanh %g : tensor<4xf32>
    %n2 = arith.addi %n, %one : i32
    scf.yield %h2, %n2 : tensor<4xf32>, i32
  }
  return %y, %steps : tensor<4xf32>, i32
}
//--- in.jsonl
{"x": [0, 0, 1, 0], "limit": 9}
{"x": [1, 0, 0, 0], "limit": 9}
{"x": [0, 1, 0, 0], "limit": 0}
{"x": [0.3, -0.7, 0.1, 1.5], "limit": 30}
{"x": [-1, -2, -3, -0.5], "limit": 3}
