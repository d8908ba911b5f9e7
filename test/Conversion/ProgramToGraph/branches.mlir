// RUN: amp-opt %s -amp-verify-program -convert-program-to-graph -amp-verify-graph | FileCheck %s

amp.param @W : tensor<4x4xf32> init(glorot)

// The entry stays public and keeps its names; others stay private.
// CHECK-LABEL: amp.graph @entry(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32> {amp.name = "x"}) -> (tensor<4xf32> {amp.name = "y"})
// CHECK-NEXT: amp.return %[[X]]
func.func @entry(%x: tensor<4xf32> {amp.name = "x"}) -> (tensor<4xf32> {amp.name = "y"}) {
  return %x : tensor<4xf32>
}

// A value from outside an arm is routed; an arm that only passes it on uses the
// same branch's other side.
// CHECK-LABEL: amp.graph private @if(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[T:.*]], %[[F:.*]] = amp.branch %[[C]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[Y:.*]] = math.tanh %[[T]]
// CHECK-NEXT: %[[Z:.*]] = amp.merge %[[Y]], %[[F]]
// CHECK-NEXT: amp.return %[[Z]]
func.func private @if(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = scf.if %c -> (tensor<4xf32>) {
    %t = math.tanh %x : tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// Constants and parameters need no token: they are used as they are.
// CHECK-LABEL: amp.graph private @uniform(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: tensor<4xf32>)
// CHECK: %[[ONE:.*]] = arith.constant dense<1.0
// CHECK: %[[T:.*]], %[[F:.*]] = amp.branch %[[C]], %[[X]]
// CHECK: %[[A:.*]] = arith.addf %[[T]], %[[ONE]]
// CHECK: %[[W:.*]] = amp.get @W
// CHECK: %[[B:.*]] = amp.linear %[[F]], %[[W]]
// CHECK: amp.merge %[[A]], %[[B]]
func.func private @uniform(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %y = scf.if %c -> (tensor<4xf32>) {
    %a = arith.addf %x, %one : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    %W = amp.get @W : tensor<4x4xf32>
    %b = amp.linear %x, %W : tensor<4xf32>, tensor<4x4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// A constant that an arm yields is routed, so that the merge gets alternatives.
// CHECK-LABEL: amp.graph private @constants(
// CHECK-SAME: %[[C:.*]]: i1)
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: %[[TWO:.*]] = arith.constant 2 : i32
// CHECK-DAG: %[[T:.*]], %{{.*}} = amp.branch %[[C]], %[[ONE]] : i32
// CHECK-DAG: %{{.*}}, %[[F:.*]] = amp.branch %[[C]], %[[TWO]] : i32
// CHECK: amp.merge %[[T]], %[[F]]
func.func private @constants(%c: i1) -> i32 {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %y = scf.if %c -> (i32) {
    scf.yield %one : i32
  } else {
    scf.yield %two : i32
  }
  return %y : i32
}

// What an arm computes from constants alone may run anyway, if it cannot fail;
// a lookup and a division by no constant can, so one of their constants is routed (never the
// table, which should stay visible as a parameter).
// CHECK-LABEL: amp.graph private @only_constants(
// CHECK-SAME: %[[C:.*]]: i1)
// CHECK: %[[SUM:.*]] = arith.addi %[[THREE:.*]], %[[THREE]] : i32
// CHECK: %[[W:.*]] = amp.get @W
// CHECK: %[[INDEX:.*]], %{{.*}} = amp.branch %[[C]], %[[SUM]] : i32
// CHECK: %[[ROW:.*]] = amp.lookup %[[W]][%[[INDEX]]]
// CHECK: %[[T:.*]], %{{.*}} = amp.branch %[[C]], %[[THREE]] : i32
// CHECK: arith.divsi %[[T]], %[[SUM]]
func.func private @only_constants(%c: i1) -> (tensor<4xf32>, i32) {
  %three = arith.constant 3 : i32
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %row, %q = scf.if %c -> (tensor<4xf32>, i32) {
    %sum = arith.addi %three, %three : i32
    %W = amp.get @W : tensor<4x4xf32>
    %r = amp.lookup %W[%sum] : tensor<4x4xf32>, i32
    %d = arith.divsi %three, %sum : i32
    scf.yield %r, %d : tensor<4xf32>, i32
  } else {
    scf.yield %zero, %three : tensor<4xf32>, i32
  }
  return %row, %q : tensor<4xf32>, i32
}

// An emit in an arm, without results and without an else: its operands are routed.
// CHECK-LABEL: amp.graph private @emit(
// CHECK-SAME: %[[C:.*]]: i1, %[[OUT:.*]]: !amp.collector<tensor<4xf32>>)
// CHECK-DAG: %[[I:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.0
// CHECK: %[[T:.*]], %{{.*}} = amp.branch %[[C]], %[[OUT]]
// CHECK: amp.emit %[[ZERO]], %[[T]][%[[I]]]
func.func private @emit(%c: i1, %out: !amp.collector<tensor<4xf32>>) {
  %i = arith.constant 0 : i32
  scf.if %c {
    %zero = arith.constant dense<0.0> : tensor<4xf32>
    amp.emit %zero, %out[%i] : !amp.collector<tensor<4xf32>>, i32
  }
  return
}

// A collector of an arm: one branch for its constant count.
// CHECK-LABEL: amp.graph private @collector(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: tensor<4xf32>)
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: %[[T:.*]], %{{.*}} = amp.branch %[[C]], %[[ONE]] : index
// CHECK: %[[OUT:.*]] = amp.collector %[[T]]
// CHECK: amp.collect %[[OUT]]
func.func private @collector(%c: i1, %x: tensor<4xf32>) -> tensor<?x4xf32> {
  %i = arith.constant 0 : i32
  %one = arith.constant 1 : index
  %none = tensor.empty(%one) : tensor<?x4xf32>
  %y = scf.if %c -> (tensor<?x4xf32>) {
    %out = amp.collector %one : !amp.collector<tensor<4xf32>>
    amp.emit %x, %out[%i] : !amp.collector<tensor<4xf32>>, i32
    %rows = amp.collect %out : !amp.collector<tensor<4xf32>> -> tensor<?x4xf32>
    scf.yield %rows : tensor<?x4xf32>
  } else {
    scf.yield %none : tensor<?x4xf32>
  }
  return %y : tensor<?x4xf32>
}

// A result that nothing uses gets no merge.
// CHECK-LABEL: amp.graph private @unused(
// CHECK-NEXT: amp.return
func.func private @unused(%c: i1, %x: i32) {
  %y = scf.if %c -> (i32) {
    scf.yield %x : i32
  } else {
    scf.yield %x : i32
  }
  return
}
