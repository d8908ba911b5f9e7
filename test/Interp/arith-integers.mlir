// Integer arithmetic: two's complement, wrapping.

// RUN: split-file %s %t
// RUN: ampc --interpret %t/model.mlir --input %t/in.jsonl --output - | FileCheck %s

//--- in.jsonl
{"a": 7, "b": -2}

//--- model.mlir
func.func @f(%a: i32 {amp.name = "a"}, %b: i32 {amp.name = "b"}) -> (
    i32 {amp.name = "addi"}, i32 {amp.name = "wraps"}, i32 {amp.name = "subi"}, i32 {amp.name = "muli"},
    i32 {amp.name = "divsi"}, i32 {amp.name = "divui"}, i32 {amp.name = "remsi"}, i32 {amp.name = "remui"},
    i32 {amp.name = "ceildivsi"}, i32 {amp.name = "ceildivui"}, i32 {amp.name = "floordivsi"},
    i32 {amp.name = "andi"}, i32 {amp.name = "ori"}, i32 {amp.name = "xori"},
    i32 {amp.name = "maxsi"}, i32 {amp.name = "maxui"}, i32 {amp.name = "minsi"}, i32 {amp.name = "minui"},
    i32 {amp.name = "shli"}, i32 {amp.name = "shrsi"}, i32 {amp.name = "shrui"},
    i32 {amp.name = "sum"}, i1 {amp.name = "overflow"},
    i32 {amp.name = "slow"}, i32 {amp.name = "shigh"}, i32 {amp.name = "ulow"}, i32 {amp.name = "uhigh"}) {
  %one = arith.constant 1 : i32
  %thirty = arith.constant 30 : i32
  %largest = arith.constant 2147483647 : i32
  // CHECK: "addi":5,
  %addi = arith.addi %a, %b : i32
  // CHECK-SAME: "wraps":-2147483648,
  %wraps = arith.addi %largest, %one : i32
  // CHECK-SAME: "subi":9,
  %subi = arith.subi %a, %b : i32
  // CHECK-SAME: "muli":-14,
  %muli = arith.muli %a, %b : i32
  // CHECK-SAME: "divsi":-3,
  %divsi = arith.divsi %a, %b : i32
  // -2 is 4294967294.
  // CHECK-SAME: "divui":0,
  %divui = arith.divui %a, %b : i32
  // CHECK-SAME: "remsi":1,
  %remsi = arith.remsi %a, %b : i32
  // CHECK-SAME: "remui":7,
  %remui = arith.remui %a, %b : i32
  // CHECK-SAME: "ceildivsi":-3,
  %ceildivsi = arith.ceildivsi %a, %b : i32
  // CHECK-SAME: "ceildivui":1,
  %ceildivui = arith.ceildivui %a, %b : i32
  // CHECK-SAME: "floordivsi":-4,
  %floordivsi = arith.floordivsi %a, %b : i32
  // CHECK-SAME: "andi":6,
  %andi = arith.andi %a, %b : i32
  // CHECK-SAME: "ori":-1,
  %ori = arith.ori %a, %b : i32
  // CHECK-SAME: "xori":-7,
  %xori = arith.xori %a, %b : i32
  // CHECK-SAME: "maxsi":7,
  %maxsi = arith.maxsi %a, %b : i32
  // CHECK-SAME: "maxui":-2,
  %maxui = arith.maxui %a, %b : i32
  // CHECK-SAME: "minsi":-2,
  %minsi = arith.minsi %a, %b : i32
  // CHECK-SAME: "minui":7,
  %minui = arith.minui %a, %b : i32
  // 7 * 2^30 - 2 * 2^32.
  // CHECK-SAME: "shli":-1073741824,
  %shli = arith.shli %a, %thirty : i32
  // CHECK-SAME: "shrsi":-1,
  %shrsi = arith.shrsi %b, %one : i32
  // CHECK-SAME: "shrui":2147483647,
  %shrui = arith.shrui %b, %one : i32
  // CHECK-SAME: "sum":5,"overflow":true,
  %sum, %overflow = arith.addui_extended %a, %b : i32, i1
  // CHECK-SAME: "slow":-14,"shigh":-1,
  %slow, %shigh = arith.mulsi_extended %a, %b : i32
  // 7 * (2^32 - 2) = 6 * 2^32 + (2^32 - 14).
  // CHECK-SAME: "ulow":-14,"uhigh":6}
  %ulow, %uhigh = arith.mului_extended %a, %b : i32
  return %addi, %wraps, %subi, %muli, %divsi, %divui, %remsi, %remui, %ceildivsi, %ceildivui, %floordivsi,
      %andi, %ori, %xori, %maxsi, %maxui, %minsi, %minui, %shli, %shrsi, %shrui, %sum, %overflow,
      %slow, %shigh, %ulow, %uhigh
      : i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32,
        i32, i32, i1, i32, i32, i32, i32
}
