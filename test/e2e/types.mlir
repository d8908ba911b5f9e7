// f64, bf16 and f16: fields, parameters, results; sums are made in f32 where the type is narrower. Rounding to the
// narrow type is all that the compiler and the interpreter may differ by.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: ampc %t/f64.mlir -o %t/f64
// RUN: ampc --interpret %t/f64.mlir --input %t/in.jsonl --output %t/f64.jsonl
// RUN: %python %S/Inputs/agree.py %t/f64 %t/in.jsonl %t/f64.jsonl --tolerance 1e-12
// RUN: ampc %t/bf16.mlir -o %t/bf16
// RUN: ampc --interpret %t/bf16.mlir --input %t/in.jsonl --output %t/bf16.jsonl
// RUN: %python %S/Inputs/agree.py %t/bf16 %t/in.jsonl %t/bf16.jsonl --tolerance 1e-2
// RUN: ampc %t/f16.mlir -o %t/f16
// RUN: ampc --interpret %t/f16.mlir --input %t/in.jsonl --output %t/f16.jsonl
// RUN: %python %S/Inputs/agree.py %t/f16 %t/in.jsonl %t/f16.jsonl --tolerance 2e-3

//--- f64.mlir
amp.param @W : tensor<4x8xf64> init(glorot)
amp.param @b : tensor<8xf64> init(uniform, -1.0, 1.0)
amp.param @emb : tensor<10x4xf64> init(normal, 1.0)
amp.param @G : tensor<3x4x4xf64> init(glorot)
func.func @types(%x: tensor<?x4xf64> {amp.name="x"}, %k: tensor<?xi32> {amp.name="k"}, %n: index {amp.name="n"}) -> (tensor<?x8xf64> {amp.name="y"}, tensor<?x8xf64> {amp.name="s"}, tensor<4xf64> {amp.name="p"}, tensor<?x4xf64> {amp.name="e"}, tensor<?x4xf64> {amp.name="g"}, tensor<?x4xf64> {amp.name="seg"}, index {amp.name="am"}, tensor<?x4xf32> {amp.name="wide"}) {
  %W = amp.get @W : tensor<4x8xf64>
  %b = amp.get @b : tensor<8xf64>
  %emb = amp.get @emb : tensor<10x4xf64>
  %G = amp.get @G : tensor<3x4x4xf64>
  %y = amp.linear %x, %W, %b : tensor<?x4xf64>, tensor<4x8xf64>, tensor<8xf64>
  %t = math.tanh %y : tensor<?x8xf64>
  %s = amp.softmax %t : tensor<?x8xf64>
  %e = amp.gather %emb[%k] : tensor<10x4xf64>, tensor<?xi32>
  %p = amp.pool mean %e : tensor<?x4xf64>
  %g = amp.grouped_linear %e, %G[%k] : tensor<?x4xf64>, tensor<3x4x4xf64>, tensor<?xi32>
  %seg = amp.segment mean %g[%k] to %n : tensor<?x4xf64>, tensor<?xi32>
  %am = amp.argmax %p : tensor<4xf64>
  %sg = amp.sigmoid %e : tensor<?x4xf64>
  %wide = arith.truncf %sg : tensor<?x4xf64> to tensor<?x4xf32>
  return %y, %s, %p, %e, %g, %seg, %am, %wide : tensor<?x8xf64>, tensor<?x8xf64>, tensor<4xf64>, tensor<?x4xf64>, tensor<?x4xf64>, tensor<?x4xf64>, index, tensor<?x4xf32>
}

//--- bf16.mlir
amp.param @W : tensor<4x8xbf16> init(glorot)
amp.param @b : tensor<8xbf16> init(uniform, -1.0, 1.0)
amp.param @emb : tensor<10x4xbf16> init(normal, 1.0)
amp.param @G : tensor<3x4x4xbf16> init(glorot)
func.func @types(%x: tensor<?x4xbf16> {amp.name="x"}, %k: tensor<?xi32> {amp.name="k"}, %n: index {amp.name="n"}) -> (tensor<?x8xbf16> {amp.name="y"}, tensor<?x8xbf16> {amp.name="s"}, tensor<4xbf16> {amp.name="p"}, tensor<?x4xbf16> {amp.name="e"}, tensor<?x4xbf16> {amp.name="g"}, tensor<?x4xbf16> {amp.name="seg"}, index {amp.name="am"}, tensor<?x4xf32> {amp.name="wide"}) {
  %W = amp.get @W : tensor<4x8xbf16>
  %b = amp.get @b : tensor<8xbf16>
  %emb = amp.get @emb : tensor<10x4xbf16>
  %G = amp.get @G : tensor<3x4x4xbf16>
  %y = amp.linear %x, %W, %b : tensor<?x4xbf16>, tensor<4x8xbf16>, tensor<8xbf16>
  %t = math.tanh %y : tensor<?x8xbf16>
  %s = amp.softmax %t : tensor<?x8xbf16>
  %e = amp.gather %emb[%k] : tensor<10x4xbf16>, tensor<?xi32>
  %p = amp.pool mean %e : tensor<?x4xbf16>
  %g = amp.grouped_linear %e, %G[%k] : tensor<?x4xbf16>, tensor<3x4x4xbf16>, tensor<?xi32>
  %seg = amp.segment mean %g[%k] to %n : tensor<?x4xbf16>, tensor<?xi32>
  %am = amp.argmax %p : tensor<4xbf16>
  %sg = amp.sigmoid %e : tensor<?x4xbf16>
  %wide = arith.extf %sg : tensor<?x4xbf16> to tensor<?x4xf32>
  return %y, %s, %p, %e, %g, %seg, %am, %wide : tensor<?x8xbf16>, tensor<?x8xbf16>, tensor<4xbf16>, tensor<?x4xbf16>, tensor<?x4xbf16>, tensor<?x4xbf16>, index, tensor<?x4xf32>
}

//--- f16.mlir
amp.param @W : tensor<4x8xf16> init(glorot)
amp.param @b : tensor<8xf16> init(uniform, -1.0, 1.0)
amp.param @emb : tensor<10x4xf16> init(normal, 1.0)
amp.param @G : tensor<3x4x4xf16> init(glorot)
func.func @types(%x: tensor<?x4xf16> {amp.name="x"}, %k: tensor<?xi32> {amp.name="k"}, %n: index {amp.name="n"}) -> (tensor<?x8xf16> {amp.name="y"}, tensor<?x8xf16> {amp.name="s"}, tensor<4xf16> {amp.name="p"}, tensor<?x4xf16> {amp.name="e"}, tensor<?x4xf16> {amp.name="g"}, tensor<?x4xf16> {amp.name="seg"}, index {amp.name="am"}, tensor<?x4xf32> {amp.name="wide"}) {
  %W = amp.get @W : tensor<4x8xf16>
  %b = amp.get @b : tensor<8xf16>
  %emb = amp.get @emb : tensor<10x4xf16>
  %G = amp.get @G : tensor<3x4x4xf16>
  %y = amp.linear %x, %W, %b : tensor<?x4xf16>, tensor<4x8xf16>, tensor<8xf16>
  %t = math.tanh %y : tensor<?x8xf16>
  %s = amp.softmax %t : tensor<?x8xf16>
  %e = amp.gather %emb[%k] : tensor<10x4xf16>, tensor<?xi32>
  %p = amp.pool mean %e : tensor<?x4xf16>
  %g = amp.grouped_linear %e, %G[%k] : tensor<?x4xf16>, tensor<3x4x4xf16>, tensor<?xi32>
  %seg = amp.segment mean %g[%k] to %n : tensor<?x4xf16>, tensor<?xi32>
  %am = amp.argmax %p : tensor<4xf16>
  %sg = amp.sigmoid %e : tensor<?x4xf16>
  %wide = arith.extf %sg : tensor<?x4xf16> to tensor<?x4xf32>
  return %y, %s, %p, %e, %g, %seg, %am, %wide : tensor<?x8xf16>, tensor<?x8xf16>, tensor<4xf16>, tensor<?x4xf16>, tensor<?x4xf16>, tensor<?x4xf16>, index, tensor<?x4xf32>
}

//--- in.jsonl
{"x": [[-0.55, -0.172, 1.942, -0.19], [1.923, 1.993, 0.321, -1.896]], "k": [2, 2, 0], "n": 3}
{"x": [[-0.954, 0.348, 0.295, 0.393]], "k": [2], "n": 3}
{"x": [[-0.193, -0.669, -0.784, -0.735], [-0.799, -0.736, -1.164, -0.064], [-0.832, -0.526, 0.654, -0.739], [1.453, 1.19, -0.686, 1.338], [-1.294, -1.617, 1.979, -1.868], [-1.978, 1.468, -1.99, 0.621], [0.223, -1.109, -1.018, 1.869]], "k": [1, 1, 0, 2, 1], "n": 3}
{"x": [], "k": [2, 1], "n": 3}
