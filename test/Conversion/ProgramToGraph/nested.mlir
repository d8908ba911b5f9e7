// RUN: amp-opt %s -amp-verify-program -convert-program-to-graph -amp-verify-graph | FileCheck %s

func.func @entry(%x: i32 {amp.name = "x"}) -> (i32 {amp.name = "y"}) {
  return %x : i32
}

// Through every arm between the definition and the use; the inner decision is
// guarded by the outer one.
// CHECK-LABEL: amp.graph private @nested(
// CHECK-SAME: %[[C:.*]]: i1, %[[D:.*]]: i1, %[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[DT:.*]], %{{.*}} = amp.branch %[[C]], %[[D]] : i1
// CHECK-NEXT: %[[XT:.*]], %[[XF:.*]] = amp.branch %[[C]], %[[X]]
// CHECK-NEXT: %[[XTT:.*]], %[[XTF:.*]] = amp.branch %[[DT]], %[[XT]]
// CHECK-NEXT: %[[A:.*]] = math.tanh %[[XTT]]
// CHECK-NEXT: %[[INNER:.*]] = amp.merge %[[A]], %[[XTF]]
// CHECK-NEXT: %[[Y:.*]] = amp.merge %[[INNER]], %[[XF]]
// CHECK-NEXT: amp.return %[[Y]]
func.func private @nested(%c: i1, %d: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = scf.if %c -> (tensor<4xf32>) {
    %z = scf.if %d -> (tensor<4xf32>) {
      %a = math.tanh %x : tensor<4xf32>
      scf.yield %a : tensor<4xf32>
    } else {
      scf.yield %x : tensor<4xf32>
    }
    scf.yield %z : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// A constant condition in an arm is routed as well: what depends on it must not
// run where the arm does not.
// CHECK-LABEL: amp.graph private @constant_condition(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: i32)
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK: %[[T:.*]], %{{.*}} = amp.branch %[[C]], %[[TRUE]] : i1
// CHECK: %[[XT:.*]], %{{.*}} = amp.branch %[[C]], %[[X]] : i32
// CHECK: amp.branch %[[T]], %[[XT]] : i32
func.func private @constant_condition(%c: i1, %x: i32) -> i32 {
  %true = arith.constant true
  %y = scf.if %c -> (i32) {
    %z = scf.if %true -> (i32) {
      scf.yield %x : i32
    } else {
      %m = arith.muli %x, %x : i32
      scf.yield %m : i32
    }
    scf.yield %z : i32
  } else {
    scf.yield %x : i32
  }
  return %y : i32
}

// A switch is a chain of decisions.
// CHECK-LABEL: amp.graph private @switch(
// CHECK-SAME: %[[K:.*]]: index, %[[X:.*]]: tensor<4xf32>)
// CHECK: %[[C1:.*]] = arith.constant 1 : index
// CHECK: %[[IS1:.*]] = arith.cmpi eq, %[[K]], %[[C1]]
// CHECK: %[[XT:.*]], %[[XF:.*]] = amp.branch %[[IS1]], %[[X]]
// CHECK: %[[A:.*]] = math.tanh %[[XT]]
// CHECK: %{{.*}}, %[[KF:.*]] = amp.branch %[[IS1]], %[[K]]
// CHECK: %[[C5:.*]] = arith.constant 5 : index
// CHECK: %[[IS5:.*]] = arith.cmpi eq, %[[KF]], %[[C5]]
// CHECK: %[[XFT:.*]], %[[XFF:.*]] = amp.branch %[[IS5]], %[[XF]]
// CHECK: %[[B:.*]] = math.exp %[[XFT]]
// CHECK: %[[REST:.*]] = amp.merge %[[B]], %[[XFF]]
// CHECK: amp.merge %[[A]], %[[REST]]
func.func private @switch(%k: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = scf.index_switch %k -> tensor<4xf32>
  case 1 {
    %a = math.tanh %x : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  case 5 {
    %b = math.exp %x : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  default {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// A per-instance op with a region: what the region captures is routed, too.
// CHECK-LABEL: amp.graph private @region(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: f32)
// CHECK: %[[T:.*]], %[[F:.*]] = amp.branch %[[C]], %[[X]] : f32
// CHECK: tensor.generate
// CHECK: tensor.yield %[[T]]
// CHECK: tensor.splat %[[F]]
func.func private @region(%c: i1, %x: f32) -> tensor<4xf32> {
  %y = scf.if %c -> (tensor<4xf32>) {
    %t = tensor.generate {
    ^bb0(%i: index):
      tensor.yield %x : f32
    } : tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  } else {
    %s = tensor.splat %x : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// One that cannot fail and uses nothing from outside needs no token of the arm.
// CHECK-LABEL: amp.graph private @free(
// CHECK-NOT: amp.branch
// CHECK: %[[Y:.*]] = tensor.generate
// CHECK: amp.branch %{{.*}}, %[[Y]] : tensor<4xindex>
func.func private @free(%c: i1, %x: tensor<4xindex>) -> tensor<4xindex> {
  %y = scf.if %c -> (tensor<4xindex>) {
    %t = tensor.generate {
    ^bb0(%i: index):
      %n = arith.muli %i, %i : index
      tensor.yield %n : index
    } : tensor<4xindex>
    scf.yield %t : tensor<4xindex>
  } else {
    scf.yield %x : tensor<4xindex>
  }
  return %y : tensor<4xindex>
}
