// RUN: amp-opt %s -amp-verify-graph -split-input-file -verify-diagnostics

// What conversion makes of a program is legal: test/Conversion/ProgramToGraph.

// By hand: two branches on one condition are one decision.
amp.graph @legal(%c: i1 {amp.name = "c"}, %x: f32 {amp.name = "x"}, %y: f32 {amp.name = "y"})
    -> (f32 {amp.name = "z"}) {
  %xt, %xf = amp.branch %c, %x : f32
  %yt, %yf = amp.branch %c, %y : f32
  %z = amp.merge %xt, %yf : f32
  amp.return %z : f32
}

// A constant that folding took out of a region is on no edge, so it may be narrow.
amp.graph private @narrow(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %half = arith.constant 0.5 : bf16
  %y = linalg.map ins(%x : tensor<4xbf16>) outs(%x : tensor<4xbf16>)
    (%a: bf16, %o: bf16) {
      %s = arith.addf %a, %half : bf16
      linalg.yield %s : bf16
    }
  amp.return %y : tensor<4xbf16>
}
// The operands of a merge may stand in either order, and under another decision.
amp.graph private @order(%c: i1, %d: i1, %x: f32) -> f32 {
  %dt, %df = amp.branch %c, %d : i1
  %xt, %xf = amp.branch %c, %x : f32
  %xtt, %xtf = amp.branch %dt, %xt : f32
  %inner = amp.merge %xtf, %xtt : f32
  %outer = amp.merge %xf, %inner : f32
  amp.return %outer : f32
}

// -----

// entry_c1
// expected-error @below {{expected a public amp.graph, the entry}}
module {
}

// -----

// expected-error @below {{expected attribute amp.name on argument 0 of the entry}}
amp.graph @entry_c2(%x: f32) {
  amp.return
}

// -----

amp.graph @B1() {
  amp.return
}
// expected-error @below {{'func.func' op is not one that a graph's module may contain; expected amp.param or amp.graph}}
func.func private @f()

// -----

amp.graph @B2(%n: index {amp.name = "n"}, %c: i1 {amp.name = "c"}) {
  // expected-error @below {{'scf.if' op is not a node that a graph may hold}}
  scf.if %c {
  }
  amp.map %i to %n {
    // expected-error @below {{'amp.scan' op is not a node that a graph may hold}}
    %x = amp.scan %t = %n to %n -> (tensor<?xindex>) {
      amp.yield %t : index
    }
  }
  amp.return
}

// -----

amp.graph @T1(%x: i32 {amp.name = "x"}) {
  // expected-error @below {{expected results of types that an edge may carry, but got 'i8'}}
  %y = arith.trunci %x : i32 to i8
  amp.return
}

// -----

amp.graph @return_c2(%c: i1 {amp.name = "c"}, %x: f32 {amp.name = "x"}) -> (f32 {amp.name = "y"}) {
  // expected-note @below {{it exists only where this is true}}
  %d = arith.andi %c, %c : i1
  %t, %f = amp.branch %d, %x : f32
  %e = math.exp %t : f32
  // expected-error @below {{'amp.return' op expected tokens that always arrive, but value 0 is not}}
  amp.return %e : f32
}

// -----

amp.graph @merge_c1(%c: i1 {amp.name = "c"}, %x: f32 {amp.name = "x"}) -> (f32 {amp.name = "y"}) {
  // expected-note @below {{one is here}}
  %t, %f = amp.branch %c, %x : f32
  // expected-note @below {{the other one is here}}
  %e = math.exp %x : f32
  // expected-error @below {{'amp.merge' op expected operands from opposite sides of one branch}}
  %y = amp.merge %t, %e : f32
  amp.return %y : f32
}

// -----

// Two conditions are two decisions, even if they are always equal.
amp.graph @merge_c1_two(%a: i32 {amp.name = "a"}, %x: f32 {amp.name = "x"}) -> (f32 {amp.name = "y"}) {
  %c = arith.cmpi eq, %a, %a : i32
  %d = arith.cmpi eq, %a, %a : i32
  // expected-note @below {{one is here}}
  %ct, %cf = amp.branch %c, %x : f32
  // expected-note @below {{the other one is here}}
  %dt, %df = amp.branch %d, %x : f32
  // expected-error @below {{'amp.merge' op expected operands from opposite sides of one branch}}
  %y = amp.merge %ct, %df : f32
  amp.return %y : f32
}

// -----

// Where %c is true and %d false, neither operand comes.
amp.graph @merge_c2(%c: i1 {amp.name = "c"}, %d: i1 {amp.name = "d"}, %x: f32 {amp.name = "x"}) -> (f32 {amp.name = "y"}) {
  // expected-note @below {{the other one is here}}
  %t, %f = amp.branch %c, %x : f32
  // expected-note @below {{one is here}}
  %tt, %tf = amp.branch %d, %t : f32
  // expected-error @below {{'amp.merge' op expected operands that, but for one branch, exist under the same conditions}}
  %y = amp.merge %tt, %f : f32
  amp.return %y : f32
}

// -----

amp.graph @guard_c1(%c: i1 {amp.name = "c"}, %x: f32 {amp.name = "x"}) {
  // expected-note @+2 {{the other one is here}}
  // expected-note @+1 {{one is here}}
  %t, %f = amp.branch %c, %x : f32
  // expected-error @below {{'arith.addf' op never runs, because it needs both sides of one branch}}
  %y = arith.addf %t, %f : f32
  amp.return
}

// -----

// Also by what its region uses, and by a branch of the other side.
// expected-note @below {{the other one is here}}
amp.graph @guard_c1_region(%c: i1 {amp.name = "c"}, %n: index {amp.name = "n"}) {
  // expected-note @+2 {{the other one is here}}
  // expected-note @+1 {{one is here}}
  %t, %f = amp.branch %c, %n : index
  // expected-error @below {{'amp.map' op never runs, because it needs both sides of one branch}}
  %y = amp.map %i to %t -> (tensor<?xindex>) {
    amp.yield %f : index
  }
  // expected-error @below {{'amp.branch' op never runs, because it needs both sides of one branch}}
  %ft, %ff = amp.branch %c, %f : index
  amp.return
}
