// Reshapes, slices whose place the instance says, insertions and pads of computed tensors; what is not inside its
// tensor fails.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: ampc %t/model.mlir -o %t/model
// RUN: not ampc --interpret %t/model.mlir --input %t/in.jsonl --output %t/oracle.jsonl
// RUN: %python %S/Inputs/agree.py %t/model %t/in.jsonl %t/oracle.jsonl

//--- model.mlir
func.func @shapes(%x: tensor<?x4xf32> {amp.name="x"}, %o: index {amp.name="o"}, %s: index {amp.name="s"}) -> (tensor<?x2x2xf32> {amp.name="ex"}, tensor<?xf32> {amp.name="co"}, tensor<?x2xf32> {amp.name="sl"}, tensor<?x4xf32> {amp.name="in"}, tensor<?x6xf32> {amp.name="pad"}) {
  %c0 = arith.constant 0 : index
  %t = math.tanh %x : tensor<?x4xf32>
  %n = tensor.dim %t, %c0 : tensor<?x4xf32>
  %ex = tensor.expand_shape %t [[0], [1, 2]] output_shape [%n, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
  %e2 = math.absf %ex : tensor<?x2x2xf32>
  %co = tensor.collapse_shape %e2 [[0, 1, 2]] : tensor<?x2x2xf32> into tensor<?xf32>
  %c2 = arith.negf %co : tensor<?xf32>
  %sl = tensor.extract_slice %t[%o, 1] [%s, 2] [1, 2] : tensor<?x4xf32> to tensor<?x2xf32>
  %row = tensor.extract_slice %t[%o, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<1x4xf32>
  %in = tensor.insert_slice %row into %x[%s, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<?x4xf32>
  %z = arith.constant 0.5 : f32
  %pad = tensor.pad %t low[1, 0] high[%s, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x4xf32> to tensor<?x6xf32>
  return %e2, %c2, %sl, %in, %pad : tensor<?x2x2xf32>, tensor<?xf32>, tensor<?x2xf32>, tensor<?x4xf32>, tensor<?x6xf32>
}

//--- in.jsonl
{"x":[[1,2,3,4],[5,6,7,8],[0.1,0.2,0.3,0.4]],"o":1,"s":2}
{"x":[[1,2,3,4]],"o":0,"s":0}
{"x":[[1,2,3,4]],"o":1,"s":1}
{"x":[[1,2,3,4]],"o":0,"s":-1}
{"x":[[1,2,3,4],[1,1,1,1]],"o":0,"s":1}
