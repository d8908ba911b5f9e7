// Graphs (level B): routing, calls, loops, maps, and what a node waits for.

// RUN: split-file %s %t
// RUN: ampc --interpret %t/branches.mlir --input %t/branches.jsonl --output - | FileCheck %s --check-prefix=BRANCH
// RUN: ampc --interpret %t/calls.mlir --input %t/n.jsonl --output - | FileCheck %s --check-prefix=CALL
// RUN: ampc --interpret %t/range.mlir --input %t/range.jsonl --output - | FileCheck %s --check-prefix=RANGE
// RUN: ampc --interpret %t/while.mlir --input %t/n.jsonl --output - | FileCheck %s --check-prefix=WHILE
// RUN: ampc --interpret %t/maps.mlir --input %t/maps.jsonl --output - | FileCheck %s --check-prefix=MAP
// RUN: ampc --interpret %t/bodies.mlir --input %t/bodies.jsonl --output - | FileCheck %s --check-prefix=BODY
// RUN: ampc --interpret %t/late.mlir --input %t/n.jsonl --output - | FileCheck %s --check-prefix=LATE
// RUN: ampc --interpret %t/lists.mlir --input %t/n.jsonl --output - | FileCheck %s --check-prefix=LIST
// RUN: ampc --interpret %t/deep.mlir --input %t/deep.jsonl --output - | FileCheck %s --check-prefix=DEEP

// The verifier accepts these graphs.
// RUN: amp-opt --amp-verify-graph %t/branches.mlir -o /dev/null
// RUN: amp-opt --amp-verify-graph %t/calls.mlir -o /dev/null
// RUN: amp-opt --amp-verify-graph %t/range.mlir -o /dev/null
// RUN: amp-opt --amp-verify-graph %t/while.mlir -o /dev/null
// RUN: amp-opt --amp-verify-graph %t/maps.mlir -o /dev/null
// RUN: amp-opt --amp-verify-graph %t/bodies.mlir -o /dev/null
// RUN: amp-opt --amp-verify-graph %t/late.mlir -o /dev/null
// RUN: amp-opt --amp-verify-graph %t/lists.mlir -o /dev/null
// RUN: amp-opt --amp-verify-graph %t/deep.mlir -o /dev/null

//--- n.jsonl
{"n": 6}
{"n": 1}
{"n": 0}

//--- branches.jsonl
{"x": 12, "d": 4}
{"x": 12, "d": 0}
{"x": -3, "d": 0}

//--- branches.mlir
// x / d where d is not zero, else x where that is positive, else 0. The division does not run by zero.
// BRANCH: {"y":3,"twice":6}
// BRANCH: {"y":12,"twice":24}
// BRANCH: {"y":0,"twice":0}
amp.graph @f(%x: i32 {amp.name = "x"}, %d: i32 {amp.name = "d"}) -> (i32 {amp.name = "y"}, i32 {amp.name = "twice"}) {
  %zero = arith.constant 0 : i32
  %some = arith.cmpi ne, %d, %zero : i32
  %x_some, %x_none = amp.branch %some, %x : i32
  %d_some, %d_none = amp.branch %some, %d : i32
  %q = arith.divsi %x_some, %d_some : i32
  // A decision in an arm, the other side of which gives a routed constant.
  %positive = arith.cmpi sgt, %x_none, %zero : i32
  %p, %unused = amp.branch %positive, %x_none : i32
  %unused2, %z = amp.branch %positive, %d_none : i32
  %inner = amp.merge %p, %z : i32
  // Operands in any order.
  %y = amp.merge %inner, %q : i32
  %twice = arith.addi %y, %y : i32
  amp.return %y, %twice : i32, i32
}

//--- calls.mlir
// Fibonacci numbers: each activation of @fib makes two others, or none. A call that has no operands waits for its arm.
// CALL: {"fib":8,"count":13}
// CALL: {"fib":1,"count":1}
// CALL: {"fib":0,"count":1}
amp.graph @f(%n: index {amp.name = "n"}) -> (index {amp.name = "fib"}, index {amp.name = "count"}) {
  %fib, %count = amp.call @fib(%n) : (index) -> (index, index)
  amp.return %fib, %count : index, index
}
// The number, and how many leaves there are.
amp.graph private @fib(%n: index) -> (index, index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %small = arith.cmpi sle, %n, %c1 : index
  %leaf, %inner = amp.branch %small, %n : index
  %taken, %not_taken = amp.branch %small, %small : i1
  %one = amp.call @one() after(%taken : i1) : () -> index
  %p = arith.subi %inner, %c1 : index
  %q = arith.subi %inner, %c2 : index
  %a, %ka = amp.call @fib(%p) : (index) -> (index, index)
  %b, %kb = amp.call @fib(%q) : (index) -> (index, index)
  %s = arith.addi %a, %b : index
  %k = arith.addi %ka, %kb : index
  %r = amp.merge %leaf, %s : index
  %rk = amp.merge %one, %k : index
  amp.return %r, %rk : index, index
}
amp.graph private @one() -> index {
  %c1 = arith.constant 1 : index
  amp.return %c1 : index
}

//--- range.jsonl
{"lo": 1, "up": 8, "step": 3}
{"lo": 1, "up": 7, "step": 3}
{"lo": 5, "up": 5, "step": 1}
{"lo": 9, "up": -9, "step": 1}
{"lo": -9223372036854775808, "up": 9223372036854775807, "step": 9223372036854775807}

//--- range.mlir
// RANGE{LITERAL}: {"digits":147,"indices":[1,4,7],"pairs":[[1,0],[4,1],[7,14]],"reverse_digits":741,"reverse_indices":[1,4,7],"seen":[74,7,0]}
// RANGE{LITERAL}: {"digits":14,"indices":[1,4],"pairs":[[1,0],[4,1]],"reverse_digits":41,"reverse_indices":[1,4],"seen":[4,0]}
// RANGE{LITERAL}: {"digits":0,"indices":[],"pairs":[],"reverse_digits":0,"reverse_indices":[],"seen":[]}
// RANGE{LITERAL}: {"digits":0,"indices":[],"pairs":[],"reverse_digits":0,"reverse_indices":[],"seen":[]}
// The indices are -2^63, -1 and 2^63 - 2; digits wrap.
// RANGE: "indices":[-9223372036854775808,-1,9223372036854775806],
// RANGE-SAME: "reverse_indices":[-9223372036854775808,-1,9223372036854775806],
amp.graph @f(%lo: index {amp.name = "lo"}, %up: index {amp.name = "up"}, %step: index {amp.name = "step"})
    -> (index {amp.name = "digits"}, tensor<?xindex> {amp.name = "indices"}, tensor<?x2xindex> {amp.name = "pairs"},
        index {amp.name = "reverse_digits"}, tensor<?xindex> {amp.name = "reverse_indices"}, tensor<?xindex> {amp.name = "seen"}) {
  %c0 = arith.constant 0 : index
  %ten = arith.constant 10 : index
  %digits, %indices, %pairs = amp.loop range(%lo, %up, %step) init(%c0 : index)
      -> (index) stacked (tensor<?xindex>, tensor<?x2xindex>) {
  ^bb0(%i: index, %d: index):
    %shifted = arith.muli %d, %ten : index
    %e = arith.addi %shifted, %i : index
    %pair = tensor.from_elements %i, %d : tensor<2xindex>
    amp.next carried(%e : index) stacked(%i, %pair : index, tensor<2xindex>)
  }
  %reverse_digits, %reverse_indices, %seen = amp.loop reverse range(%lo, %up, %step) init(%c0 : index)
      -> (index) stacked (tensor<?xindex>, tensor<?xindex>) {
  ^bb0(%i: index, %d: index):
    %shifted = arith.muli %d, %ten : index
    %e = arith.addi %shifted, %i : index
    amp.next carried(%e : index) stacked(%i, %d : index, index)
  }
  amp.return %digits, %indices, %pairs, %reverse_digits, %reverse_indices, %seen
      : index, tensor<?xindex>, tensor<?x2xindex>, index, tensor<?xindex>, tensor<?xindex>
}

//--- while.mlir
// The steps of Collatz' sequence from n to 1 (6, 3, 10, 5, 16, 8, 4, 2, 1), and the largest number on the way; the exit values
// have other types than the carried ones. From 0, which never gets there, there are no more than 20.
// WHILE: {"steps":8,"largest":16.0}
// WHILE: {"steps":0,"largest":1.0}
// WHILE: {"steps":20,"largest":0.0}
amp.graph @f(%n: index {amp.name = "n"}) -> (index {amp.name = "steps"}, f32 {amp.name = "largest"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c20 = arith.constant 20 : index
  %steps, %largest = amp.loop init(%n, %c0, %n : index, index, index) -> (index, f32) stacked () {
  ^bb0(%m: index, %k: index, %max: index):
    %other = arith.cmpi ne, %m, %c1 : index
    %below = arith.cmpi slt, %k, %c20 : index
    %more = arith.andi %other, %below : i1
    %m_t, %m_f = amp.branch %more, %m : index
    %k_t, %k_f = amp.branch %more, %k : index
    %max_t, %max_f = amp.branch %more, %max : index
    %bit = arith.remui %m_t, %c2 : index
    %odd = arith.cmpi eq, %bit, %c1 : index
    %m_odd, %m_even = amp.branch %odd, %m_t : index
    %half = arith.divui %m_even, %c2 : index
    %triple = arith.muli %m_odd, %c3 : index
    %triple1 = arith.addi %triple, %c1 : index
    %next = amp.merge %triple1, %half : index
    %k1 = arith.addi %k_t, %c1 : index
    %max1 = arith.maxsi %max_t, %next : index
    %l = arith.index_cast %max_f : index to i64
    %x = arith.sitofp %l : i64 to f32
    amp.next while(%more) carried(%next, %k1, %max1 : index, index, index) exit(%k_f, %x : index, f32)
  }
  amp.return %steps, %largest : index, f32
}

//--- maps.jsonl
{"n": 3, "c": true}
{"n": 3, "c": false}
{"n": 0, "c": true}

//--- maps.mlir
// On one side only there is a collector, a map that gives its rows (though the map's count exists on both sides, and the rows depend
// on nothing that is routed), and a flatmap.
// MAP{LITERAL}: {"y":[[7,7],[7,7],[7,7]],"flat":[0,0,1,0,1,2]}
// MAP{LITERAL}: {"y":[[1,2]],"flat":[]}
// MAP{LITERAL}: {"y":[],"flat":[]}
amp.graph @f(%n: index {amp.name = "n"}, %c: i1 {amp.name = "c"}) -> (tensor<?x2xi32> {amp.name = "y"}, tensor<?xindex> {amp.name = "flat"}) {
  %c1 = arith.constant 1 : index
  %row = arith.constant dense<7> : tensor<2xi32>
  %n_t, %n_f = amp.branch %c, %n : index
  %out = amp.collector %n_t : !amp.collector<tensor<2xi32>>
  amp.map %i to %n {
    amp.emit %row, %out[%i] : !amp.collector<tensor<2xi32>>, index
  }
  %rows = amp.collect %out : !amp.collector<tensor<2xi32>> -> tensor<?x2xi32>
  %one = arith.constant dense<[[1, 2]]> : tensor<1x2xi32>
  %open = tensor.cast %one : tensor<1x2xi32> to tensor<?x2xi32>
  %open_t, %open_f = amp.branch %c, %open : tensor<?x2xi32>
  %y = amp.merge %rows, %open_f : tensor<?x2xi32>
  %flat_t = amp.flatmap %i to %n -> (tensor<?xindex>) {
    %k = arith.minui %i, %n_t : index
    %size = arith.addi %k, %c1 : index
    %part = tensor.generate %size {
    ^bb0(%j: index):
      tensor.yield %j : index
    } : tensor<?xindex>
    amp.yield %part : tensor<?xindex>
  }
  %none = arith.constant dense<> : tensor<0xindex>
  %none_open = tensor.cast %none : tensor<0xindex> to tensor<?xindex>
  %none_t, %none_f = amp.branch %c, %none_open : tensor<?xindex>
  %flat = amp.merge %flat_t, %none_f : tensor<?xindex>
  amp.return %y, %flat : tensor<?x2xi32>, tensor<?xindex>
}

//--- bodies.jsonl
{"x": [1.0, 2.0], "k": 4}

//--- bodies.mlir
// Forks, sinks, transforms, cells, control steps, changes of keys.
// BODY: {"y":[3.0,5.0],"z":2.0,"k":8,"next":5}
amp.graph @f(%x: tensor<2xf32> {amp.name = "x"}, %k: i32 {amp.name = "k"})
    -> (tensor<2xf32> {amp.name = "y"}, f32 {amp.name = "z"}, i32 {amp.name = "k"}, i32 {amp.name = "next"}) {
  %a, %b, %c = amp.fork %x : tensor<2xf32> to 3
  amp.sink %c : tensor<2xf32>
  %t = amp.transform(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%p: tensor<2xf32>, %q: tensor<2xf32>):
    %s = arith.addf %p, %q : tensor<2xf32>
    amp.yield %s : tensor<2xf32>
  }
  %y = amp.cell "plus.one"(%t) : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%p: tensor<2xf32>):
    %ones = arith.constant dense<1.0> : tensor<2xf32>
    %s = arith.addf %p, %ones : tensor<2xf32>
    amp.yield %s : tensor<2xf32>
  }
  %z, %double = amp.control(%x, %k) : (tensor<2xf32>, i32) -> (f32, i32) {
  ^bb0(%p: tensor<2xf32>, %i: i32):
    %one = arith.constant 1 : index
    %e = tensor.extract %p[%one] : tensor<2xf32>
    %d = arith.addi %i, %i : i32
    amp.yield %e, %d : f32, i32
  }
  %next = amp.rekey %k : i32 forward {
  ^bb0(%i: i32):
    %one = arith.constant 1 : i32
    %j = arith.addi %i, %one : i32
    amp.yield %j : i32
  } inverse {
  ^bb0(%i: i32):
    %one = arith.constant 1 : i32
    %j = arith.subi %i, %one : i32
    amp.yield %j : i32
  }
  amp.return %y, %z, %double, %next : tensor<2xf32>, f32, i32, i32
}

//--- late.mlir
// A call opens before its tensor operand is there: its own activation gives the row that the tensor is made of. Decisions and loops
// on what is given later.
// LATE: {"y":[12],"which":1,"sum":18,"last":1}
// LATE: {"y":[2],"which":-1,"sum":3,"last":1}
// LATE: {"y":[0],"which":0,"sum":0,"last":0}
amp.graph @f(%n: index {amp.name = "n"}) -> (tensor<1xindex> {amp.name = "y"}, index {amp.name = "which"}, index {amp.name = "sum"}, index {amp.name = "last"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %out = amp.collector %c1 : !amp.collector<tensor<1xindex>>
  %rows = amp.collect %out : !amp.collector<tensor<1xindex>> -> tensor<?x1xindex>
  %row = tensor.extract_slice %rows[0, 0] [1, 1] [1, 1] : tensor<?x1xindex> to tensor<1xindex>
  %k = tensor.extract %rows[%c0, %c0] : tensor<?x1xindex>
  %large = arith.cmpi sgt, %k, %c3 : index
  %t, %f = amp.branch %large, %k : index
  %one = arith.divsi %t, %t : index
  %minus = arith.subi %c0, %f : index
  %which = amp.merge %one, %minus : index
  // The body uses what is given later, so the loop waits.
  %sum = amp.loop range(%c0, %c3, %c1) init(%c0 : index) -> (index) stacked () {
  ^bb0(%i: index, %s: index):
    %u = arith.addi %s, %k : index
    amp.next carried(%u : index)
  }
  %last = amp.loop init(%k : index) -> (index) stacked () {
  ^bb0(%m: index):
    %more = arith.cmpi sgt, %m, %c1 : index
    %m_t, %m_f = amp.branch %more, %m : index
    %less = arith.subi %m_t, %c1 : index
    amp.next while(%more) carried(%less : index) exit(%m_f : index)
  }
  %y = amp.call @give(%row, %out, %n) : (tensor<1xindex>, !amp.collector<tensor<1xindex>>, index) -> tensor<1xindex>
  amp.return %y, %which, %sum, %last : tensor<1xindex>, index, index, index
}
amp.graph private @give(%row: tensor<1xindex>, %out: !amp.collector<tensor<1xindex>>, %n: index) -> tensor<1xindex> {
  %c0 = arith.constant 0 : index
  %mine = tensor.from_elements %n : tensor<1xindex>
  amp.emit %mine, %out[%c0] : !amp.collector<tensor<1xindex>>, index
  %sum = arith.addi %row, %mine : tensor<1xindex>
  amp.return %sum : tensor<1xindex>
}

//--- lists.mlir
// A list goes through calls, one side of a branch, and both kinds of loops.
// LIST: {"all":[0,1,2,3,4,5,100],"popped":3}
// LIST: {"all":[0,100],"popped":0}
// LIST: {"all":[7],"popped":0}
amp.graph @f(%n: index {amp.name = "n"}) -> (tensor<?xindex> {amp.name = "all"}, index {amp.name = "popped"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %hundred = arith.constant 100 : index
  %none = amp.list : !amp.list<index>
  %below = amp.loop range(%c0, %n, %c1) init(%none : !amp.list<index>) -> (!amp.list<index>) stacked () {
  ^bb0(%i: index, %l: !amp.list<index>):
    %m = amp.push %i, %l : !amp.list<index>
    amp.next carried(%m : !amp.list<index>)
  }
  %empty = arith.cmpi eq, %n, %c0 : index
  %l_t, %l_f = amp.branch %empty, %below : !amp.list<index>
  %n_t, %n_f = amp.branch %empty, %n : index
  %seven = arith.constant 7 : index
  %pushed = amp.push %seven, %l_t : !amp.list<index>
  %called = amp.call @push(%l_f, %hundred) : (!amp.list<index>, index) -> !amp.list<index>
  %list = amp.merge %pushed, %called : !amp.list<index>
  %all = amp.stack %list : !amp.list<index>
  // Pops while there are more than three, and counts.
  %popped = amp.loop init(%below, %c0 : !amp.list<index>, index) -> (index) stacked () {
  ^bb0(%l: !amp.list<index>, %k: index):
    %length = amp.length %l : !amp.list<index>
    %more = arith.cmpi sgt, %length, %c3 : index
    %m_t, %m_f = amp.branch %more, %l : !amp.list<index>
    %k_t, %k_f = amp.branch %more, %k : index
    %rest, %top = amp.pop %m_t : !amp.list<index>
    %k1 = arith.addi %k_t, %c1 : index
    amp.next while(%more) carried(%rest, %k1 : !amp.list<index>, index) exit(%k_f : index)
  }
  amp.return %all, %popped : tensor<?xindex>, index
}
amp.graph private @push(%l: !amp.list<index>, %x: index) -> !amp.list<index> {
  %m = amp.push %x, %l : !amp.list<index>
  amp.return %m : !amp.list<index>
}

//--- deep.jsonl
{"n": 100000}

//--- deep.mlir
// DEEP: {"sum":5000050000}
amp.graph @f(%n: index {amp.name = "n"}) -> (index {amp.name = "sum"}) {
  %s = amp.call @sum(%n) : (index) -> index
  amp.return %s : index
}
amp.graph private @sum(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %t, %f = amp.branch %done, %n : index
  %m = arith.subi %f, %c1 : index
  %r = amp.call @sum(%m) : (index) -> index
  %u = arith.addi %r, %f : index
  %s = amp.merge %t, %u : index
  amp.return %s : index
}
