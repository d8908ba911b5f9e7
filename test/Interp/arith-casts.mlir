// Conversions between number types.

// RUN: split-file %s %t
// RUN: ampc --interpret %t/integers.mlir --input %t/integers.jsonl --output - | FileCheck %s --check-prefix=INT
// RUN: ampc --interpret %t/floats.mlir --input %t/floats.jsonl --output - | FileCheck %s --check-prefix=FLOAT

//--- integers.jsonl
{"x": -2, "y": 4294967299, "p": true}

//--- integers.mlir
// INT: {"extsi":-2,"extui":4294967294,"trunci":3,"low_bit":true,"extsi_i1":-1,"extui_i1":1,
// INT-SAME: "to_index":-2,"to_index_ui":4294967294,"from_index":3,"bitcast":1.0,"bits":1065353216,"each":[-1,0]}
func.func @f(%x: i32 {amp.name = "x"}, %y: i64 {amp.name = "y"}, %p: i1 {amp.name = "p"})
    -> (i64 {amp.name = "extsi"}, i64 {amp.name = "extui"}, i32 {amp.name = "trunci"}, i1 {amp.name = "low_bit"},
        i32 {amp.name = "extsi_i1"}, i32 {amp.name = "extui_i1"}, index {amp.name = "to_index"},
        index {amp.name = "to_index_ui"}, i32 {amp.name = "from_index"}, f32 {amp.name = "bitcast"},
        i32 {amp.name = "bits"}, tensor<2xi32> {amp.name = "each"}) {
  %extsi = arith.extsi %x : i32 to i64
  %extui = arith.extui %x : i32 to i64
  %trunci = arith.trunci %y : i64 to i32
  %low_bit = arith.trunci %y : i64 to i1
  %extsi_i1 = arith.extsi %p : i1 to i32
  %extui_i1 = arith.extui %p : i1 to i32
  %to_index = arith.index_cast %x : i32 to index
  %to_index_ui = arith.index_castui %x : i32 to index
  %y_index = arith.index_cast %y : i64 to index
  %from_index = arith.index_cast %y_index : index to i32
  %c = arith.constant 1065353216 : i32
  %bitcast = arith.bitcast %c : i32 to f32
  %bits = arith.bitcast %bitcast : f32 to i32
  %mask = arith.constant dense<[true, false]> : tensor<2xi1>
  %each = arith.extsi %mask : tensor<2xi1> to tensor<2xi32>
  return %extsi, %extui, %trunci, %low_bit, %extsi_i1, %extui_i1, %to_index, %to_index_ui, %from_index, %bitcast,
      %bits, %each : i64, i64, i32, i1, i32, i32, index, index, i32, f32, i32, tensor<2xi32>
}

//--- floats.jsonl
{"a": [-2.75, 2.75], "w": 0.1, "x": 0.1, "n": -2, "k": 1152921573326323713, "b": [1.00390625, 1.01171875], "p": true}

//--- floats.mlir
// FLOAT: {"fptosi":[-2,2],"fptoui":3,"sitofp":-2.0,"uitofp":4294967294.0,"sitofp_i1":-1.0,"uitofp_i1":1.0,
// k = 2^60 + 2^36 + 1 is just above the middle of two f32; by way of f64 it would be the middle, and go down.
// FLOAT-SAME: "once":1152921642045800448,
// FLOAT-SAME: "truncf":0.1,"extf":0.10000000149011612,"bf16":[1.0,1.015625]}
func.func @f(%a: tensor<2xf32> {amp.name = "a"}, %w: f64 {amp.name = "w"}, %x: f32 {amp.name = "x"},
             %n: i32 {amp.name = "n"}, %k: i64 {amp.name = "k"}, %b: tensor<2xf32> {amp.name = "b"},
             %p: i1 {amp.name = "p"})
    -> (tensor<2xi32> {amp.name = "fptosi"}, i32 {amp.name = "fptoui"}, f32 {amp.name = "sitofp"},
        f64 {amp.name = "uitofp"}, f32 {amp.name = "sitofp_i1"}, f32 {amp.name = "uitofp_i1"},
        i64 {amp.name = "once"}, f32 {amp.name = "truncf"}, f64 {amp.name = "extf"}, tensor<2xbf16> {amp.name = "bf16"}) {
  %fptosi = arith.fptosi %a : tensor<2xf32> to tensor<2xi32>
  %c = arith.constant 3.99 : f32
  %fptoui = arith.fptoui %c : f32 to i32
  %sitofp = arith.sitofp %n : i32 to f32
  %uitofp = arith.uitofp %n : i32 to f64
  %sitofp_i1 = arith.sitofp %p : i1 to f32
  %uitofp_i1 = arith.uitofp %p : i1 to f32
  %rounded = arith.sitofp %k : i64 to f32
  %once = arith.fptosi %rounded : f32 to i64
  %truncf = arith.truncf %w : f64 to f32
  %extf = arith.extf %x : f32 to f64
  %bf16 = arith.truncf %b : tensor<2xf32> to tensor<2xbf16>
  return %fptosi, %fptoui, %sitofp, %uitofp, %sitofp_i1, %uitofp_i1, %once, %truncf, %extf, %bf16
      : tensor<2xi32>, i32, f32, f64, f32, f32, i64, f32, f64, tensor<2xbf16>
}
