// What the canonicalizer makes of a program keeps its meaning: an if of two values becomes a select of whole tensors,
// whose sizes differ; a remainder by zero in an arm that is not taken fails nothing; a dimension's number may be a token.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: ampc %t/model.mlir -o %t/model
// RUN: not ampc --interpret %t/model.mlir --input %t/in.jsonl --output %t/oracle.jsonl
// RUN: %python %S/Inputs/agree.py %t/model %t/in.jsonl %t/oracle.jsonl

//--- model.mlir
func.func @folds(%b: i1 {amp.name = "b"}, %x: tensor<?x2xf32> {amp.name = "x"}, %y: tensor<?x2xf32> {amp.name = "y"})
    -> (tensor<?x2xf32> {amp.name = "z"}, i32 {amp.name = "r"}, index {amp.name = "d"}, tensor<?x4xf32> {amp.name = "c"}) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %t = math.tanh %x : tensor<?x2xf32>
  %s = scf.if %b -> tensor<?x2xf32> {
    scf.yield %t : tensor<?x2xf32>
  } else {
    scf.yield %y : tensor<?x2xf32>
  }
  %z = arith.negf %s : tensor<?x2xf32>
  %r = scf.if %b -> i32 {
    %q = arith.remsi %one, %zero : i32
    scf.yield %q : i32
  } else {
    scf.yield %one : i32
  }
  %three0 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %three = tensor.cast %three0 : tensor<3xf32> to tensor<?xf32>
  %d = scf.if %b -> index {
    scf.yield %c0 : index
  } else {
    %n = tensor.dim %three, %c0 : tensor<?xf32>
    scf.yield %n : index
  }
  %c = tensor.concat dim(1) %t, %y : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x4xf32>
  return %z, %r, %d, %c : tensor<?x2xf32>, i32, index, tensor<?x4xf32>
}

//--- in.jsonl
{"b": false, "x": [[1, 2], [3, 4]], "y": [[5, 6], [1, 1]]}
{"b": true, "x": [[1, 2], [3, 4]], "y": [[5, 6], [1, 1]]}
{"b": false, "x": [[1, 2], [3, 4]], "y": [[5, 6]]}
{"b": false, "x": [], "y": []}
