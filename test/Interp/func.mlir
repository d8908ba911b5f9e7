// Calls and recursion.

// RUN: split-file %s %t
// RUN: ampc --interpret %t/calls.mlir --input %t/calls.jsonl --output - | FileCheck %s --check-prefix=CALL
// RUN: ampc --interpret %t/deep.mlir --input %t/deep.jsonl --output - | FileCheck %s --check-prefix=DEEP

//--- calls.jsonl
{"n": 10, "x": [1.0, 2.0]}
{"n": 0, "x": []}

//--- calls.mlir
// Fibonacci numbers; a pair that is swapped.
// CALL: {"fib":55,"a":2.0,"b":10.0}
// CALL: {"fib":0,"a":0.0,"b":0.0}
func.func @f(%n: i64 {amp.name = "n"}, %x: tensor<?xf32> {amp.name = "x"})
    -> (i64 {amp.name = "fib"}, f32 {amp.name = "a"}, f32 {amp.name = "b"}) {
  %c0 = arith.constant 0 : index
  %fib = call @fib(%n) : (i64) -> i64
  %size = tensor.dim %x, %c0 : tensor<?xf32>
  %m = arith.index_cast %size : index to i64
  %p = arith.sitofp %n : i64 to f32
  %q = arith.sitofp %m : i64 to f32
  %a, %b = call @swap(%p, %q) : (f32, f32) -> (f32, f32)
  return %fib, %a, %b : i64, f32, f32
}
func.func private @swap(%a: f32, %b: f32) -> (f32, f32) {
  return %b, %a : f32, f32
}
func.func private @fib(%n: i64) -> i64 {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %small = arith.cmpi sle, %n, %c1 : i64
  %r = scf.if %small -> i64 {
    scf.yield %n : i64
  } else {
    %p = arith.subi %n, %c1 : i64
    %q = arith.subi %n, %c2 : i64
    %a = func.call @fib(%p) : (i64) -> i64
    %b = func.call @fib(%q) : (i64) -> i64
    %s = arith.addi %a, %b : i64
    scf.yield %s : i64
  }
  return %r : i64
}

//--- deep.jsonl
{"n": 100000}

//--- deep.mlir
// DEEP: {"sum":5000050000}
func.func @f(%n: index {amp.name = "n"}) -> (index {amp.name = "sum"}) {
  %s = call @sum(%n) : (index) -> index
  return %s : index
}
func.func private @sum(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %s = scf.if %done -> index {
    scf.yield %c0 : index
  } else {
    %m = arith.subi %n, %c1 : index
    %r = func.call @sum(%m) : (index) -> index
    %t = arith.addi %r, %n : index
    scf.yield %t : index
  }
  return %s : index
}
