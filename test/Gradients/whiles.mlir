// Gradients through loops that end by a condition: gradients of what leaves and of what goes on come on either side of it.
// RUN: split-file %s %t
// RUN: ampc --check-gradients %t/carried.mlir --input %t/carried.jsonl --samples 0 | FileCheck %s --check-prefix=CARRIED
// RUN: ampc --check-gradients %t/captured.mlir --input %t/captured.jsonl --samples 0 | FileCheck %s --check-prefix=CAPTURED
// RUN: ampc --check-gradients %t/learnt.mlir --input %t/learnt.jsonl --samples 0 | FileCheck %s --check-prefix=LEARNT

// CARRIED:      W: 20 checked, 16 not zero
// CARRIED-NEXT: before: 10 checked, 10 not zero
// CARRIED-NEXT: scalar: 5 checked, 5 not zero
// CARRIED-NEXT: x: 10 checked, 10 not zero

// CAPTURED:      after: 8 checked, 6 not zero
// CAPTURED-NEXT: both: 8 checked, 8 not zero
// CAPTURED-NEXT: exit: 8 checked, 8 not zero
// CAPTURED-NEXT: rows: 12 checked, 6 not zero
// CAPTURED-NEXT: unmoved: 8 checked, 8 not zero

// LEARNT:      W: 16 checked, 12 not zero
// LEARNT-NEXT: x: 8 checked, 8 not zero

//--- carried.mlir
// No iteration, one, several; work before the decision and behind it, a scalar, a value that leaves changed.
amp.param @W : tensor<2x2xf32> init(normal, 0.5)
amp.param @x : tensor<2xf32> init(normal, 1.0)
amp.param @before : tensor<2xf32> init(normal, 1.0)
amp.param @scalar : tensor<1xf32> init(uniform, 0.5, 1.0)
func.func @carried(%limit: i32 {amp.name = "limit"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %x = amp.get @x : tensor<2xf32>
  %s0 = amp.get @scalar : tensor<1xf32>
  %s = tensor.extract %s0[%c0] : tensor<1xf32>
  %y, %t, %steps = scf.while (%h = %x, %u = %s, %n = %zero) : (tensor<2xf32>, f32, i32) -> (tensor<2xf32>, f32, i32) {
    %before = amp.get @before : tensor<2xf32>
    %g = arith.mulf %h, %before : tensor<2xf32>
    %within = arith.cmpi slt, %n, %limit : i32
    scf.condition(%within) %g, %u, %n : tensor<2xf32>, f32, i32
  } do {
  ^bb0(%h: tensor<2xf32>, %u: f32, %n: i32):
    %W = amp.get @W : tensor<2x2xf32>
    %g = amp.linear %h, %W : tensor<2xf32>, tensor<2x2xf32>
    %h2 = math.tanh %g : tensor<2xf32>
    %v = math.sin %u : f32
    %f = tensor.splat %v : tensor<2xf32>
    %h3 = arith.addf %h2, %f : tensor<2xf32>
    %n2 = arith.addi %n, %one : i32
    scf.yield %h3, %v, %n2 : tensor<2xf32>, f32, i32
  }
  %l0 = amp.loss squared_error %y, %target : tensor<2xf32>, tensor<2xf32> -> f32
  %l1 = arith.mulf %l0, %t : f32
  return %l1 : f32
}
//--- carried.jsonl
{"limit": 0}
{"limit": 1}
{"limit": 2}
{"limit": 3}
{"limit": 7}

//--- captured.mlir
// Values from outside: used on the side that goes on, on the side that leaves, on both, by rows.
amp.param @after : tensor<2xf32> init(normal, 1.0)
amp.param @both : tensor<2xf32> init(normal, 1.0)
amp.param @exit : tensor<2xf32> init(normal, 1.0)
amp.param @rows : tensor<3xf32> init(normal, 1.0)
amp.param @unmoved : tensor<2xf32> init(normal, 1.0)
func.func @captured(%limit: index {amp.name = "limit"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %0 = amp.get @after : tensor<2xf32>
  %after = math.sin %0 : tensor<2xf32>
  %1 = amp.get @both : tensor<2xf32>
  %both = math.sin %1 : tensor<2xf32>
  %2 = amp.get @exit : tensor<2xf32>
  %exit = math.sin %2 : tensor<2xf32>
  %3 = amp.get @rows : tensor<3xf32>
  %rows = math.sin %3 : tensor<3xf32>
  %4 = amp.get @unmoved : tensor<2xf32>
  %unmoved = math.sin %4 : tensor<2xf32>
  // A value that goes round as it is, and one that nobody reads in the end.
  %y, %u, %n, %dead = scf.while (%h = %both, %u = %unmoved, %n = %c0, %d = %after)
      : (tensor<2xf32>, tensor<2xf32>, index, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, index, tensor<2xf32>) {
    %within = arith.cmpi slt, %n, %limit : index
    %a, %b = scf.if %within -> (tensor<2xf32>, tensor<2xf32>) {
      %7 = arith.addf %h, %both : tensor<2xf32>
      scf.yield %7, %h : tensor<2xf32>, tensor<2xf32>
    } else {
      %7 = arith.mulf %h, %exit : tensor<2xf32>
      scf.yield %7, %both : tensor<2xf32>, tensor<2xf32>
    }
    %g = arith.mulf %a, %b : tensor<2xf32>
    scf.condition(%within) %g, %u, %n, %d : tensor<2xf32>, tensor<2xf32>, index, tensor<2xf32>
  } do {
  ^bb0(%h: tensor<2xf32>, %u: tensor<2xf32>, %n: index, %d: tensor<2xf32>):
    %g = arith.addf %h, %after : tensor<2xf32>
    %e = tensor.extract %rows[%n] : tensor<3xf32>
    %f = tensor.splat %e : tensor<2xf32>
    %k = arith.mulf %g, %f : tensor<2xf32>
    %t = math.tanh %k : tensor<2xf32>
    %d2 = arith.mulf %d, %t : tensor<2xf32>
    %n2 = arith.addi %n, %c1 : index
    scf.yield %t, %u, %n2, %d2 : tensor<2xf32>, tensor<2xf32>, index, tensor<2xf32>
  }
  %z = arith.addf %y, %u : tensor<2xf32>
  %l = amp.loss squared_error %z, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- captured.jsonl
{"limit": 0}
{"limit": 1}
{"limit": 2}
{"limit": 3}

//--- learnt.mlir
// How long it runs depends on what it computes.
amp.param @W : tensor<2x2xf32> init(normal, 1.0)
amp.param @x : tensor<2xf32> init(normal, 1.0)
func.func @learnt(%limit: i32 {amp.name = "limit"}, %bound: f32 {amp.name = "bound"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %W = amp.get @W : tensor<2x2xf32>
  %x = amp.get @x : tensor<2xf32>
  %target = arith.constant dense<[0.3, -0.4]> : tensor<2xf32>
  %y, %sum, %steps = scf.while (%h = %x, %s = %target, %n = %zero)
      : (tensor<2xf32>, tensor<2xf32>, i32) -> (tensor<2xf32>, tensor<2xf32>, i32) {
    %first = tensor.extract %h[%c0] : tensor<2xf32>
    %low = arith.cmpf olt, %first, %bound : f32
    %within = arith.cmpi slt, %n, %limit : i32
    %more = arith.andi %low, %within : i1
    scf.condition(%more) %h, %s, %n : tensor<2xf32>, tensor<2xf32>, i32
  } do {
  ^bb0(%h: tensor<2xf32>, %s: tensor<2xf32>, %n: i32):
    %g = amp.linear %h, %W : tensor<2xf32>, tensor<2x2xf32>
    %h2 = math.sin %g : tensor<2xf32>
    %s2 = arith.addf %s, %h2 : tensor<2xf32>
    %n2 = arith.addi %n, %one : i32
    scf.yield %h2, %s2, %n2 : tensor<2xf32>, tensor<2xf32>, i32
  }
  %z = arith.mulf %y, %sum : tensor<2xf32>
  %l = amp.loss squared_error %z, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- learnt.jsonl
{"limit": 9, "bound": -3.0}
{"limit": 5, "bound": 3.0}
{"limit": 9, "bound": 0.2}
{"limit": 9, "bound": 0.9}
