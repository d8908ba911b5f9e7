// Derivatives of what works on rows: segments, pools, soft-max, groups, losses. Some segments are empty.
// RUN: split-file %s %t
// RUN: ampc --check-gradients %t/model.mlir --input %t/in.jsonl --samples 0 --seed 2 | FileCheck %s
// RUN: ampc --check-gradients %t/losses.mlir --input %t/losses.jsonl --samples 0 | FileCheck %s --check-prefix=LOSSES

// CHECK:      cross_entropy: 12 checked, 12 not zero
// CHECK-NEXT: group: 16 checked, 16 not zero
// CHECK-NEXT: pool_max: 16 checked, 4 not zero
// CHECK-NEXT: pool_mean: 16 checked, 16 not zero
// CHECK-NEXT: pool_sum: 16 checked, 16 not zero
// CHECK-NEXT: segment_max: 16 checked, 10 not zero
// CHECK-NEXT: segment_mean: 16 checked, 16 not zero
// CHECK-NEXT: segment_sum: 16 checked, 16 not zero
// CHECK-NEXT: softmax: 6 checked, 6 not zero
// CHECK-NEXT: softmax_rows: 16 checked, 16 not zero
// CHECK-NEXT: ungroup: 16 checked, 16 not zero

// LOSSES:      both: 9 checked, 9 not zero
// LOSSES-NEXT: far: 9 checked, 9 not zero
// LOSSES-NEXT: hinge: 9 checked, 9 not zero
// LOSSES-NEXT: hinges: 12 checked, 12 not zero
// LOSSES-NEXT: near: 9 checked, 9 not zero
// LOSSES-NEXT: one: 9 checked, 9 not zero
// LOSSES-NEXT: rows: 18 checked, 8 not zero
// LOSSES-NEXT: target: 9 checked, 9 not zero

//--- model.mlir
amp.param @cross_entropy : tensor<2x3xf32> init(normal, 1.0)
amp.param @group : tensor<4x2xf32> init(normal, 1.0)
amp.param @ungroup : tensor<4x2xf32> init(normal, 1.0)
amp.param @pool_max : tensor<4x2xf32> init(normal, 1.0)
amp.param @pool_mean : tensor<4x2xf32> init(normal, 1.0)
amp.param @pool_sum : tensor<4x2xf32> init(normal, 1.0)
amp.param @segment_max : tensor<4x2xf32> init(normal, 1.0)
amp.param @segment_mean : tensor<4x2xf32> init(normal, 1.0)
amp.param @segment_sum : tensor<4x2xf32> init(normal, 1.0)
amp.param @softmax : tensor<3xf32> init(normal, 1.0)
amp.param @softmax_rows : tensor<4x2xf32> init(normal, 1.0)

func.func private @add(%x: tensor<?x2xf32>, %sum: tensor<2xf32>) -> tensor<2xf32> {
  // Each row counts differently.
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x2xf32>
  %numbers = amp.map %i to %n -> (tensor<?x2xf32>) {
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %s = math.sin %f : f32
    %row = tensor.from_elements %f, %s : tensor<2xf32>
    amp.yield %row : tensor<2xf32>
  }
  %y = math.sin %x : tensor<?x2xf32>
  %z = arith.addf %y, %numbers : tensor<?x2xf32>
  %s = arith.mulf %z, %z : tensor<?x2xf32>
  %p = amp.pool sum %s : tensor<?x2xf32>
  %r = arith.addf %sum, %p : tensor<2xf32>
  return %r : tensor<2xf32>
}

func.func @rows(%keys: tensor<?xi32> {amp.name = "keys"}, %count: index {amp.name = "count"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %zeros = arith.constant dense<0.0> : tensor<2xf32>

  %segment_sum = amp.get @segment_sum : tensor<4x2xf32>
  %a0 = math.sin %segment_sum : tensor<4x2xf32>
  %a1 = tensor.cast %a0 : tensor<4x2xf32> to tensor<?x2xf32>
  %a2 = amp.segment sum %a1[%keys] to %count : tensor<?x2xf32>, tensor<?xi32>
  %s0 = call @add(%a2, %zeros) : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %segment_mean = amp.get @segment_mean : tensor<4x2xf32>
  %b0 = math.sin %segment_mean : tensor<4x2xf32>
  %b1 = tensor.cast %b0 : tensor<4x2xf32> to tensor<?x2xf32>
  %b2 = amp.segment mean %b1[%keys] to %count : tensor<?x2xf32>, tensor<?xi32>
  %s1 = call @add(%b2, %s0) : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %segment_max = amp.get @segment_max : tensor<4x2xf32>
  %c0 = math.sin %segment_max : tensor<4x2xf32>
  %c1 = tensor.cast %c0 : tensor<4x2xf32> to tensor<?x2xf32>
  %c2 = amp.segment max %c1[%keys] to %count : tensor<?x2xf32>, tensor<?xi32>
  %s2 = call @add(%c2, %s1) : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<2xf32>

  // Of parameters themselves.
  %pool_sum = amp.get @pool_sum : tensor<4x2xf32>
  %d0 = amp.pool sum %pool_sum : tensor<4x2xf32>
  %d1 = arith.mulf %d0, %d0 : tensor<2xf32>
  %s3 = arith.addf %s2, %d1 : tensor<2xf32>
  %pool_mean = amp.get @pool_mean : tensor<4x2xf32>
  %e0 = amp.pool mean %pool_mean : tensor<4x2xf32>
  %e1 = arith.mulf %e0, %e0 : tensor<2xf32>
  %s4 = arith.addf %s3, %e1 : tensor<2xf32>
  %pool_max = amp.get @pool_max : tensor<4x2xf32>
  %f0 = math.sin %pool_max : tensor<4x2xf32>
  %f1 = amp.pool max %f0 : tensor<4x2xf32>
  %f2 = arith.mulf %f1, %f1 : tensor<2xf32>
  %s5 = arith.addf %s4, %f2 : tensor<2xf32>

  %group = amp.get @group : tensor<4x2xf32>
  %g0 = tensor.cast %group : tensor<4x2xf32> to tensor<?x2xf32>
  %g1, %starts = amp.group %g0[%keys] to %count : tensor<?x2xf32>, tensor<?xi32>
  %s6 = call @add(%g1, %s5) : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %ungroup = amp.get @ungroup : tensor<4x2xf32>
  %h0 = tensor.cast %ungroup : tensor<4x2xf32> to tensor<?x2xf32>
  %h1 = amp.ungroup %h0[%keys] to %count : tensor<?x2xf32>, tensor<?xi32>
  %s7 = call @add(%h1, %s6) : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<2xf32>

  %softmax = amp.get @softmax : tensor<3xf32>
  %i0 = math.sin %softmax : tensor<3xf32>
  %i1 = amp.softmax %i0 : tensor<3xf32>
  %i2 = tensor.extract_slice %i1[1] [2] [1] : tensor<3xf32> to tensor<2xf32>
  %s8 = arith.addf %s7, %i2 : tensor<2xf32>
  %softmax_rows = amp.get @softmax_rows : tensor<4x2xf32>
  %j0 = tensor.cast %softmax_rows : tensor<4x2xf32> to tensor<?x2xf32>
  %j1 = amp.softmax %j0 : tensor<?x2xf32>
  %s9 = call @add(%j1, %s8) : (tensor<?x2xf32>, tensor<2xf32>) -> tensor<2xf32>

  %cross_entropy = amp.get @cross_entropy : tensor<2x3xf32>
  %tags = tensor.extract_slice %keys[1] [2] [1] : tensor<?xi32> to tensor<2xi32>
  %k0 = amp.loss cross_entropy %cross_entropy, %tags : tensor<2x3xf32>, tensor<2xi32> -> f32

  %l0 = amp.loss squared_error %s9, %zeros : tensor<2xf32>, tensor<2xf32> -> f32
  %l1 = arith.constant 0.001 : f32
  %l2 = arith.mulf %l0, %l1 : f32
  %l3 = arith.addf %l2, %k0 : f32
  return %l3 : f32
}
//--- in.jsonl
{"keys": [2, 0, 2, 3], "count": 5}
{"keys": [1, 1, 1, 0], "count": 3}

//--- losses.mlir
amp.param @one : tensor<3xf32> init(normal, 1.0)
amp.param @rows : tensor<3x2xf32> init(normal, 1.0)
amp.param @both : tensor<3xf32> init(normal, 1.0)
amp.param @target : tensor<3xf32> init(normal, 1.0)
amp.param @near : tensor<3xf32> init(normal, 1.0)
amp.param @far : tensor<3xf32> init(normal, 1.0)
amp.param @hinge : tensor<3xf32> init(normal, 1.0)
amp.param @hinges : tensor<2x2xf32> init(normal, 1.0)
func.func @losses(%tag: i32 {amp.name = "tag"}, %tags: tensor<?xi64> {amp.name = "tags"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %one = amp.get @one : tensor<3xf32>
  %l0 = amp.loss cross_entropy %one, %tag : tensor<3xf32>, i32 -> f32
  // Of as many rows as there are labels.
  %rows = amp.get @rows : tensor<3x2xf32>
  %n = tensor.dim %tags, %c0 : tensor<?xi64>
  %some = tensor.extract_slice %rows[0, 0] [%n, 2] [1, 1] : tensor<3x2xf32> to tensor<?x2xf32>
  %l1 = amp.loss cross_entropy %some, %tags : tensor<?x2xf32>, tensor<?xi64> -> f32
  // Both sides of a squared error, and a value that is both at once.
  %both = amp.get @both : tensor<3xf32>
  %target = amp.get @target : tensor<3xf32>
  %l2 = amp.loss squared_error %both, %target : tensor<3xf32>, tensor<3xf32> -> f32
  %sin = math.sin %both : tensor<3xf32>
  %l3 = amp.loss squared_error %sin, %both : tensor<3xf32>, tensor<3xf32> -> f32
  %l4 = amp.loss squared_error %target, %target : tensor<3xf32>, tensor<3xf32> -> f32
  // Absolute errors, and the margin of the right class.
  %near = amp.get @near : tensor<3xf32>
  %far = amp.get @far : tensor<3xf32>
  %l5 = amp.loss absolute_error %near, %far : tensor<3xf32>, tensor<3xf32> -> f32
  %hinge = amp.get @hinge : tensor<3xf32>
  %l6 = amp.loss hinge %hinge, %tag : tensor<3xf32>, i32 -> f32
  %hinges = amp.get @hinges : tensor<2x2xf32>
  %right = arith.constant dense<[0, 1]> : tensor<2xi32>
  %l7 = amp.loss hinge %hinges, %right : tensor<2x2xf32>, tensor<2xi32> -> f32
  %s0 = arith.mulf %l0, %l2 : f32
  %s1 = arith.addf %s0, %l1 : f32
  %s2 = arith.addf %s1, %l3 : f32
  %s3 = arith.addf %s2, %l4 : f32
  %s4 = arith.mulf %l5, %l6 : f32
  %s5 = arith.addf %s3, %s4 : f32
  %s6 = arith.addf %s5, %l7 : f32
  return %s6 : f32
}
//--- losses.jsonl
{"tag": 2, "tags": []}
{"tag": 0, "tags": [1]}
{"tag": 1, "tags": [1, 0, 0]}
