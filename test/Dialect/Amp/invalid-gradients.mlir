// RUN: amp-opt %s -split-input-file -verify-diagnostics

// The labels are those of dialects/Amp/SPEC.md.

amp.param @b : tensor<8xf32> init(zeros)
func.func @get_c3_rank() {
  // expected-error @below {{expected a parameter of rank 2 or more and of static shape to transpose, but got 'tensor<8xf32>'}}
  %b = amp.get transposed @b : tensor<8xf32>
  return
}

// -----

amp.param @emb : tensor<?x4xf32> init(zeros)
func.func @get_c3_open() {
  // expected-error @below {{expected a parameter of rank 2 or more and of static shape to transpose, but got 'tensor<?x4xf32>'}}
  %e = amp.get transposed @emb : tensor<4x?xf32>
  return
}

// -----

// expected-note @below {{the parameter is here}}
amp.param @W : tensor<4x8xf32> init(zeros)
func.func @get_c2_transposed() {
  // expected-error @below {{expected type 'tensor<8x4xf32>', but got 'tensor<4x8xf32>'}}
  %w = amp.get transposed @W : tensor<4x8xf32>
  return
}

// -----

amp.graph @gradient_c1(%x: tensor<4xf32>) {
  // expected-error @below {{expected the name of an amp.param, but got @gradient_c1}}
  amp.add_gradient @gradient_c1, %x : tensor<4xf32>
  amp.return
}

// -----

amp.graph @gradient_c1_linear(%x: tensor<4xf32>) {
  // expected-error @below {{expected the name of an amp.param, but got @W}}
  amp.linear_gradient @W, %x, %x : tensor<4xf32>, tensor<4xf32>
  amp.return
}

// -----

amp.graph @gradient_c1_grouped(%x: tensor<?x4xf32>, %k: tensor<?xi32>) {
  // expected-error @below {{expected the name of an amp.param, but got @W}}
  amp.grouped_linear_gradient @W[%k], %x, %x : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?xi32>
  amp.return
}

// -----

amp.graph @gradient_c1_row(%x: tensor<4xf32>, %i: i32) {
  // expected-error @below {{expected the name of an amp.param, but got @W}}
  amp.row_gradient @W[%i], %x : tensor<4xf32>, i32
  amp.return
}

// -----

// expected-note @below {{the parameter is here}}
amp.param @W : tensor<4x8xf32> init(zeros)
amp.graph @add_gradient_c1_rank(%x: tensor<8xf32>) {
  // expected-error @below {{expected types that fit the parameter's, 'tensor<4x8xf32>'}}
  amp.add_gradient @W, %x : tensor<8xf32>
  amp.return
}

// -----

// expected-note @below {{the parameter is here}}
amp.param @W : tensor<4x8xf32> init(zeros)
amp.graph @add_gradient_c1_shape(%x: tensor<?x8x8xf32>) {
  // expected-error @below {{expected types that fit the parameter's, 'tensor<4x8xf32>'}}
  amp.add_gradient @W, %x : tensor<?x8x8xf32>
  amp.return
}

// -----

// expected-note @below {{the parameter is here}}
amp.param @W : tensor<4x8xf32> init(zeros)
amp.graph @add_gradient_c1_element(%x: tensor<4x8xf64>) {
  // expected-error @below {{expected types that fit the parameter's, 'tensor<4x8xf32>'}}
  amp.add_gradient @W, %x : tensor<4x8xf64>
  amp.return
}

// -----

// expected-note @below {{the parameter is here}}
amp.param @W : tensor<4x8xf32> init(zeros)
amp.graph @linear_gradient_c1_columns(%x: tensor<4xf32>) {
  // expected-error @below {{expected types that fit the parameter's, 'tensor<4x8xf32>'}}
  amp.linear_gradient @W, %x, %x : tensor<4xf32>, tensor<4xf32>
  amp.return
}

// -----

// expected-note @below {{the parameter is here}}
amp.param @W : tensor<4x8xf32> init(zeros)
amp.graph @linear_gradient_c1_rows(%x: tensor<2x4xf32>, %dy: tensor<3x8xf32>) {
  // expected-error @below {{expected types that fit the parameter's, 'tensor<4x8xf32>'}}
  amp.linear_gradient @W, %x, %dy : tensor<2x4xf32>, tensor<3x8xf32>
  amp.return
}

// -----

// expected-note @below {{the parameter is here}}
amp.param @A : tensor<3x4x8xf32> init(zeros)
amp.graph @linear_gradient_c1_rank(%x: tensor<4xf32>, %dy: tensor<8xf32>) {
  // expected-error @below {{expected types that fit the parameter's, 'tensor<3x4x8xf32>'}}
  amp.linear_gradient @A, %x, %dy : tensor<4xf32>, tensor<8xf32>
  amp.return
}

// -----

// expected-note @below {{the parameter is here}}
amp.param @A : tensor<3x4x8xf32> init(zeros)
amp.graph @grouped_linear_gradient_c1_rank(%x: tensor<4xf32>, %dy: tensor<8xf32>, %k: tensor<?xi32>) {
  // expected-error @below {{expected types that fit the parameter's, 'tensor<3x4x8xf32>'}}
  amp.grouped_linear_gradient @A[%k], %x, %dy : tensor<4xf32>, tensor<8xf32>, tensor<?xi32>
  amp.return
}

// -----

// expected-note @below {{the parameter is here}}
amp.param @A : tensor<4x8xf32> init(zeros)
amp.graph @grouped_linear_gradient_c1_matrix(%x: tensor<?x4xf32>, %dy: tensor<?x8xf32>, %k: tensor<?xi32>) {
  // expected-error @below {{expected types that fit the parameter's, 'tensor<4x8xf32>'}}
  amp.grouped_linear_gradient @A[%k], %x, %dy : tensor<?x4xf32>, tensor<?x8xf32>, tensor<?xi32>
  amp.return
}

// -----

// expected-note @below {{the parameter is here}}
amp.param @emb : tensor<?x4xf32> init(zeros)
amp.graph @row_gradient_c1_row(%x: tensor<5xf32>, %i: i32) {
  // expected-error @below {{expected types that fit the parameter's, 'tensor<?x4xf32>'}}
  amp.row_gradient @emb[%i], %x : tensor<5xf32>, i32
  amp.return
}

// -----

// expected-note @below {{the parameter is here}}
amp.param @emb : tensor<?x4xf32> init(zeros)
amp.graph @row_gradient_c1_rows(%x: tensor<4xf32>, %k: tensor<?xi32>) {
  // expected-error @below {{expected types that fit the parameter's, 'tensor<?x4xf32>'}}
  amp.row_gradient @emb[%k], %x : tensor<4xf32>, tensor<?xi32>
  amp.return
}

// -----

amp.graph private @differentiated(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {adjoint_inputs = 1 : i64, adjoint_results = 1 : i64} {
  amp.return %x, %dy : tensor<4xf32>, tensor<4xf32>
}
amp.graph @call_c4_without(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected a tape as the last result exactly where the callee is differentiated}}
  %y = amp.call @differentiated(%x) : (tensor<4xf32>) -> tensor<4xf32>
  amp.return %y : tensor<4xf32>
}

// -----

amp.graph private @plain(%x: tensor<4xf32>) -> tensor<4xf32> {
  amp.return %x : tensor<4xf32>
}
amp.graph @call_c4_with(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected a tape as the last result exactly where the callee is differentiated}}
  %y, %tape = amp.call @plain(%x) : (tensor<4xf32>) -> (tensor<4xf32>, !amp.tape)
  %dx = amp.backward %tape(%y) : (tensor<4xf32>) -> tensor<4xf32>
  amp.return %y : tensor<4xf32>
}

// -----

// Both halves together have the callee's type.
// expected-note @below {{the graph is here}}
amp.graph private @differentiated(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {adjoint_inputs = 1 : i64, adjoint_results = 1 : i64} {
  amp.return %x, %dy : tensor<4xf32>, tensor<4xf32>
}
amp.graph @backward_c3_call(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  // expected-error @below {{expected the callee's type '(tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)'}}
  %y, %tape = amp.call @differentiated(%x) : (tensor<4xf32>) -> (tensor<4xf32>, !amp.tape)
  %dx = amp.backward %tape(%y) : (tensor<4xf32>) -> tensor<8xf32>
  amp.return %y : tensor<4xf32>
}

// -----

// A gradient that the forward half gives.
// expected-note @below {{the graph is here}}
amp.graph private @differentiated(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {adjoint_inputs = 1 : i64, adjoint_results = 1 : i64} {
  amp.return %x, %dy : tensor<4xf32>, tensor<4xf32>
}
amp.graph @backward_c3_forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected the callee's type '(tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)'}}
  %y, %tape = amp.call @differentiated(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, !amp.tape)
  %dx = amp.backward %tape() : () -> tensor<4xf32>
  amp.return %y : tensor<4xf32>
}

// -----

// Nobody gives it the gradients.
amp.graph private @differentiated(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {adjoint_inputs = 1 : i64, adjoint_results = 1 : i64} {
  amp.return %x, %dy : tensor<4xf32>, tensor<4xf32>
}
amp.graph @tape_c1_call(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected its tape to be taken by one amp.backward}}
  %y, %tape = amp.call @differentiated(%x) : (tensor<4xf32>) -> (tensor<4xf32>, !amp.tape)
  amp.return %y : tensor<4xf32>
}

// -----

amp.graph @tape_c1_loop(%n: index, %one: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected its tape to be taken by one amp.backward}}
  %h, %tape = amp.loop range(%one, %n, %one) init(%x : tensor<4xf32>) -> (tensor<4xf32>) stacked () tape !amp.tape
      attributes {adjoint_carried = array<i64: 0>} {
  ^bb0(%i: index, %a: tensor<4xf32>, %da: tensor<4xf32>):
    amp.next carried(%a : tensor<4xf32>) adjoint(%da : tensor<4xf32>)
  }
  %d0 = amp.backward %tape(%h) : (tensor<4xf32>) -> tensor<4xf32>
  %d1 = amp.backward %tape(%h) : (tensor<4xf32>) -> tensor<4xf32>
  amp.return %h : tensor<4xf32>
}

// -----

amp.graph @tape_c1_map(%n: index, %x: tensor<4xf32>) -> tensor<?x4xf32> {
  // expected-error @below {{expected its tape to be taken by one amp.backward}}
  %r, %tape = amp.map %i to %n adjoint(%dr: tensor<4xf32>) -> (tensor<?x4xf32>, !amp.tape) attributes {adjoint_stacked = array<i64: 0>} {
    amp.yield %x, %dr : tensor<4xf32>, tensor<4xf32>
  }
  amp.return %r : tensor<?x4xf32>
}

// -----

amp.graph @backward_c1_argument(%tape: !amp.tape, %x: tensor<4xf32>) {
  // expected-error @below {{expected the tape of a call, loop or map in the same block}}
  %dx = amp.backward %tape(%x) : (tensor<4xf32>) -> tensor<4xf32>
  amp.return
}

// -----

amp.graph private @differentiated(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {adjoint_inputs = 1 : i64, adjoint_results = 1 : i64} {
  amp.return %x, %dy : tensor<4xf32>, tensor<4xf32>
}
amp.graph @backward_c1_block(%n: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y, %tape = amp.call @differentiated(%x) : (tensor<4xf32>) -> (tensor<4xf32>, !amp.tape)
  %r = amp.map %i to %n -> (tensor<?x4xf32>) {
    // expected-error @below {{expected the tape of a call, loop or map in the same block}}
    %dx = amp.backward %tape(%y) : (tensor<4xf32>) -> tensor<4xf32>
    amp.yield %dx : tensor<4xf32>
  }
  amp.return %y : tensor<4xf32>
}

// -----

amp.graph private @differentiated(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {adjoint_inputs = 1 : i64, adjoint_results = 1 : i64} {
  amp.return %x, %dy : tensor<4xf32>, tensor<4xf32>
}
amp.graph @backward_c2(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @below {{the tape is made here}}
  %y, %tape = amp.call @differentiated(%x) : (tensor<4xf32>) -> (tensor<4xf32>, !amp.tape)
  // expected-error @below {{expected to be the only one that uses the tape}}
  %d0 = amp.backward %tape(%y) : (tensor<4xf32>) -> tensor<4xf32>
  %d1 = amp.backward %tape(%y) : (tensor<4xf32>) -> tensor<4xf32>
  amp.return %y : tensor<4xf32>
}

// -----

amp.graph @backward_c3_loop(%n: index, %one: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  %h, %tape = amp.loop range(%one, %n, %one) init(%x : tensor<4xf32>) -> (tensor<4xf32>) stacked () tape !amp.tape
      attributes {adjoint_carried = array<i64: 0>} {
  ^bb0(%i: index, %a: tensor<4xf32>, %da: tensor<4xf32>):
    amp.next carried(%a : tensor<4xf32>) adjoint(%da, %i : tensor<4xf32>, index)
  }
  // expected-error @below {{expected inputs of types 'tensor<4xf32>' and results of types 'tensor<4xf32>', 'tensor<?xindex>'}}
  %d0 = amp.backward %tape(%h) : (tensor<4xf32>) -> tensor<4xf32>
  amp.return %h : tensor<4xf32>
}

// -----

amp.graph @backward_c3_map(%n: index, %x: tensor<4xf32>) -> tensor<?x4xf32> {
  %r, %tape = "amp.map"(%n) <{adjoint_stacked = array<i64: 0>}> ({
  ^bb0(%i: index, %dr: tensor<4xf32>):
    amp.yield %x, %dr : tensor<4xf32>, tensor<4xf32>
  }) : (index) -> (tensor<?x4xf32>, !amp.tape)
  // expected-error @below {{expected inputs of types 'tensor<?x4xf32>' and results of types 'tensor<?x4xf32>'}}
  %dx = amp.backward %tape(%r) : (tensor<?x4xf32>) -> tensor<4xf32>
  amp.return %r : tensor<?x4xf32>
}

// -----

amp.graph @loop_c2_adjoints(%n: index, %one: index, %x: tensor<4xf32>) {
  // expected-error @below {{expected the body's last arguments to be the adjoints, 'tensor<4xf32>'}}
  %h, %tape = amp.loop range(%one, %n, %one) init(%x : tensor<4xf32>) -> (tensor<4xf32>) stacked () tape !amp.tape
      attributes {adjoint_carried = array<i64: 0>} {
  ^bb0(%i: index, %a: tensor<4xf32>):
    amp.next carried(%a : tensor<4xf32>) adjoint(%a : tensor<4xf32>)
  }
  %dx = amp.backward %tape(%h) : (tensor<4xf32>) -> tensor<4xf32>
  amp.return
}

// -----

amp.graph @loop_c12(%n: index, %one: index, %x: tensor<4xf32>) {
  // expected-error @below {{expected a tape where there are adjoints}}
  %h = amp.loop range(%one, %n, %one) init(%x : tensor<4xf32>) -> (tensor<4xf32>) stacked () attributes {adjoint_carried = array<i64: 0>} {
  ^bb0(%i: index, %a: tensor<4xf32>, %da: tensor<4xf32>):
    amp.next carried(%a : tensor<4xf32>) adjoint(%da : tensor<4xf32>)
  }
  amp.return
}

// -----

amp.graph @loop_c13_integer(%n: index, %one: index) {
  // expected-error @below {{expected adjoints of values that are floats, but number 0 is none}}
  %h, %tape = amp.loop range(%one, %n, %one) init(%n : index) -> (index) stacked () tape !amp.tape attributes {adjoint_carried = array<i64: 0>} {
  ^bb0(%i: index, %a: index, %da: index):
    amp.next carried(%a : index) adjoint(%da : index)
  }
  amp.return
}

// -----

amp.graph @loop_c13_stacked(%n: index, %one: index, %x: tensor<4xf32>) {
  // expected-error @below {{expected adjoints of values that are floats, but number 1 is none}}
  %h, %tape = amp.loop range(%one, %n, %one) -> () stacked (tensor<?x4xf32>) tape !amp.tape attributes {adjoint_stacked = array<i64: 1>} {
  ^bb0(%i: index, %ds: tensor<4xf32>):
    amp.next stacked(%x : tensor<4xf32>)
  }
  amp.return
}

// -----

amp.graph @next_c6(%n: index, %one: index, %x: tensor<4xf32>) {
  %h, %tape = amp.loop range(%one, %n, %one) init(%x : tensor<4xf32>) -> (tensor<4xf32>) stacked () tape !amp.tape
      attributes {adjoint_carried = array<i64: 0>} {
  ^bb0(%i: index, %a: tensor<4xf32>, %da: tensor<4xf32>):
    // expected-error @below {{expected the adjoints of the carried arguments, 'tensor<4xf32>'}}
    amp.next carried(%a : tensor<4xf32>) adjoint(%i : index)
  }
  %dx = amp.backward %tape(%h) : (tensor<4xf32>) -> tensor<4xf32>
  amp.return
}

// -----

amp.graph @next_c7(%c: i1, %x: tensor<4xf32>) {
  %h, %tape = amp.loop init(%x : tensor<4xf32>) -> (tensor<4xf32>) stacked () tape !amp.tape attributes {adjoint_carried = array<i64: 0>, adjoint_exit = array<i64: 0>} {
  ^bb0(%a: tensor<4xf32>, %da: tensor<4xf32>, %de: tensor<4xf32>):
    // expected-error @below {{expected more adjoints only where the loop has a range}}
    amp.next while(%c) carried(%a : tensor<4xf32>) exit(%a : tensor<4xf32>) adjoint(%da, %da : tensor<4xf32>, tensor<4xf32>)
  }
  %dx = amp.backward %tape(%h) : (tensor<4xf32>) -> tensor<4xf32>
  amp.return
}

// -----

amp.graph @map_c4_adjoints(%n: index, %x: tensor<4xf32>) {
  // expected-error @below {{expected a body with one argument, the index, and the adjoints}}
  %r, %tape = "amp.map"(%n) <{adjoint_stacked = array<i64: 0>}> ({
  ^bb0(%i: index):
    amp.yield %x : tensor<4xf32>
  }) : (index) -> (tensor<?x4xf32>, !amp.tape)
  amp.return
}

// -----

amp.graph @map_c6(%n: index) {
  // expected-error @below {{expected adjoints of values that are floats, but number 0 is none}}
  %r, %tape = "amp.map"(%n) <{adjoint_stacked = array<i64: 0>}> ({
  ^bb0(%i: index, %di: index):
    amp.yield %i : index
  }) : (index) -> (tensor<?xindex>, !amp.tape)
  amp.return
}

// -----

amp.graph @map_c6_type(%n: index, %x: tensor<4xf32>) {
  // expected-error @below {{expected adjoints of values that are floats, but number 0 is none}}
  %r, %tape = "amp.map"(%n) <{adjoint_stacked = array<i64: 0>}> ({
  ^bb0(%i: index, %di: tensor<5xf32>):
    amp.yield %x : tensor<4xf32>
  }) : (index) -> (tensor<?x4xf32>, !amp.tape)
  amp.return
}

// -----

amp.graph @map_c7(%n: index, %x: tensor<4xf32>) {
  // expected-error @below {{expected a tape where there are adjoints}}
  %r = "amp.map"(%n) <{adjoint_stacked = array<i64: 0>}> ({
  ^bb0(%i: index, %di: tensor<4xf32>):
    amp.yield %x : tensor<4xf32>
  }) : (index) -> tensor<?x4xf32>
  amp.return
}

// -----

amp.graph @softmax_gradient(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @below {{requires the same type for all operands and results}}
  %0 = "amp.softmax_gradient"(%x, %y) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  amp.return
}

// -----

amp.graph @loss_gradient(%x: tensor<4xf32>, %y: tensor<4xf32>, %l: f32) {
  // expected-error @below {{failed to verify that all of {x, result} have same type}}
  %0 = "amp.loss_gradient"(%x, %y, %l) <{kind = #amp<loss_kind squared_error>}> : (tensor<4xf32>, tensor<4xf32>, f32) -> tensor<5xf32>
  amp.return
}

// -----

amp.graph @loss_gradient_c1(%x: tensor<4xf32>, %l: f64) {
  // expected-error @below {{expected the gradient of the loss to be of type 'f32'}}
  %0 = amp.loss_gradient squared_error %x, %x, %l : tensor<4xf32>, tensor<4xf32>, f64
  amp.return
}

// -----

amp.graph @loss_c1(%x: tensor<4xf32>, %y: tensor<5xf32>, %l: f32) {
  // expected-error @below {{expected a target of type 'tensor<4xf32>', but got 'tensor<5xf32>'}}
  %0 = amp.loss_gradient absolute_error %x, %y, %l : tensor<4xf32>, tensor<5xf32>, f32
  amp.return
}

// -----

amp.graph @loss_c2(%x: tensor<?x4xf32>, %y: i32, %l: f32) {
  // expected-error @below {{expected classes in the last dimension, and an integer target for each position of the others, but got 'tensor<?x4xf32>' and 'i32'}}
  %0 = amp.loss_gradient hinge %x, %y, %l : tensor<?x4xf32>, i32, f32
  amp.return
}

// -----

// expected-error @below {{expected numbers of adjoint inputs and results, no more than there are arguments and results, or neither}}
amp.graph private @graph_c3_one(%x: tensor<4xf32>) -> tensor<4xf32> attributes {adjoint_inputs = 1 : i64} {
  amp.return %x : tensor<4xf32>
}

// -----

// expected-error @below {{expected numbers of adjoint inputs and results, no more than there are arguments and results, or neither}}
amp.graph private @graph_c3_more(%x: tensor<4xf32>) -> tensor<4xf32> attributes {adjoint_inputs = 1 : i64, adjoint_results = 2 : i64} {
  amp.return %x : tensor<4xf32>
}

// -----

amp.graph @dropout_c1(%x: tensor<4xf32>) {
  // expected-error @below {{expected a rate in [0, 1), but got 1}}
  %0 = amp.dropout %x rate 1.0 : tensor<4xf32>
  amp.return
}
