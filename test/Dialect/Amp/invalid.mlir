// RUN: amp-opt %s -split-input-file -verify-diagnostics

// The labels are those of dialects/Amp/SPEC.md. invalid-nodes.mlir has level B.

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

// -----

func.func @map_c1(%n: index, %x: f32) {
  // expected-error @below {{expected 1 values to stack, but the body yields 2}}
  %y = amp.map %i to %n -> (tensor<?xf32>) {
    amp.yield %x, %x : f32, f32
  }
  return
}

// -----

func.func @map_c2(%n: index, %x: tensor<?xf32>) {
  // expected-error @below {{expected yielded value 0 to be a scalar or of static shape, but got 'tensor<?xf32>'}}
  %y = amp.map %i to %n -> (tensor<?x?xf32>) {
    amp.yield %x : tensor<?xf32>
  }
  return
}

// -----

func.func @map_c3(%n: index, %x: tensor<4xf32>) {
  // expected-error @below {{expected stacked result 0 of type 'tensor<?x4xf32>', but got 'tensor<3x4xf32>'}}
  %y = amp.map %i to %n -> (tensor<3x4xf32>) {
    amp.yield %x : tensor<4xf32>
  }
  return
}

// -----

func.func @map_c4(%n: index) {
  // expected-error @below {{expected a body with one argument, the index}}
  "amp.map"(%n) ({
  ^bb0(%i: i32):
    amp.yield
  }) : (index) -> ()
  return
}

// -----

// A body without a terminator must not crash a verifier that reads it.
func.func @map_empty(%n: index) {
  // expected-error @below {{'amp.map' op expects a non-empty block}}
  "amp.map"(%n) ({
  ^bb0(%i: index):
  }) : (index) -> ()
  return
}

// -----

func.func @scan_c1(%n: index, %h: f32) {
  // expected-error @below {{expected the last carried values to have types 'f32', but got 'f64'}}
  %y = "amp.scan"(%n, %n, %h) <{resultSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%i: index, %a: f32):
    amp.yield %a : f32
  }) : (index, index, f32) -> f64
  return
}

// -----

func.func @scan_c2(%n: index, %h: f32) {
  // expected-error @below {{expected the body to yield the carried values of types 'f32' first, but it yields 'index'}}
  %y = amp.scan %i = %n to %n carry(%a = %h) : (f32) {
    amp.yield %i : index
  }
  return
}

// -----

func.func @scan_c3(%n: index, %h: f32) {
  // expected-error @below {{expected 0 values to stack, but the body yields 1}}
  %y = amp.scan %i = %n to %n carry(%a = %h) : (f32) {
    amp.yield %a, %a : f32, f32
  }
  return
}

// -----

func.func @scan_c4(%n: index, %x: tensor<?xf32>) {
  // expected-error @below {{expected yielded value 0 to be a scalar or of static shape, but got 'tensor<?xf32>'}}
  %y = amp.scan %i = %n to %n -> (tensor<?x?xf32>) {
    amp.yield %x : tensor<?xf32>
  }
  return
}

// -----

func.func @scan_c5(%n: index, %x: tensor<4xf32>) {
  // expected-error @below {{expected stacked result 0 of type 'tensor<?x4xf32>', but got 'tensor<?xf32>'}}
  %y = amp.scan %i = %n to %n -> (tensor<?xf32>) {
    amp.yield %x : tensor<4xf32>
  }
  return
}

// -----

func.func @scan_c6(%n: index, %h: f32) {
  // expected-error @below {{expected the body's arguments to be the index and the carried values}}
  %y = "amp.scan"(%n, %n, %h) <{resultSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%i: index, %a: f64):
    amp.yield %h : f32
  }) : (index, index, f32) -> f32
  return
}

// -----

func.func @emit_c1(%x: tensor<4xf32>, %out: !amp.collector<tensor<5xf32>>, %i: index) {
  // expected-error @below {{the collector's row type (emit_c1)}}
  "amp.emit"(%x, %out, %i) : (tensor<4xf32>, !amp.collector<tensor<5xf32>>, index) -> ()
  return
}

// -----

func.func @collect_c1(%n: index) {
  %out = amp.collector %n : !amp.collector<tensor<5xf32>>
  // expected-error @below {{expected a result of type 'tensor<?x5xf32>', but got 'tensor<?x4xf32>'}}
  %x = amp.collect %out : !amp.collector<tensor<5xf32>> -> tensor<?x4xf32>
  return
}

// -----

func.func @collect_c2(%out: !amp.collector<tensor<5xf32>>) {
  // expected-error @below {{expected to stand in the activation that made the collector, after it}}
  %x = amp.collect %out : !amp.collector<tensor<5xf32>> -> tensor<?x5xf32>
  return
}

// -----

func.func @collect_c3(%n: index) {
  %out = amp.collector %n : !amp.collector<tensor<5xf32>>
  // expected-error @below {{expected one amp.collect for a collector}}
  %x = amp.collect %out : !amp.collector<tensor<5xf32>> -> tensor<?x5xf32>
  // expected-note @below {{the other one is here}}
  %y = amp.collect %out : !amp.collector<tensor<5xf32>> -> tensor<?x5xf32>
  return
}
