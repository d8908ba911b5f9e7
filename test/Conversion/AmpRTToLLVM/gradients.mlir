// RUN: amp-opt --convert-amprt-to-llvm %s | FileCheck %s

// A gradient's number is its position among the module's gradients, a parameter's that among its parameters.
amp.param @b : tensor<8xf32> init(zeros)
amp.param @W : tensor<4x8xf32> init(glorot)
amp.param @A : tensor<3x4x8xf32> init(glorot)
amprt.gradient @W.gradient @W 4 8
amprt.gradient @A.gradient @A groups 3 4 8

// CHECK-LABEL: llvm.func internal @gradients(
// CHECK-SAME: %[[W:.*]]: !llvm.ptr, %[[X:.*]]: !llvm.ptr, %[[DY:.*]]: !llvm.ptr, %[[ROWS:.*]]: i64, %[[N:.*]]: i64)
func.func private @gradients(%worker: !amprt.worker, %x: !llvm.ptr, %dy: !llvm.ptr, %rows: i64, %n: i64) {
  // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: llvm.call @amprt_gradient_product(%[[W]], %[[ZERO]], %[[X]], %[[DY]], %[[ROWS]])
  amprt.gradient.product %worker, @W.gradient(%x, %dy) rows %rows
  // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: llvm.call @amprt_gradient_grouped(%[[W]], %[[ONE]], %[[X]], %[[DY]], %[[ROWS]], %[[X]])
  amprt.gradient.grouped %worker, @A.gradient(%x, %dy) rows %rows by %x
  // From its first element on.
  // CHECK: %[[B:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: %[[FIRST:.*]] = llvm.mlir.constant(0 : i64)
  // CHECK: llvm.call @amprt_gradient_add(%[[W]], %[[B]], %[[FIRST]], %[[DY]], %[[ROWS]], %[[N]])
  amprt.gradient.add %worker, @b, %dy rows %rows of %n
  // CHECK: %[[PW:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: llvm.call @amprt_gradient_row(%[[W]], %[[PW]], %[[N]], %[[DY]])
  amprt.gradient.row %worker, @W[%n], %dy
  return
}
