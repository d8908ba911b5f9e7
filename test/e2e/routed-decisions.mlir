// Decisions in arms, as random programs found them.
// RUN: split-file %s %t
// RUN: ampc %t/merges.mlir -o %t/merges
// RUN: %t/merges run -q --input %t/merges.jsonl | FileCheck %s --check-prefix=MERGES
// RUN: ampc --interpret %t/merges.mlir --input %t/merges.jsonl | FileCheck %s --check-prefix=MERGES
// RUN: ampc %t/constants.mlir -o %t/constants
// RUN: not %t/constants run -q --input %t/constants.jsonl 2>/dev/null | FileCheck %s --check-prefix=CONSTANTS
// REQUIRES: runtime

// Two merges that happen together, of which one needs a control step that stands behind the other.
// MERGES: {"y":3,"z":3}
// MERGES: {"y":0,"z":0}
// MERGES: {"y":6,"z":6}

// A decision in an arm, made of constants alone: what it guards runs in that arm only.
// CONSTANTS: {"y":7}
// CONSTANTS: {"error":"{{.*}}pop of an empty list"}

//--- merges.mlir
func.func @entry(%k: i32 {amp.name = "k"}) -> (i32 {amp.name = "y"}, i32 {amp.name = "z"}) {
  %zero = arith.constant 0 : i32
  %c4 = arith.constant 4 : index
  %wide = arith.index_castui %k : i32 to index
  %case = arith.remui %wide, %c4 : index
  %r:2 = scf.index_switch %case -> i32, i32
  case 1 {
    scf.yield %zero, %zero : i32, i32
  }
  case 2 {
    scf.yield %k, %k : i32, i32
  }
  default {
    %number = arith.index_cast %case : index to i32
    scf.yield %number, %k : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
//--- merges.jsonl
{"k": 3}
{"k": 5}
{"k": 6}
//--- constants.mlir
func.func @entry(%k: i32 {amp.name = "k"}) -> (i32 {amp.name = "y"}) {
  %zero = arith.constant 0 : i32
  %none = arith.constant 0 : index
  %positive = arith.cmpi sge, %k, %zero : i32
  %y = scf.if %positive -> (i32) {
    scf.yield %k : i32
  } else {
    %empty = amp.list : !amp.list<i32>
    %n = amp.length %empty : !amp.list<i32>
    %some = arith.cmpi ugt, %n, %none : index
    %l = scf.if %some -> (!amp.list<i32>) {
      %rest, %last = amp.pop %empty : !amp.list<i32>
      scf.yield %rest : !amp.list<i32>
    } else {
      scf.yield %empty : !amp.list<i32>
    }
    %rest, %last = amp.pop %l : !amp.list<i32>
    scf.yield %last : i32
  }
  return %y : i32
}
//--- constants.jsonl
{"k": 7}
{"k": -1}
