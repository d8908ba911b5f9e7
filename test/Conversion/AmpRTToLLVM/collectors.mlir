// RUN: amp-opt --convert-amprt-to-llvm --split-input-file %s | FileCheck %s

// CHECK: llvm.func @amprt_collector_new(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, !llvm.ptr) -> !llvm.ptr
// CHECK-LABEL: llvm.func internal @new(
// CHECK-SAME: %[[WORKER:.*]]: !llvm.ptr, %[[FRAME:.*]]: !llvm.ptr, %[[DEPTH:.*]]: i32, %[[N:.*]]: i64)
// CHECK: %[[HANDLER:.*]] = llvm.mlir.addressof @handler
// CHECK: %[[WHERE:.*]] = llvm.mlir.addressof @amprt_text_0
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(20 : i64)
// CHECK: llvm.call @amprt_collector_new(%[[WORKER]], %[[FRAME]], %[[HANDLER]], %[[N]], %[[BYTES]], %[[WHERE]])
func.func private @handler(%worker: !amprt.worker, %frame: !amprt.frame, %depth: i32) {
  return
}
func.func private @new(%worker: !amprt.worker, %frame: !amprt.frame, %depth: i32, %n: i64) -> !llvm.ptr {
  %c = amprt.collector.new %worker, %frame, @handler, %n row_bytes 20 "m.mlir:1:1"
  return %c : !llvm.ptr
}

// -----

// CHECK-LABEL: llvm.func internal @put(
// CHECK-SAME: %[[WORKER:.*]]: !llvm.ptr, %[[FRAME:.*]]: !llvm.ptr, %[[C:.*]]: !llvm.ptr, %[[I:.*]]: i64, %[[DEPTH:.*]]: i32)
// CHECK: %[[WHERE:.*]] = llvm.mlir.addressof @amprt_text_0
// CHECK: llvm.call @amprt_collector_put(%[[WORKER]], %[[FRAME]], %[[C]], %[[I]], %[[C]], %[[DEPTH]], %[[WHERE]])
// CHECK: %[[DATA:.*]] = llvm.call @amprt_collector_data(%[[C]])
// CHECK: %[[ROWS:.*]] = llvm.call @amprt_collector_rows(%[[C]])
func.func private @put(%worker: !amprt.worker, %frame: !amprt.frame, %c: !llvm.ptr, %i: i64, %depth: i32) -> (!llvm.ptr, i64) {
  amprt.collector.put %worker, %frame, %c[%i], %c, %depth "m.mlir:1:1"
  %data, %rows = amprt.collector.read %c
  return %data, %rows : !llvm.ptr, i64
}
