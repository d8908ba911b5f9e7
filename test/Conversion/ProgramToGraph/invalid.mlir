// RUN: amp-opt %s -convert-program-to-graph -split-input-file -verify-diagnostics

func.func @external(%x: i32) -> i32 {
  // expected-error @below {{'func.call' op expected a callee with a body, but other has none}}
  %y = func.call @other(%x) : (i32) -> i32
  return %y : i32
}
// expected-note @below {{it is declared here}}
func.func private @other(i32) -> i32

// -----

// expected-error @below {{'func.func' op expected a body of one block}}
func.func @blocks(%c: i1) {
  cf.br ^next
^next:
  return
}

// -----

// expected-error @below {{'func.func' op expected values that an edge may carry, but got 'vector<4xf32>'}}
func.func @signature(%x: vector<4xf32>) {
  return
}

// -----

func.func @type(%x: i32) {
  // expected-error @below {{'arith.trunci' op expected results that an edge may carry, but got 'i8'}}
  %y = arith.trunci %x : i32 to i8
  return
}

// -----

func.func @unsigned(%n: index) {
  // expected-error @below {{'scf.for' op expected signed bounds: a graph's loop has no other}}
  scf.for unsigned %i = %n to %n step %n {
  }
  return
}

// -----

func.func @execute() -> i32 {
  // expected-error @below {{'scf.execute_region' op has no form in a graph}}
  %y = scf.execute_region -> i32 {
    %c = arith.constant 1 : i32
    scf.yield %c : i32
  }
  return %y : i32
}

// -----

// The other functions are converted no further than the first that fails, but all
// of them are told about.
func.func private @first(%n: index) {
  // expected-error @below {{'scf.parallel' op has no form in a graph}}
  scf.parallel (%i) = (%n) to (%n) step (%n) {
  }
  return
}
func.func private @second(%p: index) {
  // expected-error @below {{'scf.parallel' op has no form in a graph}}
  scf.parallel (%i) = (%p) to (%p) step (%p) {
  }
  return
}

// -----

// Control flow cannot hide in the region of a per-instance op.
func.func @generate(%c: i1, %x: f32) -> tensor<4xf32> {
  // expected-error @below {{'tensor.generate' op has no form in a graph}}
  %y = tensor.generate {
  ^bb0(%i: index):
    %v = scf.if %c -> f32 {
      scf.yield %x : f32
    } else {
      %e = math.exp %x : f32
      scf.yield %e : f32
    }
    tensor.yield %v : f32
  } : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @level_b(%c: i1, %x: f32) {
  // expected-error @below {{'amp.branch' op has no form in a graph}}
  %t, %f = amp.branch %c, %x : f32
  return
}
