// Branches on computed values: arg-max, comparisons, nested, with arms that give constants or what came in.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: ampc %t/model.mlir -o %t/model
// RUN: ampc --interpret %t/model.mlir --input %t/in.jsonl --output %t/oracle.jsonl
// RUN: %python %S/Inputs/agree.py %t/model %t/in.jsonl %t/oracle.jsonl

//--- model.mlir
amp.param @W : tensor<3x3xf32> init(glorot)
func.func @branches(%x: tensor<3xf32> {amp.name = "x"}, %k: i32 {amp.name = "k"})
    -> (tensor<3xf32> {amp.name = "y"}, index {amp.name = "choice"}, tensor<3xf32> {amp.name = "p"}) {
  %W = amp.get @W : tensor<3x3xf32>
  %c0 = arith.constant 0 : index
  %two = arith.constant 2 : i32
  %scores = amp.linear %x, %W : tensor<3xf32>, tensor<3x3xf32>
  %choice = amp.argmax %scores : tensor<3xf32>
  %first = arith.cmpi eq, %choice, %c0 : index
  %y = scf.if %first -> (tensor<3xf32>) {
    %small = arith.cmpi slt, %k, %two : i32
    %z = scf.if %small -> (tensor<3xf32>) {
      %t = math.exp %scores : tensor<3xf32>
      scf.yield %t : tensor<3xf32>
    } else {
      scf.yield %x : tensor<3xf32>
    }
    %u = arith.mulf %z, %z : tensor<3xf32>
    scf.yield %u : tensor<3xf32>
  } else {
    %ones = arith.constant dense<1.0> : tensor<3xf32>
    scf.yield %ones : tensor<3xf32>
  }
  %p = amp.softmax %y : tensor<3xf32>
  return %y, %choice, %p : tensor<3xf32>, index, tensor<3xf32>
}
//--- in.jsonl
{"x": [1, 0, 0], "k": 0}
{"x": [0, 1, 0], "k": 1}
{"x": [0, 0, 1], "k": 2}
{"x": [-1, 0, 0], "k": 3}
{"x": [0, -1, 0], "k": 0}
{"x": [0, 0, -1], "k": 2}
{"x": [0, 0, 0], "k": -5}
