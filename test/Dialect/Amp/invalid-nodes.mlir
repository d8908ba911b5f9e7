// RUN: amp-opt %s -split-input-file -verify-diagnostics

// The labels are those of dialects/Amp/SPEC.md. What needs to know under which
// conditions tokens exist is checked by amp-verify-graph: verify-graph.mlir.

// graph_c1
// expected-error @below {{type of entry block argument #0('f64') must match the type of the corresponding argument in function signature('f32')}}
"amp.graph"() <{function_type = (f32) -> (), sym_name = "f"}> ({
^bb0(%x: f64):
  amp.return
}) : () -> ()

// -----

amp.graph @return_c1(%x: f32) -> f64 {
  // expected-error @below {{expected values of types 'f64', but got 'f32'}}
  amp.return %x : f32
}

// -----

amp.graph @transform_c1(%x: f32) {
  // expected-error @below {{expected the body's arguments to have the types of the inputs, 'f32', but got 'f64'}}
  amp.transform(%x) : (f32) -> () {
  ^bb0(%a: f64):
    amp.yield
  }
  amp.return
}

// -----

amp.graph @transform_c2(%x: f32) {
  // expected-error @below {{expected the body to yield 'f64', but it yields 'f32'}}
  %y = amp.transform(%x) : (f32) -> f64 {
  ^bb0(%a: f32):
    amp.yield %a : f32
  }
  amp.return
}

// -----

amp.graph @transform_c3(%c: i1, %x: f32) {
  // expected-error @below {{expected pure per-instance ops in its body, but got amp.branch}}
  %y = amp.transform(%c, %x) : (i1, f32) -> f32 {
  ^bb0(%a: i1, %b: f32):
    // expected-note @below {{it is here}}
    %t, %f = amp.branch %a, %b : f32
    amp.yield %t : f32
  }
  amp.return
}

// -----

amp.graph @cell_c1(%x: f32) {
  // expected-error @below {{'amp.cell' op expected the body's arguments to have the types of the inputs, 'f32', but got 'f64'}}
  amp.cell "c"(%x) : (f32) -> () {
  ^bb0(%a: f64):
    amp.yield
  }
  amp.return
}

// -----

amp.graph @cell_c2(%x: f32) {
  // expected-error @below {{'amp.cell' op expected the body to yield 'f64', but it yields 'f32'}}
  %y = amp.cell "c"(%x) : (f32) -> f64 {
  ^bb0(%a: f32):
    amp.yield %a : f32
  }
  amp.return
}

// -----

amp.graph @cell_c3(%n: index) {
  // expected-error @below {{'amp.cell' op expected pure per-instance ops in its body, but got amp.call}}
  amp.cell "c"(%n) : (index) -> () {
  ^bb0(%i: index):
    // expected-note @below {{it is here}}
    amp.call @cell_c3(%i) : (index) -> ()
    amp.yield
  }
  amp.return
}

// -----

amp.graph @control_c1(%x: f32) {
  // expected-error @below {{'amp.control' op expected the body's arguments to have the types of the inputs, 'f32', but got 'f64'}}
  amp.control(%x) : (f32) -> () {
  ^bb0(%a: f64):
    amp.yield
  }
  amp.return
}

// -----

amp.graph @control_c2(%x: f32) {
  // expected-error @below {{'amp.control' op expected the body to yield 'f64', but it yields 'f32'}}
  %y = amp.control(%x) : (f32) -> f64 {
  ^bb0(%a: f32):
    amp.yield %a : f32
  }
  amp.return
}

// -----

amp.graph @control_c3(%n: index) {
  // expected-error @below {{'amp.control' op expected pure per-instance ops in its body, but got amp.collector}}
  amp.control(%n) : (index) -> () {
  ^bb0(%a: index):
    // expected-note @below {{it is here}}
    %out = amp.collector %a : !amp.collector<tensor<5xf32>>
    amp.yield
  }
  amp.return
}

// -----

amp.graph @call_c1() {
  // expected-error @below {{expected the name of an amp.graph, but got @other}}
  amp.call @other() : () -> ()
  amp.return
}
func.func private @other()

// -----

amp.graph @call_c2(%x: f32) {
  // expected-error @below {{expected the callee's type '(f64) -> ()'}}
  amp.call @other(%x) : (f32) -> ()
  amp.return
}
// expected-note @below {{the graph is here}}
amp.graph private @other(%x: f64) {
  amp.return
}

// -----

// fork_c1
amp.graph @f(%x: i32) {
  // expected-error @below {{'amp.fork' op expected results of the value's type, 'i32'}}
  "amp.fork"(%x) : (i32) -> (i32, i64)
  amp.return
}

// -----

amp.graph @f(%x: i32) {
  // expected-error @below {{expected at most 1048576 results}}
  %a = amp.fork %x : i32 to 99999999
  amp.return
}

// -----

// rekey_c1
amp.graph @f(%x: i32) {
  // expected-error @below {{'amp.rekey' op expected forward to have one argument, of type 'i32'}}
  %y = amp.rekey %x : i32 forward {
  ^bb0(%k: i64):
    %c = arith.constant 1 : i32
    amp.yield %c : i32
  } inverse {
  ^bb0(%k: i32):
    amp.yield %k : i32
  }
  amp.return
}

// -----

// rekey_c2
amp.graph @f(%x: i32) {
  // expected-error @below {{'amp.rekey' op expected inverse to yield one value of type 'i32'}}
  %y = amp.rekey %x : i32 forward {
  ^bb0(%k: i32):
    amp.yield %k : i32
  } inverse {
  ^bb0(%k: i32):
    amp.yield %k, %k : i32, i32
  }
  amp.return
}

// -----

// rekey_c3
amp.graph @f(%x: i32) {
  // expected-error @below {{'amp.rekey' op expected scalar ops only in forward, but got tensor.splat}}
  %y = amp.rekey %x : i32 forward {
  ^bb0(%k: i32):
    // expected-note @below {{it is here}}
    %s = tensor.splat %k : tensor<4xi32>
    amp.yield %k : i32
  } inverse {
  ^bb0(%k: i32):
    amp.yield %k : i32
  }
  amp.return
}
