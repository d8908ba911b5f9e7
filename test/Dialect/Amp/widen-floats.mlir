// RUN: amp-opt %s -amp-widen-floats | FileCheck %s
// RUN: amp-opt %s -amp-widen-floats | amp-opt -amp-widen-floats | FileCheck %s

// Types of parameters, values, lists, collectors and regions; numbers; at level A and at level B.

// An init's numbers are f64 anyway.
// CHECK: amp.param @W : tensor<4x5xf64> init(normal, 1.000000e-01)
amp.param @W : tensor<4x5xf32> init(normal, 0.1)
// CHECK: amp.param @H : tensor<?x4xf64> init(zeros)
amp.param @H : tensor<?x4xf16> init(zeros)

// CHECK-LABEL: func.func private @program(
// CHECK-SAME: %[[X:.*]]: tensor<4xf64>, %[[S:.*]]: f64, %[[N:.*]]: index, %[[K:.*]]: tensor<?xi32>, %{{.*}}: !amp.collector<tensor<2xf64>>)
// CHECK-SAME: -> (tensor<5xf64>, f64, !amp.list<tensor<4xf64>>)
func.func private @program(%x: tensor<4xf32>, %s: f32, %n: index, %k: tensor<?xi32>, %out: !amp.collector<tensor<2xf32>>)
    -> (tensor<5xf32>, f32, !amp.list<tensor<4xf32>>) {
  // CHECK: amp.get @W : tensor<4x5xf64>
  %W = amp.get @W : tensor<4x5xf32>
  // CHECK: arith.constant dense<[2.500000e-01, -1.500000e+00, 0.000000e+00, 1.000000e+00]> : tensor<4xf64>
  %t = arith.constant dense<[0.25, -1.5, 0.0, 1.0]> : tensor<4xf32>
  // CHECK: arith.constant dense<5.000000e-01> : tensor<4xf64>
  %h = arith.constant dense<0.5> : tensor<4xf32>
  // The number that f32 makes of 0.1, not 0.1: what is tested is the same program.
  // CHECK: %[[TENTH:.*]] = arith.constant 0.10000000149011612 : f64
  %tenth = arith.constant 0.1 : f32
  // CHECK: %[[BIG:.*]] = arith.constant 3 : i32
  %three = arith.constant 3 : i32
  // CHECK: arith.constant dense<[1, 2]> : tensor<2xi32>
  %ints = arith.constant dense<[1, 2]> : tensor<2xi32>
  // CHECK: arith.addf %[[X]], %{{.*}} : tensor<4xf64>
  %a = arith.addf %x, %t : tensor<4xf32>
  %b = arith.addf %a, %h : tensor<4xf32>
  // CHECK: amp.linear %{{.*}}, %{{.*}} : tensor<4xf64>, tensor<4x5xf64>
  %y = amp.linear %b, %W : tensor<4xf32>, tensor<4x5xf32>
  // Conversions between widths have nothing to do.
  // CHECK-NOT: arith.truncf
  // CHECK-NOT: arith.extf
  // CHECK: %[[Z:.*]] = arith.mulf %[[S]], %[[TENTH]] : f64
  %narrow = arith.truncf %s : f32 to bf16
  %wide = arith.extf %narrow : bf16 to f32
  %z = arith.mulf %wide, %tenth : f32
  // CHECK: arith.sitofp %[[BIG]] : i32 to f64
  %f = arith.sitofp %three : i32 to f32
  // CHECK: arith.mulf %[[Z]], %{{.*}} : f64
  %u = arith.mulf %z, %f : f32
  // CHECK: amp.scan {{.*}} : (f64) -> tensor<?xf64> {
  %v, %vs = amp.scan %i = %n to %n carry(%c = %u) : (f32) -> (tensor<?xf32>) {
    %d = arith.mulf %c, %c : f32
    amp.yield %d, %d : f32, f32
  }
  // CHECK: tensor.generate
  // CHECK: tensor.yield %{{.*}} : f64
  %g = tensor.generate {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4xf32>
  %l0 = amp.list : !amp.list<tensor<4xf32>>
  // CHECK: amp.push %{{.*}}, %{{.*}} : <tensor<4xf64>>
  %l1 = amp.push %g, %l0 : !amp.list<tensor<4xf32>>
  // CHECK: amp.loss cross_entropy %{{.*}}, %{{.*}} : tensor<5xf64>, i32 -> f64
  %l = amp.loss cross_entropy %y, %three : tensor<5xf32>, i32 -> f32
  // CHECK: return %{{.*}}, %{{.*}}, %{{.*}} : tensor<5xf64>, f64, !amp.list<tensor<4xf64>>
  return %y, %l, %l1 : tensor<5xf32>, f32, !amp.list<tensor<4xf32>>
}

// CHECK-LABEL: amp.graph private @graph(
// CHECK-SAME: %{{.*}}: tensor<4xf64>, %{{.*}}: i1) -> tensor<4xf64> {
amp.graph private @graph(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  // CHECK: amp.branch %{{.*}}, %{{.*}} : tensor<4xf64>
  %t, %f = amp.branch %c, %x : tensor<4xf32>
  // CHECK: amp.merge %{{.*}}, %{{.*}} : tensor<4xf64>
  %y = amp.merge %t, %f : tensor<4xf32>
  amp.return %y : tensor<4xf32>
}
