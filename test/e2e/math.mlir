// The polynomials are as good as libm within 1e-6, over the whole range, with infinities and NaN (null in JSON).
// REQUIRES: runtime
// RUN: %python %S/Inputs/floats.py make > %t.jsonl
// RUN: ampc %s -o %t
// RUN: %t run --quiet --input %t.jsonl --output %t.out
// RUN: ampc --interpret %s --input %t.jsonl --output %t.oracle
// RUN: %python %S/Inputs/floats.py check %t.out %t.oracle

func.func @math(%x: tensor<?xf32> {amp.name = "x"})
    -> (tensor<?xf32> {amp.name = "exp"}, tensor<?xf32> {amp.name = "tanh"}, tensor<?xf32> {amp.name = "sigmoid"},
        tensor<?xf32> {amp.name = "nan"}) {
  %exp = math.exp %x : tensor<?xf32>
  %tanh = math.tanh %x : tensor<?xf32>
  %sigmoid = amp.sigmoid %x : tensor<?xf32>
  // Infinity where exp(x) is, else 0; less itself NaN or 0.
  %inf = arith.subf %exp, %exp : tensor<?xf32>
  %nan = math.exp %inf : tensor<?xf32>
  return %exp, %tanh, %sigmoid, %nan : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
