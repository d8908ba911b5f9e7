// RUN: amp-opt %s --amp-decompose-ops | FileCheck %s

// Ops of a shape that is open in part, in whatever region they stand.
// CHECK-LABEL: func.func @softmax(
// CHECK-SAME:  %[[X:[^:]*]]: tensor<?x4xf32>
// CHECK:       %[[Y:.*]] = scf.if
// CHECK-NOT:   linalg.softmax
// CHECK:       %[[MAX:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<?x4xf32>)
// CHECK:       %[[EXP:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[MAX]] :
// CHECK:       %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[EXP]] :
// CHECK:       %[[QUOTIENT:.*]] = linalg.generic {{.*}} ins(%[[EXP]], %[[SUM]] :
// CHECK:       scf.yield %[[QUOTIENT]]
func.func @softmax(%x: tensor<?x4xf32>, %c: i1) -> tensor<?x4xf32> {
  %y = scf.if %c -> tensor<?x4xf32> {
    %s = linalg.softmax dimension(1) ins(%x : tensor<?x4xf32>) outs(%x : tensor<?x4xf32>) -> tensor<?x4xf32>
    scf.yield %s : tensor<?x4xf32>
  } else {
    scf.yield %x : tensor<?x4xf32>
  }
  return %y : tensor<?x4xf32>
}
