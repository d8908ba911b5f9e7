// Gradients through lists: they are lists of the gradients of the last elements. As stack, cache of attention, and lists of lists.
// RUN: split-file %s %t
// RUN: ampc --check-gradients %t/stack.mlir --input %t/stack.jsonl --samples 0 | FileCheck %s --check-prefix=STACK
// RUN: ampc --check-gradients %t/decoder.mlir --input %t/decoder.jsonl --samples 0 | FileCheck %s --check-prefix=DECODER

// STACK:      W: 32 checked, 16 not zero
// STACK-NEXT: emb: 32 checked, 22 not zero

// DECODER:      K: 16 checked, 12 not zero
// DECODER-NEXT: b: 8 checked, 8 not zero
// DECODER-NEXT: emb: 32 checked, 14 not zero

//--- stack.mlir
// A stack machine over words: numbers push a looked-up row, -1 replaces the two on top by what a product makes of them,
// -2 drops one; then what is left is read in every way there is.
amp.param @emb : tensor<4x2xf32> init(normal, 1.0)
amp.param @W : tensor<4x2xf32> init(normal, 0.7)
func.func private @reduce(%stack: !amp.list<tensor<2xf32>>) -> !amp.list<tensor<2xf32>> {
  %W = amp.get @W : tensor<4x2xf32>
  %r1, %b = amp.pop %stack : !amp.list<tensor<2xf32>>
  %r2, %a = amp.pop %r1 : !amp.list<tensor<2xf32>>
  %ab = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %y = amp.linear %ab, %W : tensor<4xf32>, tensor<4x2xf32>
  %t = math.tanh %y : tensor<2xf32>
  %r3 = amp.push %t, %r2 : !amp.list<tensor<2xf32>>
  return %r3 : !amp.list<tensor<2xf32>>
}
func.func @stack(%program: tensor<?xi32> {amp.name = "program"}, %at: i32 {amp.name = "at"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %drop = arith.constant -2 : i32
  %n = tensor.dim %program, %c0 : tensor<?xi32>
  %emb = amp.get @emb : tensor<4x2xf32>
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %none = amp.list : !amp.list<tensor<2xf32>>
  %stack, %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %none, %sum = %target)
      -> (!amp.list<tensor<2xf32>>, tensor<2xf32>) {
    %op = tensor.extract %program[%i] : tensor<?xi32>
    %isPush = arith.cmpi sge, %op, %zero : i32
    %next = scf.if %isPush -> !amp.list<tensor<2xf32>> {
      %row = amp.lookup %emb[%op] : tensor<4x2xf32>, i32
      %sin = math.sin %row : tensor<2xf32>
      %pushed = amp.push %sin, %s : !amp.list<tensor<2xf32>>
      scf.yield %pushed : !amp.list<tensor<2xf32>>
    } else {
      %isDrop = arith.cmpi eq, %op, %drop : i32
      %popped = scf.if %isDrop -> !amp.list<tensor<2xf32>> {
        %rest, %top = amp.pop %s : !amp.list<tensor<2xf32>>
        scf.yield %rest : !amp.list<tensor<2xf32>>
      } else {
        %reduced = func.call @reduce(%s) : (!amp.list<tensor<2xf32>>) -> !amp.list<tensor<2xf32>>
        scf.yield %reduced : !amp.list<tensor<2xf32>>
      }
      scf.yield %popped : !amp.list<tensor<2xf32>>
    }
    // The top, where there is one.
    %length = amp.length %next : !amp.list<tensor<2xf32>>
    %any = arith.cmpi ugt, %length, %c0 : index
    %more = scf.if %any -> tensor<2xf32> {
      %last = arith.subi %length, %c1 : index
      %top = amp.at %next[%last] : !amp.list<tensor<2xf32>>, index
      %m = arith.mulf %sum, %top : tensor<2xf32>
      %a = arith.addf %m, %top : tensor<2xf32>
      scf.yield %a : tensor<2xf32>
    } else {
      scf.yield %sum : tensor<2xf32>
    }
    scf.yield %next, %more : !amp.list<tensor<2xf32>>, tensor<2xf32>
  }
  // Used as a whole, by one element, by all of them in a loop and in a map, and by a while loop that takes it apart.
  %rows = amp.stack %stack : !amp.list<tensor<2xf32>>
  %pool = amp.pool max %rows : tensor<?x2xf32>
  %element = amp.at %stack[%at] : !amp.list<tensor<2xf32>>, i32
  %depth = amp.length %stack : !amp.list<tensor<2xf32>>
  %each = scf.for %i = %c0 to %depth step %c1 iter_args(%h = %target) -> tensor<2xf32> {
    %x = amp.at %stack[%i] : !amp.list<tensor<2xf32>>, index
    %m = arith.mulf %h, %x : tensor<2xf32>
    %a = arith.addf %m, %x : tensor<2xf32>
    scf.yield %a : tensor<2xf32>
  }
  %mapped = amp.map %i to %depth -> (tensor<?x2xf32>) {
    %x = amp.at %stack[%i] : !amp.list<tensor<2xf32>>, index
    %first = arith.cmpi eq, %i, %c0 : index
    %y = scf.if %first -> tensor<2xf32> {
      %s = amp.stack %stack : !amp.list<tensor<2xf32>>
      %p = amp.pool mean %s : tensor<?x2xf32>
      scf.yield %p : tensor<2xf32>
    } else {
      %e = math.exp %x : tensor<2xf32>
      scf.yield %e : tensor<2xf32>
    }
    %z = arith.mulf %y, %x : tensor<2xf32>
    amp.yield %z : tensor<2xf32>
  }
  %pooled = amp.pool sum %mapped : tensor<?x2xf32>
  %left, %fold = scf.while (%s = %stack, %h = %target) : (!amp.list<tensor<2xf32>>, tensor<2xf32>) -> (!amp.list<tensor<2xf32>>, tensor<2xf32>) {
    %length = amp.length %s : !amp.list<tensor<2xf32>>
    %more = arith.cmpi ugt, %length, %c1 : index
    scf.condition(%more) %s, %h : !amp.list<tensor<2xf32>>, tensor<2xf32>
  } do {
  ^bb0(%s: !amp.list<tensor<2xf32>>, %h: tensor<2xf32>):
    %rest, %top = amp.pop %s : !amp.list<tensor<2xf32>>
    %m = arith.mulf %h, %top : tensor<2xf32>
    %a = arith.addf %m, %top : tensor<2xf32>
    scf.yield %rest, %a : !amp.list<tensor<2xf32>>, tensor<2xf32>
  }
  %bottom = amp.at %left[%c0] : !amp.list<tensor<2xf32>>, index
  %0 = arith.addf %sum, %pool : tensor<2xf32>
  %1 = arith.mulf %element, %each : tensor<2xf32>
  %2 = arith.addf %pooled, %fold : tensor<2xf32>
  %3 = arith.mulf %bottom, %0 : tensor<2xf32>
  %4 = arith.addf %1, %2 : tensor<2xf32>
  %5 = arith.addf %3, %4 : tensor<2xf32>
  %l = amp.loss squared_error %5, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- stack.jsonl
{"program": [1], "at": 0}
{"program": [0, 1, -1], "at": 0}
{"program": [0, 3, 2, 1], "at": 2}
{"program": [0, -2, 3, 1, -1, 2, 0, -2, 1], "at": 1}

//--- decoder.mlir
// A small decoder: each step attends over the states so far, which a list keeps, and adds one; beside it scalars in a list,
// a list of lists of which two share what they have in common, and one that is never read.
amp.param @emb : tensor<4x2xf32> init(normal, 1.0)
amp.param @K : tensor<2x2xf32> init(normal, 0.7)
amp.param @b : tensor<2xf32> init(normal, 0.7)
func.func @decoder(%k: tensor<?xi32> {amp.name = "k"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %n = tensor.dim %k, %c0 : tensor<?xi32>
  %emb = amp.get @emb : tensor<4x2xf32>
  %K = amp.get @K : tensor<2x2xf32>
  %b = amp.get @b : tensor<2xf32>
  %none = amp.list : !amp.list<tensor<2xf32>>
  %cache0 = amp.push %b, %none : !amp.list<tensor<2xf32>>
  %scalars0 = amp.list : !amp.list<f32>
  %lists0 = amp.list : !amp.list<!amp.list<tensor<2xf32>>>
  %unread0 = amp.list : !amp.list<tensor<2xf32>>
  %cache, %scalars, %lists, %unread = scf.for %i = %c0 to %n step %c1 iter_args(%c = %cache0, %s = %scalars0, %ls = %lists0, %u = %unread0)
      -> (!amp.list<tensor<2xf32>>, !amp.list<f32>, !amp.list<!amp.list<tensor<2xf32>>>, !amp.list<tensor<2xf32>>) {
    %w = tensor.extract %k[%i] : tensor<?xi32>
    %x = amp.lookup %emb[%w] : tensor<4x2xf32>, i32
    %q = amp.linear %x, %K : tensor<2xf32>, tensor<2x2xf32>
    %keys = amp.stack %c : !amp.list<tensor<2xf32>>
    %m = amp.length %c : !amp.list<tensor<2xf32>>
    %e = tensor.empty(%m) : tensor<?x2xf32>
    %qs = linalg.broadcast ins(%q : tensor<2xf32>) outs(%e : tensor<?x2xf32>) dimensions = [0]
    %p = arith.mulf %qs, %keys : tensor<?x2xf32>
    %a = amp.softmax %p : tensor<?x2xf32>
    %v = arith.mulf %a, %keys : tensor<?x2xf32>
    %r = amp.pool sum %v : tensor<?x2xf32>
    %y = math.tanh %r : tensor<2xf32>
    %z = arith.addf %y, %x : tensor<2xf32>
    %c2 = amp.push %z, %c : !amp.list<tensor<2xf32>>
    %score = tensor.extract %z[%c1] : tensor<2xf32>
    %s2 = amp.push %score, %s : !amp.list<f32>
    %ls2 = amp.push %c2, %ls : !amp.list<!amp.list<tensor<2xf32>>>
    %ls3 = amp.push %c, %ls2 : !amp.list<!amp.list<tensor<2xf32>>>
    %u2 = amp.push %z, %u : !amp.list<tensor<2xf32>>
    scf.yield %c2, %s2, %ls3, %u2 : !amp.list<tensor<2xf32>>, !amp.list<f32>, !amp.list<!amp.list<tensor<2xf32>>>, !amp.list<tensor<2xf32>>
  }
  %all = amp.stack %scalars : !amp.list<f32>
  %total = amp.pool sum %all : tensor<?xf32>
  %t0 = tensor.extract %total[] : tensor<f32>
  %first = scf.for %i = %c0 to %n step %c1 iter_args(%t = %t0) -> f32 {
    %x = amp.at %scalars[%i] : !amp.list<f32>, index
    %y = arith.mulf %x, %x : f32
    %z = arith.addf %y, %t : f32
    scf.yield %z : f32
  }
  %count = amp.length %lists : !amp.list<!amp.list<tensor<2xf32>>>
  %of = scf.for %i = %c0 to %count step %c1 iter_args(%h = %b) -> tensor<2xf32> {
    %list = amp.at %lists[%i] : !amp.list<!amp.list<tensor<2xf32>>>, index
    %rest, %top = amp.pop %list : !amp.list<tensor<2xf32>>
    %x = arith.mulf %top, %h : tensor<2xf32>
    %t = math.sin %x : tensor<2xf32>
    %y = amp.at %list[%c0] : !amp.list<tensor<2xf32>>, index
    %z = arith.addf %t, %y : tensor<2xf32>
    scf.yield %z : tensor<2xf32>
  }
  %r, %last = amp.pop %cache : !amp.list<tensor<2xf32>>
  %0 = tensor.splat %first : tensor<2xf32>
  %1 = arith.mulf %last, %of : tensor<2xf32>
  %2 = arith.addf %0, %1 : tensor<2xf32>
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %l = amp.loss squared_error %2, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- decoder.jsonl
{"k": []}
{"k": [2]}
{"k": [0, 3]}
{"k": [1, 2, 3, 1, 0]}
