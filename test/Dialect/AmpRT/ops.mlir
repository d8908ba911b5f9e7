// RUN: amp-opt %s --verify-roundtrip | FileCheck %s
// RUN: amp-opt %s --emit-bytecode | amp-opt | FileCheck %s

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

// CHECK: amprt.model "m" @start {
// CHECK-SAME: arrived = array<i64: 0>
// CHECK-SAME: result_events = 1 : i64
amprt.model "m" @start {
  arrived = array<i64: 0>, entry_bytes = 64 : i64, field_names = ["x"], field_offsets = array<i64: 48>,
  field_types = [i32], result_events = 1 : i64, result_names = ["y"], result_types = [i32]
}
// A model that trains has an entry for each role; `predict` is not printed.
// CHECK: amprt.model "m" @evaluate {
// CHECK-SAME: loss = 1 : i64
// CHECK-SAME: role = "evaluate"
amprt.model "m" @evaluate {
  arrived = array<i64: 0>, entry_bytes = 64 : i64, field_names = ["x"], field_offsets = array<i64: 48>,
  field_types = [i32], loss = 1 : i64, result_events = 1 : i64, result_names = ["y", "loss"], result_types = [i32, f32],
  role = "evaluate"
}
// CHECK: amprt.frame @f bytes 64 arrived 1 events ["x", "y"] words ["48: x"]
amprt.frame @f bytes 64 arrived 1 events ["x", "y"] words ["48: x"]
// CHECK: amprt.cell @c compute @compute complete @complete product true priority 3 work 68 reads [<tensor<?x4xf32> at 56>, <index at 32 up 1>, <!amp.list<i32> at 80 up 2>] writes [<f32 at 88>] params [@W, @A] "linear, tanh"
amprt.cell @c compute @compute complete @complete product true priority 3 work 68
  reads [<tensor<?x4xf32> at 56>, <index at 32 up 1>, <!amp.list<i32> at 80 up 2>] writes [<f32 at 88>]
  params [@W, @A] "linear, tanh"
// CHECK: amprt.cell @none compute @compute complete @complete product false backward priority 1 work 0 reads [] writes [] params [] ""
amprt.cell @none compute @compute complete @complete product false backward priority 1 work 0
  reads [] writes [] params [] ""
// CHECK: amprt.linear @l @W 4 8
amprt.linear @l @W 4 8
// CHECK: amprt.linear @back transposed @W 8 4
amprt.linear @back transposed @W 8 4
// CHECK: amprt.linear @several transposed @A groups 3 8 4
amprt.linear @several transposed @A groups 3 8 4
// CHECK: amprt.gradient @g @W 4 8
amprt.gradient @g @W 4 8
// CHECK: amprt.gradient @gs @A groups 3 4 8
amprt.gradient @gs @A groups 3 4 8
// CHECK: amprt.panel @p [@W, @V] rows [0, 2] columns [4, 0] transposed [false, true] k 2 width 8 lanes 4 unroll 2
amprt.panel @p [@W, @V] rows [0, 2] columns [4, 0] transposed [false, true] k 2 width 8 lanes 4 unroll 2
// CHECK: amprt.site @s [@start, @event] [48, 56]
amprt.site @s [@start, @event] [48, 56]

//===----------------------------------------------------------------------===//
// Frames and events
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func private @start(
// CHECK-SAME: %[[W:.*]]: !amprt.worker, %[[F:.*]]: !amprt.frame, %[[D:.*]]: i32)
func.func private @start(%w: !amprt.worker, %f: !amprt.frame, %d: i32) {
  // CHECK: %[[X:.*]] = amprt.load %[[F]][48] : i32
  %x = amprt.load %f[48] : i32
  // CHECK: amprt.store %[[X]], %[[F]][52] : i32
  amprt.store %x, %f[52] : i32
  // CHECK: %[[P:.*]] = amprt.load %[[F]][56] : !llvm.ptr
  %p = amprt.load %f[56] : !llvm.ptr
  // CHECK: amprt.store %[[F]], %[[F]][56] : !amprt.frame
  amprt.store %f, %f[56] : !amprt.frame
  // CHECK: %[[NEW:.*]] = amprt.open %[[W]], %[[F]] @f
  %new = amprt.open %w, %f @f
  %bytes = arith.constant 64 : i64
  // CHECK: amprt.rows %[[W]], %[[F]], %{{.*}}
  %data = amprt.rows %w, %f, %bytes
  // CHECK: amprt.release %[[W]], %[[F]], %{{.*}}, %{{.*}}
  amprt.release %w, %f, %data, %bytes
  // CHECK: amprt.set_site %[[NEW]], @s
  amprt.set_site %new, @s
  // CHECK: amprt.enqueue %[[W]], @c, %[[F]], %[[D]]
  amprt.enqueue %w, @c, %f, %d
  // CHECK: amprt.post %[[W]], @event, %[[F]], %[[D]]
  amprt.post %w, @event, %f, %d
  // CHECK: amprt.deliver %[[X]], %[[F]] word 1 : i32
  amprt.deliver %x, %f word 1 : i32
  // CHECK: amprt.post_result %[[W]], %[[F]] event 0, %[[D]]
  amprt.post_result %w, %f event 0, %d
  return
}

// CHECK-LABEL: func.func private @event(
func.func private @event(%w: !amprt.worker, %f: !amprt.frame, %d: i32) {
  %n = arith.constant 7 : i64
  // CHECK: amprt.fail %{{.*}}, %{{.*}}, "m.mlir:3:4", "arg-max of nothing"
  amprt.fail %w, %f, "m.mlir:3:4", "arg-max of nothing"
  // CHECK: amprt.fail_range %{{.*}}, %{{.*}}, "m.mlir:3:4", "index", %{{.*}}, %{{.*}}
  amprt.fail_range %w, %f, "m.mlir:3:4", "index", %n, %n
  // CHECK: %[[C:.*]] = amprt.collector.new %{{.*}}, %{{.*}}, @event, %{{.*}} row_bytes 20 "m.mlir:3:4"
  %c = amprt.collector.new %w, %f, @event, %n row_bytes 20 "m.mlir:3:4"
  // CHECK: amprt.collector.put %{{.*}}, %{{.*}}, %[[C]][%{{.*}}], %[[C]], %{{.*}} "m.mlir:3:4"
  amprt.collector.put %w, %f, %c[%n], %c, %d "m.mlir:3:4"
  // CHECK: amprt.collector.read %[[C]]
  %data, %rows = amprt.collector.read %c
  return
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func private @compute(
// CHECK-SAME: %[[W:.*]]: !amprt.worker, %[[B:.*]]: !amprt.batch, %[[N:.*]]: i64)
func.func private @compute(%w: !amprt.worker, %b: !amprt.batch, %n: i64) {
  // CHECK: %[[X:.*]] = amprt.scratch %[[W]], %[[N]]
  %x = amprt.scratch %w, %n
  // CHECK: %{{.*}}, %{{.*}} = amprt.param %[[W]], @W
  %data, %rows = amprt.param %w, @W
  // CHECK: amprt.product %[[W]], @l(%[[X]], %{{.*}}) rows %[[N]]
  amprt.product %w, @l(%x, %data) rows %n
  // CHECK: amprt.gradient.product %[[W]], @g(%[[X]], %{{.*}}) rows %[[N]]
  amprt.gradient.product %w, @g(%x, %data) rows %n
  // CHECK: amprt.gradient.grouped %[[W]], @gs(%[[X]], %{{.*}}) rows %[[N]] by %{{.*}}
  amprt.gradient.grouped %w, @gs(%x, %data) rows %n by %data
  // CHECK: amprt.gradient.add %[[W]], @W, %[[X]] rows %[[N]] of %{{.*}}
  amprt.gradient.add %w, @W, %x rows %n of %rows
  // CHECK: amprt.gradient.row %[[W]], @W[%[[N]]], %[[X]]
  amprt.gradient.row %w, @W[%n], %x
  return
}

// CHECK-LABEL: func.func private @complete(
func.func private @complete(%w: !amprt.worker, %b: !amprt.batch, %n: i64) {
  // CHECK: amprt.batch.frame %{{.*}}[%{{.*}}]
  %f = amprt.batch.frame %b[%n]
  // CHECK: amprt.batch.depth %{{.*}}[%{{.*}}]
  %d = amprt.batch.depth %b[%n]
  return
}
