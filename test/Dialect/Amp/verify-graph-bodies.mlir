// RUN: amp-opt %s -amp-verify-graph -split-input-file -verify-diagnostics

// What leaves bodies, and what opens activations.

// expected-note @below {{it exists only where this is true}}
amp.graph @map_c5(%c: i1 {amp.name = "c"}, %n: index {amp.name = "n"}) {
  %y = amp.map %i to %n -> (tensor<?xindex>) {
    %t, %f = amp.branch %c, %i : index
    // expected-error @below {{'amp.yield' op expected tokens that always arrive, but value 0 is not}}
    amp.yield %t : index
  }
  amp.return
}

// -----

amp.graph @flatmap_c4(%c: i1 {amp.name = "c"}, %n: index {amp.name = "n"}, %x: tensor<?xf32> {amp.name = "x"}) {
  %y = amp.flatmap %i to %n -> (tensor<?xf32>) {
    // expected-note @below {{it exists only where this is true}}
    %d = arith.cmpi ult, %i, %n : index
    %t, %f = amp.branch %d, %x : tensor<?xf32>
    // expected-error @below {{'amp.yield' op expected tokens that always arrive, but value 0 is not}}
    amp.yield %t : tensor<?xf32>
  }
  amp.return
}

// -----

// A condition from outside the body decides anew for each element, so its guard
// is the body's; a value that outside exists on one side only is one of the map's
// conditions, and always there inside.
amp.graph @captured(%c: i1 {amp.name = "c"}, %n: index {amp.name = "n"}) {
  %t, %f = amp.branch %c, %n : index
  %y = amp.map %i to %t -> (tensor<?xindex>) {
    amp.yield %t : index
  }
  amp.return
}

// -----

// expected-note @below {{it exists only where this is true}}
amp.graph @next_c1(%c: i1 {amp.name = "c"}, %n: index {amp.name = "n"}) {
  %h = amp.loop range(%n, %n, %n) init(%n : index) -> (index) stacked () {
  ^bb0(%i: index, %a: index):
    %t, %f = amp.branch %c, %a : index
    // expected-error @below {{'amp.next' op expected tokens that always arrive, but value 0 is not}}
    amp.next carried(%t : index)
  }
  %hs = amp.loop range(%n, %n, %n) -> () stacked (tensor<?xindex>) {
  ^bb0(%i: index):
    %t, %f = amp.branch %c, %i : index
    // expected-error @below {{'amp.next' op expected tokens that always arrive, but value 0 is not}}
    amp.next stacked(%t : index)
  }
  amp.return
}

// -----

amp.graph @next_c2(%c: i1 {amp.name = "c"}) {
  amp.loop init(%c : i1) -> () stacked () {
  ^bb0(%a: i1):
    // expected-note @below {{it exists only where this is true}}
    %b = arith.andi %a, %a : i1
    %t, %f = amp.branch %b, %a : i1
    // expected-error @below {{'amp.next' op expected a condition that always arrives, but value 0 is not}}
    amp.next while(%t) carried(%t : i1)
  }
  amp.return
}

// -----

amp.graph @next_c3(%c: i1 {amp.name = "c"}) {
  amp.loop init(%c : i1) -> () stacked () {
  // expected-note @below {{it exists on both sides}}
  ^bb0(%a: i1):
    // expected-error @below {{'amp.next' op expected carried tokens from the condition's true side, but value 0 is not}}
    amp.next while(%a) carried(%a : i1)
  }
  amp.return
}

// -----

amp.graph @next_c4(%c: i1 {amp.name = "c"}) {
  %y = amp.loop init(%c : i1) -> (i1) stacked () {
  // expected-note @below {{it exists only where this is true}}
  ^bb0(%a: i1):
    %t, %f = amp.branch %a, %a : i1
    // expected-error @below {{'amp.next' op expected exit tokens from the condition's false side, but value 0 is not}}
    amp.next while(%a) carried(%t : i1) exit(%t : i1)
  }
  amp.return
}

// -----

// A call with constants and a conditional tensor would open on both sides.
amp.graph @call_c3(%x: tensor<4xf32> {amp.name = "x"}, %n: i32 {amp.name = "n"}) {
  %zero = arith.constant 0 : i32
  // expected-note @below {{it must open only where this is false}}
  %c = arith.cmpi eq, %n, %zero : i32
  %t, %f = amp.branch %c, %x : tensor<4xf32>
  %nt, %nf = amp.branch %c, %n : i32
  // expected-error @below {{'amp.call' op expected a token that opens it (a scalar, a collector, or one of after) to exist under the same conditions}}
  amp.call @f(%f, %zero) : (tensor<4xf32>, i32) -> ()
  // These open where %c is false.
  amp.call @f(%f, %nf) : (tensor<4xf32>, i32) -> ()
  amp.call @f(%f, %zero) after(%f : tensor<4xf32>) : (tensor<4xf32>, i32) -> ()
  amp.return
}
amp.graph private @f(%x: tensor<4xf32>, %n: i32) {
  amp.return
}

// -----

amp.graph @loop_c11(%x: tensor<4xf32> {amp.name = "x"}, %n: index {amp.name = "n"}) {
  %zero = arith.constant 0 : index
  // expected-note @below {{it must open only where this is true}}
  %c = arith.cmpi eq, %n, %zero : index
  %t, %f = amp.branch %c, %x : tensor<4xf32>
  %nt, %nf = amp.branch %c, %n : index
  // expected-error @below {{'amp.loop' op expected a token that opens it (a scalar, a collector, or one of after) to exist under the same conditions}}
  %a = amp.loop range(%zero, %zero, %zero) init(%t : tensor<4xf32>) -> (tensor<4xf32>) stacked () {
  ^bb0(%i: index, %h: tensor<4xf32>):
    amp.next carried(%h : tensor<4xf32>)
  }
  // These open where %c is true.
  %b = amp.loop range(%zero, %nt, %zero) init(%t : tensor<4xf32>) -> (tensor<4xf32>) stacked () {
  ^bb0(%i: index, %h: tensor<4xf32>):
    amp.next carried(%h : tensor<4xf32>)
  }
  %d = amp.loop range(%zero, %zero, %zero) init(%t : tensor<4xf32>) -> (tensor<4xf32>) stacked () {
  ^bb0(%i: index, %h: tensor<4xf32>):
    %g = arith.addf %h, %t : tensor<4xf32>
    amp.next carried(%g : tensor<4xf32>)
  }
  amp.return
}
