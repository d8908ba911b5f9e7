// Structured control flow.

// RUN: split-file %s %t
// RUN: ampc --interpret %t/branches.mlir --input %t/branches.jsonl --output - | FileCheck %s --check-prefix=BRANCH
// RUN: ampc --interpret %t/loops.mlir --input %t/loops.jsonl --output - | FileCheck %s --check-prefix=LOOP
// RUN: ampc --interpret %t/bounds.mlir --input %t/bounds.jsonl --output - | FileCheck %s --check-prefix=BOUND

//--- branches.jsonl
{"n": 1}
{"n": -5}
{"n": 7}

//--- branches.mlir
// BRANCH: {"sign":1,"both":[1,-1],"case":10}
// BRANCH: {"sign":-1,"both":[-5,5],"case":0}
// BRANCH: {"sign":1,"both":[7,-7],"case":70}
func.func @f(%n: index {amp.name = "n"})
    -> (index {amp.name = "sign"}, tensor<2xindex> {amp.name = "both"}, index {amp.name = "case"}) {
  %c0 = arith.constant 0 : index
  %negative = arith.cmpi slt, %n, %c0 : index
  %minus = arith.subi %c0, %n : index
  %sign = scf.if %negative -> index {
    %c = arith.constant -1 : index
    scf.yield %c : index
  } else {
    %c = arith.constant 1 : index
    scf.yield %c : index
  }
  // Two results, handed through.
  %a, %b = scf.if %negative -> (index, index) {
    scf.yield %n, %minus : index, index
  } else {
    scf.yield %n, %minus : index, index
  }
  scf.if %negative {
  }
  %both = tensor.from_elements %a, %b : tensor<2xindex>
  %case = scf.index_switch %n -> index
  case 1 {
    %c = arith.constant 10 : index
    scf.yield %c : index
  }
  case 7 {
    %c = arith.constant 70 : index
    scf.yield %c : index
  }
  default {
    scf.yield %c0 : index
  }
  return %sign, %both, %case : index, tensor<2xindex>, index
}

//--- loops.jsonl
{"n": 0, "lo": 0, "step": 3}
{"n": 10, "lo": 2, "step": 3}
{"n": 5, "lo": 6, "step": 1}

//--- loops.mlir
// 2 + 5 + 8 and the last index; halvings of n until 1.
// LOOP: {"sum":0,"last":-1,"halvings":0,"rest":0}
// LOOP: {"sum":15,"last":8,"halvings":3,"rest":1}
// LOOP: {"sum":0,"last":-1,"halvings":2,"rest":1}
func.func @f(%n: index {amp.name = "n"}, %lo: index {amp.name = "lo"}, %step: index {amp.name = "step"})
    -> (index {amp.name = "sum"}, index {amp.name = "last"}, index {amp.name = "halvings"}, index {amp.name = "rest"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %minus_one = arith.constant -1 : index
  %sum, %last = scf.for %i = %lo to %n step %step iter_args(%s = %c0, %l = %minus_one) -> (index, index) {
    %t = arith.addi %s, %i : index
    scf.yield %t, %i : index, index
  }
  %rest, %halvings = scf.while (%m = %n, %k = %c0) : (index, index) -> (index, index) {
    %more = arith.cmpi sgt, %m, %c1 : index
    scf.condition(%more) %m, %k : index, index
  } do {
  ^bb0(%m: index, %k: index):
    %half = arith.divsi %m, %c2 : index
    %next = arith.addi %k, %c1 : index
    scf.yield %half, %next : index, index
  }
  return %sum, %last, %halvings, %rest : index, index, index, index
}

//--- bounds.jsonl
{"n": 2147483647}

//--- bounds.mlir
// The index would pass the largest integer; -1 is the largest unsigned one.
// BOUND: {"signed":1,"unsigned":2}
func.func @f(%n: i32 {amp.name = "n"}) -> (i32 {amp.name = "signed"}, i32 {amp.name = "unsigned"}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %first = arith.constant 2147483000 : i32
  %large = arith.constant 2000000000 : i32
  %minus_one = arith.constant -1 : i32
  %signed = scf.for %i = %first to %n step %large iter_args(%k = %c0) -> (i32) : i32 {
    %next = arith.addi %k, %c1 : i32
    scf.yield %next : i32
  }
  %step = arith.constant 2147483647 : i32
  %unsigned = scf.for unsigned %i = %c1 to %minus_one step %step iter_args(%k = %c0) -> (i32) : i32 {
    %next = arith.addi %k, %c1 : i32
    scf.yield %next : i32
  }
  return %signed, %unsigned : i32, i32
}
