// Comparisons, each predicate, and selection.

// RUN: split-file %s %t
// RUN: ampc --interpret %t/integers.mlir --input %t/integers.jsonl --output - | FileCheck %s --check-prefix=INT
// RUN: ampc --interpret %t/floats.mlir --input %t/floats.jsonl --output - | FileCheck %s --check-prefix=FLOAT
// RUN: ampc --interpret %t/select.mlir --input %t/select.jsonl --output - | FileCheck %s --check-prefix=SELECT

//--- integers.jsonl
{"a": 7, "b": -2, "p": true, "q": false}
{"a": 3, "b": 3, "p": true, "q": true}

//--- integers.mlir
// INT: {"eq":false,"ne":true,"slt":false,"sle":false,"sgt":true,"sge":true,"ult":true,"ule":true,"ugt":false,"uge":false,"bits":true}
// INT: {"eq":true,"ne":false,"slt":false,"sle":true,"sgt":false,"sge":true,"ult":false,"ule":true,"ugt":false,"uge":true,"bits":false}
func.func @f(%a: i64 {amp.name = "a"}, %b: i64 {amp.name = "b"}, %p: i1 {amp.name = "p"}, %q: i1 {amp.name = "q"})
    -> (i1 {amp.name = "eq"}, i1 {amp.name = "ne"}, i1 {amp.name = "slt"}, i1 {amp.name = "sle"},
        i1 {amp.name = "sgt"}, i1 {amp.name = "sge"}, i1 {amp.name = "ult"}, i1 {amp.name = "ule"},
        i1 {amp.name = "ugt"}, i1 {amp.name = "uge"}, i1 {amp.name = "bits"}) {
  %eq = arith.cmpi eq, %a, %b : i64
  %ne = arith.cmpi ne, %a, %b : i64
  %slt = arith.cmpi slt, %a, %b : i64
  %sle = arith.cmpi sle, %a, %b : i64
  %sgt = arith.cmpi sgt, %a, %b : i64
  %sge = arith.cmpi sge, %a, %b : i64
  %ult = arith.cmpi ult, %a, %b : i64
  %ule = arith.cmpi ule, %a, %b : i64
  %ugt = arith.cmpi ugt, %a, %b : i64
  %uge = arith.cmpi uge, %a, %b : i64
  // True is -1 as a signed i1.
  %bits = arith.cmpi slt, %p, %q : i1
  return %eq, %ne, %slt, %sle, %sgt, %sge, %ult, %ule, %ugt, %uge, %bits
      : i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1
}

//--- floats.jsonl
{"a": 1.0, "b": 2.0}
{"a": 0.0, "b": -0.0}

//--- floats.mlir
// FLOAT: {"o":[false,false,false,false,true,true,true,true],"u":[false,false,false,true,true,true,false,true],
// FLOAT-SAME: "nan_o":[false,false,false,false,false,false,false,false],"nan_u":[true,true,true,true,true,true,true,true]}
// FLOAT: {"o":[false,true,false,true,false,true,false,true],"u":[true,false,true,false,true,false,false,true],
func.func @f(%a: f32 {amp.name = "a"}, %b: f32 {amp.name = "b"})
    -> (tensor<8xi1> {amp.name = "o"}, tensor<8xi1> {amp.name = "u"},
        tensor<8xi1> {amp.name = "nan_o"}, tensor<8xi1> {amp.name = "nan_u"}) {
  %nan = arith.constant 0x7FC00000 : f32
  %o, %u = call @all(%a, %b) : (f32, f32) -> (tensor<8xi1>, tensor<8xi1>)
  %nan_o, %nan_u = call @all(%nan, %b) : (f32, f32) -> (tensor<8xi1>, tensor<8xi1>)
  return %o, %u, %nan_o, %nan_u : tensor<8xi1>, tensor<8xi1>, tensor<8xi1>, tensor<8xi1>
}
func.func private @all(%a: f32, %b: f32) -> (tensor<8xi1>, tensor<8xi1>) {
  %false = arith.cmpf false, %a, %b : f32
  %oeq = arith.cmpf oeq, %a, %b : f32
  %ogt = arith.cmpf ogt, %a, %b : f32
  %oge = arith.cmpf oge, %a, %b : f32
  %olt = arith.cmpf olt, %a, %b : f32
  %ole = arith.cmpf ole, %a, %b : f32
  %one = arith.cmpf one, %a, %b : f32
  %ord = arith.cmpf ord, %a, %b : f32
  %ueq = arith.cmpf ueq, %a, %b : f32
  %ugt = arith.cmpf ugt, %a, %b : f32
  %uge = arith.cmpf uge, %a, %b : f32
  %ult = arith.cmpf ult, %a, %b : f32
  %ule = arith.cmpf ule, %a, %b : f32
  %une = arith.cmpf une, %a, %b : f32
  %uno = arith.cmpf uno, %a, %b : f32
  %true = arith.cmpf true, %a, %b : f32
  %o = tensor.from_elements %false, %oeq, %ogt, %oge, %olt, %ole, %one, %ord : tensor<8xi1>
  %u = tensor.from_elements %ueq, %ugt, %uge, %ult, %ule, %une, %uno, %true : tensor<8xi1>
  return %o, %u : tensor<8xi1>, tensor<8xi1>
}

//--- select.jsonl
{"p": true, "mask": [true, false, true], "a": [1, 2, 3], "b": [-1, -2, -3]}
{"p": false, "mask": [false, false, true], "a": [1, 2, 3], "b": [-1, -2, -3]}

//--- select.mlir
// SELECT: {"scalar":5.5,"whole":[1,2,3],"each":[1,-2,3]}
// SELECT: {"scalar":-5.5,"whole":[-1,-2,-3],"each":[-1,-2,3]}
func.func @f(%p: i1 {amp.name = "p"}, %mask: tensor<?xi1> {amp.name = "mask"},
             %a: tensor<?xi64> {amp.name = "a"}, %b: tensor<?xi64> {amp.name = "b"})
    -> (f64 {amp.name = "scalar"}, tensor<?xi64> {amp.name = "whole"}, tensor<?xi64> {amp.name = "each"}) {
  %x = arith.constant 5.5 : f64
  %y = arith.constant -5.5 : f64
  %scalar = arith.select %p, %x, %y : f64
  %whole = arith.select %p, %a, %b : tensor<?xi64>
  %each = arith.select %mask, %a, %b : tensor<?xi1>, tensor<?xi64>
  return %scalar, %whole, %each : f64, tensor<?xi64>, tensor<?xi64>
}
