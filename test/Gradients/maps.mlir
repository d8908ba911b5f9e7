// Gradients through maps that stay maps: rows of values from outside, and all of them; maps and loops in one another.
// RUN: split-file %s %t
// RUN: ampc --check-gradients %t/maps.mlir --input %t/maps.jsonl --samples 0 | FileCheck %s --check-prefix=MAPS
// RUN: ampc --check-gradients %t/in_map.mlir --input %t/in_map.jsonl --samples 0 | FileCheck %s --check-prefix=INMAP
// RUN: ampc --check-gradients %t/map_in_loop.mlir --input %t/map_in_loop.jsonl --samples 0 | FileCheck %s --check-prefix=INLOOP
// RUN: ampc --check-gradients %t/straight.mlir --input %t/straight.jsonl --samples 0 | FileCheck %s --check-prefix=STRAIGHT
// RUN: ampc --check-gradients %t/open.mlir --input %t/open.jsonl --samples 0 | FileCheck %s --check-prefix=OPEN

// MAPS:      W: 16 checked, 12 not zero
// MAPS-NEXT: by_row: 24 checked, 8 not zero
// MAPS-NEXT: cells: 24 checked, 4 not zero
// MAPS-NEXT: number: 4 checked, 3 not zero
// MAPS-NEXT: numbers: 12 checked, 4 not zero
// MAPS-NEXT: unlike: 8 checked, 8 not zero
// MAPS-NEXT: whole: 8 checked, 6 not zero

// INMAP:      W: 16 checked, 12 not zero
// INMAP-NEXT: a: 8 checked, 4 not zero
// INMAP-NEXT: b: 24 checked, 12 not zero

// INLOOP:      W: 12 checked, 8 not zero
// INLOOP-NEXT: a: 6 checked, 6 not zero
// INLOOP-NEXT: b: 18 checked, 18 not zero

// STRAIGHT:      W: 16 checked, 12 not zero
// STRAIGHT-NEXT: b: 8 checked, 6 not zero
// STRAIGHT-NEXT: emb: 24 checked, 12 not zero

// OPEN:      W: 20 checked, 12 not zero
// OPEN-NEXT: emb: 40 checked, 18 not zero

//--- maps.mlir
// A decision in the body keeps it a map. No element, one, several; a result of scalars, a result that nobody needs.
amp.param @W : tensor<2x2xf32> init(normal, 0.5)
amp.param @by_row : tensor<3x2xf32> init(normal, 1.0)
amp.param @cells : tensor<3x2xf32> init(normal, 1.0)
amp.param @numbers : tensor<3xf32> init(normal, 1.0)
amp.param @number : tensor<1xf32> init(normal, 1.0)
amp.param @whole : tensor<2xf32> init(normal, 1.0)
amp.param @unlike : tensor<2xf32> init(normal, 1.0)
func.func @maps(%k: tensor<?xi32> {amp.name = "k"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %0 = amp.get @by_row : tensor<3x2xf32>
  %by_row = math.sin %0 : tensor<3x2xf32>
  %1 = amp.get @cells : tensor<3x2xf32>
  %cells = math.sin %1 : tensor<3x2xf32>
  %2 = amp.get @numbers : tensor<3xf32>
  %numbers = math.sin %2 : tensor<3xf32>
  %3 = amp.get @whole : tensor<2xf32>
  %whole = math.sin %3 : tensor<2xf32>
  %4 = amp.get @number : tensor<1xf32>
  %n0 = tensor.extract %4[%c0] : tensor<1xf32>
  %number = math.sin %n0 : f32
  %5 = amp.get @unlike : tensor<2xf32>
  %unlike = math.sin %5 : tensor<2xf32>
  %n = tensor.dim %k, %c0 : tensor<?xi32>
  %rows, %scalars, %unused = amp.map %i to %n -> (tensor<?x2xf32>, tensor<?xf32>, tensor<?x2xf32>) {
    %w = tensor.extract %k[%i] : tensor<?xi32>
    %j = arith.index_cast %w : i32 to index
    %a = amp.lookup %by_row[%j] : tensor<3x2xf32>, index
    %b = tensor.extract_slice %cells[%j, 0] [1, 2] [1, 1] : tensor<3x2xf32> to tensor<2xf32>
    %small = arith.cmpi sle, %w, %one : i32
    %c = scf.if %small -> (tensor<2xf32>) {
      %W = amp.get @W : tensor<2x2xf32>
      %6 = amp.linear %a, %W : tensor<2xf32>, tensor<2x2xf32>
      %7 = arith.mulf %6, %whole : tensor<2xf32>
      %x = tensor.extract %numbers[%j] : tensor<3xf32>
      %8 = tensor.splat %x : tensor<2xf32>
      %9 = arith.addf %7, %8 : tensor<2xf32>
      scf.yield %9 : tensor<2xf32>
    } else {
      %6 = tensor.splat %number : tensor<2xf32>
      %7 = arith.mulf %6, %b : tensor<2xf32>
      scf.yield %7 : tensor<2xf32>
    }
    %d = math.tanh %c : tensor<2xf32>
    %e = tensor.extract %d[%c1] : tensor<2xf32>
    %f = arith.mulf %e, %number : f32
    %g = arith.addf %d, %unlike : tensor<2xf32>
    amp.yield %d, %f, %g : tensor<2xf32>, f32, tensor<2xf32>
  }
  %p = amp.pool sum %rows : tensor<?x2xf32>
  %s = amp.pool mean %scalars : tensor<?xf32>
  %t = tensor.extract %s[] : tensor<f32>
  %u = tensor.splat %t : tensor<2xf32>
  %v = arith.mulf %p, %u : tensor<2xf32>
  %z = arith.addf %v, %unlike : tensor<2xf32>
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %l = amp.loss squared_error %z, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- maps.jsonl
{"k": []}
{"k": [0]}
{"k": [2, 1, 2]}
{"k": [1, 0, 1, 2, 0]}

//--- in_map.mlir
// In a map: a map, a loop with a range, a loop with a condition; all use values from outside of everything, and of the
// map they stand in.
amp.param @W : tensor<2x2xf32> init(normal, 0.5)
amp.param @a : tensor<2xf32> init(normal, 1.0)
amp.param @b : tensor<3x2xf32> init(normal, 1.0)
func.func @in_map(%n: index {amp.name = "n"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = amp.get @a : tensor<2xf32>
  %a = math.sin %0 : tensor<2xf32>
  %1 = amp.get @b : tensor<3x2xf32>
  %b = math.sin %1 : tensor<3x2xf32>
  %rows = amp.map %i to %n -> (tensor<?x2xf32>) {
    %W = amp.get @W : tensor<2x2xf32>
    %x = amp.lookup %b[%i] : tensor<3x2xf32>, index
    %y = amp.linear %x, %W : tensor<2xf32>, tensor<2x2xf32>
    %inner = amp.map %j to %i -> (tensor<?x2xf32>) {
      %z = amp.lookup %b[%j] : tensor<3x2xf32>, index
      %even = arith.remui %j, %c2 : index
      %is = arith.cmpi eq, %even, %c0 : index
      %u = scf.if %is -> (tensor<2xf32>) {
        %2 = arith.mulf %z, %y : tensor<2xf32>
        scf.yield %2 : tensor<2xf32>
      } else {
        %2 = arith.addf %z, %a : tensor<2xf32>
        scf.yield %2 : tensor<2xf32>
      }
      amp.yield %u : tensor<2xf32>
    }
    %p = amp.pool sum %inner : tensor<?x2xf32>
    %s = scf.for %j = %c0 to %i step %c1 iter_args(%h = %p) -> (tensor<2xf32>) {
      %z = tensor.extract_slice %b[%j, 0] [1, 2] [1, 1] : tensor<3x2xf32> to tensor<2xf32>
      %u = arith.mulf %h, %z : tensor<2xf32>
      %v = arith.addf %u, %y : tensor<2xf32>
      %w = arith.addf %v, %a : tensor<2xf32>
      %t = math.tanh %w : tensor<2xf32>
      scf.yield %t : tensor<2xf32>
    }
    %e, %m = scf.while (%h = %s, %k = %c0) : (tensor<2xf32>, index) -> (tensor<2xf32>, index) {
      %more = arith.cmpi slt, %k, %i : index
      scf.condition(%more) %h, %k : tensor<2xf32>, index
    } do {
    ^bb0(%h: tensor<2xf32>, %k: index):
      %u = arith.mulf %h, %a : tensor<2xf32>
      %v = arith.addf %u, %x : tensor<2xf32>
      %k1 = arith.addi %k, %c1 : index
      scf.yield %v, %k1 : tensor<2xf32>, index
    }
    %f = arith.addf %e, %y : tensor<2xf32>
    amp.yield %f : tensor<2xf32>
  }
  %p = amp.pool mean %rows : tensor<?x2xf32>
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %l = amp.loss squared_error %p, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- in_map.jsonl
{"n": 0}
{"n": 1}
{"n": 2}
{"n": 3}

//--- map_in_loop.mlir
// A map in a loop, over rows that the loop carries: it uses what is carried by row, and whole.
amp.param @W : tensor<2x2xf32> init(normal, 0.5)
amp.param @a : tensor<2xf32> init(normal, 1.0)
amp.param @b : tensor<3x2xf32> init(normal, 1.0)
func.func @map_in_loop(%n: index {amp.name = "n"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0 = amp.get @a : tensor<2xf32>
  %a = math.sin %0 : tensor<2xf32>
  %1 = amp.get @b : tensor<3x2xf32>
  %b = tensor.cast %1 : tensor<3x2xf32> to tensor<?x2xf32>
  %states, %sum = scf.for %t = %c0 to %n step %c1 iter_args(%h = %b, %s = %a) -> (tensor<?x2xf32>, tensor<2xf32>) {
    %W = amp.get @W : tensor<2x2xf32>
    %next = amp.map %i to %c3 -> (tensor<?x2xf32>) {
      %x = amp.lookup %h[%i] : tensor<?x2xf32>, index
      %first = arith.cmpi eq, %i, %t : index
      %y = scf.if %first -> (tensor<2xf32>) {
        %2 = arith.mulf %s, %a : tensor<2xf32>
        %3 = arith.addf %2, %x : tensor<2xf32>
        scf.yield %3 : tensor<2xf32>
      } else {
        %2 = amp.linear %x, %W : tensor<2xf32>, tensor<2x2xf32>
        scf.yield %2 : tensor<2xf32>
      }
      %z = math.tanh %y : tensor<2xf32>
      amp.yield %z : tensor<2xf32>
    }
    %p = amp.pool mean %next : tensor<?x2xf32>
    %u = arith.mulf %p, %s : tensor<2xf32>
    %v = arith.addf %u, %a : tensor<2xf32>
    scf.yield %next, %v : tensor<?x2xf32>, tensor<2xf32>
  }
  %p = amp.pool sum %states : tensor<?x2xf32>
  %q = arith.mulf %p, %sum : tensor<2xf32>
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %l = amp.loss squared_error %q, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- map_in_loop.jsonl
{"n": 0}
{"n": 1}
{"n": 3}

//--- straight.mlir
// Maps that become row blocks before the graph is made.
amp.param @emb : tensor<3x2xf32> init(normal, 1.0)
amp.param @W : tensor<2x2xf32> init(normal, 0.5)
amp.param @b : tensor<2xf32> init(normal, 1.0)
func.func @straight(%k: tensor<?xi32> {amp.name = "k"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %k, %c0 : tensor<?xi32>
  %0 = amp.get @b : tensor<2xf32>
  %b = math.sin %0 : tensor<2xf32>
  %rows = amp.map %i to %n -> (tensor<?x2xf32>) {
    %emb = amp.get @emb : tensor<3x2xf32>
    %W = amp.get @W : tensor<2x2xf32>
    %w = tensor.extract %k[%i] : tensor<?xi32>
    %x = amp.lookup %emb[%w] : tensor<3x2xf32>, i32
    %y = amp.linear %x, %W, %b : tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>
    %z = arith.mulf %y, %b : tensor<2xf32>
    %s = amp.softmax %z : tensor<2xf32>
    amp.yield %s : tensor<2xf32>
  }
  %targets = amp.map %i to %n -> (tensor<?xi32>) {
    %one = arith.constant 1 : i32
    %w = tensor.extract %k[%i] : tensor<?xi32>
    %t = arith.andi %w, %one : i32
    amp.yield %t : i32
  }
  %l = amp.loss cross_entropy %rows, %targets : tensor<?x2xf32>, tensor<?xi32> -> f32
  return %l : f32
}
//--- straight.jsonl
{"k": []}
{"k": [0]}
{"k": [2, 1, 2]}
{"k": [1, 0, 1, 2, 0]}

//--- open.mlir
// A value of open size, used whole by each element: pooled, gathered from, and a row of it; on one side of a decision.
amp.param @W : tensor<2x2xf32> init(normal, 0.5)
amp.param @emb : tensor<4x2xf32> init(normal, 1.0)
func.func @open(%k: tensor<?xi32> {amp.name = "k"}, %n: index {amp.name = "n"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %emb = amp.get @emb : tensor<4x2xf32>
  %0 = amp.gather %emb[%k] : tensor<4x2xf32>, tensor<?xi32>
  %h = math.sin %0 : tensor<?x2xf32>
  %rows, %counts = amp.map %i to %n -> (tensor<?x2xf32>, tensor<?xf32>) {
    %W = amp.get @W : tensor<2x2xf32>
    %even = arith.remui %i, %c2 : index
    %is = arith.cmpi eq, %even, %c0 : index
    %u = scf.if %is -> (tensor<2xf32>) {
      %p = amp.pool mean %h : tensor<?x2xf32>
      scf.yield %p : tensor<2xf32>
    } else {
      %x = amp.lookup %h[%c0] : tensor<?x2xf32>, index
      scf.yield %x : tensor<2xf32>
    }
    %s = amp.map %j to %i -> (tensor<?x2xf32>) {
      %q = amp.lookup %h[%c0] : tensor<?x2xf32>, index
      %g = amp.gather %h[%k] : tensor<?x2xf32>, tensor<?xi32>
      %m = amp.pool max %g : tensor<?x2xf32>
      %y = arith.mulf %m, %q : tensor<2xf32>
      %z = arith.cmpi eq, %j, %c0 : index
      %w = scf.if %z -> (tensor<2xf32>) {
        scf.yield %y : tensor<2xf32>
      } else {
        %v = arith.addf %y, %u : tensor<2xf32>
        scf.yield %v : tensor<2xf32>
      }
      amp.yield %w : tensor<2xf32>
    }
    %t = amp.pool sum %s : tensor<?x2xf32>
    %a = arith.addf %t, %u : tensor<2xf32>
    %b = amp.linear %a, %W : tensor<2xf32>, tensor<2x2xf32>
    %c = tensor.extract %b[%c0] : tensor<2xf32>
    amp.yield %b, %c : tensor<2xf32>, f32
  }
  %p = amp.pool mean %rows : tensor<?x2xf32>
  %e = amp.pool sum %counts : tensor<?xf32>
  %f = tensor.extract %e[] : tensor<f32>
  %v = tensor.splat %f : tensor<2xf32>
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %r = arith.addf %p, %v : tensor<2xf32>
  %l = amp.loss squared_error %r, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- open.jsonl
{"k": [0, 1, 3], "n": 0}
{"k": [2], "n": 1}
{"k": [0, 1, 1, 0, 3, 2], "n": 2}
{"k": [0, 1, 3, 2], "n": 5}
{"k": [0, 1, 3], "n": -1}
