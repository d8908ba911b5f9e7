// RUN: amp-opt %s -amp-verify-program -split-input-file -verify-diagnostics

// A program may contain all of these.
amp.param @W : tensor<4x4xf32> init(glorot)
func.func @legal(%n: index {amp.name = "n"}, %x: tensor<4xf32> {amp.name = "x"})
    -> (tensor<4xf32> {amp.name = "y"}, tensor<?xf32> {amp.name = "z"}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %W = amp.get @W : tensor<4x4xf32>
  %h = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (tensor<4xf32>) {
    %b = func.call @helper(%a) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  %y = scf.while (%a = %h) : (tensor<4xf32>) -> tensor<4xf32> {
    %b = amp.linear %a, %W : tensor<4xf32>, tensor<4x4xf32>
    %e = tensor.extract %b[%zero] : tensor<4xf32>
    %more = arith.cmpf ogt, %e, %e : f32
    scf.condition(%more) %b : tensor<4xf32>
  } do {
  ^bb0(%a: tensor<4xf32>):
    scf.yield %a : tensor<4xf32>
  }
  %out = amp.collector %n : !amp.collector<tensor<4xf32>>
  %z = amp.map %i to %n -> (tensor<?xf32>) {
    %some = arith.cmpi eq, %i, %zero : index
    scf.if %some {
      amp.emit %y, %out[%i] : !amp.collector<tensor<4xf32>>, index
    }
    %f = scf.index_switch %i -> f32
    case 0 {
      %s = arith.constant 0.0 : f32
      scf.yield %s : f32
    }
    default {
      %g = tensor.generate {
      ^bb0(%j: index):
        %v = tensor.extract %y[%j] : tensor<4xf32>
        tensor.yield %v : f32
      } : tensor<4xf32>
      %s = tensor.extract %g[%zero] : tensor<4xf32>
      scf.yield %s : f32
    }
    amp.yield %f : f32
  }
  return %y, %z : tensor<4xf32>, tensor<?xf32>
}
func.func private @helper(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = amp.transform(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %b = math.tanh %a : tensor<4xf32>
    amp.yield %b : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// entry_c1
// expected-error @below {{expected a public func.func, the entry}}
module {
  func.func private @f() {
    return
  }
}

// -----

// expected-note @below {{the entry is here}}
func.func @entry_c1() {
  return
}
// expected-error @below {{expected to be private, because the entry is another one}}
func.func @other() {
  return
}

// -----

// expected-error @below {{expected attribute amp.name on argument 1 of the entry}}
func.func @entry_c2(%x: i32 {amp.name = "x"}, %y: i32) {
  return
}

// -----

// expected-error @below {{expected attribute amp.name on result 0 of the entry}}
func.func @entry_c2_result(%x: i32 {amp.name = "x"}) -> i32 {
  return %x : i32
}

// -----

// expected-error @below {{expected arguments of different names, but 0 and 1 are both called "x"}}
func.func @entry_c3(%x: i32 {amp.name = "x"}, %y: i32 {amp.name = "x"}) {
  return
}

// -----

// expected-error @below {{expected argument "out" to be a scalar or tensor, but got '!amp.collector<tensor<4xf32>>'}}
func.func @entry_c4(%out: !amp.collector<tensor<4xf32>> {amp.name = "out"}) {
  return
}

// -----

func.func @A1() {
  return
}
// expected-error @below {{'amp.graph' op is not one that a program's module may contain; expected amp.param or func.func}}
amp.graph private @g() {
  amp.return
}

// -----

func.func @A2() {
  return
}
// expected-error @below {{'func.func' op expected a body}}
func.func private @declared()
// expected-error @below {{'func.func' op expected a body of one block, but got 2}}
func.func private @blocks() {
  cf.br ^next
^next:
  return
}

// -----

// All that is wrong is said at once.
func.func @A3(%x: f32 {amp.name = "x"}, %n: index {amp.name = "n"}) {
  // expected-error @below {{'scf.execute_region' op is not one that a program may contain}}
  scf.execute_region {
    scf.yield
  }
  scf.for %i = %n to %n step %n {
    // expected-error @below {{'scf.parallel' op is not one that a program may contain}}
    scf.parallel (%j) = (%n) to (%n) step (%n) {
    }
  }
  return
}

// -----

func.func @A3_level_b(%c: i1 {amp.name = "c"}, %x: f32 {amp.name = "x"}) {
  // expected-error @below {{'amp.branch' op is not one that a program may contain}}
  %t, %f = amp.branch %c, %x : f32
  return
}

// -----

func.func @T1(%x: i32 {amp.name = "x"}) {
  // expected-error @below {{expected results of types that an edge may carry, but got 'i8'}}
  %y = arith.trunci %x : i32 to i8
  return
}

// -----

func.func @T1_nested() {
  %y = tensor.generate {
  ^bb0(%i: index):
    // expected-error @below {{expected results of types that an edge may carry, but got 'i8'}}
    %one = arith.constant 1 : i8
    %f = arith.sitofp %one : i8 to f32
    tensor.yield %f : f32
  } : tensor<4xf32>
  return
}

// -----

// expected-error @below {{expected arguments and results of types that an edge may carry, but got 'vector<4xf32>'}}
func.func @T1_signature(%x: vector<4xf32> {amp.name = "x"}) {
  return
}

// -----

// expected-error @below {{expected one result with attribute amp.loss, but got several}}
func.func @entry_c5(%x: f32 {amp.name = "x"}) -> (f32 {amp.name = "a", amp.loss}, f32 {amp.name = "b", amp.loss}) {
  return %x, %x : f32, f32
}

// -----

// expected-error @below {{expected the loss to be an f32 or f64, but got 'i32'}}
func.func @entry_c6(%x: i32 {amp.name = "x"}) -> (i32 {amp.name = "loss", amp.loss}) {
  return %x : i32
}

// -----

// A program has no gradients of its own: those are made of it.
amp.param @b : tensor<4xf32> init(zeros)
func.func @A3_gradient(%x: tensor<4xf32> {amp.name = "x"}) {
  // expected-error @below {{'amp.add_gradient' op is not one that a program may contain}}
  amp.add_gradient @b, %x : tensor<4xf32>
  return
}
