// RUN: mlir-opt --convert-scf-to-cf %s | amp-opt --convert-amprt-to-llvm | FileCheck %s

// What a loop is said to be reaches LLVM only as a property of its branch.
// CHECK-DAG: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK-DAG: #[[LOOP:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>
// CHECK-LABEL: llvm.func internal @loop(
// CHECK: llvm.br ^{{.*}} {loop_annotation = #[[LOOP]]}
#unroll = #llvm.loop_unroll<disable = true>
#annotation = #llvm.loop_annotation<unroll = #unroll>
func.func private @loop(%count: index, %place: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %count step %c1 {
    %n = arith.index_cast %i : index to i64
    llvm.store %n, %place : i64, !llvm.ptr
  } {llvm.loop_annotation = #annotation}
  return
}
