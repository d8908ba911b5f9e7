// RUN: amp-opt %s --amp-expand-math | FileCheck %s

// Straight-line arithmetic, nothing of math left but fma. The values are tested in
// test/e2e/math.mlir.
// CHECK-LABEL: func.func @scalar
// CHECK-NOT: math.exp
// CHECK: math.fma
// CHECK: arith.bitcast
// CHECK-NOT: math.{{exp|tanh}}
// CHECK: return
func.func @scalar(%x: f32) -> f32 {
  %e = math.exp %x : f32
  %t = math.tanh %e : f32
  return %t : f32
}

// CHECK-LABEL: func.func @vector
// CHECK-NOT: math.tanh
// CHECK: arith.bitcast %{{.*}} : vector<8xf64> to vector<8xi64>
// CHECK: arith.divf
func.func @vector(%x: vector<8xf64>) -> vector<8xf64> {
  %t = math.tanh %x : vector<8xf64>
  return %t : vector<8xf64>
}

// Other types and other functions: unchanged.
// CHECK-LABEL: func.func @unchanged
// CHECK: math.exp %{{.*}} : f16
// CHECK: math.log
func.func @unchanged(%x: f16, %y: f32) -> (f16, f32) {
  %e = math.exp %x : f16
  %l = math.log %y : f32
  return %e, %l : f16, f32
}
