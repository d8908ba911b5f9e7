// Persistent lists as stack, queue, list of lists and growing result; they cross calls, arms and loops, and share
// what they have in common; pops of empty lists and indices outside the list.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: ampc %t/model.mlir -o %t/model
// RUN: not ampc --interpret %t/model.mlir --input %t/in.jsonl --output %t/oracle.jsonl
// RUN: %python %S/Inputs/agree.py %t/model %t/in.jsonl %t/oracle.jsonl

//--- model.mlir
amp.param @W : tensor<8x4xf32> init(glorot)

// A stack machine: numbers push a row of x, -1 replaces the two on top by what a product makes of them, -2 drops one.
func.func private @reduce(%stack: !amp.list<tensor<4xf32>>) -> !amp.list<tensor<4xf32>> {
  %W = amp.get @W : tensor<8x4xf32>
  %r1, %b = amp.pop %stack : !amp.list<tensor<4xf32>>
  %r2, %a = amp.pop %r1 : !amp.list<tensor<4xf32>>
  %ab = tensor.concat dim(0) %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %y = amp.linear %ab, %W : tensor<8xf32>, tensor<8x4xf32>
  %t = math.tanh %y : tensor<4xf32>
  %r3 = amp.push %t, %r2 : !amp.list<tensor<4xf32>>
  return %r3 : !amp.list<tensor<4xf32>>
}

func.func @lists(%x: tensor<?x4xf32> {amp.name = "x"}, %program: tensor<?xi32> {amp.name = "program"}, %at: index {amp.name = "at"})
    -> (tensor<?x4xf32> {amp.name = "stack"}, index {amp.name = "depth"}, tensor<?xi32> {amp.name = "queue"},
        tensor<4xf32> {amp.name = "element"}, tensor<?xindex> {amp.name = "lengths"}, i1 {amp.name = "flag"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %drop = arith.constant -2 : i32
  %n = tensor.dim %program, %c0 : tensor<?xi32>
  %none = amp.list : !amp.list<tensor<4xf32>>
  %noLengths = amp.list : !amp.list<index>
  %stack, %lengths = scf.for %i = %c0 to %n step %c1 iter_args(%s = %none, %ls = %noLengths)
      -> (!amp.list<tensor<4xf32>>, !amp.list<index>) {
    %op = tensor.extract %program[%i] : tensor<?xi32>
    %isPush = arith.cmpi sge, %op, %zero : i32
    %next = scf.if %isPush -> !amp.list<tensor<4xf32>> {
      %row = amp.lookup %x[%op] : tensor<?x4xf32>, i32
      %pushed = amp.push %row, %s : !amp.list<tensor<4xf32>>
      scf.yield %pushed : !amp.list<tensor<4xf32>>
    } else {
      %isDrop = arith.cmpi eq, %op, %drop : i32
      %popped = scf.if %isDrop -> !amp.list<tensor<4xf32>> {
        %rest, %top = amp.pop %s : !amp.list<tensor<4xf32>>
        scf.yield %rest : !amp.list<tensor<4xf32>>
      } else {
        %reduced = func.call @reduce(%s) : (!amp.list<tensor<4xf32>>) -> !amp.list<tensor<4xf32>>
        scf.yield %reduced : !amp.list<tensor<4xf32>>
      }
      scf.yield %popped : !amp.list<tensor<4xf32>>
    }
    %length = amp.length %next : !amp.list<tensor<4xf32>>
    %ls2 = amp.push %length, %ls : !amp.list<index>
    scf.yield %next, %ls2 : !amp.list<tensor<4xf32>>, !amp.list<index>
  }
  %rows = amp.stack %stack : !amp.list<tensor<4xf32>>
  %depth = amp.length %stack : !amp.list<tensor<4xf32>>
  %element = amp.at %stack[%at] : !amp.list<tensor<4xf32>>, index
  %all = amp.stack %lengths : !amp.list<index>

  // A queue: pushed at one end, read at the other; each element is pushed once more at half its value until it is 0.
  %empty = amp.list : !amp.list<i32>
  %first = arith.index_cast %n : index to i32
  %q0 = amp.push %first, %empty : !amp.list<i32>
  %queue, %end = scf.while (%q = %q0, %head = %c0) : (!amp.list<i32>, index) -> (!amp.list<i32>, index) {
    %size = amp.length %q : !amp.list<i32>
    %more = arith.cmpi ult, %head, %size : index
    scf.condition(%more) %q, %head : !amp.list<i32>, index
  } do {
  ^bb0(%q: !amp.list<i32>, %head: index):
    %v = amp.at %q[%head] : !amp.list<i32>, index
    %one = arith.constant 1 : i32
    %half = arith.shrsi %v, %one : i32
    %isNot = arith.cmpi ne, %half, %zero : i32
    %q2 = scf.if %isNot -> !amp.list<i32> {
      %p = amp.push %half, %q : !amp.list<i32>
      scf.yield %p : !amp.list<i32>
    } else {
      scf.yield %q : !amp.list<i32>
    }
    %head2 = arith.addi %head, %c1 : index
    scf.yield %q2, %head2 : !amp.list<i32>, index
  }
  %numbers = amp.stack %queue : !amp.list<i32>

  // Lists of lists, and of truth values.
  %ll0 = amp.list : !amp.list<!amp.list<i32>>
  %ll1 = amp.push %queue, %ll0 : !amp.list<!amp.list<i32>>
  %ll2 = amp.push %empty, %ll1 : !amp.list<!amp.list<i32>>
  %inner = amp.at %ll2[%c0] : !amp.list<!amp.list<i32>>, index
  %same = amp.length %inner : !amp.list<i32>
  %isSame = arith.cmpi eq, %same, %end : index
  %bits0 = amp.list : !amp.list<i1>
  %bits1 = amp.push %isSame, %bits0 : !amp.list<i1>
  %bits2, %flag = amp.pop %bits1 : !amp.list<i1>
  return %rows, %depth, %numbers, %element, %all, %flag
    : tensor<?x4xf32>, index, tensor<?xi32>, tensor<4xf32>, tensor<?xindex>, i1
}

//--- in.jsonl
{"x": [[0.633, 0.795, 0.419, 0.108], [1.95, -0.588, -1.674, 0.854], [-0.008, 0.183, 0.391, -1.001]], "program": [0, 1, 2], "at": 1}
{"x": [[-1.197, -1.715, 1.126, 1.634], [0.787, -1.533, 1.914, 1.307], [0.037, -1.996, 1.375, 0.493]], "program": [0, 1, -1], "at": 0}
{"x": [[0.489, -1.927, 0.932, -1.863], [-0.088, -1.421, -0.561, 1.561], [0.994, 1.264, -0.807, -0.446]], "program": [0, 1, -1, 2, -1, 0], "at": 1}
{"x": [[0.419, -1.864, -0.351, 1.9], [1.016, 1.451, -0.805, 0.763], [1.155, 0.818, -0.25, -1.301]], "program": [0, -2, 1], "at": 0}
{"x": [[-1.928, 1.548, 1.727, -0.896], [1.023, -0.372, 0.51, 1.368], [-0.715, 0.48, -0.976, 0.044]], "program": [], "at": 0}
{"x": [[-1.88, -0.946, -0.851, 1.658], [-1.47, 1.033, -1.653, 1.945], [-1.336, -1.631, -1.154, 1.732]], "program": [0, -1], "at": 0}
{"x": [[0.675, 1.562, -0.003, -1.544], [-0.638, -0.177, 1.961, -1.334], [-1.023, 1.373, -1.544, 1.886]], "program": [0, 5], "at": 0}
{"x": [[-0.814, 0.269, 0.643, 1.628], [-1.697, 1.387, -1.283, 0.873], [-1.891, 1.067, -1.276, -1.175]], "program": [0, 1], "at": 2}
{"x": [[-1.861, -0.702, -0.687, 1.932], [0.427, -0.543, 1.96, -1.313], [-1.14, 1.824, 1.806, 0.736]], "program": [-2], "at": 0}
{"x": [[1.387, 1.191, -0.431, 0.405], [-0.016, -0.705, -0.28, -0.377], [-1.855, 1.674, -1.275, -0.567]], "program": [0, 2, 0, 0, 0, 1, -1, 0], "at": 0}
{"x": [[-0.813, 0.76, -0.714, 0.164], [1.765, 1.803, 1.201, 1.209], [-1.345, 1.981, 0.469, -0.597]], "program": [1, 2, -2, 1, 1, -2, 0, 2, -1, 2, -2, 0, 0, 1, 1, 2, 1, -2, 1, 0, 0, 0, 1], "at": 0}
{"x": [[0.973, 1.691, 0.865, -1.154], [-0.678, 0.39, -1.783, -1.686], [-1.355, 0.702, -1.756, 1.34]], "program": [2, 0, 1, -1, 0], "at": 0}
{"x": [[-0.259, -0.743, 0.538, -1.32], [-0.618, 0.703, 0.177, 1.835], [1.745, -0.968, -0.66, 0.15]], "program": [2, 2, -2, 0, 0, 0, 0, -1, -1, 1, 1, -2, 1, -2, 0, 1, 1, -2, 2, 1], "at": 0}
{"x": [[-0.098, 1.464, -1.164, -0.11], [-0.87, 0.764, 1.839, 1.552], [-0.849, -0.332, -1.989, 0.117]], "program": [1, 2, -2, 1, 1, 1, -1, -1, 1, 0, 0, 0, -2, 1, 1, 1, -2, 0, 1, -2, 1, 0, -2, 1, 2, 1, 0, 0, 0, 1, 1, -2, 1, -2, 1, 2, -2, 0, 2], "at": 0}
{"x": [[0.341, 0.32, 0.493, 0.407], [-1.979, -1.827, -0.911, 0.575], [1.097, 0.371, 1.854, -1.39]], "program": [1, 2, 0, 1, -1, 0, 0, 1, -1, 1, 0, 2, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 2, -2, -2, -2, -1, 0, 0, -2, 0, 2, 0, 1, 0, 1, -2, 0, -2, 0, 0, 0, 0, 1, -1, 1, 0, 1, -2, 2, -2, 2, 0, 2, 1, -2], "at": 0}
