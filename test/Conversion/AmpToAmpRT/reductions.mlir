// A sum of many terms is made in lanes, by loops that become vectors and are folded by halves; one of few terms, one after the other. The
// order is the same for every processor.
// RUN: ampc --compile-to=runtime --mcpu=x86-64-v3 %s | FileCheck %s
// RUN: ampc --compile-to=runtime --mcpu=x86-64-v4 %s | FileCheck %s

// CHECK: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[VECTORIZE:.*]] = #llvm.loop_vectorize<disable = false>
// CHECK: #[[LANES:.*]] = #llvm.loop_annotation<vectorize = #[[VECTORIZE]], unroll = #[[UNROLL]]
// Of 150 terms 128 in two rounds of 64 lanes, and 22 behind them. The 15 need no lanes.
// CHECK-LABEL: @main.0.compute
// CHECK: %[[SIZE:.*]] = llvm.mlir.constant(64 : i64)
// CHECK: %[[SUMS:.*]] = llvm.alloca %[[SIZE]] x f32
// CHECK-NOT: llvm.alloca
// CHECK: llvm.getelementptr %[[SUMS]]
// CHECK: } {llvm.loop_annotation = #[[LANES]]}
// CHECK: arith.divui
// CHECK: arith.addf
// CHECK: scf.for {{.*}} -> (f32)
// CHECK: arith.addf
// CHECK: scf.for {{.*}} -> (f32)
// CHECK: arith.addf

func.func @main(%x: tensor<150xf32> {amp.name = "x"}, %y: tensor<15xf32> {amp.name = "y"})
    -> (f32 {amp.name = "many"}, f32 {amp.name = "few"}) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %many = linalg.dot ins(%x, %x : tensor<150xf32>, tensor<150xf32>) outs(%zero : tensor<f32>) -> tensor<f32>
  %few = linalg.dot ins(%y, %y : tensor<15xf32>, tensor<15xf32>) outs(%zero : tensor<f32>) -> tensor<f32>
  %m = tensor.extract %many[] : tensor<f32>
  %f = tensor.extract %few[] : tensor<f32>
  return %m, %f : f32, f32
}
