// RUN: amp-opt --convert-amprt-to-llvm --split-input-file %s | FileCheck %s

// CHECK-LABEL: llvm.func internal @activation(
// CHECK-SAME: %[[BATCH:.*]]: !llvm.ptr, %[[I:.*]]: i64)
// CHECK: %[[A:.*]] = llvm.getelementptr inbounds %[[BATCH]][%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<16 x i8>
// CHECK: llvm.load %[[A]] : !llvm.ptr -> !llvm.ptr
// CHECK: %[[A:.*]] = llvm.getelementptr inbounds %[[BATCH]][%[[I]]]
// CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[A]][8]
// CHECK: llvm.load %[[P]] : !llvm.ptr -> i32
func.func private @activation(%batch: !amprt.batch, %i: i64) -> (!amprt.frame, i32) {
  %frame = amprt.batch.frame %batch[%i]
  %depth = amprt.batch.depth %batch[%i]
  return %frame, %depth : !amprt.frame, i32
}

// -----

// A product's number is its position among the products.
// CHECK-LABEL: llvm.func internal @product(
// CHECK-SAME: %[[WORKER:.*]]: !llvm.ptr, %[[X:.*]]: !llvm.ptr, %[[ROWS:.*]]: i64)
// CHECK: %[[Y:.*]] = llvm.call @amprt_scratch(%[[WORKER]], %[[ROWS]])
// CHECK: %[[NUMBER:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: llvm.call @amprt_linear(%[[WORKER]], %[[NUMBER]], %[[X]], %[[Y]], %[[ROWS]])
// CHECK-NOT: amprt.linear
// CHECK-NOT: amp.param
amp.param @W : tensor<4x8xf32> init(glorot)
amprt.linear @W.0 @W 4 8
amprt.linear @W.1 @W 4 8
func.func private @product(%worker: !amprt.worker, %x: !llvm.ptr, %rows: i64) {
  %y = amprt.scratch %worker, %rows
  amprt.product %worker, @W.1(%x, %y) rows %rows
  return
}

// -----

// The table of parameters does not change while code runs.
// CHECK-LABEL: llvm.func internal @param(
// CHECK-SAME: %[[WORKER:.*]]: !llvm.ptr)
// CHECK: %[[TABLE:.*]] = llvm.load %[[WORKER]] invariant : !llvm.ptr -> !llvm.ptr
// CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[TABLE]][16]
// CHECK: llvm.load %[[P]] invariant : !llvm.ptr -> !llvm.ptr
// CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[TABLE]][24]
// CHECK: llvm.load %[[P]] invariant : !llvm.ptr -> i64
amp.param @a : tensor<4xf32> init(zeros)
amp.param @b : tensor<?x4xf32> init(zeros)
func.func private @param(%worker: !amprt.worker) -> (!llvm.ptr, i64) {
  %data, %rows = amprt.param %worker, @b
  return %data, %rows : !llvm.ptr, i64
}

// -----

// A fused product and sum is never a call of the C library.
// CHECK-LABEL: llvm.func internal @arithmetic(
// CHECK: llvm.intr.fmuladd
// CHECK: llvm.intr.roundeven
// CHECK: llvm.intr.maximum
// CHECK: llvm.cond_br
func.func private @arithmetic(%a: f32, %c: i1) -> f32 {
  %0 = math.fma %a, %a, %a : f32
  %1 = math.roundeven %0 : f32
  %2 = arith.maximumf %1, %a : f32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %2 : f32
^bb2:
  return %a : f32
}
