// RUN: amp-opt %s --amp-erase-forks | FileCheck %s
// RUN: amp-opt %s --amp-erase-forks --amp-materialize-forks | FileCheck %s --check-prefix=AGAIN

// CHECK-LABEL: amp.graph @forks(
// CHECK-SAME:  %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT:  %[[Y:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT:  amp.return %[[Y]]
// AGAIN:       amp.fork %{{.*}} : tensor<4xf32> to 2
// AGAIN-NOT:   amp.fork
amp.graph @forks(%x: tensor<4xf32> {amp.name = "x"}) -> (tensor<4xf32> {amp.name = "y"}) {
  %a, %b, %c = amp.fork %x : tensor<4xf32> to 3
  %d, %e = amp.fork %c : tensor<4xf32> to 2
  amp.sink %d : tensor<4xf32>
  amp.sink %b : tensor<4xf32>
  %y = arith.mulf %a, %e : tensor<4xf32>
  amp.return %y : tensor<4xf32>
}

// Without any, nothing changes.
// CHECK-LABEL: amp.graph private @none(
// CHECK-NEXT:  amp.return
amp.graph private @none(%x: tensor<4xf32>) -> tensor<4xf32> {
  amp.return %x : tensor<4xf32>
}
