// Persistent lists: stacks, queues, growing caches.

// RUN: split-file %s %t
// RUN: ampc --interpret %t/ops.mlir --input %t/ops.jsonl --output - | FileCheck %s --check-prefix=OPS
// RUN: ampc --interpret %t/stack.mlir --input %t/stack.jsonl --output - | FileCheck %s --check-prefix=STACK
// RUN: ampc --interpret %t/queue.mlir --input %t/queue.jsonl --output - | FileCheck %s --check-prefix=QUEUE
// RUN: ampc --interpret %t/nested.mlir --input %t/queue.jsonl --output - | FileCheck %s --check-prefix=NESTED
// RUN: ampc --interpret %t/late.mlir --input %t/queue.jsonl --output - | FileCheck %s --check-prefix=LATE
// RUN: ampc --interpret %t/long.mlir --input %t/long.jsonl --output - | FileCheck %s --check-prefix=LONG
// RUN: not ampc --interpret %t/errors.mlir --input %t/errors.jsonl --output - 2>/dev/null | FileCheck %s --check-prefix=ERROR

//--- ops.jsonl
{"a": 5, "b": 7}

//--- ops.mlir
// Two lists that share one element; neither op changes what it is given.
// OPS: {"lengths":[0,1,2,2,1],"last":[7,-7],"at":[5,5,7],"rows":[5,7],"other":[5,-7],"none":[],
// OPS-SAME{LITERAL}: "matrix":[[5.0,7.0],[7.0,5.0]],"chosen":[5]}
func.func @f(%a: i64 {amp.name = "a"}, %b: i64 {amp.name = "b"})
    -> (tensor<5xindex> {amp.name = "lengths"}, tensor<2xi64> {amp.name = "last"}, tensor<3xi64> {amp.name = "at"},
        tensor<?xi64> {amp.name = "rows"}, tensor<?xi64> {amp.name = "other"}, tensor<?x3xbf16> {amp.name = "none"},
        tensor<?x2xf32> {amp.name = "matrix"}, tensor<?xi64> {amp.name = "chosen"}) {
  %zero = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %minus = arith.subi %zero, %b : i64
  %l0 = amp.list : !amp.list<i64>
  %l1 = amp.push %a, %l0 : !amp.list<i64>
  %l2 = amp.push %b, %l1 : !amp.list<i64>
  %m2 = amp.push %minus, %l1 : !amp.list<i64>
  %p1, %p = amp.pop %l2 : !amp.list<i64>
  %q1, %q = amp.pop %m2 : !amp.list<i64>
  %n0 = amp.length %l0 : !amp.list<i64>
  %n1 = amp.length %l1 : !amp.list<i64>
  %n2 = amp.length %l2 : !amp.list<i64>
  %n3 = amp.length %m2 : !amp.list<i64>
  %n4 = amp.length %p1 : !amp.list<i64>
  %lengths = tensor.from_elements %n0, %n1, %n2, %n3, %n4 : tensor<5xindex>
  %last = tensor.from_elements %p, %q : tensor<2xi64>
  %x = amp.at %q1[%c0] : !amp.list<i64>, index
  %y = amp.at %l2[%zero] : !amp.list<i64>, i64
  %z = amp.at %l2[%c1] : !amp.list<i64>, i32
  %at = tensor.from_elements %x, %y, %z : tensor<3xi64>
  %rows = amp.stack %l2 : !amp.list<i64>
  %other = amp.stack %m2 : !amp.list<i64>
  %t0 = amp.list : !amp.list<tensor<3xbf16>>
  %none = amp.stack %t0 : !amp.list<tensor<3xbf16>>
  %u = arith.sitofp %a : i64 to f32
  %v = arith.sitofp %b : i64 to f32
  %uv = tensor.from_elements %u, %v : tensor<2xf32>
  %vu = tensor.from_elements %v, %u : tensor<2xf32>
  %k0 = amp.list : !amp.list<tensor<2xf32>>
  %k1 = amp.push %uv, %k0 : !amp.list<tensor<2xf32>>
  %k2 = amp.push %vu, %k1 : !amp.list<tensor<2xf32>>
  %matrix = amp.stack %k2 : !amp.list<tensor<2xf32>>
  %less = arith.cmpi slt, %a, %b : i64
  %list = arith.select %less, %l1, %l2 : !amp.list<i64>
  %chosen = amp.stack %list : !amp.list<i64>
  return %lengths, %last, %at, %rows, %other, %none, %matrix, %chosen
      : tensor<5xindex>, tensor<2xi64>, tensor<3xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?x3xbf16>, tensor<?x2xf32>,
        tensor<?xi64>
}

//--- stack.jsonl
{"code": [2, 3, 4, -1, -2]}
{"code": [9]}
{"code": [1, 2, -2, 3, 4, -2, -1]}

//--- stack.mlir
// A calculator: numbers are pushed, -1 adds and -2 multiplies the two on top. The list goes through a loop, an if
// and calls: 2 * (3 + 4); 9; 1 * 2 + 3 * 4.
// STACK: {"result":14,"left":0}
// STACK: {"result":9,"left":0}
// STACK: {"result":14,"left":0}
func.func @f(%code: tensor<?xi32> {amp.name = "code"}) -> (i32 {amp.name = "result"}, index {amp.name = "left"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %n = tensor.dim %code, %c0 : tensor<?xi32>
  %empty = amp.list : !amp.list<i32>
  %stack = scf.for %i = %c0 to %n step %c1 iter_args(%s = %empty) -> (!amp.list<i32>) {
    %word = tensor.extract %code[%i] : tensor<?xi32>
    %is_number = arith.cmpi sge, %word, %zero : i32
    %t = scf.if %is_number -> (!amp.list<i32>) {
      %u = amp.push %word, %s : !amp.list<i32>
      scf.yield %u : !amp.list<i32>
    } else {
      %u = func.call @reduce(%word, %s) : (i32, !amp.list<i32>) -> !amp.list<i32>
      scf.yield %u : !amp.list<i32>
    }
    scf.yield %t : !amp.list<i32>
  }
  %rest, %result = amp.pop %stack : !amp.list<i32>
  %left = amp.length %rest : !amp.list<i32>
  return %result, %left : i32, index
}
func.func private @reduce(%word: i32, %s: !amp.list<i32>) -> !amp.list<i32> {
  %minus_one = arith.constant -1 : i32
  %t, %a = amp.pop %s : !amp.list<i32>
  %u, %b = amp.pop %t : !amp.list<i32>
  %sum = arith.addi %a, %b : i32
  %product = arith.muli %a, %b : i32
  %is_sum = arith.cmpi eq, %word, %minus_one : i32
  %c = arith.select %is_sum, %sum, %product : i32
  %v = amp.push %c, %u : !amp.list<i32>
  return %v : !amp.list<i32>
}

//--- queue.jsonl
{"n": 7}
{"n": 1}

//--- queue.mlir
// Breadth first through the tree whose node k has children 2k and 2k + 1, below n + 1: a queue in a while.
// QUEUE: {"order":[1,2,3,4,5,6,7],"squares":[1,4,9,16,25,36,49],"sum":28}
// QUEUE: {"order":[1],"squares":[1],"sum":1}
func.func @f(%n: index {amp.name = "n"})
    -> (tensor<?xindex> {amp.name = "order"}, tensor<?xindex> {amp.name = "squares"}, index {amp.name = "sum"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = amp.list : !amp.list<index>
  %start = amp.push %c1, %none : !amp.list<index>
  %queue, %end = scf.while (%q = %start, %head = %c0) : (!amp.list<index>, index) -> (!amp.list<index>, index) {
    %length = amp.length %q : !amp.list<index>
    %more = arith.cmpi ult, %head, %length : index
    scf.condition(%more) %q, %head : !amp.list<index>, index
  } do {
  ^bb0(%q: !amp.list<index>, %head: index):
    %node = amp.at %q[%head] : !amp.list<index>, index
    %left = arith.muli %node, %c2 : index
    %right = arith.addi %left, %c1 : index
    %q1 = func.call @add(%left, %n, %q) : (index, index, !amp.list<index>) -> !amp.list<index>
    %q2 = func.call @add(%right, %n, %q1) : (index, index, !amp.list<index>) -> !amp.list<index>
    %next = arith.addi %head, %c1 : index
    scf.yield %q2, %next : !amp.list<index>, index
  }
  %order = amp.stack %queue : !amp.list<index>
  // What maps and scans use from outside.
  %squares = amp.map %i to %end -> (tensor<?xindex>) {
    %node = amp.at %queue[%i] : !amp.list<index>, index
    %square = arith.muli %node, %node : index
    amp.yield %square : index
  }
  %rest, %sum = amp.scan %i = %c0 to %end carry(%q = %queue, %s = %c0) : (!amp.list<index>, index) {
    %q1, %node = amp.pop %q : !amp.list<index>
    %s1 = arith.addi %s, %node : index
    amp.yield %q1, %s1 : !amp.list<index>, index
  }
  return %order, %squares, %sum : tensor<?xindex>, tensor<?xindex>, index
}
func.func private @add(%node: index, %n: index, %q: !amp.list<index>) -> !amp.list<index> {
  %fits = arith.cmpi sle, %node, %n : index
  %r = scf.if %fits -> (!amp.list<index>) {
    %longer = amp.push %node, %q : !amp.list<index>
    scf.yield %longer : !amp.list<index>
  } else {
    scf.yield %q : !amp.list<index>
  }
  return %r : !amp.list<index>
}

//--- nested.mlir
// Lists of lists, of tensors of open shapes: row i has the numbers below i.
// NESTED: {"length":7,"inner":5,"sum":15,"row":[0,1,2,3,4,5]}
// NESTED: {"length":1,"inner":0,"sum":0,"row":[]}
func.func @f(%n: index {amp.name = "n"})
    -> (index {amp.name = "length"}, index {amp.name = "inner"}, index {amp.name = "sum"}, tensor<?xindex> {amp.name = "row"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = amp.list : !amp.list<index>
  %no_lists = amp.list : !amp.list<!amp.list<index>>
  %no_rows = amp.list : !amp.list<tensor<?xindex>>
  %below, %lists, %rows = scf.for %i = %c0 to %n step %c1 iter_args(%b = %none, %l = %no_lists, %r = %no_rows)
      -> (!amp.list<index>, !amp.list<!amp.list<index>>, !amp.list<tensor<?xindex>>) {
    %l1 = amp.push %b, %l : !amp.list<!amp.list<index>>
    %row = amp.stack %b : !amp.list<index>
    %r1 = amp.push %row, %r : !amp.list<tensor<?xindex>>
    %b1 = amp.push %i, %b : !amp.list<index>
    scf.yield %b1, %l1, %r1 : !amp.list<index>, !amp.list<!amp.list<index>>, !amp.list<tensor<?xindex>>
  }
  %length = amp.length %lists : !amp.list<!amp.list<index>>
  %last = arith.subi %n, %c1 : index
  %list = amp.at %lists[%last] : !amp.list<!amp.list<index>>, index
  %row = amp.at %rows[%last] : !amp.list<tensor<?xindex>>, index
  // Of the last list, without its last element.
  %has = arith.cmpi sgt, %last, %c0 : index
  %inner, %sum = scf.if %has -> (index, index) {
    %shorter, %top = amp.pop %list : !amp.list<index>
    %k = amp.length %shorter : !amp.list<index>
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %c0) -> (index) {
      %inside = arith.cmpi sle, %i, %top : index
      %x = scf.if %inside -> (index) {
        %y = amp.at %list[%i] : !amp.list<index>, index
        scf.yield %y : index
      } else {
        scf.yield %c0 : index
      }
      %u = arith.addi %t, %x : index
      scf.yield %u : index
    }
    scf.yield %k, %s : index, index
  } else {
    scf.yield %c0, %c0 : index, index
  }
  return %length, %inner, %sum, %row : index, index, index, tensor<?xindex>
}

//--- late.mlir
// Elements that are gathered from rows given later in the text.
// LATE: {"rows":[49,7]}
// LATE: {"rows":[1,1]}
func.func @f(%n: i64 {amp.name = "n"}) -> (tensor<?xi64> {amp.name = "rows"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out = amp.collector %c1 : !amp.collector<tensor<1xi64>>
  %all = amp.collect %out : !amp.collector<tensor<1xi64>> -> tensor<?x1xi64>
  %late = tensor.extract %all[%c0, %c0] : tensor<?x1xi64>
  %l0 = amp.list : !amp.list<i64>
  %l1 = amp.push %late, %l0 : !amp.list<i64>
  %l2 = amp.push %n, %l1 : !amp.list<i64>
  %rows = amp.stack %l2 : !amp.list<i64>
  %square = arith.muli %n, %n : i64
  %row = tensor.from_elements %square : tensor<1xi64>
  amp.emit %row, %out[%c0] : !amp.collector<tensor<1xi64>>, index
  return %rows : tensor<?xi64>
}

//--- long.jsonl
{"n": 100000}

//--- long.mlir
// Each element of a long list is read where it is longest: number i is i.
// LONG: {"sum":4999950000,"length":100000}
func.func @f(%n: index {amp.name = "n"}) -> (index {amp.name = "sum"}, index {amp.name = "length"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = amp.list : !amp.list<index>
  %list = scf.for %i = %c0 to %n step %c1 iter_args(%l = %none) -> (!amp.list<index>) {
    %l1 = amp.push %i, %l : !amp.list<index>
    scf.yield %l1 : !amp.list<index>
  }
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (index) {
    %x = amp.at %list[%i] : !amp.list<index>, index
    %t = arith.addi %s, %x : index
    scf.yield %t : index
  }
  %length = amp.length %list : !amp.list<index>
  return %sum, %length : index, index
}

//--- errors.jsonl
{"case": 0, "i": 0}
{"case": 1, "i": 1}
{"case": 1, "i": 2}
{"case": 1, "i": -1}
{"case": 2, "i": 0}
{"case": 3, "i": 0}

//--- errors.mlir
// ERROR: {"r":0}
// ERROR: {"r":20}
func.func @f(%case: index {amp.name = "case"}, %i: i32 {amp.name = "i"}) -> (i32 {amp.name = "r"}) {
  %zero = arith.constant 0 : i32
  %ten = arith.constant 10 : i32
  %twenty = arith.constant 20 : i32
  %l0 = amp.list : !amp.list<i32>
  %l1 = amp.push %ten, %l0 : !amp.list<i32>
  %l2 = amp.push %twenty, %l1 : !amp.list<i32>
  %r = scf.index_switch %case -> i32
  case 1 { // ERROR: {"error":"{{.*}}errors.mlir:12:10: index 2 is outside [0, 2)"}
    %x = amp.at %l2[%i] : !amp.list<i32>, i32 // ERROR: {"error":"{{.*}}errors.mlir:12:10: index -1 is outside [0, 2)"}
    scf.yield %x : i32
  }
  case 2 { // ERROR: {"error":"{{.*}}errors.mlir:16:17: pop of an empty list"}
    %rest, %x = amp.pop %l0 : !amp.list<i32>
    scf.yield %x : i32
  }
  case 3 { // ERROR: {"error":"{{.*}}errors.mlir:22:14: pop of an empty list"}
    %a, %x = amp.pop %l2 : !amp.list<i32>
    %b, %y = amp.pop %a : !amp.list<i32>
    %c, %z = amp.pop %b : !amp.list<i32>
    scf.yield %z : i32
  }
  default {
    scf.yield %zero : i32
  }
  return %r : i32
}
