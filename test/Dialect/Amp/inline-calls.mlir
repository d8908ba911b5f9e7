// RUN: amp-opt %s -amp-inline-calls | FileCheck %s

// Chains are inlined from the callees up; what nothing calls any more is erased.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[X:.*]]: f32)
// CHECK-NEXT: %[[A:.*]] = math.tanh %[[X]]
// CHECK-NEXT: %[[B:.*]] = arith.addf %[[A]], %[[A]]
// CHECK-NEXT: %[[C:.*]] = math.tanh %[[B]]
// CHECK-NEXT: return %[[C]], %[[B]]
// CHECK-NOT: @twice
// CHECK-NOT: @tanh
func.func @chain(%x: f32) -> (f32, f32) {
  %b = func.call @twice(%x) : (f32) -> f32
  %c = func.call @tanh(%b) : (f32) -> f32
  return %c, %b : f32, f32
}
func.func private @twice(%x: f32) -> f32 {
  %a = func.call @tanh(%x) : (f32) -> f32
  %b = arith.addf %a, %a : f32
  return %b : f32
}
func.func private @tanh(%x: f32) -> f32 {
  %y = math.tanh %x : f32
  return %y : f32
}

// A call in a region; a result that is an argument.
// CHECK-LABEL: func.func @region(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: f32, %[[Y:.*]]: f32)
// CHECK: scf.if
// CHECK-NEXT: scf.yield %[[Y]]
func.func @region(%c: i1, %x: f32, %y: f32) -> f32 {
  %z = scf.if %c -> f32 {
    %a, %b = func.call @swap(%x, %y) : (f32, f32) -> (f32, f32)
    scf.yield %a : f32
  } else {
    scf.yield %x : f32
  }
  return %z : f32
}
func.func private @swap(%x: f32, %y: f32) -> (f32, f32) {
  return %y, %x : f32, f32
}

// Functions on a cycle stay, but what they call is inlined.
// CHECK-LABEL: func.func @recursive(
// CHECK: call @even
func.func @recursive(%n: i32) -> i32 {
  %y = func.call @even(%n) : (i32) -> i32
  return %y : i32
}
// CHECK-LABEL: func.func private @even(
// CHECK: arith.subi
// CHECK: call @odd
func.func private @even(%n: i32) -> i32 {
  %m = func.call @less(%n) : (i32) -> i32
  %y = func.call @odd(%m) : (i32) -> i32
  return %y : i32
}
// CHECK-LABEL: func.func private @odd(
// CHECK: arith.subi
// CHECK: call @even
func.func private @odd(%n: i32) -> i32 {
  %m = func.call @less(%n) : (i32) -> i32
  %y = func.call @even(%m) : (i32) -> i32
  return %y : i32
}
// CHECK-NOT: @less
func.func private @less(%n: i32) -> i32 {
  %one = arith.constant 1 : i32
  %m = arith.subi %n, %one : i32
  return %m : i32
}

// Those that only call themselves are erased.
// CHECK-NOT: @lonely
func.func private @lonely(%n: i32) -> i32 {
  %y = func.call @lonely(%n) : (i32) -> i32
  return %y : i32
}

// Unchanged: declarations, functions of several blocks, no_inline.
// CHECK-LABEL: func.func @stays(
// CHECK: call @declared
// CHECK: call @blocks
// CHECK: call @kept
func.func @stays() {
  func.call @declared() : () -> ()
  func.call @blocks() : () -> ()
  func.call @kept() : () -> ()
  return
}
// CHECK: func.func private @declared
func.func private @declared()
// CHECK: func.func private @blocks
func.func private @blocks() {
  cf.br ^next
^next:
  return
}
// CHECK: func.func private @kept
func.func private @kept() attributes {no_inline} {
  return
}
