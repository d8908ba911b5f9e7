// RUN: amp-opt --convert-amprt-to-llvm --split-input-file %s | FileCheck %s

// Words are read and written at their offset with their natural alignment; an i1
// takes a byte.
// CHECK-LABEL: llvm.func internal @words(
// CHECK-SAME: %[[FRAME:.*]]: !llvm.ptr) -> i1
func.func private @words(%frame: !amprt.frame) -> i1 {
  // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[FRAME]][48] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK: %[[I:.*]] = llvm.load %[[P]] : !llvm.ptr -> i64
  %index = amprt.load %frame[48] : index
  // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[FRAME]][56]
  // CHECK: llvm.load %[[P]] : !llvm.ptr -> f32
  %x = amprt.load %frame[56] : f32
  // CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
  // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i8) : i8
  // CHECK: %[[BIT:.*]] = llvm.icmp "ne" %[[BYTE]], %[[ZERO]] : i8
  %b = amprt.load %frame[64] : i1
  // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[FRAME]][72]
  // CHECK: llvm.store %[[I]], %[[P]] : i64, !llvm.ptr
  amprt.store %index, %frame[72] : index
  // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[FRAME]][80]
  // CHECK: %[[BYTE:.*]] = llvm.zext %[[BIT]] : i1 to i8
  // CHECK: llvm.store %[[BYTE]], %[[P]] : i8, !llvm.ptr
  amprt.store %b, %frame[80] : i1
  // The first member needs no address arithmetic.
  // CHECK: llvm.load %[[FRAME]] : !llvm.ptr -> !llvm.ptr
  %p = amprt.load %frame[0] : !llvm.ptr
  return %b : i1
}

// -----

// A new frame knows its instance and its parent.
// CHECK: llvm.func @amprt_frame_new(!llvm.ptr, !llvm.ptr, i64) -> (!llvm.ptr {llvm.align = 16 : i64, llvm.noalias, llvm.nonnull})
// CHECK-LABEL: llvm.func internal @open(
// CHECK-SAME: %[[WORKER:.*]]: !llvm.ptr, %[[PARENT:.*]]: !llvm.ptr)
// CHECK: %[[INSTANCE:.*]] = llvm.load %[[PARENT]]
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(96 : i64)
// CHECK: %[[FRAME:.*]] = llvm.call @amprt_frame_new(%[[WORKER]], %[[INSTANCE]], %[[BYTES]])
// CHECK: llvm.store %[[INSTANCE]], %[[FRAME]]
// CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[FRAME]][8]
// CHECK: llvm.store %[[PARENT]], %[[P]]
// CHECK-NOT: amprt.frame
amprt.frame @layout bytes 96 arrived 1 events ["start"] words []
func.func private @open(%worker: !amprt.worker, %parent: !amprt.frame) -> !amprt.frame {
  %frame = amprt.open %worker, %parent @layout
  return %frame : !amprt.frame
}

// -----

// CHECK: llvm.func @amprt_rows_new(!llvm.ptr, !llvm.ptr, i64)
// CHECK-LABEL: llvm.func internal @rows(
// CHECK-SAME: %[[WORKER:.*]]: !llvm.ptr, %[[FRAME:.*]]: !llvm.ptr, %[[BYTES:.*]]: i64)
// CHECK: %[[INSTANCE:.*]] = llvm.load %[[FRAME]]
// CHECK: llvm.call @amprt_rows_new(%[[WORKER]], %[[INSTANCE]], %[[BYTES]])
func.func private @rows(%worker: !amprt.worker, %frame: !amprt.frame, %bytes: i64) -> !llvm.ptr {
  %rows = amprt.rows %worker, %frame, %bytes
  return %rows : !llvm.ptr
}

// -----

// CHECK: llvm.func @amprt_rows_release(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64)
// CHECK-LABEL: llvm.func internal @release(
// CHECK-SAME: %[[WORKER:.*]]: !llvm.ptr, %[[FRAME:.*]]: !llvm.ptr, %[[ROWS:.*]]: !llvm.ptr, %[[BYTES:.*]]: i64)
// CHECK: %[[INSTANCE:.*]] = llvm.load %[[FRAME]]
// CHECK: llvm.call @amprt_rows_release(%[[WORKER]], %[[INSTANCE]], %[[ROWS]], %[[BYTES]])
func.func private @release(%worker: !amprt.worker, %frame: !amprt.frame, %rows: !llvm.ptr, %bytes: i64) {
  amprt.release %worker, %frame, %rows, %bytes
  return
}

// -----

// A site is a constant: the handlers, and the offsets of the words.
// CHECK-LABEL: llvm.func internal @handler(
// CHECK-LABEL: llvm.func internal @set_site(
// CHECK-SAME: %[[FRAME:.*]]: !llvm.ptr)
// CHECK: %[[SITE:.*]] = llvm.mlir.addressof @site
// CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[FRAME]][16]
// CHECK: llvm.store %[[SITE]], %[[P]]
func.func private @handler(%worker: !amprt.worker, %frame: !amprt.frame, %depth: i32) {
  return
}
amprt.site @site [@handler, @handler] [48, 56, 64]
func.func private @set_site(%frame: !amprt.frame) {
  amprt.set_site %frame, @site
  return
}
// CHECK: llvm.mlir.global internal constant @site.handlers() {{.*}} : !llvm.array<2 x ptr>
// CHECK: llvm.mlir.global internal constant @site.offsets(dense<[48, 56, 64]> : tensor<3xi32>)
// CHECK: llvm.mlir.global internal constant @site() {{.*}} : !llvm.struct<(ptr, ptr)>

// -----

// A result goes where the caller's site says.
// CHECK-LABEL: llvm.func internal @deliver(
// CHECK-SAME: %[[VALUE:.*]]: f32, %[[FRAME:.*]]: !llvm.ptr)
// CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[FRAME]][8]
// CHECK: %[[PARENT:.*]] = llvm.load %[[P]]
// CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[FRAME]][16]
// CHECK: %[[SITE:.*]] = llvm.load %[[P]]
// CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[SITE]][8]
// CHECK: %[[OFFSETS:.*]] = llvm.load %[[P]]
// CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[OFFSETS]][12]
// CHECK: %[[OFFSET:.*]] = llvm.load %[[P]] : !llvm.ptr -> i32
// CHECK: %[[WIDE:.*]] = llvm.zext %[[OFFSET]] : i32 to i64
// CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[PARENT]][%[[WIDE]]]
// CHECK: llvm.store %[[VALUE]], %[[P]] : f32
func.func private @deliver(%value: f32, %frame: !amprt.frame) {
  amprt.deliver %value, %frame word 3 : f32
  return
}
