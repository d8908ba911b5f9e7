// RUN: amp-opt %s -split-input-file -verify-diagnostics

// Maps, scans, collectors; the labels are those of dialects/Amp/SPEC.md.

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

// -----

// flatmap_c1
func.func private @f(%n: index) {
  // expected-error @below {{'amp.flatmap' op expected a body with one argument, the index}}
  "amp.flatmap"(%n) ({
  ^bb0(%i: index, %j: index):
    amp.yield
  }) : (index) -> ()
  return
}

// -----

// flatmap_c2
func.func private @f(%n: index, %x: tensor<?x4xf32>) {
  // expected-error @below {{'amp.flatmap' op expected the body to yield 'tensor<?x5xf32>', but it yields 'tensor<?x4xf32>'}}
  %r = amp.flatmap %i to %n -> (tensor<?x5xf32>) {
    amp.yield %x : tensor<?x4xf32>
  }
  return
}

// -----

// flatmap_c3
func.func private @f(%n: index, %x: tensor<2x4xf32>) {
  // expected-error @below {{'amp.flatmap' op expected results of which only dimension 0 is open, but got 'tensor<2x4xf32>'}}
  %r = amp.flatmap %i to %n -> (tensor<2x4xf32>) {
    amp.yield %x : tensor<2x4xf32>
  }
  return
}
