// bf16, f16 and f64: fields, parameters and results; each op's result is rounded once, to its own type.

// RUN: split-file %s %t
// RUN: %python %S/Inputs/half_weights.py > %t/weights.safetensors
// RUN: ampc --interpret %t/io.mlir --input %t/io.jsonl --output - --weights %t/weights.safetensors | FileCheck %s --check-prefix=IO
// RUN: ampc --interpret %t/bf16.mlir --input %t/one.jsonl --output - | FileCheck %s --check-prefix=BF16
// RUN: ampc --interpret %t/f16.mlir --input %t/one.jsonl --output - | FileCheck %s --check-prefix=F16
// RUN: ampc --interpret %t/f64.mlir --input %t/one.jsonl --output - | FileCheck %s --check-prefix=F64
// RUN: ampc --interpret %t/sums.mlir --input %t/sums.jsonl --output - | FileCheck %s --check-prefix=SUM

//--- io.jsonl
{"b": [0.1, 3.0, -1e30], "h": [[0.1, 65504.0], [6e-8, -2.0]], "d": [0.1, 1e300]}
{"b": [], "h": [], "d": []}

//--- io.mlir
// 0.1 is 205 * 2^-11 in bf16 and 1638 * 2^-14 in f16. The file has pb and ph; cb and ch start as 1/3, which is
// 170.7 * 2^-9 in bf16 and 1365.3 * 2^-12 in f16.
// IO{LITERAL}: {"b":[0.100097656,3.0,-1.00025555e+30],"h":[[0.099975586,65504.0],[5.9604645e-08,-2.0]],"d":[0.1,1e+300],
// IO-SAME{LITERAL}: "pb":[0.5,-1.0,3.0],"ph":[[0.25,2.0]],"pd":[0.1],"cb":[0.33398438],"ch":[0.33325195]}
// IO: {"b":[],"h":[],"d":[],"pb":[0.5,-1.0,3.0],
amp.param @pb : tensor<3xbf16> init(zeros)
amp.param @ph : tensor<?x2xf16> init(zeros)
amp.param @pd : tensor<1xf64> init(constant, 0.1)
amp.param @cb : tensor<1xbf16> init(constant, 0.3333333333)
amp.param @ch : tensor<1xf16> init(constant, 0.3333333333)
func.func @f(%b: tensor<?xbf16> {amp.name = "b"}, %h: tensor<?x2xf16> {amp.name = "h"}, %d: tensor<?xf64> {amp.name = "d"})
    -> (tensor<?xbf16> {amp.name = "b"}, tensor<?x2xf16> {amp.name = "h"}, tensor<?xf64> {amp.name = "d"},
        tensor<3xbf16> {amp.name = "pb"}, tensor<?x2xf16> {amp.name = "ph"}, tensor<1xf64> {amp.name = "pd"},
        tensor<1xbf16> {amp.name = "cb"}, tensor<1xf16> {amp.name = "ch"}) {
  %pb = amp.get @pb : tensor<3xbf16>
  %ph = amp.get @ph : tensor<?x2xf16>
  %pd = amp.get @pd : tensor<1xf64>
  %cb = amp.get @cb : tensor<1xbf16>
  %ch = amp.get @ch : tensor<1xf16>
  return %b, %h, %d, %pb, %ph, %pd, %cb, %ch
      : tensor<?xbf16>, tensor<?x2xf16>, tensor<?xf64>, tensor<3xbf16>, tensor<?x2xf16>, tensor<1xf64>, tensor<1xbf16>, tensor<1xf16>
}

//--- one.jsonl
{"x": [1.0, 2.0], "y": [3.0, 0.5]}

//--- bf16.mlir
// 8 bits: from 0.25 to 0.5 the step is 2^-9, from 0.5 to 1 2^-8, from 1 to 2 2^-7, from 2 to 4 2^-6, from 4 to 8 2^-5.
// 1/3 = 170.7 * 2^-9; tanh(1) = 194.97 * 2^-8, tanh(2) = 246.8 * 2^-8; exp(1) = 173.97 * 2^-6, exp(2) = 236.4 * 2^-5;
// sigmoid(1) = 187.2 * 2^-8, sigmoid(2) = 225.48 * 2^-8.
// BF16: {"div":[0.33398438,4.0],"tanh":[0.76171875,0.96484375],"exp":[2.71875,7.375],"sigmoid":[0.73046875,0.87890625],
// exp(1) / (exp(1) + exp(2)) = 0.26894 = 137.7 * 2^-9, and 0.73106 = 187.2 * 2^-8; sqrt(2) = 181.02 * 2^-7;
// 1.0078125^2 = 1.01568604 = 130.008 * 2^-7, and adding 2^-8 gives 130.508 before rounding, but 130 + 0.5, which goes to 130, after it.
// BF16-SAME: "softmax":[0.26953125,0.73046875],"sqrt":[1.0,1.4140625],"fma":[1.0234375],"steps":[1.015625],"wide":[1.1015625],
// BF16-SAME: "from_int":[256.0,258.0],"to_int":[256,-3],"large":[3.3895314e+38,null]}
func.func @f(%x: tensor<2xbf16> {amp.name = "x"}, %y: tensor<2xbf16> {amp.name = "y"})
    -> (tensor<2xbf16> {amp.name = "div"}, tensor<2xbf16> {amp.name = "tanh"}, tensor<2xbf16> {amp.name = "exp"},
        tensor<2xbf16> {amp.name = "sigmoid"}, tensor<2xbf16> {amp.name = "softmax"}, tensor<2xbf16> {amp.name = "sqrt"},
        tensor<1xbf16> {amp.name = "fma"}, tensor<1xbf16> {amp.name = "steps"}, tensor<1xf32> {amp.name = "wide"},
        tensor<2xbf16> {amp.name = "from_int"}, tensor<2xi32> {amp.name = "to_int"}, tensor<2xbf16> {amp.name = "large"}) {
  %div = arith.divf %x, %y : tensor<2xbf16>
  %tanh = math.tanh %x : tensor<2xbf16>
  %exp = math.exp %x : tensor<2xbf16>
  %sigmoid = amp.sigmoid %x : tensor<2xbf16>
  %softmax = amp.softmax %x : tensor<2xbf16>
  %sqrt = math.sqrt %x : tensor<2xbf16>
  %a = arith.constant dense<1.0078125> : tensor<1xbf16>
  %b = arith.constant dense<0.00390625> : tensor<1xbf16>
  %fma = math.fma %a, %a, %b : tensor<1xbf16>
  %square = arith.mulf %a, %a : tensor<1xbf16>
  %steps = arith.addf %square, %b : tensor<1xbf16>
  %tenth = arith.constant dense<1.1015625> : tensor<1xbf16>
  %wide = arith.extf %tenth : tensor<1xbf16> to tensor<1xf32>
  %ints = arith.constant dense<[257, 258]> : tensor<2xi32>
  %from_int = arith.sitofp %ints : tensor<2xi32> to tensor<2xbf16>
  %floats = arith.constant dense<[257.0, -3.75]> : tensor<2xbf16>
  %to_int = arith.fptosi %floats : tensor<2xbf16> to tensor<2xi32>
  %most = arith.constant dense<[0x7F7F, 0x7F7F]> : tensor<2xbf16>
  %large = arith.mulf %most, %x : tensor<2xbf16>
  return %div, %tanh, %exp, %sigmoid, %softmax, %sqrt, %fma, %steps, %wide, %from_int, %to_int, %large
      : tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<1xbf16>,
        tensor<1xbf16>, tensor<1xf32>, tensor<2xbf16>, tensor<2xi32>, tensor<2xbf16>
}

//--- f16.mlir
// 11 bits. 1/3 = 1365.3 * 2^-12; tanh(1) = 1559.7 * 2^-11, tanh(2) = 1974.3 * 2^-11; exp(1) = 1391.8 * 2^-9,
// exp(2) = 1891.6 * 2^-8. 65504 is the largest number, 2^-24 the smallest one.
// F16: {"div":[0.33325195,4.0],"tanh":[0.76171875,0.9638672],"exp":[2.71875,7.390625],"large":[65504.0,null],"small":[5.9604645e-08,0.0]}
func.func @f(%x: tensor<2xf16> {amp.name = "x"}, %y: tensor<2xf16> {amp.name = "y"})
    -> (tensor<2xf16> {amp.name = "div"}, tensor<2xf16> {amp.name = "tanh"}, tensor<2xf16> {amp.name = "exp"},
        tensor<2xf16> {amp.name = "large"}, tensor<2xf16> {amp.name = "small"}) {
  %div = arith.divf %x, %y : tensor<2xf16>
  %tanh = math.tanh %x : tensor<2xf16>
  %exp = math.exp %x : tensor<2xf16>
  %most = arith.constant dense<65504.0> : tensor<2xf16>
  %large = arith.mulf %most, %x : tensor<2xf16>
  %least = arith.constant dense<5.9604645e-8> : tensor<2xf16>
  %fourth = arith.constant dense<[1.0, 0.25]> : tensor<2xf16>
  %small = arith.mulf %least, %fourth : tensor<2xf16>
  return %div, %tanh, %exp, %large, %small : tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>
}

//--- f64.mlir
// F64: {"div":[0.3333333333333333,4.0],"tanh":[0.7615941559557649,0.9640275800758169],"linear":[1.0000000000000002],"argmax":0,"pool":2.0,"loss":0.3132616875182{{[0-9]+}}}
func.func @f(%x: tensor<2xf64> {amp.name = "x"}, %y: tensor<2xf64> {amp.name = "y"})
    -> (tensor<2xf64> {amp.name = "div"}, tensor<2xf64> {amp.name = "tanh"}, tensor<1xf64> {amp.name = "linear"},
        index {amp.name = "argmax"}, tensor<f64> {amp.name = "pool"}, f64 {amp.name = "loss"}) {
  %div = arith.divf %x, %y : tensor<2xf64>
  %tanh = math.tanh %x : tensor<2xf64>
  // 1 * 1 + 2 * 2^-53.
  %W = arith.constant dense<[[1.0], [1.1102230246251565e-16]]> : tensor<2x1xf64>
  %linear = amp.linear %x, %W : tensor<2xf64>, tensor<2x1xf64>
  %argmax = amp.argmax %y : tensor<2xf64>
  %pool = amp.pool max %x : tensor<2xf64>
  %one = arith.constant 1 : index
  %loss = amp.loss cross_entropy %x, %one : tensor<2xf64>, index -> f64
  return %div, %tanh, %linear, %argmax, %pool, %loss : tensor<2xf64>, tensor<2xf64>, tensor<1xf64>, index, tensor<f64>, f64
}

//--- sums.jsonl
{"n": 2, "k": 1}

//--- sums.mlir
// Sums of many numbers are rounded once: 256 + 1 + 1 = 258 in bf16, 256 where each addition is an op of its own. What only moves
// numbers leaves them as they are.
// SUM{LITERAL}: {"linear":[[258.0]],"segment":[258.0,0.0],"pool":258.0,"grouped":[[258.0]],"scan":[256.0],"mean":86.0,
// SUM-SAME{LITERAL}: "map":[[1.0],[1.0]],"lookup":[1.0],"gather":[1.0,256.0],"group":[1.0,256.0,1.0],"stack":[[256.0],[1.0]],"loss":2.0}
func.func @f(%n: index {amp.name = "n"}, %k: i32 {amp.name = "k"})
    -> (tensor<1x1xbf16> {amp.name = "linear"}, tensor<?xbf16> {amp.name = "segment"}, tensor<bf16> {amp.name = "pool"},
        tensor<1x1xbf16> {amp.name = "grouped"}, tensor<1xbf16> {amp.name = "scan"}, tensor<bf16> {amp.name = "mean"},
        tensor<?x1xbf16> {amp.name = "map"}, tensor<1xbf16> {amp.name = "lookup"}, tensor<2xbf16> {amp.name = "gather"},
        tensor<3xbf16> {amp.name = "group"}, tensor<?x1xbf16> {amp.name = "stack"}, f32 {amp.name = "loss"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %x = arith.constant dense<[[256.0, 1.0, 1.0]]> : tensor<1x3xbf16>
  %ones = arith.constant dense<1.0> : tensor<3x1xbf16>
  %linear = amp.linear %x, %ones : tensor<1x3xbf16>, tensor<3x1xbf16>
  %v = arith.constant dense<[256.0, 1.0, 1.0]> : tensor<3xbf16>
  %s = arith.constant dense<0> : tensor<3xi32>
  %segment = amp.segment sum %v[%s] to %n : tensor<3xbf16>, tensor<3xi32>
  %pool = amp.pool sum %v : tensor<3xbf16>
  %mean = amp.pool mean %v : tensor<3xbf16>
  %W = arith.constant dense<1.0> : tensor<2x3x1xbf16>
  %b = arith.constant dense<0.0> : tensor<2x1xbf16>
  %which = arith.constant dense<1> : tensor<1xi32>
  %grouped = amp.grouped_linear %x, %W[%which], %b : tensor<1x3xbf16>, tensor<2x3x1xbf16>, tensor<1xi32>, tensor<2x1xbf16>
  %column = tensor.expand_shape %v [[0, 1]] output_shape [3, 1] : tensor<3xbf16> into tensor<3x1xbf16>
  %zero = arith.constant dense<0.0> : tensor<1xbf16>
  %scan = amp.scan %i = %c0 to %c3 carry(%t = %zero) : (tensor<1xbf16>) {
    %e = amp.lookup %column[%i] : tensor<3x1xbf16>, index
    %u = arith.addf %t, %e : tensor<1xbf16>
    amp.yield %u : tensor<1xbf16>
  }
  %lookup = amp.lookup %column[%k] : tensor<3x1xbf16>, i32
  %map = amp.map %i to %n -> (tensor<?x1xbf16>) {
    amp.yield %lookup : tensor<1xbf16>
  }
  %at = arith.constant dense<[2, 0]> : tensor<2xi32>
  %gather = amp.gather %v[%at] : tensor<3xbf16>, tensor<2xi32>
  %keys = arith.constant dense<[1, 0, 1]> : tensor<3xi32>
  %group, %starts = amp.group %v[%keys] to %n : tensor<3xbf16>, tensor<3xi32>
  %l0 = amp.list : !amp.list<tensor<1xbf16>>
  %l1 = amp.push %scan, %l0 : !amp.list<tensor<1xbf16>>
  %l2 = amp.push %lookup, %l1 : !amp.list<tensor<1xbf16>>
  %stack = amp.stack %l2 : !amp.list<tensor<1xbf16>>
  // The loss is an f32: (258 - 257)^2 and (1 - 2)^2 are not rounded to bf16, 257 is.
  %p = arith.constant dense<[258.0, 1.0]> : tensor<2xbf16>
  %q = arith.constant dense<[257.0, 0.0]> : tensor<2xbf16>
  %loss4 = amp.loss squared_error %p, %q : tensor<2xbf16>, tensor<2xbf16> -> f32
  %three = arith.constant 3.0 : f32
  %loss = arith.subf %loss4, %three : f32
  return %linear, %segment, %pool, %grouped, %scan, %mean, %map, %lookup, %gather, %group, %stack, %loss
      : tensor<1x1xbf16>, tensor<?xbf16>, tensor<bf16>, tensor<1x1xbf16>, tensor<1xbf16>, tensor<bf16>, tensor<?x1xbf16>,
        tensor<1xbf16>, tensor<2xbf16>, tensor<3xbf16>, tensor<?x1xbf16>, f32
}
