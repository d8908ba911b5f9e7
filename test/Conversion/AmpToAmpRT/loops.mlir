// RUN: amp-opt %s --convert-amp-to-amprt --canonicalize --cse | FileCheck %s

amp.param @V : tensor<4x4xf32> init(glorot)

// Two values that every iteration gives together are one event; one that goes its own
// way is another.
// CHECK: amprt.frame @main.loop0
// CHECK-SAME: events ["start", "carried0", "carried1", "main.0.done"]
amp.graph @main(%x: tensor<4xf32> {amp.name = "x"}, %n: index {amp.name = "n"})
    -> (tensor<4xf32> {amp.name = "a"}, tensor<?x4xf32> {amp.name = "b"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a, %b, %c, %s = amp.loop range(%c0, %n, %c1) init(%x, %x, %n : tensor<4xf32>, tensor<4xf32>, index)
      -> (tensor<4xf32>, tensor<4xf32>, index) stacked(tensor<?x4xf32>) {
  ^bb0(%i: index, %p: tensor<4xf32>, %q: tensor<4xf32>, %k: index):
    %u, %v = amp.cell "main.0"(%p, %q) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    ^bb1(%e: tensor<4xf32>, %f: tensor<4xf32>):
      %g = arith.addf %e, %f : tensor<4xf32>
      %h = math.tanh %g : tensor<4xf32>
      amp.yield %g, %h : tensor<4xf32>, tensor<4xf32>
    }
    amp.next carried(%u, %v, %k : tensor<4xf32>, tensor<4xf32>, index) stacked(%v : tensor<4xf32>)
  }
  amp.return %a, %s : tensor<4xf32>, tensor<?x4xf32>
}

// The cell needs both classes' values: it is enqueued by whichever comes last, and runs
// at the start of no iteration.
// CHECK-LABEL: func.func private @main.loop0.start
// CHECK: call @main.loop0.action0
// CHECK-LABEL: func.func private @main.loop0.carried0
// CHECK: call @main.loop0.action0

// Results of the loop are events in the same classes.
// CHECK: amprt.frame @main bytes
// CHECK-SAME: "loop", "loop.1", "loop.stacked", "loop.opened"

// All iterations are opened at once, linked from the last to the first, unless the
// instance has failed.
// CHECK-LABEL: func.func private @main.action0
// CHECK: scf.while
// CHECK:   llvm.load
// CHECK:   scf.condition
// CHECK: ^bb0(%{{.*}}: i64, %[[NEXT:.*]]: !amprt.frame):
// CHECK:   %[[CHILD:.*]] = amprt.open %arg0, %arg1 @main.loop0
// CHECK:   amprt.store %[[NEXT]], %[[CHILD]][24] : !amprt.frame
// CHECK:   amprt.post %arg0, @main.loop0.start, %[[CHILD]]
// CHECK:   scf.yield %{{.*}}, %[[CHILD]]
