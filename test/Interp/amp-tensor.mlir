// Parameters, lookups, products, soft-max, arg-max.

// RUN: split-file %s %t
// RUN: ampc --interpret %t/model.mlir --input %t/in.jsonl --output - | FileCheck %s
// RUN: ampc --interpret %t/argmax.mlir --input %t/argmax.jsonl --output - | FileCheck %s --check-prefix=ARGMAX

//--- in.jsonl
{"table": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], "i": 2, "x": [1.0, 10.0], "xs": [[1.0, 0.0], [0.0, 1.0]]}

//--- model.mlir
amp.param @half : tensor<2x3xf32> init(constant, 0.5)
amp.param @zero : tensor<2xf64> init(zeros)

func.func @f(%table: tensor<?x2xf32> {amp.name = "table"}, %i: i32 {amp.name = "i"},
             %x: tensor<2xf32> {amp.name = "x"}, %xs: tensor<?x2xf32> {amp.name = "xs"}) -> (
    tensor<2x3xf32> {amp.name = "half"}, tensor<2xf64> {amp.name = "zero"}, tensor<2xf32> {amp.name = "lookup"},
    tensor<3xf32> {amp.name = "linear"}, tensor<3xf32> {amp.name = "bias"}, tensor<?x3xf32> {amp.name = "rows"},
    tensor<1xf32> {amp.name = "cancel"}, tensor<1xbf16> {amp.name = "bf16"},
    tensor<3xf64> {amp.name = "sigmoid"}, f32 {amp.name = "scalar"}, tensor<2x2xf64> {amp.name = "softmax"},
    tensor<2x0xf32> {amp.name = "empty"}, tensor<2xf32> {amp.name = "large"}) {
  // CHECK{LITERAL}: "half":[[0.5,0.5,0.5],[0.5,0.5,0.5]],"zero":[0.0,0.0],
  %half = amp.get @half : tensor<2x3xf32>
  %zero = amp.get @zero : tensor<2xf64>
  // CHECK-SAME: "lookup":[5.0,6.0],
  %lookup = amp.lookup %table[%i] : tensor<?x2xf32>, i32
  // 1 * (1, 2, 3) + 10 * (4, 5, 6), then + (100, 200, 300).
  // CHECK-SAME: "linear":[41.0,52.0,63.0],"bias":[141.0,252.0,363.0],
  %W = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = arith.constant dense<[100.0, 200.0, 300.0]> : tensor<3xf32>
  %linear = amp.linear %x, %W : tensor<2xf32>, tensor<2x3xf32>
  %bias = amp.linear %x, %W, %b : tensor<2xf32>, tensor<2x3xf32>, tensor<3xf32>
  // CHECK-SAME{LITERAL}: "rows":[[101.0,202.0,303.0],[104.0,205.0,306.0]],
  %rows = amp.linear %xs, %W, %b : tensor<?x2xf32>, tensor<2x3xf32>, tensor<3xf32>
  // 2^24 + 1 - 2^24: the sum is rounded once, at the end.
  // CHECK-SAME: "cancel":[1.0],
  %u = arith.constant dense<[16777216.0, 1.0, -16777216.0]> : tensor<3xf32>
  %ones = arith.constant dense<1.0> : tensor<3x1xf32>
  %cancel = amp.linear %u, %ones : tensor<3xf32>, tensor<3x1xf32>
  // 256 + 1 + 1 is 258 in bf16, but 256 if each sum is rounded.
  // CHECK-SAME: "bf16":[258.0],
  %u16 = arith.constant dense<[256.0, 1.0, 1.0]> : tensor<3xbf16>
  %ones16 = arith.constant dense<1.0> : tensor<3x1xbf16>
  %bf16 = amp.linear %u16, %ones16 : tensor<3xbf16>, tensor<3x1xbf16>
  // CHECK-SAME: "sigmoid":[0.0,0.5,0.880797077977882{{[0-9]+}}],"scalar":1.0,
  %v = arith.constant dense<[-1000.0, 0.0, 2.0]> : tensor<3xf64>
  %sigmoid = amp.sigmoid %v : tensor<3xf64>
  %thousand = arith.constant 1000.0 : f32
  %scalar = amp.sigmoid %thousand : f32
  // 1 / (1 + 3) and 3 / (1 + 3), for each row.
  // CHECK-SAME: "softmax":{{\[\[}}0.25{{[0-9]*}},0.75{{[0-9]*}}],[0.5,0.5]],"empty":{{\[\[\],\[\]\]}},"large":[0.5,0.5]}
  %scores = arith.constant dense<[[0.0, 1.0986122886681098], [7.0, 7.0]]> : tensor<2x2xf64>
  %softmax = amp.softmax %scores : tensor<2x2xf64>
  %none = tensor.empty() : tensor<2x0xf32>
  %empty = amp.softmax %none : tensor<2x0xf32>
  %overflow = arith.constant dense<1000.0> : tensor<2xf32>
  %large = amp.softmax %overflow : tensor<2xf32>
  return %half, %zero, %lookup, %linear, %bias, %rows, %cancel, %bf16, %sigmoid, %scalar, %softmax, %empty, %large
      : tensor<2x3xf32>, tensor<2xf64>, tensor<2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<?x3xf32>, tensor<1xf32>,
        tensor<1xbf16>, tensor<3xf64>, f32, tensor<2x2xf64>, tensor<2x0xf32>, tensor<2xf32>
}

//--- argmax.jsonl
{"x": [1.0, 3.0, 2.0, 3.0], "nan": 0}
{"x": [-5.0], "nan": 0}
{"x": [1.0, 9.0, 2.0, 4.0], "nan": 3}
{"x": [1.0, 9.0, 2.0, 4.0], "nan": 1}

//--- argmax.mlir
// The first of the largest; a NaN is larger than any number.
// ARGMAX: {"plain":1,"with_nan":0}
// ARGMAX: {"plain":0,"with_nan":0}
// ARGMAX: {"plain":1,"with_nan":3}
// ARGMAX: {"plain":1,"with_nan":1}
func.func @f(%x: tensor<?xf32> {amp.name = "x"}, %i: index {amp.name = "nan"})
    -> (index {amp.name = "plain"}, index {amp.name = "with_nan"}) {
  %plain = amp.argmax %x : tensor<?xf32>
  %nan = arith.constant 0x7FC00000 : f32
  %y = tensor.insert %nan into %x[%i] : tensor<?xf32>
  %with_nan = amp.argmax %y : tensor<?xf32>
  return %plain, %with_nan : index, index
}
