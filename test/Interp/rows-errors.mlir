// Rows that are not there, or do not fit: each fails its instance, with the place, what it is, and the limit.

// RUN: split-file %s %t
// RUN: not ampc --interpret %t/model.mlir --input %t/in.jsonl --output - 2>/dev/null | FileCheck %s

//--- in.jsonl
{"case": 0, "i": [2, 1], "n": 3, "k": 1}
{"case": 0, "i": [2, 3], "n": 3, "k": 1}
{"case": 0, "i": [-1], "n": 3, "k": 1}
{"case": 1, "i": [2, 3, 0], "n": 3, "k": 1}
{"case": 1, "i": [0, 0, 0], "n": -1, "k": 1}
{"case": 1, "i": [0, 0], "n": 3, "k": 1}
{"case": 2, "i": [0, 0, 0], "n": 3, "k": 1}
{"case": 2, "i": [0, 0, 2], "n": 3, "k": 1}
{"case": 2, "i": [0, 0], "n": 3, "k": 1}
{"case": 3, "i": [0, 0, 3], "n": 3, "k": 1}
{"case": 3, "i": [0, 0, 3, 1], "n": 3, "k": 1}
{"case": 4, "i": [0, -2, 3], "n": 3, "k": 1}
{"case": 4, "i": [0], "n": 3, "k": 1}
{"case": 4, "i": [0, 0, 0], "n": -3, "k": 1}
{"case": 5, "i": [0, 1, 2], "n": 3, "k": 1}
{"case": 5, "i": [0, 1], "n": 3, "k": 1}
{"case": 6, "i": [], "n": 3, "k": 1}
{"case": 6, "i": [], "n": 3, "k": -1}
{"case": 7, "i": [0, 1], "n": 3, "k": 1}
{"case": 8, "i": [], "n": 1099511627776, "k": 1}
{"case": 9, "i": [], "n": 9223372036854775807, "k": 1}
{"case": 10, "i": [0, 1, 0], "n": 3, "k": 1}
{"case": 11, "i": [], "n": 268435457, "k": 1}

//--- model.mlir
// CHECK: {"ok":true}
func.func @f(%case: index {amp.name = "case"}, %i: tensor<?xi32> {amp.name = "i"}, %n: index {amp.name = "n"},
             %k: i32 {amp.name = "k"}) -> (i1 {amp.name = "ok"}) {
  %true = arith.constant true
  %x = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %open = tensor.cast %x : tensor<3x2xf32> to tensor<?x2xf32>
  %none = arith.constant dense<> : tensor<0x2xf32>
  %W = arith.constant dense<1.0> : tensor<2x2x3xf32>
  %openW = tensor.cast %W : tensor<2x2x3xf32> to tensor<?x2x3xf32>
  %b = arith.constant dense<1.0> : tensor<3x3xf32>
  %openb = tensor.cast %b : tensor<3x3xf32> to tensor<?x3xf32>
  scf.index_switch %case
  case 0 { // CHECK: {"error":"{{.*}}model.mlir:14:10: index 3 is outside [0, 3)"}
    %r = amp.gather %open[%i] : tensor<?x2xf32>, tensor<?xi32> // CHECK: {"error":"{{.*}}model.mlir:14:10: index -1 is outside [0, 3)"}
    scf.yield
  }
  case 1 { // CHECK: {"error":"{{.*}}model.mlir:18:10: segment 3 is outside [0, 3)"}
    %r = amp.segment max %open[%i] to %n : tensor<?x2xf32>, tensor<?xi32> // CHECK: {"error":"{{.*}}model.mlir:18:10: segment 0 is outside [0, 0)"}
    scf.yield // CHECK: {"error":"{{.*}}model.mlir:18:10: operands have different numbers of rows: tensor<3x2xf32> and tensor<2xi32>"}
  }
  case 2 { // CHECK: {"ok":true}
    %r = amp.grouped_linear %open, %openW[%i] : tensor<?x2xf32>, tensor<?x2x3xf32>, tensor<?xi32> // CHECK: {"error":"{{.*}}model.mlir:22:10: index 2 is outside [0, 2)"}
    scf.yield // CHECK: {"error":"{{.*}}model.mlir:22:10: operands have different numbers of rows: tensor<3x2xf32> and tensor<2xi32>"}
  }
  case 3 { // CHECK: {"error":"{{.*}}model.mlir:26:14: key 3 is outside [0, 3)"}
    %r, %s = amp.group %open[%i] to %n : tensor<?x2xf32>, tensor<?xi32> // CHECK: {"error":"{{.*}}model.mlir:26:14: operands have different numbers of rows: tensor<3x2xf32> and tensor<4xi32>"}
    scf.yield
  }
  case 4 { // CHECK: {"error":"{{.*}}model.mlir:30:10: key -2 is outside [0, 3)"}
    %r = amp.ungroup %open[%i] to %n : tensor<?x2xf32>, tensor<?xi32> // CHECK: {"error":"{{.*}}model.mlir:30:10: operands have different numbers of rows: tensor<3x2xf32> and tensor<1xi32>"}
    scf.yield // CHECK: {"error":"{{.*}}model.mlir:30:10: key 0 is outside [0, 0)"}
  }
  case 5 { // CHECK: {"error":"{{.*}}model.mlir:34:10: target 2 is outside [0, 2)"}
    %r = amp.loss cross_entropy %open, %i : tensor<?x2xf32>, tensor<?xi32> -> f32 // CHECK: {"error":"{{.*}}model.mlir:34:10: operands have different numbers of rows: tensor<3x2xf32> and tensor<2xi32>"}
    scf.yield
  }
  case 6 { // CHECK: {"ok":true}
    %v = arith.constant dense<1.0> : tensor<2xf32> // CHECK: {"error":"{{.*}}model.mlir:39:10: target -1 is outside [0, 2)"}
    %r = amp.loss cross_entropy %v, %k : tensor<2xf32>, i32 -> f32
    scf.yield
  }
  case 7 { // CHECK: {"error":"{{.*}}model.mlir:44:10: operands have different dimensions: tensor<2x2xf32> and tensor<3x2xf32>"}
    %y = amp.gather %open[%i] : tensor<?x2xf32>, tensor<?xi32>
    %r = amp.loss squared_error %y, %open : tensor<?x2xf32>, tensor<?x2xf32> -> f32
    scf.yield
  }
  case 8 { // CHECK: {"error":"{{.*}}model.mlir:49:10: a tensor has more than 268435456 elements"}
    %s = tensor.empty() : tensor<0xi64>
    %r = amp.segment sum %none[%s] to %n : tensor<0x2xf32>, tensor<0xi64>
    scf.yield
  }
  case 9 { // CHECK: {"error":"{{.*}}model.mlir:54:14: a tensor has more than 268435456 elements"}
    %s = tensor.empty() : tensor<0xi64>
    %r, %t = amp.group %none[%s] to %n : tensor<0x2xf32>, tensor<0xi64>
    scf.yield
  }
  case 10 { // CHECK: {"error":"{{.*}}model.mlir:58:10: operands have different numbers of rows: tensor<2x2x3xf32> and tensor<3x3xf32>"}
    %r = amp.grouped_linear %open, %openW[%i], %openb : tensor<?x2xf32>, tensor<?x2x3xf32>, tensor<?xi32>, tensor<?x3xf32>
    scf.yield
  }
  case 11 { // CHECK: {"error":"{{.*}}model.mlir:62:10: a tensor has more than 268435456 elements"}
    %r = amp.iota %n : tensor<?xindex>
    scf.yield
  }
  default {
  }
  return %true : i1
}
