// Derivatives of element-wise ops: each has parameters of its own, so the one that is wrong is named.
// RUN: split-file %s %t
// RUN: ampc --check-gradients %t/tensors.mlir --input %t/in.jsonl --samples 0 --seed 3 | FileCheck %s
// RUN: ampc --check-gradients %t/scalars.mlir --input %t/in.jsonl --samples 0 --seed 3 | FileCheck %s --check-prefix=SCALARS

// Of two operands the greater one, or the smaller one, has all of the gradient; steps have none.
// CHECK:      absf: 3 checked, 3 not zero
// CHECK:      ceil: 3 checked, 0 not zero
// CHECK-NEXT: cos: 3 checked, 3 not zero
// CHECK:      maximumf: 3 checked, 1 not zero
// CHECK-NEXT: maximumf.second: 3 checked, 2 not zero
// CHECK-NEXT: maxnumf: 3 checked, 2 not zero
// CHECK-NEXT: maxnumf.second: 3 checked, 1 not zero
// CHECK-NEXT: minimumf: 3 checked, 2 not zero
// CHECK-NEXT: minimumf.second: 3 checked, 1 not zero
// CHECK-NEXT: minnumf: 3 checked, 1 not zero
// CHECK-NEXT: minnumf.second: 3 checked, 2 not zero
// CHECK:      select: 3 checked, 1 not zero
// CHECK-NEXT: select.second: 3 checked, 2 not zero
// CHECK:      trunc: 3 checked, 0 not zero

// SCALARS: absf: 3 checked, 3 not zero
// SCALARS: fma: 3 checked, 3 not zero
// SCALARS: select: 3 checked, 1 not zero
// SCALARS: tanh: 3 checked, 3 not zero

//--- tensors.mlir
amp.param @negf : tensor<3xf32> init(uniform, -2.0, 2.0)
amp.param @absf : tensor<3xf32> init(uniform, -2.0, 2.0)
amp.param @exp : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @exp2 : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @expm1 : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @log : tensor<3xf32> init(uniform, 0.5, 2.0)
amp.param @log2 : tensor<3xf32> init(uniform, 0.5, 2.0)
amp.param @log10 : tensor<3xf32> init(uniform, 0.5, 2.0)
amp.param @log1p : tensor<3xf32> init(uniform, -0.4, 1.0)
amp.param @sqrt : tensor<3xf32> init(uniform, 0.5, 2.0)
amp.param @rsqrt : tensor<3xf32> init(uniform, 0.5, 2.0)
amp.param @sin : tensor<3xf32> init(uniform, -2.0, 2.0)
amp.param @cos : tensor<3xf32> init(uniform, -2.0, 2.0)
amp.param @tan : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @atan : tensor<3xf32> init(uniform, -2.0, 2.0)
amp.param @tanh : tensor<3xf32> init(uniform, -2.0, 2.0)
amp.param @erf : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @sigmoid : tensor<3xf32> init(uniform, -2.0, 2.0)
amp.param @addf : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @addf.second : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @subf : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @subf.second : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @mulf : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @mulf.second : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @divf : tensor<3xf32> init(uniform, 0.5, 2.0)
amp.param @divf.second : tensor<3xf32> init(uniform, 0.5, 2.0)
amp.param @maximumf : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @maximumf.second : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @maxnumf : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @maxnumf.second : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @minimumf : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @minimumf.second : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @minnumf : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @minnumf.second : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @powf : tensor<3xf32> init(uniform, 0.5, 2.0)
amp.param @powf.second : tensor<3xf32> init(uniform, 0.5, 2.0)
amp.param @atan2 : tensor<3xf32> init(uniform, 0.5, 2.0)
amp.param @atan2.second : tensor<3xf32> init(uniform, 0.5, 2.0)
amp.param @ceil : tensor<3xf32> init(uniform, 0.6, 0.9)
amp.param @floor : tensor<3xf32> init(uniform, 0.6, 0.9)
amp.param @round : tensor<3xf32> init(uniform, 0.6, 0.9)
amp.param @roundeven : tensor<3xf32> init(uniform, 0.6, 0.9)
amp.param @trunc : tensor<3xf32> init(uniform, 0.6, 0.9)
amp.param @fma : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @fma.second : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @fma.third : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @select : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @select.second : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @wide : tensor<3xf32> init(uniform, -1.0, 1.0)
func.func @elementwise(%target: tensor<3xf32> {amp.name = "target"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %negf_x = amp.get @negf : tensor<3xf32>
  %negf = arith.negf %negf_x : tensor<3xf32>
  %absf_x = amp.get @absf : tensor<3xf32>
  %absf = math.absf %absf_x : tensor<3xf32>
  %exp_x = amp.get @exp : tensor<3xf32>
  %exp = math.exp %exp_x : tensor<3xf32>
  %exp2_x = amp.get @exp2 : tensor<3xf32>
  %exp2 = math.exp2 %exp2_x : tensor<3xf32>
  %expm1_x = amp.get @expm1 : tensor<3xf32>
  %expm1 = math.expm1 %expm1_x : tensor<3xf32>
  %log_x = amp.get @log : tensor<3xf32>
  %log = math.log %log_x : tensor<3xf32>
  %log2_x = amp.get @log2 : tensor<3xf32>
  %log2 = math.log2 %log2_x : tensor<3xf32>
  %log10_x = amp.get @log10 : tensor<3xf32>
  %log10 = math.log10 %log10_x : tensor<3xf32>
  %log1p_x = amp.get @log1p : tensor<3xf32>
  %log1p = math.log1p %log1p_x : tensor<3xf32>
  %sqrt_x = amp.get @sqrt : tensor<3xf32>
  %sqrt = math.sqrt %sqrt_x : tensor<3xf32>
  %rsqrt_x = amp.get @rsqrt : tensor<3xf32>
  %rsqrt = math.rsqrt %rsqrt_x : tensor<3xf32>
  %sin_x = amp.get @sin : tensor<3xf32>
  %sin = math.sin %sin_x : tensor<3xf32>
  %cos_x = amp.get @cos : tensor<3xf32>
  %cos = math.cos %cos_x : tensor<3xf32>
  %tan_x = amp.get @tan : tensor<3xf32>
  %tan = math.tan %tan_x : tensor<3xf32>
  %atan_x = amp.get @atan : tensor<3xf32>
  %atan = math.atan %atan_x : tensor<3xf32>
  %tanh_x = amp.get @tanh : tensor<3xf32>
  %tanh = math.tanh %tanh_x : tensor<3xf32>
  %erf_x = amp.get @erf : tensor<3xf32>
  %erf = math.erf %erf_x : tensor<3xf32>
  %sigmoid_x = amp.get @sigmoid : tensor<3xf32>
  %sigmoid = amp.sigmoid %sigmoid_x : tensor<3xf32>
  %addf_x = amp.get @addf : tensor<3xf32>
  %addf_z = amp.get @addf.second : tensor<3xf32>
  %addf = arith.addf %addf_x, %addf_z : tensor<3xf32>
  %subf_x = amp.get @subf : tensor<3xf32>
  %subf_z = amp.get @subf.second : tensor<3xf32>
  %subf = arith.subf %subf_x, %subf_z : tensor<3xf32>
  %mulf_x = amp.get @mulf : tensor<3xf32>
  %mulf_z = amp.get @mulf.second : tensor<3xf32>
  %mulf = arith.mulf %mulf_x, %mulf_z : tensor<3xf32>
  %divf_x = amp.get @divf : tensor<3xf32>
  %divf_z = amp.get @divf.second : tensor<3xf32>
  %divf = arith.divf %divf_x, %divf_z : tensor<3xf32>
  %maximumf_x = amp.get @maximumf : tensor<3xf32>
  %maximumf_z = amp.get @maximumf.second : tensor<3xf32>
  %maximumf = arith.maximumf %maximumf_x, %maximumf_z : tensor<3xf32>
  %maxnumf_x = amp.get @maxnumf : tensor<3xf32>
  %maxnumf_z = amp.get @maxnumf.second : tensor<3xf32>
  %maxnumf = arith.maxnumf %maxnumf_x, %maxnumf_z : tensor<3xf32>
  %minimumf_x = amp.get @minimumf : tensor<3xf32>
  %minimumf_z = amp.get @minimumf.second : tensor<3xf32>
  %minimumf = arith.minimumf %minimumf_x, %minimumf_z : tensor<3xf32>
  %minnumf_x = amp.get @minnumf : tensor<3xf32>
  %minnumf_z = amp.get @minnumf.second : tensor<3xf32>
  %minnumf = arith.minnumf %minnumf_x, %minnumf_z : tensor<3xf32>
  %powf_x = amp.get @powf : tensor<3xf32>
  %powf_z = amp.get @powf.second : tensor<3xf32>
  %powf = math.powf %powf_x, %powf_z : tensor<3xf32>
  %atan2_x = amp.get @atan2 : tensor<3xf32>
  %atan2_z = amp.get @atan2.second : tensor<3xf32>
  %atan2 = math.atan2 %atan2_x, %atan2_z : tensor<3xf32>
  %ceil_x = amp.get @ceil : tensor<3xf32>
  %ceil = math.ceil %ceil_x : tensor<3xf32>
  %floor_x = amp.get @floor : tensor<3xf32>
  %floor = math.floor %floor_x : tensor<3xf32>
  %round_x = amp.get @round : tensor<3xf32>
  %round = math.round %round_x : tensor<3xf32>
  %roundeven_x = amp.get @roundeven : tensor<3xf32>
  %roundeven = math.roundeven %roundeven_x : tensor<3xf32>
  %trunc_x = amp.get @trunc : tensor<3xf32>
  %trunc = math.trunc %trunc_x : tensor<3xf32>
  %fma_x = amp.get @fma : tensor<3xf32>
  %fma_z = amp.get @fma.second : tensor<3xf32>
  %fma_u = amp.get @fma.third : tensor<3xf32>
  %fma = math.fma %fma_x, %fma_z, %fma_u : tensor<3xf32>
  %select_x = amp.get @select : tensor<3xf32>
  %select_z = amp.get @select.second : tensor<3xf32>
  %condition = arith.cmpf ogt, %target, %select_x : tensor<3xf32>
  %select = arith.select %condition, %select_x, %select_z : tensor<3xi1>, tensor<3xf32>
  // Compiled, it computes in another width; here, where all floats are f64, nothing is left of that.
  %wide_x = amp.get @wide : tensor<3xf32>
  %wide_y = arith.extf %wide_x : tensor<3xf32> to tensor<3xf64>
  %wide_z = arith.mulf %wide_y, %wide_y : tensor<3xf64>
  %wide = arith.truncf %wide_z : tensor<3xf64> to tensor<3xf32>
  %s0 = arith.subf %target, %negf : tensor<3xf32>
  %s1 = arith.subf %s0, %absf : tensor<3xf32>
  %s2 = arith.subf %s1, %exp : tensor<3xf32>
  %s3 = arith.subf %s2, %exp2 : tensor<3xf32>
  %s4 = arith.subf %s3, %expm1 : tensor<3xf32>
  %s5 = arith.subf %s4, %log : tensor<3xf32>
  %s6 = arith.subf %s5, %log2 : tensor<3xf32>
  %s7 = arith.subf %s6, %log10 : tensor<3xf32>
  %s8 = arith.subf %s7, %log1p : tensor<3xf32>
  %s9 = arith.subf %s8, %sqrt : tensor<3xf32>
  %s10 = arith.subf %s9, %rsqrt : tensor<3xf32>
  %s11 = arith.subf %s10, %sin : tensor<3xf32>
  %s12 = arith.subf %s11, %cos : tensor<3xf32>
  %s13 = arith.subf %s12, %tan : tensor<3xf32>
  %s14 = arith.subf %s13, %atan : tensor<3xf32>
  %s15 = arith.subf %s14, %tanh : tensor<3xf32>
  %s16 = arith.subf %s15, %erf : tensor<3xf32>
  %s17 = arith.subf %s16, %sigmoid : tensor<3xf32>
  %s18 = arith.subf %s17, %addf : tensor<3xf32>
  %s19 = arith.subf %s18, %subf : tensor<3xf32>
  %s20 = arith.subf %s19, %mulf : tensor<3xf32>
  %s21 = arith.subf %s20, %divf : tensor<3xf32>
  %s22 = arith.subf %s21, %maximumf : tensor<3xf32>
  %s23 = arith.subf %s22, %maxnumf : tensor<3xf32>
  %s24 = arith.subf %s23, %minimumf : tensor<3xf32>
  %s25 = arith.subf %s24, %minnumf : tensor<3xf32>
  %s26 = arith.subf %s25, %powf : tensor<3xf32>
  %s27 = arith.subf %s26, %atan2 : tensor<3xf32>
  %s28 = arith.subf %s27, %ceil : tensor<3xf32>
  %s29 = arith.subf %s28, %floor : tensor<3xf32>
  %s30 = arith.subf %s29, %round : tensor<3xf32>
  %s31 = arith.subf %s30, %roundeven : tensor<3xf32>
  %s32 = arith.subf %s31, %trunc : tensor<3xf32>
  %s33 = arith.subf %s32, %fma : tensor<3xf32>
  %s34 = arith.subf %s33, %select : tensor<3xf32>
  %s35 = arith.subf %s34, %wide : tensor<3xf32>
  %zeros = arith.constant dense<0.0> : tensor<3xf32>
  %loss = amp.loss squared_error %s35, %zeros : tensor<3xf32>, tensor<3xf32> -> f32
  return %loss : f32
}

//--- scalars.mlir
amp.param @negf : tensor<3xf32> init(uniform, -2.0, 2.0)
amp.param @absf : tensor<3xf32> init(uniform, -2.0, 2.0)
amp.param @exp : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @exp2 : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @expm1 : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @log : tensor<3xf32> init(uniform, 0.5, 2.0)
amp.param @log2 : tensor<3xf32> init(uniform, 0.5, 2.0)
amp.param @log10 : tensor<3xf32> init(uniform, 0.5, 2.0)
amp.param @log1p : tensor<3xf32> init(uniform, -0.4, 1.0)
amp.param @sqrt : tensor<3xf32> init(uniform, 0.5, 2.0)
amp.param @rsqrt : tensor<3xf32> init(uniform, 0.5, 2.0)
amp.param @sin : tensor<3xf32> init(uniform, -2.0, 2.0)
amp.param @cos : tensor<3xf32> init(uniform, -2.0, 2.0)
amp.param @tan : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @atan : tensor<3xf32> init(uniform, -2.0, 2.0)
amp.param @tanh : tensor<3xf32> init(uniform, -2.0, 2.0)
amp.param @erf : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @sigmoid : tensor<3xf32> init(uniform, -2.0, 2.0)
amp.param @addf : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @subf : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @mulf : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @divf : tensor<3xf32> init(uniform, 0.5, 2.0)
amp.param @maximumf : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @maxnumf : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @minimumf : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @minnumf : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @powf : tensor<3xf32> init(uniform, 0.5, 2.0)
amp.param @atan2 : tensor<3xf32> init(uniform, 0.5, 2.0)
amp.param @fma : tensor<3xf32> init(uniform, -1.0, 1.0)
amp.param @select : tensor<3xf32> init(uniform, -1.0, 1.0)
func.func @elementwise(%target: tensor<3xf32> {amp.name = "target"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %begin = tensor.extract %target[%c0] : tensor<3xf32>
  %negf_t = amp.get @negf : tensor<3xf32>
  %negf_x0 = tensor.extract %negf_t[%c0] : tensor<3xf32>
  %negf_y0 = arith.negf %negf_x0 : f32
  %negf_x1 = tensor.extract %negf_t[%c1] : tensor<3xf32>
  %negf_y1 = arith.negf %negf_x1 : f32
  %negf_x2 = tensor.extract %negf_t[%c2] : tensor<3xf32>
  %negf_y2 = arith.negf %negf_x2 : f32
  %negf_s = arith.mulf %negf_y0, %negf_y1 : f32
  %negf = arith.mulf %negf_s, %negf_y2 : f32
  %absf_t = amp.get @absf : tensor<3xf32>
  %absf_x0 = tensor.extract %absf_t[%c0] : tensor<3xf32>
  %absf_y0 = math.absf %absf_x0 : f32
  %absf_x1 = tensor.extract %absf_t[%c1] : tensor<3xf32>
  %absf_y1 = math.absf %absf_x1 : f32
  %absf_x2 = tensor.extract %absf_t[%c2] : tensor<3xf32>
  %absf_y2 = math.absf %absf_x2 : f32
  %absf_s = arith.mulf %absf_y0, %absf_y1 : f32
  %absf = arith.mulf %absf_s, %absf_y2 : f32
  %exp_t = amp.get @exp : tensor<3xf32>
  %exp_x0 = tensor.extract %exp_t[%c0] : tensor<3xf32>
  %exp_y0 = math.exp %exp_x0 : f32
  %exp_x1 = tensor.extract %exp_t[%c1] : tensor<3xf32>
  %exp_y1 = math.exp %exp_x1 : f32
  %exp_x2 = tensor.extract %exp_t[%c2] : tensor<3xf32>
  %exp_y2 = math.exp %exp_x2 : f32
  %exp_s = arith.mulf %exp_y0, %exp_y1 : f32
  %exp = arith.mulf %exp_s, %exp_y2 : f32
  %exp2_t = amp.get @exp2 : tensor<3xf32>
  %exp2_x0 = tensor.extract %exp2_t[%c0] : tensor<3xf32>
  %exp2_y0 = math.exp2 %exp2_x0 : f32
  %exp2_x1 = tensor.extract %exp2_t[%c1] : tensor<3xf32>
  %exp2_y1 = math.exp2 %exp2_x1 : f32
  %exp2_x2 = tensor.extract %exp2_t[%c2] : tensor<3xf32>
  %exp2_y2 = math.exp2 %exp2_x2 : f32
  %exp2_s = arith.mulf %exp2_y0, %exp2_y1 : f32
  %exp2 = arith.mulf %exp2_s, %exp2_y2 : f32
  %expm1_t = amp.get @expm1 : tensor<3xf32>
  %expm1_x0 = tensor.extract %expm1_t[%c0] : tensor<3xf32>
  %expm1_y0 = math.expm1 %expm1_x0 : f32
  %expm1_x1 = tensor.extract %expm1_t[%c1] : tensor<3xf32>
  %expm1_y1 = math.expm1 %expm1_x1 : f32
  %expm1_x2 = tensor.extract %expm1_t[%c2] : tensor<3xf32>
  %expm1_y2 = math.expm1 %expm1_x2 : f32
  %expm1_s = arith.mulf %expm1_y0, %expm1_y1 : f32
  %expm1 = arith.mulf %expm1_s, %expm1_y2 : f32
  %log_t = amp.get @log : tensor<3xf32>
  %log_x0 = tensor.extract %log_t[%c0] : tensor<3xf32>
  %log_y0 = math.log %log_x0 : f32
  %log_x1 = tensor.extract %log_t[%c1] : tensor<3xf32>
  %log_y1 = math.log %log_x1 : f32
  %log_x2 = tensor.extract %log_t[%c2] : tensor<3xf32>
  %log_y2 = math.log %log_x2 : f32
  %log_s = arith.mulf %log_y0, %log_y1 : f32
  %log = arith.mulf %log_s, %log_y2 : f32
  %log2_t = amp.get @log2 : tensor<3xf32>
  %log2_x0 = tensor.extract %log2_t[%c0] : tensor<3xf32>
  %log2_y0 = math.log2 %log2_x0 : f32
  %log2_x1 = tensor.extract %log2_t[%c1] : tensor<3xf32>
  %log2_y1 = math.log2 %log2_x1 : f32
  %log2_x2 = tensor.extract %log2_t[%c2] : tensor<3xf32>
  %log2_y2 = math.log2 %log2_x2 : f32
  %log2_s = arith.mulf %log2_y0, %log2_y1 : f32
  %log2 = arith.mulf %log2_s, %log2_y2 : f32
  %log10_t = amp.get @log10 : tensor<3xf32>
  %log10_x0 = tensor.extract %log10_t[%c0] : tensor<3xf32>
  %log10_y0 = math.log10 %log10_x0 : f32
  %log10_x1 = tensor.extract %log10_t[%c1] : tensor<3xf32>
  %log10_y1 = math.log10 %log10_x1 : f32
  %log10_x2 = tensor.extract %log10_t[%c2] : tensor<3xf32>
  %log10_y2 = math.log10 %log10_x2 : f32
  %log10_s = arith.mulf %log10_y0, %log10_y1 : f32
  %log10 = arith.mulf %log10_s, %log10_y2 : f32
  %log1p_t = amp.get @log1p : tensor<3xf32>
  %log1p_x0 = tensor.extract %log1p_t[%c0] : tensor<3xf32>
  %log1p_y0 = math.log1p %log1p_x0 : f32
  %log1p_x1 = tensor.extract %log1p_t[%c1] : tensor<3xf32>
  %log1p_y1 = math.log1p %log1p_x1 : f32
  %log1p_x2 = tensor.extract %log1p_t[%c2] : tensor<3xf32>
  %log1p_y2 = math.log1p %log1p_x2 : f32
  %log1p_s = arith.mulf %log1p_y0, %log1p_y1 : f32
  %log1p = arith.mulf %log1p_s, %log1p_y2 : f32
  %sqrt_t = amp.get @sqrt : tensor<3xf32>
  %sqrt_x0 = tensor.extract %sqrt_t[%c0] : tensor<3xf32>
  %sqrt_y0 = math.sqrt %sqrt_x0 : f32
  %sqrt_x1 = tensor.extract %sqrt_t[%c1] : tensor<3xf32>
  %sqrt_y1 = math.sqrt %sqrt_x1 : f32
  %sqrt_x2 = tensor.extract %sqrt_t[%c2] : tensor<3xf32>
  %sqrt_y2 = math.sqrt %sqrt_x2 : f32
  %sqrt_s = arith.mulf %sqrt_y0, %sqrt_y1 : f32
  %sqrt = arith.mulf %sqrt_s, %sqrt_y2 : f32
  %rsqrt_t = amp.get @rsqrt : tensor<3xf32>
  %rsqrt_x0 = tensor.extract %rsqrt_t[%c0] : tensor<3xf32>
  %rsqrt_y0 = math.rsqrt %rsqrt_x0 : f32
  %rsqrt_x1 = tensor.extract %rsqrt_t[%c1] : tensor<3xf32>
  %rsqrt_y1 = math.rsqrt %rsqrt_x1 : f32
  %rsqrt_x2 = tensor.extract %rsqrt_t[%c2] : tensor<3xf32>
  %rsqrt_y2 = math.rsqrt %rsqrt_x2 : f32
  %rsqrt_s = arith.mulf %rsqrt_y0, %rsqrt_y1 : f32
  %rsqrt = arith.mulf %rsqrt_s, %rsqrt_y2 : f32
  %sin_t = amp.get @sin : tensor<3xf32>
  %sin_x0 = tensor.extract %sin_t[%c0] : tensor<3xf32>
  %sin_y0 = math.sin %sin_x0 : f32
  %sin_x1 = tensor.extract %sin_t[%c1] : tensor<3xf32>
  %sin_y1 = math.sin %sin_x1 : f32
  %sin_x2 = tensor.extract %sin_t[%c2] : tensor<3xf32>
  %sin_y2 = math.sin %sin_x2 : f32
  %sin_s = arith.mulf %sin_y0, %sin_y1 : f32
  %sin = arith.mulf %sin_s, %sin_y2 : f32
  %cos_t = amp.get @cos : tensor<3xf32>
  %cos_x0 = tensor.extract %cos_t[%c0] : tensor<3xf32>
  %cos_y0 = math.cos %cos_x0 : f32
  %cos_x1 = tensor.extract %cos_t[%c1] : tensor<3xf32>
  %cos_y1 = math.cos %cos_x1 : f32
  %cos_x2 = tensor.extract %cos_t[%c2] : tensor<3xf32>
  %cos_y2 = math.cos %cos_x2 : f32
  %cos_s = arith.mulf %cos_y0, %cos_y1 : f32
  %cos = arith.mulf %cos_s, %cos_y2 : f32
  %tan_t = amp.get @tan : tensor<3xf32>
  %tan_x0 = tensor.extract %tan_t[%c0] : tensor<3xf32>
  %tan_y0 = math.tan %tan_x0 : f32
  %tan_x1 = tensor.extract %tan_t[%c1] : tensor<3xf32>
  %tan_y1 = math.tan %tan_x1 : f32
  %tan_x2 = tensor.extract %tan_t[%c2] : tensor<3xf32>
  %tan_y2 = math.tan %tan_x2 : f32
  %tan_s = arith.mulf %tan_y0, %tan_y1 : f32
  %tan = arith.mulf %tan_s, %tan_y2 : f32
  %atan_t = amp.get @atan : tensor<3xf32>
  %atan_x0 = tensor.extract %atan_t[%c0] : tensor<3xf32>
  %atan_y0 = math.atan %atan_x0 : f32
  %atan_x1 = tensor.extract %atan_t[%c1] : tensor<3xf32>
  %atan_y1 = math.atan %atan_x1 : f32
  %atan_x2 = tensor.extract %atan_t[%c2] : tensor<3xf32>
  %atan_y2 = math.atan %atan_x2 : f32
  %atan_s = arith.mulf %atan_y0, %atan_y1 : f32
  %atan = arith.mulf %atan_s, %atan_y2 : f32
  %tanh_t = amp.get @tanh : tensor<3xf32>
  %tanh_x0 = tensor.extract %tanh_t[%c0] : tensor<3xf32>
  %tanh_y0 = math.tanh %tanh_x0 : f32
  %tanh_x1 = tensor.extract %tanh_t[%c1] : tensor<3xf32>
  %tanh_y1 = math.tanh %tanh_x1 : f32
  %tanh_x2 = tensor.extract %tanh_t[%c2] : tensor<3xf32>
  %tanh_y2 = math.tanh %tanh_x2 : f32
  %tanh_s = arith.mulf %tanh_y0, %tanh_y1 : f32
  %tanh = arith.mulf %tanh_s, %tanh_y2 : f32
  %erf_t = amp.get @erf : tensor<3xf32>
  %erf_x0 = tensor.extract %erf_t[%c0] : tensor<3xf32>
  %erf_y0 = math.erf %erf_x0 : f32
  %erf_x1 = tensor.extract %erf_t[%c1] : tensor<3xf32>
  %erf_y1 = math.erf %erf_x1 : f32
  %erf_x2 = tensor.extract %erf_t[%c2] : tensor<3xf32>
  %erf_y2 = math.erf %erf_x2 : f32
  %erf_s = arith.mulf %erf_y0, %erf_y1 : f32
  %erf = arith.mulf %erf_s, %erf_y2 : f32
  %sigmoid_t = amp.get @sigmoid : tensor<3xf32>
  %sigmoid_x0 = tensor.extract %sigmoid_t[%c0] : tensor<3xf32>
  %sigmoid_y0 = amp.sigmoid %sigmoid_x0 : f32
  %sigmoid_x1 = tensor.extract %sigmoid_t[%c1] : tensor<3xf32>
  %sigmoid_y1 = amp.sigmoid %sigmoid_x1 : f32
  %sigmoid_x2 = tensor.extract %sigmoid_t[%c2] : tensor<3xf32>
  %sigmoid_y2 = amp.sigmoid %sigmoid_x2 : f32
  %sigmoid_s = arith.mulf %sigmoid_y0, %sigmoid_y1 : f32
  %sigmoid = arith.mulf %sigmoid_s, %sigmoid_y2 : f32
  %addf_t = amp.get @addf : tensor<3xf32>
  %addf_x0 = tensor.extract %addf_t[%c0] : tensor<3xf32>
  %addf_x1 = tensor.extract %addf_t[%c1] : tensor<3xf32>
  %addf_x2 = tensor.extract %addf_t[%c2] : tensor<3xf32>
  %addf_s = arith.addf %addf_x0, %addf_x1 : f32
  %addf = arith.addf %addf_s, %addf_x2 : f32
  %subf_t = amp.get @subf : tensor<3xf32>
  %subf_x0 = tensor.extract %subf_t[%c0] : tensor<3xf32>
  %subf_x1 = tensor.extract %subf_t[%c1] : tensor<3xf32>
  %subf_x2 = tensor.extract %subf_t[%c2] : tensor<3xf32>
  %subf_s = arith.subf %subf_x0, %subf_x1 : f32
  %subf = arith.subf %subf_s, %subf_x2 : f32
  %mulf_t = amp.get @mulf : tensor<3xf32>
  %mulf_x0 = tensor.extract %mulf_t[%c0] : tensor<3xf32>
  %mulf_x1 = tensor.extract %mulf_t[%c1] : tensor<3xf32>
  %mulf_x2 = tensor.extract %mulf_t[%c2] : tensor<3xf32>
  %mulf_s = arith.mulf %mulf_x0, %mulf_x1 : f32
  %mulf = arith.mulf %mulf_s, %mulf_x2 : f32
  %divf_t = amp.get @divf : tensor<3xf32>
  %divf_x0 = tensor.extract %divf_t[%c0] : tensor<3xf32>
  %divf_x1 = tensor.extract %divf_t[%c1] : tensor<3xf32>
  %divf_x2 = tensor.extract %divf_t[%c2] : tensor<3xf32>
  %divf_s = arith.divf %divf_x0, %divf_x1 : f32
  %divf = arith.divf %divf_s, %divf_x2 : f32
  %maximumf_t = amp.get @maximumf : tensor<3xf32>
  %maximumf_x0 = tensor.extract %maximumf_t[%c0] : tensor<3xf32>
  %maximumf_x1 = tensor.extract %maximumf_t[%c1] : tensor<3xf32>
  %maximumf_x2 = tensor.extract %maximumf_t[%c2] : tensor<3xf32>
  %maximumf_s = arith.maximumf %maximumf_x0, %maximumf_x1 : f32
  %maximumf = arith.maximumf %maximumf_s, %maximumf_x2 : f32
  %maxnumf_t = amp.get @maxnumf : tensor<3xf32>
  %maxnumf_x0 = tensor.extract %maxnumf_t[%c0] : tensor<3xf32>
  %maxnumf_x1 = tensor.extract %maxnumf_t[%c1] : tensor<3xf32>
  %maxnumf_x2 = tensor.extract %maxnumf_t[%c2] : tensor<3xf32>
  %maxnumf_s = arith.maxnumf %maxnumf_x0, %maxnumf_x1 : f32
  %maxnumf = arith.maxnumf %maxnumf_s, %maxnumf_x2 : f32
  %minimumf_t = amp.get @minimumf : tensor<3xf32>
  %minimumf_x0 = tensor.extract %minimumf_t[%c0] : tensor<3xf32>
  %minimumf_x1 = tensor.extract %minimumf_t[%c1] : tensor<3xf32>
  %minimumf_x2 = tensor.extract %minimumf_t[%c2] : tensor<3xf32>
  %minimumf_s = arith.minimumf %minimumf_x0, %minimumf_x1 : f32
  %minimumf = arith.minimumf %minimumf_s, %minimumf_x2 : f32
  %minnumf_t = amp.get @minnumf : tensor<3xf32>
  %minnumf_x0 = tensor.extract %minnumf_t[%c0] : tensor<3xf32>
  %minnumf_x1 = tensor.extract %minnumf_t[%c1] : tensor<3xf32>
  %minnumf_x2 = tensor.extract %minnumf_t[%c2] : tensor<3xf32>
  %minnumf_s = arith.minnumf %minnumf_x0, %minnumf_x1 : f32
  %minnumf = arith.minnumf %minnumf_s, %minnumf_x2 : f32
  %powf_t = amp.get @powf : tensor<3xf32>
  %powf_x0 = tensor.extract %powf_t[%c0] : tensor<3xf32>
  %powf_x1 = tensor.extract %powf_t[%c1] : tensor<3xf32>
  %powf_x2 = tensor.extract %powf_t[%c2] : tensor<3xf32>
  %powf_s = math.powf %powf_x0, %powf_x1 : f32
  %powf = math.powf %powf_s, %powf_x2 : f32
  %atan2_t = amp.get @atan2 : tensor<3xf32>
  %atan2_x0 = tensor.extract %atan2_t[%c0] : tensor<3xf32>
  %atan2_x1 = tensor.extract %atan2_t[%c1] : tensor<3xf32>
  %atan2_x2 = tensor.extract %atan2_t[%c2] : tensor<3xf32>
  %atan2_s = math.atan2 %atan2_x0, %atan2_x1 : f32
  %atan2 = math.atan2 %atan2_s, %atan2_x2 : f32
  %fma_t = amp.get @fma : tensor<3xf32>
  %fma_x0 = tensor.extract %fma_t[%c0] : tensor<3xf32>
  %fma_x1 = tensor.extract %fma_t[%c1] : tensor<3xf32>
  %fma_x2 = tensor.extract %fma_t[%c2] : tensor<3xf32>
  %fma = math.fma %fma_x0, %fma_x1, %fma_x2 : f32
  %select_t = amp.get @select : tensor<3xf32>
  %select_x0 = tensor.extract %select_t[%c0] : tensor<3xf32>
  %select_x1 = tensor.extract %select_t[%c1] : tensor<3xf32>
  %select_x2 = tensor.extract %select_t[%c2] : tensor<3xf32>
  %condition = arith.cmpf ogt, %select_x0, %select_x1 : f32
  %select = arith.select %condition, %select_x1, %select_x2 : f32
  %s0 = arith.subf %begin, %negf : f32
  %s1 = arith.subf %s0, %absf : f32
  %s2 = arith.subf %s1, %exp : f32
  %s3 = arith.subf %s2, %exp2 : f32
  %s4 = arith.subf %s3, %expm1 : f32
  %s5 = arith.subf %s4, %log : f32
  %s6 = arith.subf %s5, %log2 : f32
  %s7 = arith.subf %s6, %log10 : f32
  %s8 = arith.subf %s7, %log1p : f32
  %s9 = arith.subf %s8, %sqrt : f32
  %s10 = arith.subf %s9, %rsqrt : f32
  %s11 = arith.subf %s10, %sin : f32
  %s12 = arith.subf %s11, %cos : f32
  %s13 = arith.subf %s12, %tan : f32
  %s14 = arith.subf %s13, %atan : f32
  %s15 = arith.subf %s14, %tanh : f32
  %s16 = arith.subf %s15, %erf : f32
  %s17 = arith.subf %s16, %sigmoid : f32
  %s18 = arith.subf %s17, %addf : f32
  %s19 = arith.subf %s18, %subf : f32
  %s20 = arith.subf %s19, %mulf : f32
  %s21 = arith.subf %s20, %divf : f32
  %s22 = arith.subf %s21, %maximumf : f32
  %s23 = arith.subf %s22, %maxnumf : f32
  %s24 = arith.subf %s23, %minimumf : f32
  %s25 = arith.subf %s24, %minnumf : f32
  %s26 = arith.subf %s25, %powf : f32
  %s27 = arith.subf %s26, %atan2 : f32
  %s28 = arith.subf %s27, %fma : f32
  %s29 = arith.subf %s28, %select : f32
  %loss = arith.mulf %s29, %s29 : f32
  return %loss : f32
}

//--- in.jsonl
{"target": [0.3, -0.9, 0.1]}
