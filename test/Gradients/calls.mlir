// Gradients through calls: recursion whose depth the data says, mutual recursion, results that nobody needs or that only
// one call needs, calls on one side of a decision and in loops and maps.
// RUN: split-file %s %t
// RUN: ampc --check-gradients %t/tree.mlir --input %t/tree.jsonl --samples 0 | FileCheck %s --check-prefix=TREE
// RUN: ampc --check-gradients %t/mutual.mlir --input %t/mutual.jsonl --samples 0 | FileCheck %s --check-prefix=MUTUAL
// RUN: ampc --check-gradients %t/results.mlir --input %t/results.jsonl --samples 0 | FileCheck %s --check-prefix=RESULTS
// RUN: ampc --check-gradients %t/inside.mlir --input %t/inside.jsonl --samples 0 | FileCheck %s --check-prefix=INSIDE

// TREE:      U: 40 checked, 32 not zero
// TREE-NEXT: b: 10 checked, 8 not zero
// TREE-NEXT: emb: 40 checked, 20 not zero

// MUTUAL:      W: 16 checked, 12 not zero
// MUTUAL-NEXT: scale: 4 checked, 4 not zero
// MUTUAL-NEXT: x: 8 checked, 8 not zero

// RESULTS:      a: 8 checked, 6 not zero
// RESULTS-NEXT: b: 8 checked, 8 not zero
// RESULTS-NEXT: c: 8 checked, 6 not zero
// RESULTS-NEXT: dead: 8 checked, 0 not zero

// INSIDE:      W: 20 checked, 12 not zero
// INSIDE-NEXT: b: 20 checked, 12 not zero
// INSIDE-NEXT: x: 10 checked, 10 not zero

//--- tree.mlir
// A tree network: words at the leaves, a product of both children at each inner node, the sum of all nodes' norms beside it.
amp.param @emb : tensor<4x2xf32> init(normal, 1.0)
amp.param @U : tensor<4x2xf32> init(normal, 0.5)
amp.param @b : tensor<2xf32> init(normal, 1.0)
func.func private @node(%left: tensor<?xi32>, %right: tensor<?xi32>, %word: tensor<?xi32>, %at: i32) -> (tensor<2xf32>, f32) {
  %zero = arith.constant 0 : i32
  %zeros = arith.constant dense<0.0> : tensor<2xf32>
  %i = arith.index_cast %at : i32 to index
  %l = tensor.extract %left[%i] : tensor<?xi32>
  %leaf = arith.cmpi slt, %l, %zero : i32
  %h, %n = scf.if %leaf -> (tensor<2xf32>, f32) {
    %emb = amp.get @emb : tensor<4x2xf32>
    %w = tensor.extract %word[%i] : tensor<?xi32>
    %x = amp.lookup %emb[%w] : tensor<4x2xf32>, i32
    %y = math.tanh %x : tensor<2xf32>
    %none = arith.constant 0.0 : f32
    scf.yield %y, %none : tensor<2xf32>, f32
  } else {
    %U = amp.get @U : tensor<4x2xf32>
    %b = amp.get @b : tensor<2xf32>
    %r = tensor.extract %right[%i] : tensor<?xi32>
    %hl, %nl = func.call @node(%left, %right, %word, %l) : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, i32) -> (tensor<2xf32>, f32)
    %hr, %nr = func.call @node(%left, %right, %word, %r) : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, i32) -> (tensor<2xf32>, f32)
    %both = tensor.concat dim(0) %hl, %hr : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
    %g = amp.linear %both, %U, %b : tensor<4xf32>, tensor<4x2xf32>, tensor<2xf32>
    %y = math.tanh %g : tensor<2xf32>
    %s = arith.addf %nl, %nr : f32
    %e = amp.loss squared_error %y, %zeros : tensor<2xf32>, tensor<2xf32> -> f32
    %t = arith.addf %s, %e : f32
    scf.yield %y, %t : tensor<2xf32>, f32
  }
  return %h, %n : tensor<2xf32>, f32
}
func.func @tree(%left: tensor<?xi32> {amp.name = "left"}, %right: tensor<?xi32> {amp.name = "right"},
                %word: tensor<?xi32> {amp.name = "word"}, %root: i32 {amp.name = "root"}, %tag: i32 {amp.name = "tag"})
    -> (f32 {amp.name = "loss", amp.loss}) {
  %h, %n = call @node(%left, %right, %word, %root) : (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, i32) -> (tensor<2xf32>, f32)
  %l0 = amp.loss cross_entropy %h, %tag : tensor<2xf32>, i32 -> f32
  %l1 = arith.addf %l0, %n : f32
  return %l1 : f32
}
//--- tree.jsonl
{"left": [-1], "right": [-1], "word": [2], "root": 0, "tag": 1}
{"left": [-1, -1, 0], "right": [-1, -1, 1], "word": [2, 1, 0], "root": 2, "tag": 0}
{"left": [-1, -1, 0, -1, 2], "right": [-1, -1, 1, -1, 3], "word": [2, 1, 0, 2, 0], "root": 4, "tag": 1}
{"left": [-1, -1, 0, -1, 3, -1, 5], "right": [-1, -1, 1, -1, 2, -1, 4], "word": [0, 1, 0, 3, 0, 0, 0], "root": 6, "tag": 1}
{"left": [-1, -1, 0, -1, -1, 3, 2], "right": [-1, -1, 1, -1, -1, 4, 5], "word": [3, 3, 0, 3, 2, 0, 0], "root": 6, "tag": 0}

//--- mutual.mlir
// Two functions that call one another; a scalar is handed down, and comes back changed.
amp.param @W : tensor<2x2xf32> init(normal, 1.0)
amp.param @x : tensor<2xf32> init(normal, 1.0)
amp.param @scale : tensor<1xf32> init(uniform, 0.5, 1.0)
func.func private @even(%x: tensor<2xf32>, %s: f32, %n: i32) -> (tensor<2xf32>, f32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %done = arith.cmpi sle, %n, %zero : i32
  %y, %t = scf.if %done -> (tensor<2xf32>, f32) {
    scf.yield %x, %s : tensor<2xf32>, f32
  } else {
    %W = amp.get @W : tensor<2x2xf32>
    %g = amp.linear %x, %W : tensor<2xf32>, tensor<2x2xf32>
    %m = arith.subi %n, %one : i32
    %half = math.sin %s : f32
    %r, %u = func.call @odd(%g, %half, %m) : (tensor<2xf32>, f32, i32) -> (tensor<2xf32>, f32)
    %v = arith.mulf %u, %s : f32
    scf.yield %r, %v : tensor<2xf32>, f32
  }
  return %y, %t : tensor<2xf32>, f32
}
func.func private @odd(%x: tensor<2xf32>, %s: f32, %n: i32) -> (tensor<2xf32>, f32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %done = arith.cmpi sle, %n, %zero : i32
  %y, %t = scf.if %done -> (tensor<2xf32>, f32) {
    %e = math.exp %x : tensor<2xf32>
    scf.yield %e, %s : tensor<2xf32>, f32
  } else {
    %m = arith.subi %n, %one : i32
    %a, %u = func.call @even(%x, %s, %m) : (tensor<2xf32>, f32, i32) -> (tensor<2xf32>, f32)
    %b = math.tanh %a : tensor<2xf32>
    %f = tensor.splat %s : tensor<2xf32>
    %d = arith.addf %b, %f : tensor<2xf32>
    scf.yield %d, %u : tensor<2xf32>, f32
  }
  return %y, %t : tensor<2xf32>, f32
}
func.func @mutual(%n: i32 {amp.name = "n"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %x = amp.get @x : tensor<2xf32>
  %scale = amp.get @scale : tensor<1xf32>
  %s = tensor.extract %scale[%c0] : tensor<1xf32>
  %y, %t = call @even(%x, %s, %n) : (tensor<2xf32>, f32, i32) -> (tensor<2xf32>, f32)
  %f = tensor.splat %t : tensor<2xf32>
  %z = arith.mulf %y, %f : tensor<2xf32>
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %l = amp.loss squared_error %z, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- mutual.jsonl
{"n": 0}
{"n": 1}
{"n": 2}
{"n": 5}

//--- results.mlir
// A call whose results nobody needs, one of whose results nobody needs, one whose tensor the caller makes late; arguments
// that the callee does not use, returns as they are, or returns twice.
amp.param @a : tensor<2xf32> init(normal, 0.5)
amp.param @b : tensor<2xf32> init(normal, 0.5)
amp.param @c : tensor<2xf32> init(normal, 0.5)
amp.param @dead : tensor<2xf32> init(normal, 0.5)
func.func private @several(%x: tensor<2xf32>, %y: tensor<2xf32>, %dead: tensor<2xf32>, %n: i32)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) attributes {no_inline} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %done = arith.cmpi sle, %n, %zero : i32
  %c = amp.get @c : tensor<2xf32>
  %p = arith.mulf %y, %c : tensor<2xf32>
  %r:4 = scf.if %done -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
    scf.yield %x, %x, %p, %dead : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  } else {
    %m = arith.subi %n, %one : i32
    %q:4 = func.call @several(%p, %x, %dead, %m) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, i32)
        -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
    %s = arith.addf %q#0, %q#2 : tensor<2xf32>
    %t = math.sin %s : tensor<2xf32>
    scf.yield %t, %q#0, %x, %q#3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }
  return %r#0, %r#1, %r#2, %r#3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
func.func @results(%n: i32 {amp.name = "n"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %0 = amp.get @a : tensor<2xf32>
  %a = math.sin %0 : tensor<2xf32>
  %1 = amp.get @b : tensor<2xf32>
  %b = math.sin %1 : tensor<2xf32>
  %2 = amp.get @dead : tensor<2xf32>
  %dead = math.sin %2 : tensor<2xf32>
  %unused:4 = call @several(%a, %b, %dead, %n) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, i32)
      -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  %first:4 = call @several(%b, %a, %dead, %n) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, i32)
      -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  // Of this call only the second result counts.
  %second:4 = call @several(%first#0, %first#2, %dead, %n) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, i32)
      -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  %y = arith.addf %first#1, %second#1 : tensor<2xf32>
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %l = amp.loss squared_error %y, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- results.jsonl
{"n": 0}
{"n": 1}
{"n": 2}
{"n": 3}

//--- inside.mlir
// Recursion in a loop, in a map, and on one side of a decision; a loop and a map in what recurs.
amp.param @W : tensor<2x2xf32> init(normal, 0.5)
amp.param @b : tensor<2x2xf32> init(normal, 0.5)
amp.param @x : tensor<2xf32> init(normal, 0.5)
func.func private @deeper(%x: tensor<2xf32>, %b: tensor<2x2xf32>, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %done = arith.cmpi sle, %n, %c0 : index
  %y = scf.if %done -> (tensor<2xf32>) {
    scf.yield %x : tensor<2xf32>
  } else {
    %m = arith.subi %n, %c1 : index
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> (tensor<2xf32>) {
      %W = amp.get @W : tensor<2x2xf32>
      %g = amp.linear %h, %W : tensor<2xf32>, tensor<2x2xf32>
      %t = math.tanh %g : tensor<2xf32>
      %d = func.call @deeper(%t, %b, %m) : (tensor<2xf32>, tensor<2x2xf32>, index) -> tensor<2xf32>
      %e = arith.addf %d, %x : tensor<2xf32>
      scf.yield %e : tensor<2xf32>
    }
    %rows = amp.map %i to %c2 -> (tensor<?x2xf32>) {
      %r = amp.lookup %b[%i] : tensor<2x2xf32>, index
      %d = func.call @deeper(%r, %b, %m) : (tensor<2xf32>, tensor<2x2xf32>, index) -> tensor<2xf32>
      %e = arith.mulf %d, %x : tensor<2xf32>
      amp.yield %e : tensor<2xf32>
    }
    %p = amp.pool sum %rows : tensor<?x2xf32>
    %z = arith.mulf %s, %p : tensor<2xf32>
    %u = math.tanh %z : tensor<2xf32>
    scf.yield %u : tensor<2xf32>
  }
  return %y : tensor<2xf32>
}
func.func @inside(%n: index {amp.name = "n"}, %c: i1 {amp.name = "c"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %x = amp.get @x : tensor<2xf32>
  %0 = amp.get @b : tensor<2x2xf32>
  %b = math.sin %0 : tensor<2x2xf32>
  %y = scf.if %c -> (tensor<2xf32>) {
    %d = func.call @deeper(%x, %b, %n) : (tensor<2xf32>, tensor<2x2xf32>, index) -> tensor<2xf32>
    scf.yield %d : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %l = amp.loss squared_error %y, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- inside.jsonl
{"n": 2, "c": false}
{"n": 0, "c": true}
{"n": 1, "c": true}
{"n": 2, "c": true}
{"n": 3, "c": true}
