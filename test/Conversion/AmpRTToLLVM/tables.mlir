// RUN: amp-opt --convert-amprt-to-llvm %s | FileCheck %s

// Everything that the runtime learns of a model stands in one constant, the only
// thing that is visible outside.

amp.param @emb : tensor<?x4xf32> init(normal, 0.5) {amprt.read_by_control}
amp.param @W : tensor<4x2xf32> init(uniform, -1.0, 1.0)
amprt.linear @lin @W 4 2
amprt.linear @back transposed @W 2 4
amprt.gradient @grad @W 4 2
func.func @entry(%worker: !amprt.worker, %frame: !amprt.frame, %depth: i32) {
  return
}
func.func private @compute(%worker: !amprt.worker, %batch: !amprt.batch, %count: i64) {
  return
}
amprt.cell @main.0 compute @compute complete @compute product true backward priority 3 work 4294967295
  reads [<tensor<?x4xf32> at 48>, <index at 32 up 1>, <!amp.list<tensor<4xf32>> at 64 up 2>]
  writes [<tensor<2xf32> at 80>] params [@W, @emb] "linear, tanh" loc("tables-source.mlir":7:3)
amprt.frame @main bytes 96 arrived 1 events ["start", "x"] words ["x"]
amprt.model "main" @entry {
  entry_bytes = 96, arrived = array<i64: 5>,
  field_names = ["x", "n"], field_types = [tensor<?x4xf32>, i32], field_offsets = array<i64: 48, 64>,
  result_names = ["y", "z", "w"], result_types = [tensor<?x4xf32>, i1, tensor<2xf64>], result_events = 2
}
amprt.model "main" @entry {
  entry_bytes = 128, arrived = array<i64: 7>,
  field_names = ["x"], field_types = [tensor<?x4xf32>], field_offsets = array<i64: 48>,
  result_names = ["y", "loss"], result_types = [i1, f32], result_events = 1, loss = 1, role = "evaluate"
}
amprt.model "main" @entry {
  entry_bytes = 128, arrived = array<i64: 1>, ended = array<i64: 6>, ended_names = ["cell main.1", "gradients of amp.loop"],
  field_names = ["x"], field_types = [tensor<?x4xf32>], field_offsets = array<i64: 48>,
  result_names = ["loss"], result_types = [f32], result_events = 1, loss = 0, role = "train"
}

// CHECK: llvm.func internal @entry
// CHECK-DAG: llvm.mlir.global internal constant @amprt_dims_0(dense<[-1, 4]> : tensor<2xi64>)
// CHECK-DAG: llvm.mlir.global internal constant @amprt_dims_1(dense<[4, 2]> : tensor<2xi64>)
// CHECK-DAG: llvm.mlir.global internal constant @amprt_dims_2(dense<2> : tensor<1xi64>)
// CHECK: llvm.mlir.global internal constant @amprt_predict_fields() {{.*}} : !llvm.array<2 x struct<(ptr, struct<(i32, i32, ptr)>, i32)>>
// CHECK: llvm.mlir.global internal constant @amprt_predict_results() {{.*}} : !llvm.array<3 x struct<
// CHECK: llvm.mlir.global internal constant @amprt_predict_arrived(dense<5> : tensor<1xi64>)
// Fields, results and their numbers, elements, events, the loss's number, the frame's words and bytes, the entry, what ends it.
// CHECK: llvm.mlir.global internal constant @amprt_predict() {{.*}} : !llvm.struct<(ptr, ptr, i32, i32, i32, i32, i32, i32, ptr, i64, ptr, ptr, ptr)>
// CHECK: llvm.mlir.constant(-1 : i32)
// CHECK: llvm.mlir.addressof @amprt_predict_arrived
// CHECK: llvm.mlir.constant(96 : i64)
// CHECK: llvm.mlir.global internal constant @amprt_evaluate_fields() {{.*}} : !llvm.array<1 x struct<(ptr, struct<(i32, i32, ptr)>, i32)>>
// CHECK: llvm.mlir.global internal constant @amprt_evaluate_results() {{.*}} : !llvm.array<2 x struct<
// CHECK: llvm.mlir.global internal constant @amprt_evaluate_arrived(dense<7> : tensor<1xi64>)
// CHECK: llvm.mlir.global internal constant @amprt_evaluate() {{.*}} : !llvm.struct<
// CHECK: llvm.mlir.addressof @amprt_evaluate_fields
// CHECK: llvm.mlir.constant(128 : i64)
// CHECK: llvm.mlir.global internal constant @amprt_train_ended(dense<6> : tensor<1xi64>)
// CHECK: llvm.mlir.global internal constant @amprt_train_ended_names() {{.*}} : !llvm.array<2 x ptr>
// CHECK: llvm.mlir.global internal constant @amprt_train() {{.*}} : !llvm.struct<
// CHECK: llvm.mlir.addressof @amprt_train_ended :
// CHECK: llvm.mlir.addressof @amprt_train_ended_names :
// CHECK: llvm.mlir.global internal constant @amprt_params() {{.*}} : !llvm.array<2 x struct<(ptr, struct<(i32, i32, ptr)>, i32, i32, f64, f64)>>
// How the elements are made, and that control reads them; the other is read by cells alone.
// CHECK: llvm.mlir.constant(3 : i32)
// CHECK-NEXT: llvm.mlir.constant(1 : i32)
// CHECK: llvm.mlir.constant(5.000000e-01 : f64)
// CHECK: llvm.mlir.addressof @amprt_dims_1
// CHECK: llvm.mlir.constant(2 : i32)
// CHECK-NEXT: llvm.mlir.constant(0 : i32)
// CHECK-NEXT: llvm.mlir.constant(-1.000000e+00 : f64)
// CHECK: llvm.mlir.global internal constant @amprt_linears() {{.*}} : !llvm.array<2 x struct<(i32, i32, i64, i64, i32, i32)>>
// CHECK: llvm.mlir.global internal constant @amprt_gradients() {{.*}} : !llvm.array<1 x struct<(i32, i32, i64, i64, i64, i64)>>
// A tensor; the index of the parent's frame; a list, which is opaque and has no rank.
// CHECK: llvm.mlir.global internal constant @main.0.reads() {{.*}} : !llvm.array<3 x struct<(struct<(i32, i32, ptr)>, i32, i32)>>
// CHECK: llvm.mlir.constant(0 : i32)
// CHECK-NEXT: llvm.mlir.constant(2 : i32)
// CHECK-NEXT: llvm.mlir.addressof @amprt_dims_0
// CHECK: llvm.mlir.constant(48 : i32)
// CHECK-NEXT: llvm.mlir.constant(0 : i32)
// CHECK: llvm.mlir.constant(5 : i32)
// CHECK-NEXT: llvm.mlir.constant(-1 : i32)
// CHECK-NEXT: llvm.mlir.zero
// CHECK: llvm.mlir.constant(32 : i32)
// CHECK-NEXT: llvm.mlir.constant(1 : i32)
// CHECK: llvm.mlir.constant(8 : i32)
// CHECK-NEXT: llvm.mlir.constant(-1 : i32)
// CHECK-NEXT: llvm.mlir.zero
// CHECK: llvm.mlir.constant(64 : i32)
// CHECK-NEXT: llvm.mlir.constant(2 : i32)
// CHECK: llvm.mlir.global internal constant @main.0.writes() {{.*}} : !llvm.array<1 x struct<(struct<(i32, i32, ptr)>, i32, i32)>>
// CHECK: llvm.mlir.constant(80 : i32)
// Ascending, as the parameters' table has them.
// CHECK: llvm.mlir.global internal constant @main.0.params(dense<[0, 1]> : tensor<2xi32>)
// CHECK: llvm.mlir.global internal constant @amprt_cells() {{.*}} : !llvm.array<1 x struct<(ptr, ptr, ptr, i32, i32, ptr, ptr, ptr, ptr, ptr, i32, i32, i32, i32)>>
// That it has a product and works on gradients; its priority, functions and tables, what these have, its work.
// CHECK: llvm.mlir.constant(3 : i32)
// CHECK-NEXT: llvm.mlir.constant(3 : i32)
// CHECK-NEXT: llvm.mlir.addressof @compute
// CHECK-NEXT: llvm.mlir.addressof @compute
// CHECK-NEXT: llvm.mlir.addressof @main.0.reads
// CHECK-NEXT: llvm.mlir.addressof @main.0.writes
// CHECK-NEXT: llvm.mlir.addressof @main.0.params
// CHECK-NEXT: llvm.mlir.constant(3 : i32)
// CHECK-NEXT: llvm.mlir.constant(1 : i32)
// CHECK-NEXT: llvm.mlir.constant(2 : i32)
// CHECK-NEXT: llvm.mlir.constant(-1 : i32)
// CHECK: llvm.mlir.global external constant @amprt_model()
// Magic "AMPR" and the version of the ABI.
// CHECK: llvm.mlir.constant(1095585874 : i32)
// CHECK: llvm.mlir.constant(8 : i32)
// Entries by role.
// CHECK: llvm.mlir.addressof @amprt_predict :
// CHECK-NEXT: llvm.mlir.addressof @amprt_evaluate :
// CHECK-NEXT: llvm.mlir.addressof @amprt_train :
// CHECK-NOT: amprt.
// CHECK-DAG: constant @amprt_text_{{[0-9]+}}("emb\00")
// CHECK-DAG: constant @amprt_text_{{[0-9]+}}("tables-source.mlir:7:3\00")
// CHECK-DAG: constant @amprt_text_{{[0-9]+}}("linear, tanh\00")
// CHECK-DAG: constant @amprt_text_{{[0-9]+}}("generic\00")
