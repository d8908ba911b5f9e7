// RUN: amp-opt %s -split-input-file -verify-diagnostics

// Types, parameters and tensor ops; the labels are those of dialects/Amp/SPEC.md.
// For the other ops: invalid-structure.mlir, invalid-nodes.mlir, invalid-loops.mlir.

// collector_c1
// expected-error @below {{expected a row of static shape, but got 'tensor<?xf32>'}}
func.func private @f(!amp.collector<tensor<?xf32>>)

// -----

// init_c1
// expected-error @below {{expected zeros, constant, uniform, normal or glorot, but got xavier}}
amp.param @W : tensor<4xf32> init(xavier)

// -----

// param_c1
// expected-error @below {{expected only dimension 0 to be open, but dimension 1 of 'tensor<4x?xf32>' is}}
amp.param @W : tensor<4x?xf32> init(zeros)

// -----

// param_c2
// expected-error @below {{failed to satisfy constraint: type attribute of ranked tensor of 32-bit float or 64-bit float or bfloat16 type or 16-bit float values}}
amp.param @W : tensor<4xi32> init(zeros)

// -----

func.func @get_c1() {
  // expected-error @below {{expected the name of an amp.param, but got @W}}
  %W = amp.get @W : tensor<4xf32>
  return
}

// -----

// expected-note @below {{the parameter is here}}
amp.param @W : tensor<4xf32> init(zeros)
func.func @get_c2() {
  // expected-error @below {{expected type 'tensor<4xf32>', but got 'tensor<5xf32>'}}
  %W = amp.get @W : tensor<5xf32>
  return
}

// -----

func.func @lookup_c1(%t: tensor<f32>, %i: i32) {
  // expected-error @below {{expected a table of rank 1 or more, but got 'tensor<f32>'}}
  %x = "amp.lookup"(%t, %i) : (tensor<f32>, i32) -> tensor<f32>
  return
}

// -----

func.func @linear_c1(%x: tensor<4xf32>, %W: tensor<4xf32>) {
  // expected-error @below {{expected a weight of rank 2, but got 'tensor<4xf32>'}}
  %y = "amp.linear"(%x, %W) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @linear_c2(%x: tensor<5xf32>, %W: tensor<4x8xf32>) {
  // expected-error @below {{expected the last dimension of 'tensor<5xf32>' to be the first of 'tensor<4x8xf32>'}}
  %y = amp.linear %x, %W : tensor<5xf32>, tensor<4x8xf32>
  return
}

// -----

func.func @linear_c3(%x: tensor<4xf32>, %W: tensor<4x?xf32>) {
  // expected-error @below {{expected a weight with a known number of columns, but got 'tensor<4x?xf32>'}}
  %y = amp.linear %x, %W : tensor<4xf32>, tensor<4x?xf32>
  return
}

// -----

func.func @linear_c4(%x: tensor<4xf64>, %W: tensor<4x8xf32>) {
  // expected-error @below {{expected one element type, but got 'f64' and 'f32'}}
  %y = amp.linear %x, %W : tensor<4xf64>, tensor<4x8xf32>
  return
}

// -----

func.func @linear_c5(%x: tensor<4xf32>, %W: tensor<4x8xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{expected a bias of type 'tensor<8xf32>', but got 'tensor<4xf32>'}}
  %y = amp.linear %x, %W, %b : tensor<4xf32>, tensor<4x8xf32>, tensor<4xf32>
  return
}

// -----

func.func @softmax_c1(%x: tensor<f32>) {
  // expected-error @below {{expected a tensor of rank 1 or more, but got 'tensor<f32>'}}
  %y = amp.softmax %x : tensor<f32>
  return
}

// -----

func.func @argmax_c1(%x: tensor<4x4xf32>) {
  // expected-error @below {{expected a vector, but got 'tensor<4x4xf32>'}}
  %y = amp.argmax %x : tensor<4x4xf32>
  return
}
