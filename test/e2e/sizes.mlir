// Tensors of several open sizes, each of which is possible, but not all together: the instance fails before anything is
// written or read.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: ampc %t/model.mlir -o %t/model
// RUN: not ampc --interpret %t/model.mlir --input %t/in.jsonl --output %t/oracle.jsonl
// RUN: %python %S/Inputs/agree.py %t/model %t/in.jsonl %t/oracle.jsonl

//--- model.mlir
func.func @sizes(%case: index {amp.name = "case"}, %a: index {amp.name = "a"}, %b: index {amp.name = "b"}, %x: f32 {amp.name = "x"}, %t: tensor<?x3x2xf32> {amp.name = "t"})
    -> (tensor<?x?x?xf32> {amp.name = "y"}) {
  %y = scf.index_switch %case -> tensor<?x?x?xf32>
  case 0 {
    %s = tensor.splat %x[%a, %b, %b] : tensor<?x?x?xf32>
    %z = amp.softmax %s : tensor<?x?x?xf32>
    %u = math.tanh %z : tensor<?x?x?xf32>
    scf.yield %u : tensor<?x?x?xf32>
  }
  case 1 {
    %e = tensor.empty(%a, %b, %b) : tensor<?x?x?xf32>
    %z = amp.softmax %e : tensor<?x?x?xf32>
    %u = math.tanh %z : tensor<?x?x?xf32>
    scf.yield %u : tensor<?x?x?xf32>
  }
  case 2 {
    %s = tensor.extract_slice %t[0, 0, 0] [%a, %b, %b] [1, 1, 1] : tensor<?x3x2xf32> to tensor<?x?x?xf32>
    %z = amp.softmax %s : tensor<?x?x?xf32>
    %u = math.tanh %z : tensor<?x?x?xf32>
    scf.yield %u : tensor<?x?x?xf32>
  }
  case 3 {
    %s = tensor.pad %t low[0, 0, 0] high[%a, %b, %b] {
    ^bb0(%i: index, %j: index, %k: index):
      tensor.yield %x : f32
    } : tensor<?x3x2xf32> to tensor<?x?x?xf32>
    %z = amp.softmax %s : tensor<?x?x?xf32>
    %u = math.tanh %z : tensor<?x?x?xf32>
    scf.yield %u : tensor<?x?x?xf32>
  }
  default {
    %s = tensor.generate %a, %b, %b {
    ^bb0(%i: index, %j: index, %k: index):
      tensor.yield %x : f32
    } : tensor<?x?x?xf32>
    %z = amp.softmax %s : tensor<?x?x?xf32>
    %u = math.tanh %z : tensor<?x?x?xf32>
    scf.yield %u : tensor<?x?x?xf32>
  }
  return %y : tensor<?x?x?xf32>
}

//--- in.jsonl
{"case": 0, "a": 2, "b": 1, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]], [[1, 2], [3, 4], [5, 6]]]}
{"case": 1, "a": 2, "b": 1, "x": 1.5, "t": []}
{"case": 2, "a": 1, "b": 2, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]], [[1, 2], [3, 4], [5, 6]]]}
{"case": 3, "a": 1, "b": 1, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
{"case": 4, "a": 2, "b": 1, "x": 1.5, "t": []}
{"case": 0, "a": 67108864, "b": 67108864, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
{"case": 0, "a": 4194304, "b": 4194304, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
{"case": 0, "a": 1048576, "b": 65536, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
{"case": 0, "a": 1, "b": 32769, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
{"case": 1, "a": 67108864, "b": 67108864, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
{"case": 1, "a": 4194304, "b": 4194304, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
{"case": 1, "a": 1048576, "b": 65536, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
{"case": 1, "a": 1, "b": 32769, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
{"case": 2, "a": 67108864, "b": 67108864, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
{"case": 2, "a": 4194304, "b": 4194304, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
{"case": 2, "a": 1048576, "b": 65536, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
{"case": 2, "a": 1, "b": 32769, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
{"case": 3, "a": 67108864, "b": 67108864, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
{"case": 3, "a": 4194304, "b": 4194304, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
{"case": 3, "a": 1048576, "b": 65536, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
{"case": 3, "a": 1, "b": 32769, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
{"case": 4, "a": 67108864, "b": 67108864, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
{"case": 4, "a": 4194304, "b": 4194304, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
{"case": 4, "a": 1048576, "b": 65536, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
{"case": 4, "a": 1, "b": 32769, "x": 1.5, "t": [[[1, 2], [3, 4], [5, 6]]]}
