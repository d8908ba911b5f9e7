// What a cell costs, and whether it works on gradients.
// RUN: ampc --train --compile-to=runtime --mcpu=x86-64-v3 %s | FileCheck %s
// RUN: ampc --train --compile-to=runtime --mcpu=x86-64-v3 %s | ampc --compile-from=runtime --compile-to=llvm - | FileCheck %s --check-prefix=AGAIN
// 2 k n for a product, and an element of a result each for the rest. A bias is a part of its product.
// CHECK: amprt.cell @model.0 {{.*}} product true priority 1 work 64 {{.*}} params [@emb, @W, @b] "amp.linear"
// CHECK: amprt.cell @model.evaluate.0 {{.*}} product true priority 1 work 65 {{.*}} params [@emb, @W, @b] "amp.linear, amp.loss"
// Here gradients begin. Those of the product's two factors cost as much as it does.
// CHECK: amprt.cell @model.train.0 {{.*}} product true backward priority 1 work 214 {{.*}} params [@emb, @W, @b]
// AGAIN: llvm.mlir.global external constant @amprt_model()

amp.param @emb : tensor<16x4xf32> init(normal, 0.1)
amp.param @W : tensor<4x8xf32> init(glorot)
amp.param @b : tensor<8xf32> init(zeros)
func.func @model(%k: i32 {amp.name = "k"}, %t: tensor<8xf32> {amp.name = "t"})
    -> (tensor<8xf32> {amp.name = "y"}, f32 {amp.name = "loss", amp.loss}) {
  %emb = amp.get @emb : tensor<16x4xf32>
  %W = amp.get @W : tensor<4x8xf32>
  %b = amp.get @b : tensor<8xf32>
  %x = amp.lookup %emb[%k] : tensor<16x4xf32>, i32
  %y = amp.linear %x, %W, %b : tensor<4xf32>, tensor<4x8xf32>, tensor<8xf32>
  %l = amp.loss squared_error %y, %t : tensor<8xf32>, tensor<8xf32> -> f32
  return %y, %l : tensor<8xf32>, f32
}
