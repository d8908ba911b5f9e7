// Floating-point arithmetic: each op rounds once to its element type.

// RUN: split-file %s %t
// RUN: ampc --interpret %t/basic.mlir --input %t/basic.jsonl --output - | FileCheck %s --check-prefix=BASIC
// RUN: ampc --interpret %t/minmax.mlir --input %t/minmax.jsonl --output - | FileCheck %s --check-prefix=MINMAX
// RUN: ampc --interpret %t/small.mlir --input %t/small.jsonl --output - | FileCheck %s --check-prefix=SMALL

//--- basic.jsonl
{"x": 0.1, "y": 0.2, "v": 0.1, "w": 0.2, "a": [7.5, -7.5], "b": [-2.0, 2.0]}

//--- basic.mlir
// In f32 0.1 + 0.2 is the number nearest to 0.3, in f64 it is not.
// BASIC: {"f32":0.3,"f64":0.30000000000000004,
// BASIC-SAME: "sub":[9.5,-9.5],"mul":[-15.0,-15.0],"div":[-3.75,-3.75],"rem":[1.5,-1.5],"neg":[-7.5,7.5],
// BASIC-SAME: "third":0.33333334,"inf":null,"dense":[1.0,1.0],"hex":[0.5,-2.0]}
func.func @f(%x: f32 {amp.name = "x"}, %y: f32 {amp.name = "y"}, %v: f64 {amp.name = "v"}, %w: f64 {amp.name = "w"},
             %a: tensor<2xf32> {amp.name = "a"}, %b: tensor<2xf32> {amp.name = "b"})
    -> (f32 {amp.name = "f32"}, f64 {amp.name = "f64"}, tensor<2xf32> {amp.name = "sub"},
        tensor<2xf32> {amp.name = "mul"}, tensor<2xf32> {amp.name = "div"}, tensor<2xf32> {amp.name = "rem"},
        tensor<2xf32> {amp.name = "neg"}, f32 {amp.name = "third"}, f32 {amp.name = "inf"},
        tensor<2xf32> {amp.name = "dense"}, tensor<2xf32> {amp.name = "hex"}) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %f32 = arith.addf %x, %y : f32
  %f64 = arith.addf %v, %w : f64
  %sub = arith.subf %a, %b : tensor<2xf32>
  %mul = arith.mulf %a, %b : tensor<2xf32>
  %div = arith.divf %a, %b : tensor<2xf32>
  %rem = arith.remf %a, %b : tensor<2xf32>
  %neg = arith.negf %a : tensor<2xf32>
  %third = arith.divf %one, %three : f32
  %inf = arith.divf %one, %zero : f32
  %dense = arith.constant dense<1.0> : tensor<2xf32>
  %hex = arith.constant dense<"0x0000003F000000C0"> : tensor<2xf32>
  return %f32, %f64, %sub, %mul, %div, %rem, %neg, %third, %inf, %dense, %hex
      : f32, f64, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, f32, f32,
        tensor<2xf32>, tensor<2xf32>
}

//--- minmax.jsonl
{"a": [1.0, -0.0, 0.0, 2.0], "b": [2.0, 0.0, -0.0, 1.0]}

//--- minmax.mlir
// MINMAX: {"maximum":[2.0,0.0,0.0,2.0],"minimum":[1.0,-0.0,-0.0,1.0],"maxnum":[2.0,0.0,0.0,2.0],"minnum":[1.0,-0.0,-0.0,1.0],
// One is NaN: so is the result of maximumf and minimumf, but not that of maxnumf and minnumf.
// MINMAX-SAME: "nan":[null,null,null,null,2.0,2.0,2.0,2.0]}
func.func @f(%a: tensor<4xf32> {amp.name = "a"}, %b: tensor<4xf32> {amp.name = "b"})
    -> (tensor<4xf32> {amp.name = "maximum"}, tensor<4xf32> {amp.name = "minimum"},
        tensor<4xf32> {amp.name = "maxnum"}, tensor<4xf32> {amp.name = "minnum"}, tensor<8xf32> {amp.name = "nan"}) {
  %maximum = arith.maximumf %a, %b : tensor<4xf32>
  %minimum = arith.minimumf %a, %b : tensor<4xf32>
  %maxnum = arith.maxnumf %a, %b : tensor<4xf32>
  %minnum = arith.minnumf %a, %b : tensor<4xf32>
  %nan = arith.constant 0x7FC00000 : f32
  %two = arith.constant 2.0 : f32
  %0 = arith.maximumf %nan, %two : f32
  %1 = arith.maximumf %two, %nan : f32
  %2 = arith.minimumf %nan, %two : f32
  %3 = arith.minimumf %two, %nan : f32
  %4 = arith.maxnumf %nan, %two : f32
  %5 = arith.maxnumf %two, %nan : f32
  %6 = arith.minnumf %nan, %two : f32
  %7 = arith.minnumf %two, %nan : f32
  %all = tensor.from_elements %0, %1, %2, %3, %4, %5, %6, %7 : tensor<8xf32>
  return %maximum, %minimum, %maxnum, %minnum, %all
      : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8xf32>
}

//--- small.jsonl
{"b": [1.0, 256.0], "h": [1.0, 2048.0]}

//--- small.mlir
// bf16 has 8 bits of precision: 1 + 1/256 is a tie, to even; 256 + 3 is one, to 260. f16 has 11.
// SMALL: {"b":[1.0,260.0],"h":[1.0009766,2052.0]}
func.func @f(%b: tensor<2xbf16> {amp.name = "b"}, %h: tensor<2xf16> {amp.name = "h"})
    -> (tensor<2xbf16> {amp.name = "b"}, tensor<2xf16> {amp.name = "h"}) {
  %c = arith.constant dense<[0.00390625, 3.0]> : tensor<2xbf16>
  %d = arith.constant dense<[0.0009765625, 3.0]> : tensor<2xf16>
  %x = arith.addf %b, %c : tensor<2xbf16>
  %y = arith.addf %h, %d : tensor<2xf16>
  return %x, %y : tensor<2xbf16>, tensor<2xf16>
}
