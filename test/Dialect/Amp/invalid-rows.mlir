// RUN: amp-opt %s -split-input-file -verify-diagnostics

// Rows of graphs and sequences; the labels are those of dialects/Amp/SPEC.md.

// iota_c1
func.func private @f(%n: index) {
  // expected-error @below {{'amp.iota' op expected a result of open length, but got 'tensor<4xindex>'}}
  %i = amp.iota %n : tensor<4xindex>
  return
}

// -----

// gather_c1
func.func private @f(%x: tensor<f32>, %i: tensor<?xi32>) {
  // expected-error @below {{'amp.gather' op expected rows and a vector of indices, but got 'tensor<f32>' and 'tensor<?xi32>'}}
  %r = amp.gather %x[%i] : tensor<f32>, tensor<?xi32>
  return
}

// -----

// gather_c1
func.func private @f(%x: tensor<?x4xf32>, %i: tensor<?x2xi32>) {
  // expected-error @below {{'amp.gather' op expected rows and a vector of indices, but got 'tensor<?x4xf32>' and 'tensor<?x2xi32>'}}
  %r = amp.gather %x[%i] : tensor<?x4xf32>, tensor<?x2xi32>
  return
}

// -----

// segment_c1
func.func private @f(%x: tensor<?x4xf32>, %s: tensor<?x2xi32>, %n: index) {
  // expected-error @below {{'amp.segment' op expected a vector of indices, but got 'tensor<?x2xi32>'}}
  %r = amp.segment sum %x[%s] to %n : tensor<?x4xf32>, tensor<?x2xi32>
  return
}

// -----

// segment_c2
func.func private @f(%x: tensor<3x4xf32>, %s: tensor<2xi32>, %n: index) {
  // expected-error @below {{'amp.segment' op expected one index for each row, but got 'tensor<3x4xf32>' and 'tensor<2xi32>'}}
  %r = amp.segment max %x[%s] to %n : tensor<3x4xf32>, tensor<2xi32>
  return
}

// -----

// pool_c1
func.func private @f(%x: tensor<f32>) {
  // expected-error @below {{'amp.pool' op expected a tensor of rank 1 or more, but got 'tensor<f32>'}}
  %r = amp.pool mean %x : tensor<f32>
  return
}

// -----

// grouped_linear_c1
func.func private @f(%x: tensor<?x4xf32>, %w: tensor<3x5x2xf32>, %k: tensor<?xi32>) {
  // expected-error @below {{'amp.grouped_linear' op expected x [m, k] and weights [g, k, n] with known k and n, but got 'tensor<?x4xf32>' and 'tensor<3x5x2xf32>'}}
  %r = amp.grouped_linear %x, %w[%k] : tensor<?x4xf32>, tensor<3x5x2xf32>, tensor<?xi32>
  return
}

// -----

// grouped_linear_c2
func.func private @f(%x: tensor<?x4xf64>, %w: tensor<3x4x2xf32>, %k: tensor<?xi32>) {
  // expected-error @below {{'amp.grouped_linear' op expected one element type, but got 'f64' and 'f32'}}
  %r = amp.grouped_linear %x, %w[%k] : tensor<?x4xf64>, tensor<3x4x2xf32>, tensor<?xi32>
  return
}

// -----

// grouped_linear_c3
func.func private @f(%x: tensor<5x4xf32>, %w: tensor<3x4x2xf32>, %k: tensor<6xi32>) {
  // expected-error @below {{'amp.grouped_linear' op expected one index for each row, but got 'tensor<5x4xf32>' and 'tensor<6xi32>'}}
  %r = amp.grouped_linear %x, %w[%k] : tensor<5x4xf32>, tensor<3x4x2xf32>, tensor<6xi32>
  return
}

// -----

// grouped_linear_c4
func.func private @f(%x: tensor<?x4xf32>, %w: tensor<3x4x2xf32>, %k: tensor<?xi32>, %b: tensor<2xf32>) {
  // expected-error @below {{'amp.grouped_linear' op expected biases of type 'tensor<3x2xf32>', but got 'tensor<2xf32>'}}
  %r = amp.grouped_linear %x, %w[%k], %b : tensor<?x4xf32>, tensor<3x4x2xf32>, tensor<?xi32>, tensor<2xf32>
  return
}

// -----

// group_c1
func.func private @f(%x: tensor<3x4xf32>, %k: tensor<2xi32>, %n: index) {
  // expected-error @below {{'amp.group' op expected one index for each row, but got 'tensor<3x4xf32>' and 'tensor<2xi32>'}}
  %r, %s = amp.group %x[%k] to %n : tensor<3x4xf32>, tensor<2xi32>
  return
}

// -----

// ungroup_c1
func.func private @f(%x: tensor<f32>, %k: tensor<2xi32>, %n: index) {
  // expected-error @below {{'amp.ungroup' op expected a tensor of rank 1 or more, but got 'tensor<f32>'}}
  %r = amp.ungroup %x[%k] to %n : tensor<f32>, tensor<2xi32>
  return
}

// -----

// loss_c1
func.func private @f(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @below {{'amp.loss' op expected a target of type 'tensor<4xf32>', but got 'tensor<5xf32>'}}
  %l = amp.loss squared_error %x, %y : tensor<4xf32>, tensor<5xf32> -> f32
  return
}

// -----

// loss_c2
func.func private @f(%x: tensor<?x4xf32>, %y: i32) {
  // expected-error @below {{'amp.loss' op expected classes in the last dimension, and an integer target for each position of the others, but got 'tensor<?x4xf32>' and 'i32'}}
  %l = amp.loss cross_entropy %x, %y : tensor<?x4xf32>, i32 -> f32
  return
}

// -----

// loss_c3
func.func private @f(%x: tensor<4xf64>, %y: i32) {
  // expected-error @below {{'amp.loss' op expected a loss of type 'f64', but got 'f32'}}
  %l = amp.loss cross_entropy %x, %y : tensor<4xf64>, i32 -> f32
  return
}
