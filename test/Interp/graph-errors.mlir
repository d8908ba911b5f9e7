// Graphs that fail an instance, each with its place and reason; and modules that are neither programs nor graphs.

// RUN: split-file %s %t
// RUN: not ampc --interpret %t/nodes.mlir --input %t/nodes.jsonl --output - 2>/dev/null | FileCheck %s --check-prefix=NODE
// RUN: not ampc --interpret %t/merge.mlir --input %t/merge.jsonl --output - 2>/dev/null | FileCheck %s --check-prefix=MERGE
// RUN: not ampc --interpret %t/collector.mlir --input %t/merge.jsonl --output - 2>/dev/null | FileCheck %s --check-prefix=COLLECT
// RUN: not ampc --interpret %t/endless.mlir --input %t/endless.jsonl --output - 2>/dev/null | FileCheck %s --check-prefix=ENDLESS
// RUN: not ampc --interpret %t/both.mlir --input %t/merge.jsonl --output - 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not ampc --interpret %t/two.mlir --input %t/merge.jsonl --output - 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not ampc --interpret %t/name.mlir --input %t/merge.jsonl --output - 2>&1 | FileCheck %s --check-prefix=NAME

//--- nodes.jsonl
{"n": 4, "step": 1, "k": 3}
{"n": 4, "step": 0, "k": 3}
{"n": 4, "step": -2, "k": 3}
{"n": 4, "step": 1, "k": 8}
{"n": 9, "step": 1, "k": 3}

//--- nodes.mlir
// NODE: {"sum":6,"half":1}
// NODE: {"error":"{{.*}}nodes.mlir:11:10: the step is 0, not above 0"}
// NODE: {"error":"{{.*}}nodes.mlir:11:10: the step is -2, not above 0"}
// NODE: {"error":"{{.*}}nodes.mlir:17:11: the inverse of a re-key does not lead back to its key, 8"}
// NODE: {"error":"{{.*}}nodes.mlir:13:10: index 4 is outside [0, 4)"}
amp.graph @f(%n: index {amp.name = "n"}, %step: index {amp.name = "step"}, %k: index {amp.name = "k"})
    -> (index {amp.name = "sum"}, index {amp.name = "half"}) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %x = arith.constant dense<[0, 1, 2, 3]> : tensor<4xindex>
  %sum = amp.loop range(%c0, %n, %step) init(%c0 : index) -> (index) stacked () {
  ^bb0(%i: index, %s: index):
    %e = tensor.extract %x[%i] : tensor<4xindex>
    %t = arith.addi %s, %e : index
    amp.next carried(%t : index)
  }
  %half = amp.rekey %k : index forward {
  ^bb0(%i: index):
    %two = arith.constant 2 : index
    %j = arith.divui %i, %two : index
    amp.yield %j : index
  } inverse {
  ^bb0(%i: index):
    %two = arith.constant 2 : index
    %one = arith.constant 1 : index
    %j = arith.muli %i, %two : index
    %l = arith.addi %j, %one : index
    amp.yield %l : index
  }
  amp.return %sum, %half : index, index
}

//--- merge.jsonl
{"c": true, "d": false, "x": 5}
{"c": true, "d": true, "x": 5}
{"c": false, "d": false, "x": 5}

//--- merge.mlir
// Not a graph that the verifier accepts: the sides are of two decisions.
// MERGE: {"y":5}
// MERGE: {"error":"{{.*}}merge.mlir:8:8: both operands of a merge have arrived"}
// MERGE: {"error":"{{.*}}merge.mlir:9:3: result 0 never arrives"}
amp.graph @f(%c: i1 {amp.name = "c"}, %d: i1 {amp.name = "d"}, %x: i32 {amp.name = "x"}) -> (i32 {amp.name = "y"}) {
  %c_t, %c_f = amp.branch %c, %x : i32
  %d_t, %d_f = amp.branch %d, %x : i32
  %y = amp.merge %c_t, %d_t : i32
  amp.return %y : i32
}

//--- collector.mlir
// A row on one side only: where it is not given, it is missing; and a wait in a circle.
// COLLECT: {"error":"{{.*}}collector.mlir:12:13: 1 of 1 row is missing"}
// COLLECT: {"error":"{{.*}}collector.mlir:12:13: 1 of 1 row is missing"}
// COLLECT: {"error":"{{.*}}collector.mlir:7:10: 1 of 1 row is missing"}
amp.graph @f(%c: i1 {amp.name = "c"}, %x: i32 {amp.name = "x"}) -> (tensor<?x1xi32> {amp.name = "y"}, tensor<?x1xi32> {amp.name = "z"}) {
  %c1 = arith.constant 1 : index
  %out = amp.collector %c1 : !amp.collector<tensor<1xi32>>
  %x_t, %x_f = amp.branch %c, %x : i32
  %row = tensor.from_elements %x_t : tensor<1xi32>
  %c0 = arith.constant 0 : index
  amp.emit %row, %out[%c0] : !amp.collector<tensor<1xi32>>, index
  %circle = amp.collector %c1 : !amp.collector<tensor<1xi32>>
  %y = amp.collect %out : !amp.collector<tensor<1xi32>> -> tensor<?x1xi32>
  %z = amp.collect %circle : !amp.collector<tensor<1xi32>> -> tensor<?x1xi32>
  %again = tensor.extract_slice %z[0, 0] [1, 1] [1, 1] : tensor<?x1xi32> to tensor<1xi32>
  amp.emit %again, %circle[%c0] : !amp.collector<tensor<1xi32>>, index
  amp.return %y, %z : tensor<?x1xi32>, tensor<?x1xi32>
}

//--- endless.jsonl
{"n": 1, "loop": false}
{"n": 0, "loop": true}
{"n": 0, "loop": false}

//--- endless.mlir
// ENDLESS: {"error":"{{.*}}endless.mlir:14:1: recursion is too deep: too many calls inside one another"}
// ENDLESS: {"error":"{{.*}}endless.mlir:6:8: the step limit is reached: too many activations"}
// ENDLESS: {"n":0}
amp.graph @f(%n: index {amp.name = "n"}, %loop: i1 {amp.name = "loop"}) -> (index {amp.name = "n"}) {
  %c0 = arith.constant 0 : index
  %m = amp.loop init(%n : index) -> (index) stacked () {
  ^bb0(%i: index):
    %more, %done = amp.branch %loop, %i : index
    amp.next while(%loop) carried(%more : index) exit(%done : index)
  }
  %r = amp.call @again(%m) : (index) -> index
  amp.return %r : index
}
amp.graph private @again(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %t, %f = amp.branch %done, %n : index
  %s = amp.call @again(%f) : (index) -> index
  %r = amp.merge %t, %s : index
  amp.return %r : index
}

//--- both.mlir
// BOTH: both.mlir:6:1: error: expected functions only or graphs only, but here both are
// BOTH: both.mlir:3:1: note: this is one of the others
func.func private @g(%x: i32) -> i32 {
  return %x : i32
}
amp.graph @f(%x: i32 {amp.name = "x"}) -> (i32 {amp.name = "y"}) {
  amp.return %x : i32
}

//--- two.mlir
// TWO: two.mlir:6:1: error: expected one public function, the entry, but this is another one
// TWO: two.mlir:3:1: note: the first one is here
amp.graph @f(%x: i32 {amp.name = "x"}) -> (i32 {amp.name = "y"}) {
  amp.return %x : i32
}
amp.graph @g(%x: i32 {amp.name = "x"}) -> (i32 {amp.name = "y"}) {
  amp.return %x : i32
}

//--- name.mlir
// NAME: name.mlir:2:14: error: expected field 0 to have a name: the string attribute amp.name
amp.graph @f(%x: i32) -> (i32 {amp.name = "y"}) {
  amp.return %x : i32
}
