// In a model that trains, rows are given back when their last reader is done; in one that only predicts never.
// RUN: ampc --train --compile-to=runtime --mcpu=x86-64-v3 %s | FileCheck %s
// RUN: ampc --compile-to=runtime --mcpu=x86-64-v3 %s | FileCheck %s --check-prefix=PREDICT

// PREDICT-NOT: amprt.release

// The backward pass ends with what adds to the gradients of the table.
// CHECK: amprt.model "model.train"
// CHECK-SAME: ended = array<i64: {{[0-9]+}}>
// CHECK-SAME: ended_names = [{{.*}}"cell model.train.{{[0-9]+}}

// A step: two of the rows that the cell keeps for its backward pass are one block; the gradient for x goes once it is copied to the stack.
// The gradient of h is the next iteration's, if there is one. What is carried and stacked stays.
// CHECK-LABEL: func.func private @model.train.loop0.action
// CHECK: %[[BLOCK:.*]] = arith.constant 512 : i64
// CHECK: amprt.release %arg0, %arg1, %{{.*}}, %[[BLOCK]]
// CHECK: %[[ROW:.*]] = arith.constant 256 : i64
// CHECK: amprt.release %arg0, %arg1, %{{.*}}, %[[ROW]]
// CHECK: amprt.load %arg1[24] : !amprt.frame
// CHECK: llvm.icmp "eq"
// CHECK: } else {
// CHECK: amprt.release %arg0, %arg1, %{{.*}}, %{{.*}}
// CHECK-NOT: amprt.release
// CHECK-LABEL: amprt.frame @model.train bytes
// The stacks of the gradients for x and of where they go.
// CHECK-COUNT-2: amprt.release
// CHECK-NOT: amprt.release

amp.param @emb : tensor<?x64xf32> init(normal, 0.1)
amp.param @W : tensor<64x64xf32> init(glorot)
func.func @model(%word: tensor<?xi32> {amp.name = "word"}, %t: tensor<64xf32> {amp.name = "t"})
    -> (tensor<64xf32> {amp.name = "y"}, f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %h0 = arith.constant dense<0.0> : tensor<64xf32>
  %n = tensor.dim %word, %c0 : tensor<?xi32>
  %W = amp.get @W : tensor<64x64xf32>
  %emb = amp.get @emb : tensor<?x64xf32>
  %x = amp.map %i to %n -> (tensor<?x64xf32>) {
    %w = tensor.extract %word[%i] : tensor<?xi32>
    %row = amp.lookup %emb[%w] : tensor<?x64xf32>, i32
    amp.yield %row : tensor<64xf32>
  }
  %y = amp.scan %i = %c0 to %n carry(%h = %h0) : (tensor<64xf32>) {
    %x_i = tensor.extract_slice %x[%i, 0] [1, 64] [1, 1] : tensor<?x64xf32> to tensor<64xf32>
    %a = amp.linear %h, %W : tensor<64xf32>, tensor<64x64xf32>
    %g = arith.addf %x_i, %a : tensor<64xf32>
    %s = amp.sigmoid %g : tensor<64xf32>
    %u = math.tanh %g : tensor<64xf32>
    %h2 = arith.mulf %s, %u : tensor<64xf32>
    amp.yield %h2 : tensor<64xf32>
  }
  %loss = amp.loss squared_error %y, %t : tensor<64xf32>, tensor<64xf32> -> f32
  return %y, %loss : tensor<64xf32>, f32
}
