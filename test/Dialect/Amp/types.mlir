// RUN: amp-opt %s --verify-roundtrip | FileCheck %s

// Each type that an edge may carry (T1).
// CHECK-LABEL: amp.graph @edges(
// CHECK-SAME: f32, %{{.*}}: f64, %{{.*}}: i1, %{{.*}}: i32, %{{.*}}: i64, %{{.*}}: index,
// CHECK-SAME: tensor<f32>, %{{.*}}: tensor<?x4xbf16>, %{{.*}}: tensor<4xf16>,
// CHECK-SAME: tensor<?xi1>, %{{.*}}: tensor<2xindex>,
// CHECK-SAME: !amp.collector<tensor<5xf32>>)
amp.graph @edges(%a: f32, %b: f64, %c: i1, %d: i32, %e: i64, %f: index,
                 %g: tensor<f32>, %h: tensor<?x4xbf16>, %i: tensor<4xf16>,
                 %j: tensor<?xi1>, %k: tensor<2xindex>,
                 %l: !amp.collector<tensor<5xf32>>) {
  amp.return
}

// How a parameter starts.
// CHECK: amp.param @zeros : tensor<4xf32> init(zeros)
amp.param @zeros : tensor<4xf32> init(zeros)
// CHECK: amp.param @constant : tensor<4xf32> init(constant, -2.500000e+00)
amp.param @constant : tensor<4xf32> init(constant, -2.5)
// CHECK: amp.param @uniform : tensor<4xf32> init(uniform, -1.000000e-01, 1.000000e-01)
amp.param @uniform : tensor<4xf32> init(uniform, -0.1, 0.1)
// CHECK: amp.param @normal : tensor<?x4xf32> init(normal, 1.000000e-01)
amp.param @normal : tensor<?x4xf32> init(normal, 0.1)
// CHECK: amp.param @glorot : tensor<4x4xf64> init(glorot)
amp.param @glorot : tensor<4x4xf64> init(glorot)
