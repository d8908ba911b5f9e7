// RUN: amp-opt %s --convert-amp-to-amprt=gemm=onednn --canonicalize --cse | FileCheck %s

amp.param @V : tensor<4x4xf32> init(glorot)

// The entry's descriptor, where the call's result goes.
// CHECK: amprt.model "main" @main.start
// CHECK-SAME: field_names = ["c", "x"]
// CHECK-SAME: result_events = 1
// CHECK: amprt.site @main.site0 [@main.call] [88]

// An event for each side of the branch, for the call's result and for the merge.
// CHECK: amprt.frame @main bytes 112 arrived 1 events ["start", "true", "false", "call", "merge"]
amp.graph @main(%c: i1 {amp.name = "c"}, %x: tensor<4xf32> {amp.name = "x"})
    -> (tensor<4xf32> {amp.name = "y"}) {
  %t, %f = amp.branch %c, %x : tensor<4xf32>
  %a = amp.call @f(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %y = amp.merge %a, %f : tensor<4xf32>
  amp.return %y : tensor<4xf32>
}

// The decision marks one of the sides: bit 1 or bit 2.
// CHECK-LABEL: func.func private @main.action0
// CHECK: %[[C:.*]] = amprt.load %arg1[72] : i1
// CHECK: scf.if %[[C]]
// CHECK:   arith.ori %{{.*}}, %c2_i64
// CHECK: } else {
// CHECK:   arith.ori %{{.*}}, %c4_i64

// The call opens a frame, tells it where to give its result, and posts its start.
// CHECK-LABEL: func.func private @main.action1
// CHECK: %[[F:.*]] = amprt.open %arg0, %arg1 @f
// CHECK: amprt.set_site %[[F]], @main.site0
// CHECK: %[[X:.*]] = amprt.load %arg1[80] : !llvm.ptr
// CHECK: amprt.store %[[X]], %[[F]][56]
// CHECK: amprt.post %arg0, @f.start, %[[F]]

// At the start the false side can lead to the merge; the call's result cannot be there.
// CHECK-LABEL: func.func private @main.start
// CHECK: call @main.action0
// CHECK: call @main.action1
// CHECK-NOT: call @main.action2
// CHECK: call @main.action3
// CHECK: call @main.action4
// CHECK: return

// The call's result leads to the merge of the true side, and that to the return, which
// fires only if the merge is new.
// CHECK-LABEL: func.func private @main.call
// CHECK-NOT: call @main.action0
// CHECK: call @main.action2
// CHECK-NOT: call @main.action3
// CHECK: arith.cmpi ne
// CHECK: call @main.action4

amp.graph private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = amp.cell "f.0"(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %V = amp.get @V : tensor<4x4xf32>
    %b = amp.linear %a, %V : tensor<4xf32>, tensor<4x4xf32>
    %d = math.tanh %b : tensor<4xf32>
    amp.yield %d : tensor<4xf32>
  }
  amp.return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func private @f.action0
// CHECK: amprt.enqueue %arg0, @f.0, %arg1
// CHECK-LABEL: func.func private @f.action1
// CHECK: amprt.deliver %{{.*}}, %arg1 word 0
// CHECK: amprt.post_result %arg0, %arg1 event 0

// All rows are gathered, one product is made of them, one loop does the rest.
// CHECK-LABEL: func.func private @f.0.compute
// CHECK: %[[IN:.*]] = amprt.scratch %arg0
// CHECK: scf.for
// CHECK:   amprt.batch.frame
// CHECK:   scf.for
// CHECK:     llvm.load
// CHECK:     llvm.store
// CHECK: %[[OUT:.*]] = amprt.scratch %arg0
// CHECK: amprt.product %arg0, @V.product(%[[IN]], %[[OUT]]) rows %arg2
// CHECK: scf.for
// CHECK:   %[[FRAME:.*]] = amprt.batch.frame
// CHECK:   %[[ROW:.*]] = amprt.rows %arg0, %[[FRAME]]
// CHECK:   amprt.store %[[ROW]], %[[FRAME]]
// CHECK:   scf.for
// CHECK:     math.tanh

// CHECK-LABEL: func.func private @f.0.complete
// CHECK: scf.for
// CHECK:   func.call @f.f.0.done
// CHECK: amprt.cell @f.0 compute @f.0.compute complete @f.0.complete product true
// Its input is the graph's argument, a view of no parameter; 2 k n and 4 more.
// CHECK-SAME: priority 1 work 36 reads [<tensor<4xf32> at 56>] writes [<tensor<4xf32> at 64>] params [@V] "amp.linear, math.tanh"

// The product that the cell calls.
// CHECK: amprt.linear @V.product @V 4 4
