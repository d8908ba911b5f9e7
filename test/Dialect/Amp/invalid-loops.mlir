// RUN: amp-opt %s -split-input-file -verify-diagnostics

// The labels are those of dialects/Amp/SPEC.md.

amp.graph @loop_c1(%n: index) {
  // expected-error @below {{expected the body to end with amp.next}}
  "amp.loop"(%n, %n, %n) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, resultSegmentSizes = array<i32: 0, 0, 0>}> ({
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
  "amp.loop"(%n) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 0, 0, 0>}> ({
  ^bb0(%i: index):
    amp.next
  }) : (index) -> ()
  amp.return
}
