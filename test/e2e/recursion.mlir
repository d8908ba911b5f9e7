// Recursion: mutual, with a tensor argument that is late, with results that come apart, and deep.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: ampc %t/model.mlir -o %t/model
// RUN: ampc --interpret %t/model.mlir --input %t/in.jsonl --output %t/oracle.jsonl
// RUN: %python %S/Inputs/agree.py %t/model %t/in.jsonl %t/oracle.jsonl

//--- model.mlir
amp.param @W : tensor<4x4xf32> init(uniform, -0.5, 0.5)
func.func @recursion(%x: tensor<4xf32> {amp.name = "x"}, %n: i32 {amp.name = "n"})
    -> (tensor<4xf32> {amp.name = "y"}, i32 {amp.name = "deep"}) {
  %y = call @even(%x, %n) : (tensor<4xf32>, i32) -> tensor<4xf32>
  %thousand = arith.constant 1000 : i32
  %m = arith.muli %n, %thousand : i32
  %deep, %same = call @count(%m, %y) : (i32, tensor<4xf32>) -> (i32, tensor<4xf32>)
  %z = arith.addf %y, %same : tensor<4xf32>
  return %z, %deep : tensor<4xf32>, i32
}
func.func private @even(%x: tensor<4xf32>, %n: i32) -> tensor<4xf32> {
  %W = amp.get @W : tensor<4x4xf32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %done = arith.cmpi sle, %n, %zero : i32
  %y = scf.if %done -> (tensor<4xf32>) {
    scf.yield %x : tensor<4xf32>
  } else {
    %g = amp.linear %x, %W : tensor<4xf32>, tensor<4x4xf32>
    %m = arith.subi %n, %one : i32
    %r = func.call @odd(%g, %m) : (tensor<4xf32>, i32) -> tensor<4xf32>
    scf.yield %r : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
func.func private @odd(%x: tensor<4xf32>, %n: i32) -> tensor<4xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %done = arith.cmpi sle, %n, %zero : i32
  %y = scf.if %done -> (tensor<4xf32>) {
    %e = arith.negf %x : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  } else {
    %m = arith.subi %n, %one : i32
    %a = func.call @even(%x, %m) : (tensor<4xf32>, i32) -> tensor<4xf32>
    %t = math.tanh %a : tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
// Control only; its tensor goes through untouched.
func.func private @count(%n: i32, %x: tensor<4xf32>) -> (i32, tensor<4xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %done = arith.cmpi sle, %n, %zero : i32
  %r, %y = scf.if %done -> (i32, tensor<4xf32>) {
    scf.yield %zero, %x : i32, tensor<4xf32>
  } else {
    %m = arith.subi %n, %one : i32
    %s, %z = func.call @count(%m, %x) : (i32, tensor<4xf32>) -> (i32, tensor<4xf32>)
    %t = arith.addi %s, %one : i32
    scf.yield %t, %z : i32, tensor<4xf32>
  }
  return %r, %y : i32, tensor<4xf32>
}
//--- in.jsonl
{"x": [1, 2, 3, 4], "n": 0}
{"x": [1, 2, 3, 4], "n": 1}
{"x": [-1, 0.5, 3, 4], "n": 2}
{"x": [0.1, 0.2, 0.3, 0.4], "n": 9}
{"x": [0.1, 0.2, 0.3, 0.4], "n": 100}
