// RUN: amp-opt %s -split-input-file -verify-diagnostics

// Lists; the labels are those of dialects/Amp/SPEC.md.

// list_c1
// expected-error @below {{expected elements that are scalars, tensors or lists, but got 'i8'}}
func.func private @f(!amp.list<i8>)

// -----

// list_c1
// expected-error @below {{expected elements that are scalars, tensors or lists, but got '!amp.collector<tensor<4xf32>>'}}
func.func private @f(!amp.list<!amp.collector<tensor<4xf32>>>)

// -----

// push_c1
func.func private @f(%l: !amp.list<i32>, %v: i64) {
  // expected-error @below {{'amp.push' op failed to verify that the list's element type}}
  "amp.push"(%v, %l) : (i64, !amp.list<i32>) -> !amp.list<i32>
  return
}

// -----

// push_c2
func.func private @f(%l: !amp.list<i32>, %v: i32) {
  // expected-error @below {{'amp.push' op failed to verify that all of {list, result} have same type}}
  "amp.push"(%v, %l) : (i32, !amp.list<i32>) -> !amp.list<i64>
  return
}

// -----

// pop_c1
func.func private @f(%l: !amp.list<i32>) {
  // expected-error @below {{'amp.pop' op failed to verify that the list's element type}}
  "amp.pop"(%l) : (!amp.list<i32>) -> (!amp.list<i32>, i64)
  return
}

// -----

// pop_c2
func.func private @f(%l: !amp.list<i32>) {
  // expected-error @below {{'amp.pop' op failed to verify that all of {list, rest} have same type}}
  "amp.pop"(%l) : (!amp.list<i32>) -> (!amp.list<i64>, i32)
  return
}

// -----

// at_c1
func.func private @f(%l: !amp.list<i32>, %i: index) {
  // expected-error @below {{'amp.at' op failed to verify that the list's element type}}
  "amp.at"(%l, %i) : (!amp.list<i32>, index) -> i64
  return
}

// -----

// stack_c1
func.func private @f(%l: !amp.list<tensor<?xf32>>) {
  // expected-error @below {{'amp.stack' op expected elements that are scalars or tensors of static shape, but got 'tensor<?xf32>'}}
  %r = amp.stack %l : !amp.list<tensor<?xf32>>
  return
}
