// RUN: amp-opt --convert-amprt-to-llvm --split-input-file %s | FileCheck %s

// A cell's number is its position among the cells.
// CHECK: llvm.func @amprt_enqueue(!llvm.ptr, i32, !llvm.ptr, i32, i32)
// CHECK-LABEL: llvm.func internal @enqueue(
// CHECK-SAME: %[[WORKER:.*]]: !llvm.ptr, %[[FRAME:.*]]: !llvm.ptr, %[[DEPTH:.*]]: i32)
// CHECK: %[[CELL:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: %[[ROWS:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: llvm.call @amprt_enqueue(%[[WORKER]], %[[CELL]], %[[FRAME]], %[[DEPTH]], %[[ROWS]])
func.func private @batch(%worker: !amprt.worker, %batch: !amprt.batch, %count: i64) {
  return
}
amprt.cell @first compute @batch complete @batch product false priority 0 work 0 reads [] writes [] params [] ""
amprt.cell @second compute @batch complete @batch product false priority 0 work 0 reads [] writes [] params [] ""
func.func private @enqueue(%worker: !amprt.worker, %frame: !amprt.frame, %depth: i32) {
  amprt.enqueue %worker, @second, %frame, %depth
  return
}

// -----

// CHECK: llvm.func @amprt_post(!llvm.ptr, !llvm.ptr, !llvm.ptr, i32)
// CHECK-LABEL: llvm.func internal @post(
// CHECK-SAME: %[[WORKER:.*]]: !llvm.ptr, %[[FRAME:.*]]: !llvm.ptr, %[[DEPTH:.*]]: i32)
// CHECK: %[[HANDLER:.*]] = llvm.mlir.addressof @post
// CHECK: llvm.call @amprt_post(%[[WORKER]], %[[HANDLER]], %[[FRAME]], %[[DEPTH]])
func.func private @post(%worker: !amprt.worker, %frame: !amprt.frame, %depth: i32) {
  amprt.post %worker, @post, %frame, %depth
  return
}

// -----

// CHECK-LABEL: llvm.func internal @post_result(
// CHECK-SAME: %[[WORKER:.*]]: !llvm.ptr, %[[FRAME:.*]]: !llvm.ptr, %[[DEPTH:.*]]: i32)
// CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[FRAME]][8]
// CHECK: %[[PARENT:.*]] = llvm.load %[[P]]
// CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[FRAME]][16]
// CHECK: %[[SITE:.*]] = llvm.load %[[P]]
// CHECK: %[[HANDLERS:.*]] = llvm.load %[[SITE]]
// CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[HANDLERS]][16]
// CHECK: %[[HANDLER:.*]] = llvm.load %[[P]]
// CHECK: llvm.call @amprt_post(%[[WORKER]], %[[HANDLER]], %[[PARENT]], %[[DEPTH]])
func.func private @post_result(%worker: !amprt.worker, %frame: !amprt.frame, %depth: i32) {
  amprt.post_result %worker, %frame event 2, %depth
  return
}

// -----

// Equal strings are one constant.
// CHECK-LABEL: llvm.func internal @failures(
// CHECK-SAME: %[[WORKER:.*]]: !llvm.ptr, %[[FRAME:.*]]: !llvm.ptr, %[[VALUE:.*]]: i64)
// CHECK: %[[WHERE:.*]] = llvm.mlir.addressof @amprt_text_0
// CHECK: %[[MESSAGE:.*]] = llvm.mlir.addressof @amprt_text_1
// CHECK: llvm.call @amprt_fail(%[[WORKER]], %[[FRAME]], %[[WHERE]], %[[MESSAGE]])
// CHECK: %[[WHERE:.*]] = llvm.mlir.addressof @amprt_text_0
// CHECK: %[[WHAT:.*]] = llvm.mlir.addressof @amprt_text_2
// CHECK: llvm.call @amprt_fail_range(%[[WORKER]], %[[FRAME]], %[[WHERE]], %[[WHAT]], %[[VALUE]], %[[VALUE]])
// CHECK: llvm.mlir.global private unnamed_addr constant @amprt_text_0("m.mlir:1:2\00")
// CHECK: llvm.mlir.global private unnamed_addr constant @amprt_text_1("no rows\00")
// CHECK: llvm.mlir.global private unnamed_addr constant @amprt_text_2("index\00")
func.func private @failures(%worker: !amprt.worker, %frame: !amprt.frame, %value: i64) {
  amprt.fail %worker, %frame, "m.mlir:1:2", "no rows"
  amprt.fail_range %worker, %frame, "m.mlir:1:2", "index", %value, %value
  return
}

// -----

// Nothing is declared that nothing calls.
// CHECK-NOT: llvm.func @amprt_
// CHECK: llvm.func internal @plain
func.func private @plain() {
  return
}
