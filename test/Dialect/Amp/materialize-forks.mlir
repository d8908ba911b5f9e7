// RUN: amp-opt %s --amp-materialize-forks --amp-verify-graph | FileCheck %s
// RUN: amp-opt %s --amp-materialize-forks --amp-materialize-forks | FileCheck %s
// RUN: amp-opt %s --amp-materialize-forks --amp-erase-forks | FileCheck %s --check-prefix=ERASED

// ERASED-NOT: amp.fork
// ERASED-NOT: amp.sink

amp.param @W : tensor<4x4xf32> init(glorot)

// Two uses by one op are two tokens; what nothing needs ends in a sink; constants and parameters have no tokens; a
// value with one use stays as it is.
// CHECK-LABEL: amp.graph @uses(
// CHECK-SAME:  %[[X:.*]]: tensor<4xf32> {{.*}}, %[[Y:.*]]: tensor<4xf32>
// CHECK-DAG:   %[[F:.*]]:2 = amp.fork %[[X]] : tensor<4xf32> to 2
// CHECK-DAG:   amp.sink %[[Y]] : tensor<4xf32>
// CHECK:       %[[W:.*]] = amp.get @W
// CHECK:       %[[A:.*]] = arith.mulf %[[F]]#0, %[[F]]#1
// CHECK:       %[[B:.*]] = amp.linear %[[A]], %[[W]]
// CHECK:       %[[C:.*]] = amp.linear %[[B]], %[[W]]
// CHECK:       amp.return %[[C]]
amp.graph @uses(%x: tensor<4xf32> {amp.name = "x"}, %y: tensor<4xf32> {amp.name = "y"}) -> (tensor<4xf32> {amp.name = "z"}) {
  %w = amp.get @W : tensor<4x4xf32>
  %a = arith.mulf %x, %x : tensor<4xf32>
  %b = amp.linear %a, %w : tensor<4xf32>, tensor<4x4xf32>
  %c = amp.linear %b, %w : tensor<4xf32>, tensor<4x4xf32>
  amp.return %c : tensor<4xf32>
}

// What a body uses from outside is one token of the node; inside it goes to several places.
// CHECK-LABEL: amp.graph private @body(
// CHECK-SAME:  %[[N:.*]]: index, %[[X:.*]]: tensor<4xf32>
// CHECK:       amp.map %[[I:.*]] to %[[N]]
// CHECK-DAG:     %[[F:.*]]:2 = amp.fork %[[X]] : tensor<4xf32> to 2
// CHECK-DAG:     amp.sink %[[I]] : index
// CHECK:         arith.mulf %[[F]]#0, %[[F]]#1
amp.graph private @body(%n: index, %x: tensor<4xf32>) -> tensor<?x4xf32> {
  %r = amp.map %i to %n -> (tensor<?x4xf32>) {
    %a = arith.mulf %x, %x : tensor<4xf32>
    amp.yield %a : tensor<4xf32>
  }
  amp.return %r : tensor<?x4xf32>
}

// A branch on a forked condition is one on the condition itself: the merge's sides exclude each other.
// CHECK-LABEL: amp.graph private @branches(
// CHECK-SAME:  %[[C:.*]]: i1, %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>
// CHECK-DAG:   %[[D:.*]]:2 = amp.fork %[[C]] : i1 to 2
// CHECK-DAG:   %[[T:.*]], %[[TF:.*]] = amp.branch %[[D]]#0, %[[X]]
// CHECK-DAG:   amp.sink %[[TF]]
// CHECK-DAG:   %[[FT:.*]], %[[F:.*]] = amp.branch %[[D]]#1, %[[Y]]
// CHECK-DAG:   amp.sink %[[FT]]
// CHECK:       amp.merge %[[T]], %[[F]]
amp.graph private @branches(%c: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %t, %tf = amp.branch %c, %x : tensor<4xf32>
  %ft, %f = amp.branch %c, %y : tensor<4xf32>
  %m = amp.merge %t, %f : tensor<4xf32>
  amp.return %m : tensor<4xf32>
}

// Collectors are places, not tokens.
// CHECK-LABEL: amp.graph private @places(
// CHECK:       %[[K:.*]] = amp.collector
// CHECK-NOT:   amp.fork %[[K]]
// CHECK:       amp.emit %{{.*}}, %[[K]]
// CHECK:       amp.collect %[[K]]
amp.graph private @places(%x: tensor<4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = amp.collector %c1 : !amp.collector<tensor<4xf32>>
  amp.emit %x, %k[%c0] : !amp.collector<tensor<4xf32>>, index
  %r = amp.collect %k : !amp.collector<tensor<4xf32>> -> tensor<?x4xf32>
  amp.return %r : tensor<?x4xf32>
}
