// Mathematical functions.

// RUN: split-file %s %t
// RUN: ampc --interpret %t/floats.mlir --input %t/floats.jsonl --output - | FileCheck %s --check-prefix=FLOAT
// RUN: ampc --interpret %t/rounding.mlir --input %t/rounding.jsonl --output - | FileCheck %s --check-prefix=ROUND
// RUN: ampc --interpret %t/integers.mlir --input %t/integers.jsonl --output - | FileCheck %s --check-prefix=INT

//--- floats.jsonl
{"x": 0.5, "y": 3.0}

//--- floats.mlir
func.func @f(%x: f64 {amp.name = "x"}, %y: f64 {amp.name = "y"}) -> (
    f64 {amp.name = "exp"}, f64 {amp.name = "exp2"}, f64 {amp.name = "expm1"}, f64 {amp.name = "log"},
    f64 {amp.name = "log1p"}, f64 {amp.name = "log2"}, f64 {amp.name = "log10"}, f64 {amp.name = "tanh"},
    f64 {amp.name = "sqrt"}, f64 {amp.name = "rsqrt"}, f64 {amp.name = "erf"}, f64 {amp.name = "erfc"},
    f64 {amp.name = "sin"}, f64 {amp.name = "cos"}, f64 {amp.name = "tan"}, f64 {amp.name = "asin"},
    f64 {amp.name = "acos"}, f64 {amp.name = "atan"}, f64 {amp.name = "sinh"}, f64 {amp.name = "cosh"},
    f64 {amp.name = "asinh"}, f64 {amp.name = "acosh"}, f64 {amp.name = "atanh"}, f64 {amp.name = "cbrt"},
    f64 {amp.name = "atan2"}, f64 {amp.name = "powf"}, f64 {amp.name = "fpowi"}, f64 {amp.name = "copysign"},
    f32 {amp.name = "single"}, f32 {amp.name = "fma"}, tensor<3xi1> {amp.name = "kind"}) {
  // FLOAT: "exp":1.648721270700128{{[0-9]*}},
  %exp = math.exp %x : f64
  // FLOAT-SAME: "exp2":8.0,
  %exp2 = math.exp2 %y : f64
  %tiny = arith.constant 1.0e-10 : f64
  // FLOAT-SAME: "expm1":1.00000000005{{[0-9]*}}e-10,
  %expm1 = math.expm1 %tiny : f64
  // FLOAT-SAME: "log":-0.69314718055994{{[0-9]+}},
  %log = math.log %x : f64
  // FLOAT-SAME: "log1p":9.9999999995{{[0-9]*}}e-11,
  %log1p = math.log1p %tiny : f64
  // FLOAT-SAME: "log2":-1.0,
  %log2 = math.log2 %x : f64
  %thousand = arith.constant 1000.0 : f64
  // FLOAT-SAME: "log10":3.0,
  %log10 = math.log10 %thousand : f64
  // FLOAT-SAME: "tanh":0.462117157260009{{[0-9]+}},
  %tanh = math.tanh %x : f64
  // FLOAT-SAME: "sqrt":1.7320508075688772,
  %sqrt = math.sqrt %y : f64
  %four = arith.constant 4.0 : f64
  // FLOAT-SAME: "rsqrt":0.5,
  %rsqrt = math.rsqrt %four : f64
  // FLOAT-SAME: "erf":0.520499877813046{{[0-9]}},
  %erf = math.erf %x : f64
  // FLOAT-SAME: "erfc":0.479500122186953{{[0-9]+}},
  %erfc = math.erfc %x : f64
  // FLOAT-SAME: "sin":0.47942553860420{{[0-9]+}},
  %sin = math.sin %x : f64
  // FLOAT-SAME: "cos":0.87758256189037{{[0-9]+}},
  %cos = math.cos %x : f64
  // FLOAT-SAME: "tan":0.54630248984379{{[0-9]+}},
  %tan = math.tan %x : f64
  // FLOAT-SAME: "asin":0.523598775598298{{[0-9]+}},
  %asin = math.asin %x : f64
  // FLOAT-SAME: "acos":1.047197551196597{{[0-9]+}},
  %acos = math.acos %x : f64
  // FLOAT-SAME: "atan":0.463647609000806{{[0-9]}},
  %atan = math.atan %x : f64
  // FLOAT-SAME: "sinh":0.521095305493747{{[0-9]}},
  %sinh = math.sinh %x : f64
  // FLOAT-SAME: "cosh":1.1276259652063{{[0-9]+}},
  %cosh = math.cosh %x : f64
  // FLOAT-SAME: "asinh":0.481211825059603{{[0-9]+}},
  %asinh = math.asinh %x : f64
  // FLOAT-SAME: "acosh":1.762747174039086{{[0-9]*}},
  %acosh = math.acosh %y : f64
  // FLOAT-SAME: "atanh":0.549306144334054{{[0-9]+}},
  %atanh = math.atanh %x : f64
  %eight = arith.constant -8.0 : f64
  // FLOAT-SAME: "cbrt":-2.0,
  %cbrt = math.cbrt %eight : f64
  // FLOAT-SAME: "atan2":0.165148677414626{{[0-9]+}},
  %atan2 = math.atan2 %x, %y : f64
  // FLOAT-SAME: "powf":0.125,
  %powf = math.powf %x, %y : f64
  %minus_two = arith.constant -2 : i32
  // FLOAT-SAME: "fpowi":4.0,
  %fpowi = math.fpowi %x, %minus_two : f64, i32
  // FLOAT-SAME: "copysign":-3.0,
  %copysign = math.copysign %y, %eight : f64
  // In f32: the exact value rounded once.
  // FLOAT-SAME: "single":0.46211717,
  %x32 = arith.truncf %x : f64 to f32
  %single = math.tanh %x32 : f32
  // (1 + 2^-12)^2 - (1 + 2^-11) = 2^-24: the product must not be rounded.
  // FLOAT-SAME: "fma":5.9604645e-08,
  %a = arith.constant 1.000244140625 : f32
  %c = arith.constant -1.00048828125 : f32
  %fma = math.fma %a, %a, %c : f32
  // FLOAT-SAME: "kind":[true,true,true]}
  %nan = arith.constant 0x7FC00000 : f32
  %inf = arith.constant 0x7F800000 : f32
  %isnan = math.isnan %nan : f32
  %isinf = math.isinf %inf : f32
  %isfinite = math.isfinite %a : f32
  %kind = tensor.from_elements %isnan, %isinf, %isfinite : tensor<3xi1>
  return %exp, %exp2, %expm1, %log, %log1p, %log2, %log10, %tanh, %sqrt, %rsqrt, %erf, %erfc, %sin, %cos, %tan,
      %asin, %acos, %atan, %sinh, %cosh, %asinh, %acosh, %atanh, %cbrt, %atan2, %powf, %fpowi, %copysign, %single,
      %fma, %kind
      : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64,
        f64, f64, f64, f64, f64, f64, f32, f32, tensor<3xi1>
}

//--- rounding.jsonl
{"x": [-2.5, -1.5, 0.4, 0.5, 2.5]}

//--- rounding.mlir
// ROUND: {"floor":[-3.0,-2.0,0.0,0.0,2.0],"ceil":[-2.0,-1.0,1.0,1.0,3.0],"round":[-3.0,-2.0,0.0,1.0,3.0],
// ROUND-SAME: "roundeven":[-2.0,-2.0,0.0,0.0,2.0],"trunc":[-2.0,-1.0,0.0,0.0,2.0],"absf":[2.5,1.5,0.4,0.5,2.5]}
func.func @f(%x: tensor<5xf32> {amp.name = "x"})
    -> (tensor<5xf32> {amp.name = "floor"}, tensor<5xf32> {amp.name = "ceil"}, tensor<5xf32> {amp.name = "round"},
        tensor<5xf32> {amp.name = "roundeven"}, tensor<5xf32> {amp.name = "trunc"}, tensor<5xf32> {amp.name = "absf"}) {
  %floor = math.floor %x : tensor<5xf32>
  %ceil = math.ceil %x : tensor<5xf32>
  %round = math.round %x : tensor<5xf32>
  %roundeven = math.roundeven %x : tensor<5xf32>
  %trunc = math.trunc %x : tensor<5xf32>
  %absf = math.absf %x : tensor<5xf32>
  return %floor, %ceil, %round, %roundeven, %trunc, %absf
      : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}

//--- integers.jsonl
{"x": [-3, 0, 12]}

//--- integers.mlir
// INT: {"absi":[3,0,12],"ctlz":[0,32,28],"cttz":[0,32,2],"ctpop":[31,0,2],"power":81,"inverse":0,"sign":-1}
func.func @f(%x: tensor<3xi32> {amp.name = "x"})
    -> (tensor<3xi32> {amp.name = "absi"}, tensor<3xi32> {amp.name = "ctlz"}, tensor<3xi32> {amp.name = "cttz"},
        tensor<3xi32> {amp.name = "ctpop"}, i32 {amp.name = "power"}, i32 {amp.name = "inverse"}, i32 {amp.name = "sign"}) {
  %absi = math.absi %x : tensor<3xi32>
  %ctlz = math.ctlz %x : tensor<3xi32>
  %cttz = math.cttz %x : tensor<3xi32>
  %ctpop = math.ctpop %x : tensor<3xi32>
  %three = arith.constant 3 : i32
  %four = arith.constant 4 : i32
  %minus_one = arith.constant -1 : i32
  %power = math.ipowi %three, %four : i32
  %inverse = math.ipowi %three, %minus_one : i32
  %sign = math.ipowi %minus_one, %minus_one : i32
  return %absi, %ctlz, %cttz, %ctpop, %power, %inverse, %sign
      : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, i32, i32, i32
}
