// linalg.softmax along each dimension, of known and open shapes, in a program and in a graph.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: ampc %t/model.mlir -o %t/model
// RUN: ampc --interpret %t/model.mlir --input %t/in.jsonl --output %t/oracle.jsonl
// RUN: %python %S/Inputs/agree.py %t/model %t/in.jsonl %t/oracle.jsonl
// RUN: %t/model run --input %t/in.jsonl --quiet | FileCheck %s
// RUN: ampc %t/graph.mlir -o %t/graph
// RUN: ampc --interpret %t/graph.mlir --input %t/in.jsonl --output %t/oracle.jsonl
// RUN: %python %S/Inputs/agree.py %t/graph %t/in.jsonl %t/oracle.jsonl
// CHECK: {"down":{{\[\[}}0.5,0.5],[0.5,0.5]],"across":

//--- model.mlir
func.func @softmax(%x: tensor<?x2xf32> {amp.name = "x"}, %v: tensor<3xf32> {amp.name = "v"})
    -> (tensor<?x2xf32> {amp.name = "down"}, tensor<?x2xf32> {amp.name = "across"}, tensor<3xf32> {amp.name = "one"}, tensor<3xf64> {amp.name = "wide"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x2xf32>
  %o = tensor.empty(%n) : tensor<?x2xf32>
  %down = linalg.softmax dimension(0) ins(%x : tensor<?x2xf32>) outs(%o : tensor<?x2xf32>) -> tensor<?x2xf32>
  %t = math.tanh %x : tensor<?x2xf32>
  %across = linalg.softmax dimension(1) ins(%t : tensor<?x2xf32>) outs(%o : tensor<?x2xf32>) -> tensor<?x2xf32>
  %one = linalg.softmax dimension(0) ins(%v : tensor<3xf32>) outs(%v : tensor<3xf32>) -> tensor<3xf32>
  %w = arith.extf %v : tensor<3xf32> to tensor<3xf64>
  %wide = linalg.softmax dimension(0) ins(%w : tensor<3xf64>) outs(%w : tensor<3xf64>) -> tensor<3xf64>
  return %down, %across, %one, %wide : tensor<?x2xf32>, tensor<?x2xf32>, tensor<3xf32>, tensor<3xf64>
}

//--- graph.mlir
amp.graph @softmax(%x: tensor<?x2xf32> {amp.name = "x"}, %v: tensor<3xf32> {amp.name = "v"}) -> (tensor<?x2xf32> {amp.name = "across"}, tensor<3xf32> {amp.name = "one"}) {
  %across = linalg.softmax dimension(1) ins(%x : tensor<?x2xf32>) outs(%x : tensor<?x2xf32>) -> tensor<?x2xf32>
  %zero = arith.constant 0.0 : f32
  %first = arith.constant 0 : index
  %a = tensor.extract %v[%first] : tensor<3xf32>
  %c = arith.cmpf ogt, %a, %zero : f32
  %t, %f = amp.branch %c, %v : tensor<3xf32>
  %s = linalg.softmax dimension(0) ins(%t : tensor<3xf32>) outs(%t : tensor<3xf32>) -> tensor<3xf32>
  %one = amp.merge %s, %f : tensor<3xf32>
  amp.return %across, %one : tensor<?x2xf32>, tensor<3xf32>
}

//--- in.jsonl
{"x": [[1, 2], [1, 2]], "v": [1, 2, 3]}
{"x": [[1000, -1000], [0, 1], [0.5, 0.25]], "v": [-1, 0, 0]}
{"x": [], "v": [100, 100, -100]}
