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

amp.graph @loop_c1(%n: index) {
  // expected-error @below {{expected the body to end with amp.next}}
  "amp.loop"(%n, %n, %n) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, resultSegmentSizes = array<i32: 0, 0>}> ({
  ^bb0(%i: index):
    llvm.unreachable
  }) : (index, index, index) -> ()
  amp.return
}

// -----

amp.graph @loop_c2(%n: index, %x: f32) {
  // expected-error @below {{expected the body's arguments to be the index and the carried values}}
  %y = amp.loop range(%n, %n, %n) init(%x : f32) -> (f32) stacked () {
  ^bb0(%a: f32):
    amp.next carried(%a : f32)
  }
  amp.return
}

// -----

amp.graph @loop_c3(%n: index, %x: f32) {
  // expected-error @below {{expected amp.next to carry values of types 'f32'}}
  %y = amp.loop range(%n, %n, %n) init(%x : f32) -> (f32) stacked () {
  ^bb0(%i: index, %a: f32):
    amp.next carried(%i : index)
  }
  amp.return
}

// -----

amp.graph @loop_c4_range(%n: index, %c: i1) {
  amp.loop range(%n, %n, %n) -> () stacked () {
  ^bb0(%i: index):
    // expected-error @below {{expected a condition exactly where the loop has no range}}
    amp.next while(%c)
  }
  amp.return
}

// -----

amp.graph @loop_c4_while() {
  amp.loop -> () stacked () {
    // expected-error @below {{expected a condition exactly where the loop has no range}}
    amp.next
  }
  amp.return
}

// -----

amp.graph @loop_c5(%c: i1, %x: f32) {
  // expected-error @below {{expected stacked results only with a range}}
  %y = amp.loop -> () stacked (tensor<?xf32>) {
    amp.next while(%c) stacked(%x : f32)
  }
  amp.return
}

// -----

amp.graph @loop_c6(%c: i1, %x: f32) {
  // expected-error @below {{expected results of types 'f32'}}
  %y = amp.loop -> (f64) stacked () {
    amp.next while(%c) exit(%x : f32)
  }
  amp.return
}

// -----

amp.graph @loop_c7(%n: index, %x: f32) {
  // expected-error @below {{expected 1 values to stack, but the body yields 0}}
  %y = amp.loop range(%n, %n, %n) -> () stacked (tensor<?xf32>) {
  ^bb0(%i: index):
    amp.next
  }
  amp.return
}

// -----

amp.graph @loop_c8(%n: index, %x: tensor<?xf32>) {
  // expected-error @below {{expected yielded value 0 to be a scalar or of static shape, but got 'tensor<?xf32>'}}
  %y = amp.loop range(%n, %n, %n) -> () stacked (tensor<?x?xf32>) {
  ^bb0(%i: index):
    amp.next stacked(%x : tensor<?xf32>)
  }
  amp.return
}

// -----

amp.graph @loop_c9(%n: index, %x: f32) {
  // expected-error @below {{expected stacked result 0 of type 'tensor<?xf32>', but got 'tensor<?xf64>'}}
  %y = amp.loop range(%n, %n, %n) -> () stacked (tensor<?xf64>) {
  ^bb0(%i: index):
    amp.next stacked(%x : f32)
  }
  amp.return
}

// -----

amp.graph @loop_c10(%n: index) {
  // expected-error @below {{expected a lower and an upper bound and a step, or none of them}}
  "amp.loop"(%n) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 0, 0>}> ({
  ^bb0(%i: index):
    amp.next
  }) : (index) -> ()
  amp.return
}
