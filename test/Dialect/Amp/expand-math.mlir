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

// What amp.sigmoid is: the power meets the division in one piece, of which only the least is left.
// CHECK-LABEL: func.func @sigmoid
// CHECK-NOT: math.exp
// CHECK-COUNT-1: arith.shli
// CHECK-NOT: arith.shli
// CHECK-COUNT-1: arith.divf
// CHECK-NOT: arith.divf
// CHECK: return
func.func @sigmoid(%x: vector<8xf32>) -> vector<8xf32> {
  %one = arith.constant dense<1.0> : vector<8xf32>
  %n = arith.negf %x : vector<8xf32>
  %e = math.exp %n : vector<8xf32>
  %d = arith.addf %e, %one : vector<8xf32>
  %y = arith.divf %one, %d : vector<8xf32>
  return %y : vector<8xf32>
}

// Nearly that, but not: the exponential by itself.
// CHECK-LABEL: func.func @not_sigmoid
// CHECK-COUNT-2: arith.shli
// CHECK: arith.divf
func.func @not_sigmoid(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = arith.negf %x : f32
  %e = math.exp %n : f32
  %d = arith.addf %e, %two : f32
  %y = arith.divf %one, %d : f32
  return %y : f32
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
