// Gradients through loops with a range, and scans of both directions: carried, stacked, captured whole or by row.
// RUN: split-file %s %t
// RUN: ampc --check-gradients %t/for.mlir --input %t/for.jsonl --samples 0 | FileCheck %s --check-prefix=FOR
// RUN: ampc --check-gradients %t/scans.mlir --input %t/scans.jsonl --samples 0 | FileCheck %s --check-prefix=SCANS
// RUN: ampc --check-gradients %t/rows.mlir --input %t/rows.jsonl --samples 0 | FileCheck %s --check-prefix=ROWS
// RUN: ampc --check-gradients %t/sizes.mlir --input %t/sizes.jsonl --samples 0 | FileCheck %s --check-prefix=SIZES
// RUN: ampc --check-gradients %t/nested.mlir --input %t/nested.jsonl --samples 0 | FileCheck %s --check-prefix=NESTED

// FOR:      W: 24 checked, 16 not zero
// FOR-NEXT: first: 12 checked, 12 not zero
// FOR-NEXT: scalar: 6 checked, 6 not zero
// FOR-NEXT: whole: 12 checked, 8 not zero

// SCANS:      U: 16 checked, 12 not zero
// SCANS-NEXT: W: 16 checked, 12 not zero
// SCANS-NEXT: h0: 8 checked, 8 not zero

// ROWS:      by_row: 18 checked, 10 not zero
// ROWS-NEXT: conditional: 18 checked, 6 not zero
// ROWS-NEXT: in_reverse: 18 checked, 10 not zero
// ROWS-NEXT: numbers: 9 checked, 5 not zero
// ROWS-NEXT: rows_and_whole: 18 checked, 18 not zero
// ROWS-NEXT: same_row: 18 checked, 4 not zero

// SIZES:      W: 16 checked, 12 not zero
// SIZES-NEXT: first: 16 checked, 16 not zero
// SIZES-NEXT: more: 8 checked, 6 not zero

// NESTED:      W: 20 checked, 16 not zero
// NESTED-NEXT: a: 10 checked, 10 not zero
// NESTED-NEXT: b: 10 checked, 8 not zero

//--- for.mlir
// No iteration, one, steps; a scalar and tensors that swap places; a value from outside that each iteration uses.
amp.param @W : tensor<2x2xf32> init(normal, 0.5)
amp.param @first : tensor<2xf32> init(normal, 1.0)
amp.param @whole : tensor<2xf32> init(normal, 1.0)
amp.param @scalar : tensor<1xf32> init(uniform, 0.5, 1.0)
func.func @for(%from: index {amp.name = "from"}, %n: index {amp.name = "n"}, %step: index {amp.name = "step"})
    -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %W = amp.get @W : tensor<2x2xf32>
  %first = amp.get @first : tensor<2xf32>
  %whole = amp.get @whole : tensor<2xf32>
  %scalar = amp.get @scalar : tensor<1xf32>
  %captured = math.tanh %whole : tensor<2xf32>
  %s = tensor.extract %scalar[%c0] : tensor<1xf32>
  %sin = math.sin %s : f32
  %a, %b, %t, %unused = scf.for %i = %from to %n step %step iter_args(%p = %first, %q = %target, %u = %s, %v = %first)
      -> (tensor<2xf32>, tensor<2xf32>, f32, tensor<2xf32>) {
    %y = amp.linear %p, %W : tensor<2xf32>, tensor<2x2xf32>
    %z = arith.addf %y, %captured : tensor<2xf32>
    %h = math.tanh %z : tensor<2xf32>
    %w = arith.mulf %u, %sin : f32
    %f = tensor.splat %w : tensor<2xf32>
    %g = arith.mulf %h, %f : tensor<2xf32>
    // This one is carried round, but nobody looks at it.
    %v2 = arith.mulf %v, %captured : tensor<2xf32>
    scf.yield %q, %g, %w, %v2 : tensor<2xf32>, tensor<2xf32>, f32, tensor<2xf32>
  }
  %c = arith.subf %a, %b : tensor<2xf32>
  %d = math.exp %c : tensor<2xf32>
  %l0 = amp.loss squared_error %d, %target : tensor<2xf32>, tensor<2xf32> -> f32
  %l1 = arith.mulf %l0, %t : f32
  return %l1 : f32
}
//--- for.jsonl
{"from": 0, "n": 0, "step": 1}
{"from": 5, "n": 3, "step": 2}
{"from": 2, "n": 3, "step": 1}
{"from": 0, "n": 2, "step": 1}
{"from": 1, "n": 6, "step": 2}
{"from": 0, "n": 7, "step": 3}

//--- scans.mlir
// A forward scan below a reverse one; all of its states, and the last one, count.
amp.param @W : tensor<2x2xf32> init(normal, 0.5)
amp.param @U : tensor<2x2xf32> init(normal, 0.5)
amp.param @h0 : tensor<2xf32> init(normal, 1.0)
func.func @scans(%x: tensor<?x2xf32> {amp.name = "x"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x2xf32>
  %W = amp.get @W : tensor<2x2xf32>
  %U = amp.get @U : tensor<2x2xf32>
  %h0 = amp.get @h0 : tensor<2xf32>
  %f, %fs = amp.scan %t = %c0 to %n carry(%h = %h0) : (tensor<2xf32>) -> (tensor<?x2xf32>) {
    %x_t = amp.lookup %x[%t] : tensor<?x2xf32>, index
    %g = amp.linear %h, %W : tensor<2xf32>, tensor<2x2xf32>
    %s = arith.addf %g, %x_t : tensor<2xf32>
    %y = math.tanh %s : tensor<2xf32>
    amp.yield %y, %y : tensor<2xf32>, tensor<2xf32>
  }
  %b, %bs, %ss = amp.scan reverse %t = %c0 to %n carry(%h = %f) : (tensor<2xf32>) -> (tensor<?x2xf32>, tensor<?xf32>) {
    %x_t = amp.lookup %fs[%t] : tensor<?x2xf32>, index
    %g = amp.linear %h, %U : tensor<2xf32>, tensor<2x2xf32>
    %s = arith.addf %g, %x_t : tensor<2xf32>
    %y = math.tanh %s : tensor<2xf32>
    %k = tensor.extract %y[%c0] : tensor<2xf32>
    %e = math.exp %k : f32
    // What is stacked is not what is carried.
    %z = arith.mulf %y, %x_t : tensor<2xf32>
    amp.yield %y, %z, %e : tensor<2xf32>, tensor<2xf32>, f32
  }
  %l0 = amp.loss squared_error %bs, %x : tensor<?x2xf32>, tensor<?x2xf32> -> f32
  %v = arith.mulf %b, %f : tensor<2xf32>
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %l1 = amp.loss squared_error %v, %target : tensor<2xf32>, tensor<2xf32> -> f32
  %p = amp.pool mean %ss : tensor<?xf32>
  %l2 = tensor.extract %p[] : tensor<f32>
  %l3 = arith.addf %l0, %l1 : f32
  %l4 = arith.addf %l3, %l2 : f32
  return %l4 : f32
}
//--- scans.jsonl
{"x": []}
{"x": [[0.5, -1]]}
{"x": [[0.5, -1], [0.25, 2]]}
{"x": [[0.5, -1], [0.25, 2], [1, 1], [-0.5, 0.125]]}

//--- rows.mlir
// Iterations that use a row each of a value from outside, by all kinds of indices, or only now and then, or a row that
// others use as well, or all of it, too.
amp.param @by_row : tensor<3x2xf32> init(normal, 1.0)
amp.param @same_row : tensor<3x2xf32> init(normal, 1.0)
amp.param @conditional : tensor<3x2xf32> init(normal, 1.0)
amp.param @rows_and_whole : tensor<3x2xf32> init(normal, 1.0)
amp.param @in_reverse : tensor<3x2xf32> init(normal, 1.0)
amp.param @numbers : tensor<3xf32> init(normal, 1.0)
func.func @rows(%n: index {amp.name = "n"}, %k: tensor<?xi32> {amp.name = "k"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %two = arith.constant 2 : i32
  %zeros = arith.constant dense<0.25> : tensor<2xf32>
  %0 = amp.get @by_row : tensor<3x2xf32>
  %by_row = math.sin %0 : tensor<3x2xf32>
  %1 = amp.get @same_row : tensor<3x2xf32>
  %same_row = math.sin %1 : tensor<3x2xf32>
  %2 = amp.get @conditional : tensor<3x2xf32>
  %conditional = math.sin %2 : tensor<3x2xf32>
  %3 = amp.get @rows_and_whole : tensor<3x2xf32>
  %rows_and_whole = math.sin %3 : tensor<3x2xf32>
  %4 = amp.get @in_reverse : tensor<3x2xf32>
  %in_reverse = math.sin %4 : tensor<3x2xf32>
  %5 = amp.get @numbers : tensor<3xf32>
  %numbers = math.sin %5 : tensor<3xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zeros) -> (tensor<2xf32>) {
    %w = tensor.extract %k[%i] : tensor<?xi32>
    %j = arith.index_cast %w : i32 to index
    %a = tensor.extract_slice %by_row[%j, 0] [1, 2] [1, 1] : tensor<3x2xf32> to tensor<2xf32>
    %b = tensor.extract_slice %same_row[%c1, 0] [1, 2] [1, 1] : tensor<3x2xf32> to tensor<2xf32>
    %small = arith.cmpi slt, %w, %two : i32
    %c = scf.if %small -> (tensor<2xf32>) {
      %6 = tensor.extract_slice %conditional[%j, 0] [1, 2] [1, 1] : tensor<3x2xf32> to tensor<2xf32>
      %7 = arith.mulf %6, %a : tensor<2xf32>
      scf.yield %7 : tensor<2xf32>
    } else {
      scf.yield %a : tensor<2xf32>
    }
    %d = tensor.extract_slice %rows_and_whole[%j, 0] [1, 2] [1, 1] : tensor<3x2xf32> to tensor<2xf32>
    %e = amp.pool mean %rows_and_whole : tensor<3x2xf32>
    %f = arith.addf %d, %e : tensor<2xf32>
    %x = tensor.extract %numbers[%j] : tensor<3xf32>
    %g = tensor.splat %x : tensor<2xf32>
    %h0 = arith.mulf %s, %b : tensor<2xf32>
    %h1 = arith.mulf %c, %f : tensor<2xf32>
    %h2 = arith.mulf %h1, %g : tensor<2xf32>
    %h3 = arith.addf %h0, %h2 : tensor<2xf32>
    scf.yield %h3 : tensor<2xf32>
  }
  %last = amp.scan reverse %i = %c0 to %n carry(%s = %sum) : (tensor<2xf32>) {
    %w = tensor.extract %k[%i] : tensor<?xi32>
    %j = arith.index_cast %w : i32 to index
    %a = tensor.extract_slice %in_reverse[%j, 0] [1, 2] [1, 1] : tensor<3x2xf32> to tensor<2xf32>
    %t = arith.subf %s, %a : tensor<2xf32>
    %u = math.tanh %t : tensor<2xf32>
    amp.yield %u : tensor<2xf32>
  }
  %all = amp.pool sum %rows_and_whole : tensor<3x2xf32>
  %y = arith.addf %last, %all : tensor<2xf32>
  %l = amp.loss squared_error %y, %zeros : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- rows.jsonl
{"n": 0, "k": []}
{"n": 3, "k": [2, 0, 2]}
{"n": 5, "k": [1, 1, 0, 2, 1]}

//--- sizes.mlir
// Carried tensors whose sizes only an instance knows; one that grows.
amp.param @W : tensor<2x2xf32> init(normal, 0.5)
amp.param @first : tensor<2x2xf32> init(normal, 1.0)
amp.param @more : tensor<2xf32> init(normal, 1.0)
func.func @sizes(%n: index {amp.name = "n"}, %m: index {amp.name = "m"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %W = amp.get @W : tensor<2x2xf32>
  %0 = amp.get @first : tensor<2x2xf32>
  %first = tensor.cast %0 : tensor<2x2xf32> to tensor<?x2xf32>
  %more = amp.get @more : tensor<2xf32>
  %rows = tensor.expand_shape %more [[0, 1]] output_shape [1, 2] : tensor<2xf32> into tensor<1x2xf32>
  %block = math.sin %first : tensor<?x2xf32>
  %grown = scf.for %i = %c0 to %n step %c1 iter_args(%x = %block) -> (tensor<?x2xf32>) {
    %y = math.tanh %x : tensor<?x2xf32>
    %z = tensor.concat dim(0) %y, %rows : (tensor<?x2xf32>, tensor<1x2xf32>) -> tensor<?x2xf32>
    scf.yield %z : tensor<?x2xf32>
  }
  // What it captures is open as well.
  %same = scf.for %i = %c0 to %m step %c1 iter_args(%x = %grown) -> (tensor<?x2xf32>) {
    %y = amp.linear %x, %W : tensor<?x2xf32>, tensor<2x2xf32>
    %z = arith.mulf %y, %grown : tensor<?x2xf32>
    %w = math.tanh %z : tensor<?x2xf32>
    scf.yield %w : tensor<?x2xf32>
  }
  %sin = math.sin %same : tensor<?x2xf32>
  %p = amp.pool sum %sin : tensor<?x2xf32>
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %l = amp.loss squared_error %p, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- sizes.jsonl
{"n": 0, "m": 1}
{"n": 1, "m": 0}
{"n": 2, "m": 1}
{"n": 3, "m": 2}

//--- nested.mlir
// A loop in a loop: both use values from outside, the inner one also the outer one's, and what the outer one carries.
amp.param @W : tensor<2x2xf32> init(normal, 0.5)
amp.param @a : tensor<2xf32> init(normal, 1.0)
amp.param @b : tensor<2xf32> init(normal, 1.0)
func.func @nested(%n: index {amp.name = "n"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = amp.get @a : tensor<2xf32>
  %a = math.sin %0 : tensor<2xf32>
  %1 = amp.get @b : tensor<2xf32>
  %b = math.sin %1 : tensor<2xf32>
  %outer, %states = amp.scan %i = %c0 to %n carry(%h = %a) : (tensor<2xf32>) -> (tensor<?x2xf32>) {
    %W = amp.get @W : tensor<2x2xf32>
    %g = amp.linear %h, %W : tensor<2xf32>, tensor<2x2xf32>
    %inner = scf.for %j = %c0 to %i step %c1 iter_args(%s = %b) -> (tensor<2xf32>) {
      %t = arith.mulf %s, %g : tensor<2xf32>
      %u = arith.addf %t, %h : tensor<2xf32>
      %v = arith.addf %u, %b : tensor<2xf32>
      %w = math.tanh %v : tensor<2xf32>
      scf.yield %w : tensor<2xf32>
    }
    %y = arith.addf %inner, %g : tensor<2xf32>
    %z = math.tanh %y : tensor<2xf32>
    amp.yield %z, %inner : tensor<2xf32>, tensor<2xf32>
  }
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %p = amp.pool mean %states : tensor<?x2xf32>
  %y = arith.addf %outer, %p : tensor<2xf32>
  %l = amp.loss squared_error %y, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- nested.jsonl
{"n": 0}
{"n": 1}
{"n": 2}
{"n": 3}
{"n": 4}
