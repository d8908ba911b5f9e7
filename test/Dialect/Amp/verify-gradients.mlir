// RUN: amp-opt %s -amp-verify-graph -split-input-file -verify-diagnostics

// Graphs with a backward pass, and entries by role.

// Of one role there is one entry; of others there may be more.
amp.graph @predict(%x: f32 {amp.name = "x"}) -> (f32 {amp.name = "y"}) {
  amp.return %x : f32
}
amp.graph @predict.evaluate(%x: f32 {amp.name = "x"}) -> (f32 {amp.name = "y"}, f32 {amp.name = "loss", amp.loss})
    attributes {amp.role = "evaluate"} {
  amp.return %x, %x : f32, f32
}
amp.graph @predict.train(%x: f32 {amp.name = "x"}) -> (f32 {amp.name = "loss", amp.loss}) attributes {amp.role = "train"} {
  amp.return %x : f32
}

// -----

amp.graph @entry(%x: f32 {amp.name = "x"}) {
  amp.return
}
// expected-note @below {{the entry is here}}
amp.graph @entry_c1_one(%x: f32 {amp.name = "x"}) attributes {amp.role = "train"} {
  amp.return
}
// expected-error @below {{expected to be private, because the entry is another one}}
amp.graph @entry_c1_other(%x: f32 {amp.name = "x"}) attributes {amp.role = "train"} {
  amp.return
}

// -----

// entry_c1: the entry that predicts is always there.
// expected-error @below {{expected a public amp.graph, the entry}}
module {
  amp.graph @evaluate(%x: f32 {amp.name = "x"}) attributes {amp.role = "evaluate"} {
    amp.return
  }
}

// -----

amp.graph @entry() {
  amp.return
}
// expected-error @below {{expected attribute amp.name on argument 0 of the entry}}
amp.graph @entry_c2(%x: f32) attributes {amp.role = "train"} {
  amp.return
}

// -----

// expected-error @below {{expected one result with attribute amp.loss, but got several}}
amp.graph @entry_c5(%x: f32 {amp.name = "x"}) -> (f32 {amp.name = "a", amp.loss}, f32 {amp.name = "b", amp.loss}) {
  amp.return %x, %x : f32, f32
}

// -----

// expected-error @below {{expected the loss to be an f32 or f64, but got 'tensor<1xf32>'}}
amp.graph @entry_c6(%x: tensor<1xf32> {amp.name = "x"}) -> (tensor<1xf32> {amp.name = "loss", amp.loss}) {
  amp.return %x : tensor<1xf32>
}

// -----

amp.graph private @differentiated(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {adjoint_inputs = 1 : i64, adjoint_results = 1 : i64} {
  amp.return %x, %dy : tensor<4xf32>, tensor<4xf32>
}
// A gradient on one side of a decision goes to a call on that side only.
amp.graph @backward_c4(%c: i1 {amp.name = "c"}, %x: tensor<4xf32> {amp.name = "x"}) -> (tensor<4xf32> {amp.name = "y"}) {
  %y, %tape = amp.call @differentiated(%x) : (tensor<4xf32>) -> (tensor<4xf32>, !amp.tape)
  // expected-note @below {{this one does not}}
  %t, %f = amp.branch %c, %y : tensor<4xf32>
  // expected-error @below {{expected gradients that arrive wherever the tape does}}
  %dx = amp.backward %tape(%t) : (tensor<4xf32>) -> tensor<4xf32>
  amp.return %y : tensor<4xf32>
}

// -----

amp.graph private @differentiated(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {adjoint_inputs = 1 : i64, adjoint_results = 1 : i64} {
  amp.return %x, %dy : tensor<4xf32>, tensor<4xf32>
}
// On the call's own side it is right, and so is one that always comes. What comes of it has the tape's guards.
amp.graph @same_side(%c: i1 {amp.name = "c"}, %x: tensor<4xf32> {amp.name = "x"}) -> (tensor<4xf32> {amp.name = "y"}) {
  %c1, %c0 = amp.branch %c, %c : i1
  %t, %f = amp.branch %c, %x : tensor<4xf32>
  %y, %tape = amp.call @differentiated(%t) after(%c1 : i1) : (tensor<4xf32>) -> (tensor<4xf32>, !amp.tape)
  %r = amp.merge %y, %f : tensor<4xf32>
  %dx = amp.backward %tape(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %s = amp.merge %dx, %f : tensor<4xf32>
  %z = arith.addf %r, %s : tensor<4xf32>
  amp.return %z : tensor<4xf32>
}

// -----

amp.graph @next_c8(%n: index {amp.name = "n"}, %c: i1 {amp.name = "c"}, %x: tensor<4xf32> {amp.name = "x"}) {
  %h, %tape = amp.loop range(%n, %n, %n) init(%x : tensor<4xf32>) -> (tensor<4xf32>) stacked () tape !amp.tape
      attributes {adjoint_carried = array<i64: 0>} {
  ^bb0(%i: index, %a: tensor<4xf32>, %da: tensor<4xf32>):
    // expected-note @below {{it exists only where this is true}}
    %odd = arith.cmpi eq, %i, %n : index
    %t, %f = amp.branch %odd, %da : tensor<4xf32>
    // expected-error @below {{expected tokens that always arrive, but value 0 is not}}
    amp.next carried(%a : tensor<4xf32>) adjoint(%t : tensor<4xf32>)
  }
  %dx = amp.backward %tape(%h) : (tensor<4xf32>) -> tensor<4xf32>
  amp.return
}

// -----

// Without a range the gradient of what goes on exists where the condition holds, that of what leaves where it does not:
// neither is the gradient of a carried argument by itself.
amp.graph @while_gradients(%n: index {amp.name = "n"}, %x: tensor<4xf32> {amp.name = "x"}) {
  %h, %tape = amp.loop init(%x : tensor<4xf32>) -> (tensor<4xf32>) stacked () tape !amp.tape
      attributes {adjoint_carried = array<i64: 0>, adjoint_exit = array<i64: 0>} {
  ^bb0(%a: tensor<4xf32>, %da: tensor<4xf32>, %de: tensor<4xf32>):
    %zero = arith.constant 0 : index
    // expected-note @below {{it exists only where this is true}}
    %more = arith.cmpi eq, %n, %zero : index
    %t, %f = amp.branch %more, %a : tensor<4xf32>
    // expected-error @below {{expected tokens that always arrive, but value 0 is not}}
    amp.next while(%more) carried(%t : tensor<4xf32>) exit(%f : tensor<4xf32>) adjoint(%da : tensor<4xf32>)
  }
  %dx = amp.backward %tape(%h) : (tensor<4xf32>) -> tensor<4xf32>
  amp.return
}

// -----

amp.graph @while_both(%n: index {amp.name = "n"}, %x: tensor<4xf32> {amp.name = "x"}) {
  %h, %tape = amp.loop init(%x : tensor<4xf32>) -> (tensor<4xf32>) stacked () tape !amp.tape
      attributes {adjoint_carried = array<i64: 0>, adjoint_exit = array<i64: 0>} {
  // expected-note @below {{the other one is here}}
  // expected-note @below {{one is here}}
  ^bb0(%a: tensor<4xf32>, %da: tensor<4xf32>, %de: tensor<4xf32>):
    %zero = arith.constant 0 : index
    %more = arith.cmpi eq, %n, %zero : index
    %t, %f = amp.branch %more, %a : tensor<4xf32>
    // expected-error @below {{'arith.addf' op never runs, because it needs both sides of one branch}}
    %sum = arith.addf %da, %de : tensor<4xf32>
    amp.next while(%more) carried(%t : tensor<4xf32>) exit(%f : tensor<4xf32>) adjoint(%a : tensor<4xf32>)
  }
  %dx = amp.backward %tape(%h) : (tensor<4xf32>) -> tensor<4xf32>
  amp.return
}
