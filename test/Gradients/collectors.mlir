// Gradients of rows that come in any order, from any depth: they go down as tensors.
// RUN: split-file %s %t
// RUN: ampc --check-gradients %t/tree.mlir --input %t/tree.jsonl --samples 0 | FileCheck %s --check-prefix=TREE
// RUN: ampc --check-gradients %t/map.mlir --input %t/map.jsonl --samples 0 --seed 2 | FileCheck %s --check-prefix=MAP
// RUN: ampc --check-gradients %t/many.mlir --input %t/many.jsonl --samples 0 | FileCheck %s --check-prefix=MANY
// RUN: ampc --check-gradients %t/unread.mlir --input %t/unread.jsonl --samples 0 | FileCheck %s --check-prefix=UNREAD
// RUN: ampc --check-gradients %t/outer.mlir --input %t/outer.jsonl --samples 0 | FileCheck %s --check-prefix=OUTER
// RUN: ampc --check-gradients %t/carried.mlir --input %t/carried.jsonl --samples 0 | FileCheck %s --check-prefix=CARRIED

// TREE:      U: 32 checked, 24 not zero
// TREE-NEXT: b: 8 checked, 6 not zero
// TREE-NEXT: emb: 32 checked, 14 not zero

// MAP:      emb: 24 checked, 8 not zero
// MAP-NEXT: last: 8 checked, 8 not zero

// MANY:      W: 12 checked, 8 not zero
// MANY-NEXT: x: 6 checked, 6 not zero

// UNREAD: x: 6 checked, 4 not zero

// OUTER:      W: 20 checked, 16 not zero
// OUTER-NEXT: emb: 40 checked, 16 not zero

// CARRIED: emb: 24 checked, 6 not zero

//--- tree.mlir
// A prediction at each node, from within decisions; what a node gives goes up as well.
amp.param @emb : tensor<4x2xf32> init(normal, 1.0)
amp.param @U : tensor<4x2xf32> init(normal, 0.5)
amp.param @b : tensor<2xf32> init(normal, 1.0)
func.func private @node(%left: tensor<?xi32>, %right: tensor<?xi32>, %word: tensor<?xi32>, %at: i32,
                        %out: !amp.collector<tensor<2xf32>>) -> tensor<2xf32> {
  %zero = arith.constant 0 : i32
  %i = arith.index_cast %at : i32 to index
  %l = tensor.extract %left[%i] : tensor<?xi32>
  %leaf = arith.cmpi slt, %l, %zero : i32
  %h = scf.if %leaf -> (tensor<2xf32>) {
    %emb = amp.get @emb : tensor<4x2xf32>
    %w = tensor.extract %word[%i] : tensor<?xi32>
    %x = amp.lookup %emb[%w] : tensor<4x2xf32>, i32
    %y = math.tanh %x : tensor<2xf32>
    // On this side only, another row than below.
    amp.emit %x, %out[%at] : !amp.collector<tensor<2xf32>>, i32
    scf.yield %y : tensor<2xf32>
  } else {
    %U = amp.get @U : tensor<4x2xf32>
    %b = amp.get @b : tensor<2xf32>
    %r = tensor.extract %right[%i] : tensor<?xi32>
    %hl = func.call @node(%left, %right, %word, %l, %out) : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, i32, !amp.collector<tensor<2xf32>>) -> tensor<2xf32>
    %hr = func.call @node(%left, %right, %word, %r, %out) : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, i32, !amp.collector<tensor<2xf32>>) -> tensor<2xf32>
    %both = tensor.concat dim(0) %hl, %hr : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
    %g = amp.linear %both, %U, %b : tensor<4xf32>, tensor<4x2xf32>, tensor<2xf32>
    %y = math.tanh %g : tensor<2xf32>
    amp.emit %g, %out[%i] : !amp.collector<tensor<2xf32>>, index
    scf.yield %y : tensor<2xf32>
  }
  return %h : tensor<2xf32>
}
func.func @tree(%left: tensor<?xi32> {amp.name = "left"}, %right: tensor<?xi32> {amp.name = "right"},
                %word: tensor<?xi32> {amp.name = "word"}, %root: i32 {amp.name = "root"}, %tag: tensor<?xi32> {amp.name = "tag"})
    -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %left, %c0 : tensor<?xi32>
  %out = amp.collector %n : !amp.collector<tensor<2xf32>>
  %h = call @node(%left, %right, %word, %root, %out) : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, i32, !amp.collector<tensor<2xf32>>) -> tensor<2xf32>
  %rows = amp.collect %out : !amp.collector<tensor<2xf32>> -> tensor<?x2xf32>
  %l0 = amp.loss cross_entropy %rows, %tag : tensor<?x2xf32>, tensor<?xi32> -> f32
  %s = amp.softmax %h : tensor<2xf32>
  %f = tensor.extract %s[%c0] : tensor<2xf32>
  %l1 = arith.addf %l0, %f : f32
  return %l1 : f32
}
//--- tree.jsonl
{"left": [-1], "right": [-1], "word": [2], "root": 0, "tag": [1]}
{"left": [-1, -1, 0], "right": [-1, -1, 1], "word": [2, 1, 0], "root": 2, "tag": [0, 1, 1]}
{"left": [-1, -1, 0, -1, 2], "right": [-1, -1, 1, -1, 3], "word": [2, 1, 0, 2, 0], "root": 4, "tag": [1, 0, 0, 0, 1]}
{"left": [-1, -1, 0, -1, -1, 3, 2], "right": [-1, -1, 1, -1, -1, 4, 5], "word": [3, 3, 0, 3, 2, 0, 0], "root": 6, "tag": [0, 1, 0, 1, 1, 0, 0]}

//--- map.mlir
// In one activation, some of them on one side of a decision; what is collected is used twice.
amp.param @emb : tensor<3x2xf32> init(normal, 1.0)
amp.param @last : tensor<2xf32> init(normal, 1.0)
func.func @map(%c: i1 {amp.name = "c"}, %k: i32 {amp.name = "k"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %out = amp.collector %c3 : !amp.collector<tensor<2xf32>>
  %emb = amp.get @emb : tensor<3x2xf32>
  %last = amp.get @last : tensor<2xf32>
  %x = amp.lookup %emb[%k] : tensor<3x2xf32>, i32
  %y = math.sin %x : tensor<2xf32>
  scf.if %c {
    amp.emit %x, %out[%c0] : !amp.collector<tensor<2xf32>>, index
    amp.emit %y, %out[%c2] : !amp.collector<tensor<2xf32>>, index
  } else {
    %z = math.exp %y : tensor<2xf32>
    amp.emit %z, %out[%c2] : !amp.collector<tensor<2xf32>>, index
    amp.emit %y, %out[%c0] : !amp.collector<tensor<2xf32>>, index
  }
  amp.emit %last, %out[%c1] : !amp.collector<tensor<2xf32>>, index
  %rows = amp.collect %out : !amp.collector<tensor<2xf32>> -> tensor<?x2xf32>
  %a = amp.pool max %rows : tensor<?x2xf32>
  %b = amp.pool mean %rows : tensor<?x2xf32>
  %d = arith.mulf %a, %b : tensor<2xf32>
  // A collector whose rows nobody needs, and one of no rows.
  %dead = amp.collector %c1 : !amp.collector<tensor<2xf32>>
  amp.emit %d, %dead[%c0] : !amp.collector<tensor<2xf32>>, index
  %none = amp.collector %c0 : !amp.collector<tensor<2xf32>>
  %nothing = amp.collect %none : !amp.collector<tensor<2xf32>> -> tensor<?x2xf32>
  %p = amp.pool sum %nothing : tensor<?x2xf32>
  %e = arith.addf %d, %last : tensor<2xf32>
  %l = amp.loss squared_error %e, %p : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- map.jsonl
{"c": true, "k": 0}
{"c": false, "k": 2}
{"c": true, "k": 2}
{"c": false, "k": 1}

//--- many.mlir
// Two collectors that are handed down, a collector of its own in each activation, a callee that has no other result.
amp.param @W : tensor<2x2xf32> init(normal, 1.0)
amp.param @x : tensor<2xf32> init(normal, 1.0)
func.func private @fill(%x: tensor<2xf32>, %n: index, %a: !amp.collector<tensor<2xf32>>, %b: !amp.collector<tensor<2xf32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %W = amp.get @W : tensor<2x2xf32>
  %more = arith.cmpi sge, %n, %c0 : index
  scf.if %more {
    %own = amp.collector %c2 : !amp.collector<tensor<2xf32>>
    %g = amp.linear %x, %W : tensor<2xf32>, tensor<2x2xf32>
    %h = math.tanh %g : tensor<2xf32>
    amp.emit %h, %own[%c1] : !amp.collector<tensor<2xf32>>, index
    amp.emit %x, %own[%c0] : !amp.collector<tensor<2xf32>>, index
    %rows = amp.collect %own : !amp.collector<tensor<2xf32>> -> tensor<?x2xf32>
    %p = amp.pool sum %rows : tensor<?x2xf32>
    amp.emit %p, %a[%n] : !amp.collector<tensor<2xf32>>, index
    amp.emit %h, %b[%n] : !amp.collector<tensor<2xf32>>, index
    %m = arith.subi %n, %c1 : index
    %s = math.sin %p : tensor<2xf32>
    func.call @fill(%s, %m, %b, %a) : (tensor<2xf32>, index, !amp.collector<tensor<2xf32>>, !amp.collector<tensor<2xf32>>) -> ()
  }
  return
}
func.func @many(%n: index {amp.name = "n"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c1 = arith.constant 1 : index
  %x = amp.get @x : tensor<2xf32>
  %m = arith.subi %n, %c1 : index
  %a = amp.collector %n : !amp.collector<tensor<2xf32>>
  %b = amp.collector %n : !amp.collector<tensor<2xf32>>
  call @fill(%x, %m, %a, %b) : (tensor<2xf32>, index, !amp.collector<tensor<2xf32>>, !amp.collector<tensor<2xf32>>) -> ()
  %r = amp.collect %a : !amp.collector<tensor<2xf32>> -> tensor<?x2xf32>
  %s = amp.collect %b : !amp.collector<tensor<2xf32>> -> tensor<?x2xf32>
  %l = amp.loss squared_error %r, %s : tensor<?x2xf32>, tensor<?x2xf32> -> f32
  return %l : f32
}
//--- many.jsonl
{"n": 1}
{"n": 2}
{"n": 3}

//--- unread.mlir
// Of two calls of one function one has a result that counts, the other rows that are collected.
amp.param @x : tensor<2xf32> init(normal, 1.0)
func.func private @walk(%x: tensor<2xf32>, %n: index, %out: !amp.collector<tensor<2xf32>>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %more = arith.cmpi sge, %n, %c0 : index
  %z = scf.if %more -> (tensor<2xf32>) {
    %y = math.sin %x : tensor<2xf32>
    amp.emit %y, %out[%n] : !amp.collector<tensor<2xf32>>, index
    %m = arith.subi %n, %c1 : index
    %r = func.call @walk(%y, %m, %out) : (tensor<2xf32>, index, !amp.collector<tensor<2xf32>>) -> tensor<2xf32>
    scf.yield %r : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %z : tensor<2xf32>
}
func.func @unread(%n: index {amp.name = "n"}, %target: tensor<2xf32> {amp.name = "target"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %p = amp.get @x : tensor<2xf32>
  %q = math.exp %p : tensor<2xf32>
  %m = arith.subi %n, %c1 : index
  %read = amp.collector %n : !amp.collector<tensor<2xf32>>
  %unread = amp.collector %n : !amp.collector<tensor<2xf32>>
  %unused = call @walk(%q, %m, %read) : (tensor<2xf32>, index, !amp.collector<tensor<2xf32>>) -> tensor<2xf32>
  %used = call @walk(%q, %m, %unread) : (tensor<2xf32>, index, !amp.collector<tensor<2xf32>>) -> tensor<2xf32>
  %rows = amp.collect %read : !amp.collector<tensor<2xf32>> -> tensor<?x2xf32>
  %dead = amp.collector %c1 : !amp.collector<tensor<2xf32>>
  amp.emit %q, %dead[%c0] : !amp.collector<tensor<2xf32>>, index
  %s = amp.pool sum %rows : tensor<?x2xf32>
  %t = arith.mulf %s, %used : tensor<2xf32>
  %l = amp.loss squared_error %t, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- unread.jsonl
{"n": 0, "target": [1, 2]}
{"n": 1, "target": [1, 2]}
{"n": 3, "target": [1, 2]}

//--- outer.mlir
// From within loops and maps, to collectors around them.
amp.param @W : tensor<2x2xf32> init(normal, 0.5)
amp.param @emb : tensor<4x2xf32> init(normal, 1.0)
func.func private @give(%x: tensor<2xf32>, %i: index, %out: !amp.collector<tensor<2xf32>>) {
  %y = math.sin %x : tensor<2xf32>
  amp.emit %y, %out[%i] : !amp.collector<tensor<2xf32>>, index
  return
}
func.func @outer(%k: tensor<?xi32> {amp.name = "k"}, %d: i1 {amp.name = "d"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %n = tensor.dim %k, %c0 : tensor<?xi32>
  %emb = amp.get @emb : tensor<4x2xf32>
  %W = amp.get @W : tensor<2x2xf32>
  %out = amp.collector %n : !amp.collector<tensor<2xf32>>
  %out2 = amp.collector %n : !amp.collector<tensor<2xf32>>
  %n2 = arith.muli %n, %n : index
  %sq = amp.collector %n2 : !amp.collector<tensor<2xf32>>
  // Read before they are given, in the text.
  %rows = amp.collect %out : !amp.collector<tensor<2xf32>> -> tensor<?x2xf32>
  %p = amp.pool mean %rows : tensor<?x2xf32>
  %l0 = amp.loss squared_error %p, %target : tensor<2xf32>, tensor<2xf32> -> f32
  // A map that gives on one side itself, on the other by a call.
  %hs = amp.map %i to %n -> (tensor<?x2xf32>) {
    %w = tensor.extract %k[%i] : tensor<?xi32>
    %x = amp.lookup %emb[%w] : tensor<4x2xf32>, i32
    %even = arith.remui %i, %c2 : index
    %is = arith.cmpi eq, %even, %c0 : index
    %y = amp.linear %x, %W : tensor<2xf32>, tensor<2x2xf32>
    scf.if %is {
      amp.emit %y, %out[%i] : !amp.collector<tensor<2xf32>>, index
    } else {
      func.call @give(%x, %i, %out) : (tensor<2xf32>, index, !amp.collector<tensor<2xf32>>) -> ()
    }
    amp.yield %y : tensor<2xf32>
  }
  // A loop with a range that has no result, and a loop in it.
  scf.if %d {
    scf.for %i = %c0 to %n step %c1 {
      %x = amp.lookup %hs[%i] : tensor<?x2xf32>, index
      amp.emit %x, %out2[%i] : !amp.collector<tensor<2xf32>>, index
      %s = scf.for %j = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<2xf32>) {
        %b = math.tanh %a : tensor<2xf32>
        %c = math.exp %b : tensor<2xf32>
        %at0 = arith.muli %i, %n : index
        %at = arith.addi %at0, %j : index
        amp.emit %c, %sq[%at] : !amp.collector<tensor<2xf32>>, index
        scf.yield %b : tensor<2xf32>
      }
    }
  } else {
    %m = scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      %x = amp.lookup %hs[%i] : tensor<?x2xf32>, index
      %y = math.sin %x : tensor<2xf32>
      amp.emit %y, %out2[%i] : !amp.collector<tensor<2xf32>>, index
      %i1 = arith.addi %i, %c1 : index
      %u = amp.map %j to %n -> (tensor<?x2xf32>) {
        %at0 = arith.muli %i, %n : index
        %at = arith.addi %at0, %j : index
        %z = amp.lookup %hs[%j] : tensor<?x2xf32>, index
        %c = math.exp %z : tensor<2xf32>
        amp.emit %c, %sq[%at] : !amp.collector<tensor<2xf32>>, index
        amp.yield %z : tensor<2xf32>
      }
      scf.yield %i1 : index
    }
  }
  %rows2 = amp.collect %out2 : !amp.collector<tensor<2xf32>> -> tensor<?x2xf32>
  %p2 = amp.pool max %rows2 : tensor<?x2xf32>
  %l1 = amp.loss squared_error %p2, %target : tensor<2xf32>, tensor<2xf32> -> f32
  %rows3 = amp.collect %sq : !amp.collector<tensor<2xf32>> -> tensor<?x2xf32>
  %p3 = amp.pool mean %rows3 : tensor<?x2xf32>
  %l2 = amp.loss squared_error %p3, %target : tensor<2xf32>, tensor<2xf32> -> f32
  %l3 = arith.addf %l0, %l1 : f32
  %l = arith.addf %l3, %l2 : f32
  return %l : f32
}
//--- outer.jsonl
{"k": [], "d": true}
{"k": [1], "d": true}
{"k": [1], "d": false}
{"k": [0, 2, 1, 0], "d": true}
{"k": [3, 2, 1, 3, 1], "d": false}

//--- carried.mlir
// A collector that loops carry along as it is, and what they leave of it.
amp.param @emb : tensor<4x2xf32> init(normal, 1.0)
func.func @carried(%n: index {amp.name = "n"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %m = arith.muli %n, %c2 : index
  %m1 = arith.addi %m, %c1 : index
  %emb = amp.get @emb : tensor<4x2xf32>
  %out = amp.collector %m1 : !amp.collector<tensor<2xf32>>
  %o1 = scf.for %i = %c0 to %n step %c1 iter_args(%o = %out) -> !amp.collector<tensor<2xf32>> {
    %x = amp.lookup %emb[%i] : tensor<4x2xf32>, index
    %even = arith.remui %i, %c2 : index
    %is = arith.cmpi eq, %even, %c0 : index
    scf.if %is {
      amp.emit %x, %o[%i] : !amp.collector<tensor<2xf32>>, index
    } else {
      %y = math.sin %x : tensor<2xf32>
      amp.emit %y, %o[%i] : !amp.collector<tensor<2xf32>>, index
    }
    scf.yield %o : !amp.collector<tensor<2xf32>>
  }
  %i2, %o2 = scf.while (%i = %n, %o = %o1) : (index, !amp.collector<tensor<2xf32>>) -> (index, !amp.collector<tensor<2xf32>>) {
    %more = arith.cmpi ult, %i, %m : index
    scf.condition(%more) %i, %o : index, !amp.collector<tensor<2xf32>>
  } do {
  ^bb0(%i: index, %o: !amp.collector<tensor<2xf32>>):
    %k = arith.subi %i, %n : index
    %x = amp.lookup %emb[%k] : tensor<4x2xf32>, index
    %y = math.exp %x : tensor<2xf32>
    amp.emit %y, %o[%i] : !amp.collector<tensor<2xf32>>, index
    %i1 = arith.addi %i, %c1 : index
    scf.yield %i1, %o : index, !amp.collector<tensor<2xf32>>
  }
  %x = amp.lookup %emb[%c0] : tensor<4x2xf32>, index
  %y = math.tanh %x : tensor<2xf32>
  amp.emit %y, %o2[%i2] : !amp.collector<tensor<2xf32>>, index
  %rows = amp.collect %out : !amp.collector<tensor<2xf32>> -> tensor<?x2xf32>
  %p = amp.pool max %rows : tensor<?x2xf32>
  %l0 = amp.loss squared_error %p, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l0 : f32
}
//--- carried.jsonl
{"n": 0}
{"n": 1}
{"n": 4}
