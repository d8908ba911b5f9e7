// RUN: amp-opt %s -amp-verify-program -convert-program-to-graph -amp-verify-graph | FileCheck %s

// CHECK-LABEL: amp.graph @entry(
// CHECK: %[[Y:.*]] = amp.call @recursion(%{{.*}}, %{{.*}}) : (i32, tensor<4xf32>) -> tensor<4xf32>
func.func @entry(%n: i32 {amp.name = "n"}, %x: tensor<4xf32> {amp.name = "x"})
    -> (tensor<4xf32> {amp.name = "y"}) {
  %y = func.call @recursion(%n, %x) : (i32, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// A scalar operand that is guarded opens the call only where its arm runs.
// CHECK-LABEL: amp.graph private @recursion(
// CHECK-SAME: %[[N:.*]]: i32, %[[X:.*]]: tensor<4xf32>)
// CHECK: %[[DONE:.*]] = arith.cmpi
// CHECK: %{{.*}}, %[[NF:.*]] = amp.branch %[[DONE]], %[[N]] : i32
// CHECK: %[[M:.*]] = arith.subi %[[NF]]
// CHECK: %[[XT:.*]], %[[XF:.*]] = amp.branch %[[DONE]], %[[X]]
// CHECK: %[[R:.*]] = amp.call @recursion(%[[M]], %[[XF]]) : (i32, tensor<4xf32>)
// CHECK: amp.merge %[[XT]], %[[R]]
func.func private @recursion(%n: i32, %x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %done = arith.cmpi sle, %n, %zero : i32
  %y = scf.if %done -> (tensor<4xf32>) {
    scf.yield %x : tensor<4xf32>
  } else {
    %m = arith.subi %n, %one : i32
    %r = func.call @recursion(%m, %x) : (i32, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %r : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// A call whose operands are all constants waits for the condition itself.
// CHECK-LABEL: amp.graph private @constants(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: tensor<4xf32>)
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: %[[ZERO:.*]] = arith.constant dense
// CHECK: %[[T:.*]], %{{.*}} = amp.branch %[[C]], %[[C]] : i1
// CHECK: amp.call @recursion(%[[ONE]], %[[ZERO]]) after(%[[T]] : i1)
func.func private @constants(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %y = scf.if %c -> (tensor<4xf32>) {
    %r = func.call @recursion(%one, %zero) : (i32, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %r : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// So does one whose only guarded operand is a tensor, because tensors may follow
// when the activation is open.
// CHECK-LABEL: amp.graph private @tensor(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: tensor<4xf32>)
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: %[[XT:.*]], %[[XF:.*]] = amp.branch %[[C]], %[[X]]
// CHECK: %[[T:.*]], %{{.*}} = amp.branch %[[C]], %[[C]] : i1
// CHECK: amp.call @recursion(%[[ONE]], %[[XT]]) after(%[[T]] : i1)
func.func private @tensor(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant 1 : i32
  %y = scf.if %c -> (tensor<4xf32>) {
    %r = func.call @recursion(%one, %x) : (i32, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %r : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// In a nested arm the condition that it waits for is the inner one, which is
// guarded by the outer one.
// CHECK-LABEL: amp.graph private @nested(
// CHECK-SAME: %[[C:.*]]: i1, %[[D:.*]]: i1)
// CHECK: %[[DT:.*]], %{{.*}} = amp.branch %[[C]], %[[D]] : i1
// CHECK: %[[T:.*]], %{{.*}} = amp.branch %[[DT]], %[[DT]] : i1
// CHECK: amp.call @nothing() after(%[[T]] : i1) : () -> ()
func.func private @nested(%c: i1, %d: i1) {
  scf.if %c {
    scf.if %d {
      func.call @nothing() : () -> ()
    }
  }
  return
}

// CHECK-LABEL: amp.graph private @nothing() {
// CHECK-NEXT: amp.return
func.func private @nothing() {
  return
}
