// Scans forward and backward, over nothing and over something, with and without carried values.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: ampc %t/model.mlir -o %t/model
// RUN: ampc --interpret %t/model.mlir --input %t/in.jsonl --output %t/oracle.jsonl
// RUN: %python %S/Inputs/agree.py %t/model %t/in.jsonl %t/oracle.jsonl

//--- model.mlir
amp.param @W : tensor<3x3xf32> init(glorot)
func.func @scans(%x: tensor<?x3xf32> {amp.name = "x"})
    -> (tensor<?x3xf32> {amp.name = "forward"}, tensor<?x3xf32> {amp.name = "backward"},
        tensor<3xf32> {amp.name = "last"}, tensor<?xindex> {amp.name = "index"}) {
  %W = amp.get @W : tensor<3x3xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %f, %fs = amp.scan %t = %c0 to %n carry(%h = %zero) : (tensor<3xf32>) -> (tensor<?x3xf32>) {
    %x_t = tensor.extract_slice %x[%t, 0] [1, 3] [1, 1] : tensor<?x3xf32> to tensor<3xf32>
    %g = amp.linear %h, %W : tensor<3xf32>, tensor<3x3xf32>
    %s = arith.addf %g, %x_t : tensor<3xf32>
    %y = math.tanh %s : tensor<3xf32>
    amp.yield %y, %y : tensor<3xf32>, tensor<3xf32>
  }
  %b, %bs, %is = amp.scan reverse %t = %c0 to %n carry(%h = %f) : (tensor<3xf32>) -> (tensor<?x3xf32>, tensor<?xindex>) {
    %x_t = tensor.extract_slice %fs[%t, 0] [1, 3] [1, 1] : tensor<?x3xf32> to tensor<3xf32>
    %g = amp.linear %x_t, %W : tensor<3xf32>, tensor<3x3xf32>
    %s = arith.subf %g, %h : tensor<3xf32>
    %k = arith.addi %t, %t : index
    amp.yield %s, %s, %k : tensor<3xf32>, tensor<3xf32>, index
  }
  return %fs, %bs, %b, %is : tensor<?x3xf32>, tensor<?x3xf32>, tensor<3xf32>, tensor<?xindex>
}
//--- in.jsonl
{"x": []}
{"x": [[1, 2, 3]]}
{"x": [[1, 2, 3], [-1, 0, 1], [0.5, 0.5, 0.5], [2, 2, 2]]}
