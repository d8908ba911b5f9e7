// A model that trains has an entry for each role, with frames of their own. Gradients of parameters are calls of the runtime: rows
// of a product's factors, or of two with a matrix for each row; sums; rows of tables. The gradient of a product's input is a product
// with the transposed parameter.
// RUN: ampc --train --compile-to=runtime --mcpu=x86-64-v3 %s | FileCheck %s
// RUN: ampc --compile-to=runtime --mcpu=x86-64-v3 %s | FileCheck %s --check-prefix=PREDICT

// PREDICT: amprt.model "model"
// PREDICT-NOT: {{amprt.gradient|role = "(train|evaluate)"}}

// CHECK: amprt.model "model" @model.start {
// CHECK-SAME: field_names = ["k", "n", "xs", "which"]
// CHECK-SAME: result_names = ["y"]
// CHECK: amprt.model "model.evaluate" @model.evaluate.start {
// CHECK-SAME: field_names = ["k", "n", "xs", "which", "t"]
// CHECK-SAME: loss = 1 : i64
// CHECK-SAME: result_names = ["y", "loss"]
// CHECK-SAME: role = "evaluate"
// CHECK: amprt.model "model.train" @model.train.start {
// CHECK-SAME: loss = 0 : i64
// CHECK-SAME: result_names = ["loss"]
// CHECK-SAME: role = "train"
// CHECK: amprt.frame @down bytes
// CHECK: amprt.frame @down.train bytes
// CHECK: amprt.gradient.product %arg0, @[[PRODUCT:.*]](%{{.*}}, %{{.*}}) rows %{{.*}}
// CHECK: amprt.gradient.add %arg0, @b, %{{.*}} rows %{{.*}} of %{{.*}}
// CHECK: amprt.panel @{{.*}} [@W] rows [0] columns [0] transposed [true] k 8 width 4
// CHECK: amprt.gradient.grouped %arg0, @[[GROUPED:.*]](%{{.*}}, %{{.*}}) rows %{{.*}} by %{{.*}}
// CHECK: amprt.gradient.row %arg0, @emb[%{{.*}}], %{{.*}}
// CHECK: amprt.gradient @[[PRODUCT]] @W 4 8
// CHECK: amprt.gradient @[[GROUPED]] @A groups 3 4 8

amp.param @W : tensor<4x8xf32> init(glorot)
amp.param @A : tensor<3x4x8xf32> init(glorot)
amp.param @b : tensor<8xf32> init(zeros)
amp.param @emb : tensor<16x4xf32> init(normal, 0.1)
func.func private @down(%x: tensor<4xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi sle, %n, %c0 : index
  %y = scf.if %done -> (tensor<8xf32>) {
    %W = amp.get @W : tensor<4x8xf32>
    %b = amp.get @b : tensor<8xf32>
    %g = amp.linear %x, %W, %b : tensor<4xf32>, tensor<4x8xf32>, tensor<8xf32>
    scf.yield %g : tensor<8xf32>
  } else {
    %m = arith.subi %n, %c1 : index
    %h = math.tanh %x : tensor<4xf32>
    %r = func.call @down(%h, %m) : (tensor<4xf32>, index) -> tensor<8xf32>
    scf.yield %r : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}
func.func @model(%k: i32 {amp.name = "k"}, %n: index {amp.name = "n"}, %xs: tensor<?x4xf32> {amp.name = "xs"},
                 %which: tensor<?xi32> {amp.name = "which"}, %t: tensor<8xf32> {amp.name = "t"})
    -> (tensor<8xf32> {amp.name = "y"}, f32 {amp.name = "loss", amp.loss}) {
  %emb = amp.get @emb : tensor<16x4xf32>
  %A = amp.get @A : tensor<3x4x8xf32>
  %x = amp.lookup %emb[%k] : tensor<16x4xf32>, i32
  %d = call @down(%x, %n) : (tensor<4xf32>, index) -> tensor<8xf32>
  %gs = amp.grouped_linear %xs, %A[%which] : tensor<?x4xf32>, tensor<3x4x8xf32>, tensor<?xi32>
  %p = amp.pool sum %gs : tensor<?x8xf32>
  %y = arith.mulf %d, %p : tensor<8xf32>
  %l = amp.loss squared_error %y, %t : tensor<8xf32>, tensor<8xf32> -> f32
  return %y, %l : tensor<8xf32>, f32
}
