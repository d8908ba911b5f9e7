// RUN: amp-opt --convert-amprt-to-llvm %s | FileCheck %s

// One of three processors' models: it has a symbol of its own and knows the next.
module attributes {amprt.target = "x86_64 x86-64-v3", amprt.features = "avx2 fma ", amprt.symbol = "amprt_model_1",
                   amprt.next = "amprt_model_2"} {
  amprt.model "echo" @entry {
    entry_bytes = 64, arrived = array<i64: 1>, field_names = ["x"],
    field_types = [i32], field_offsets = array<i64: 48>, result_names = ["y"],
    result_types = [i32], result_events = 1
  }
  func.func private @entry(%worker: !amprt.worker, %frame: !amprt.frame, %depth: i32) {
    return
  }
}
// CHECK-NOT: amprt.
// CHECK: llvm.mlir.global external constant @amprt_model_2() {{{.*}}} : !llvm.struct<{{.*}}>{{$}}
// CHECK-NEXT: llvm.mlir.global external constant @amprt_model_1() {{{.*}}} : !llvm.struct<{{.*}}> {
// CHECK: addressof @[[NAME:amprt_text_[0-9]+]]
// CHECK-NEXT: addressof @[[TARGET:amprt_text_[0-9]+]]
// CHECK-NEXT: addressof @[[FEATURES:amprt_text_[0-9]+]]
// CHECK-NEXT: addressof @amprt_model_2
// CHECK-NOT: amprt.
// CHECK-DAG: constant @[[NAME]]("echo\00")
// CHECK-DAG: constant @[[TARGET]]("x86_64 x86-64-v3\00")
// CHECK-DAG: constant @[[FEATURES]]("avx2 fma \00")
