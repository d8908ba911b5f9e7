// REQUIRES: runtime
// RUN: ampc --compile-from=runtime %s -o %t
// RUN: not %t run --input %S/Inputs/level-c.jsonl 2>%t.err | FileCheck %s
// RUN: FileCheck --check-prefix=ERROR %s < %t.err
// RUN: %t info | FileCheck --check-prefix=INFO %s

// A model written by hand at level C: y = x W + b in a cell, m = n + 1 at once, and
// a failure of one instance that leaves the others alone.

// CHECK: {"y":[6.0,6.0,6.0],"m":4}
// CHECK: level-c.mlir:1:2
// CHECK: {"y":[2.0,2.0,2.0],"m":8}

// ERROR: n

// INFO: by-hand
// INFO: W
// INFO: affine.0

amp.param @W : tensor<4x3xf32> init(constant, 0.5)
amp.param @b : tensor<3xf32> init(constant, 1.0)
amprt.linear @W.0 @W 4 3
amprt.cell @affine.0 compute @compute complete @complete product true priority 1 work 27
  reads [<tensor<4xf32> at 48>] writes [<tensor<3xf32> at 64>] params [@W, @b] "amp.linear"
// Behind the head of 40 bytes: arrived 40, x 48, n 56, y 64.
amprt.frame @main bytes 80 arrived 1 events ["start"] words ["x", "n", "y"]
amprt.model "by-hand" @entry {
  entry_bytes = 80, arrived = array<i64: 1>,
  field_names = ["x", "n"], field_types = [tensor<4xf32>, i32],
  field_offsets = array<i64: 48, 56>,
  result_names = ["y", "m"], result_types = [tensor<3xf32>, i32],
  result_events = 2
}

func.func private @entry(%worker: !amprt.worker, %frame: !amprt.frame, %depth: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n = amprt.load %frame[56] : i32
  %negative = arith.cmpi slt, %n, %c0 : i32
  scf.if %negative {
    %wide = arith.extsi %n : i32 to i64
    %limit = arith.constant 100 : i64
    amprt.fail_range %worker, %frame, "level-c.mlir:1:2", "n", %wide, %limit
  } else {
    %m = arith.addi %n, %c1 : i32
    amprt.deliver %m, %frame word 1 : i32
    amprt.post_result %worker, %frame event 1, %depth
    %next = arith.addi %depth, %c1 : i32
    amprt.enqueue %worker, @affine.0, %frame, %next
  }
  return
}

func.func private @compute(%worker: !amprt.worker, %batch: !amprt.batch, %count: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %row_x = arith.constant 16 : i64
  %row_y = arith.constant 12 : i64
  %bytes_x = arith.muli %count, %row_x : i64
  %bytes_y = arith.muli %count, %row_y : i64
  %x = amprt.scratch %worker, %bytes_x
  %y = amprt.scratch %worker, %bytes_y
  scf.for %i = %c0 to %count step %c1 : i64 {
    %frame = amprt.batch.frame %batch[%i]
    %from = amprt.load %frame[48] : !llvm.ptr
    %offset = arith.muli %i, %c4 : i64
    scf.for %j = %c0 to %c4 step %c1 : i64 {
      %p = llvm.getelementptr %from[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %value = llvm.load %p : !llvm.ptr -> f32
      %at = arith.addi %offset, %j : i64
      %q = llvm.getelementptr %x[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %value, %q : f32, !llvm.ptr
    }
  }
  amprt.product %worker, @W.0(%x, %y) rows %count
  %b, %b_rows = amprt.param %worker, @b
  scf.for %i = %c0 to %count step %c1 : i64 {
    %frame = amprt.batch.frame %batch[%i]
    %row = amprt.rows %worker, %frame, %row_y
    amprt.store %row, %frame[64] : !llvm.ptr
    %offset = arith.muli %i, %c3 : i64
    scf.for %j = %c0 to %c3 step %c1 : i64 {
      %at = arith.addi %offset, %j : i64
      %p = llvm.getelementptr %y[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %product = llvm.load %p : !llvm.ptr -> f32
      %bp = llvm.getelementptr %b[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %bias = llvm.load %bp : !llvm.ptr -> f32
      %sum = arith.addf %product, %bias : f32
      %q = llvm.getelementptr %row[%j] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %sum, %q : f32, !llvm.ptr
    }
  }
  return
}

func.func private @complete(%worker: !amprt.worker, %batch: !amprt.batch, %count: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %i = %c0 to %count step %c1 : i64 {
    %frame = amprt.batch.frame %batch[%i]
    %depth = amprt.batch.depth %batch[%i]
    %row = amprt.load %frame[64] : !llvm.ptr
    amprt.deliver %row, %frame word 0 : !llvm.ptr
    amprt.post_result %worker, %frame event 0, %depth
  }
  return
}
