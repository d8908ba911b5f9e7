// Gradients through bf16 and f16, which are f32.
// RUN: split-file %s %t
// RUN: ampc --check-gradients %t/narrow.mlir --input %t/narrow.jsonl --samples 0 | FileCheck %s --check-prefix=NARROW

// NARROW:      W: 12 checked, 12 not zero
// NARROW-NEXT: emb: 24 checked, 6 not zero

//--- narrow.mlir
// Numbers that are kept as bf16 and f16, carried, stacked, looked up, listed, collected and called with: their gradients
// are f32. All are such that nothing is rounded.
amp.param @W : tensor<2x2xf32> init(constant, 0.5)
amp.param @emb : tensor<4x2xf32> init(constant, 0.25)
func.func private @half(%x: tensor<2xbf16>, %n: index, %out: !amp.collector<tensor<2xbf16>>) -> tensor<2xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant dense<[0.5, 0.25]> : tensor<2xbf16>
  %z = arith.mulf %x, %half : tensor<2xbf16>
  amp.emit %z, %out[%n] : !amp.collector<tensor<2xbf16>>, index
  %more = arith.cmpi ugt, %n, %c0 : index
  %r = scf.if %more -> tensor<2xbf16> {
    %m = arith.subi %n, %c1 : index
    %s = func.call @half(%x, %m, %out) : (tensor<2xbf16>, index, !amp.collector<tensor<2xbf16>>) -> tensor<2xbf16>
    %t = arith.addf %s, %z : tensor<2xbf16>
    scf.yield %t : tensor<2xbf16>
  } else {
    scf.yield %x : tensor<2xbf16>
  }
  return %r : tensor<2xbf16>
}
func.func @narrow(%n: index {amp.name = "n"}, %k: i32 {amp.name = "k"}, %f: tensor<2xbf16> {amp.name = "f"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n1 = arith.addi %n, %c1 : index
  %W = amp.get @W : tensor<2x2xf32>
  %emb = amp.get @emb : tensor<4x2xf32>
  %x = amp.lookup %emb[%k] : tensor<4x2xf32>, i32
  %y = amp.linear %x, %W : tensor<2xf32>, tensor<2x2xf32>
  %h = arith.truncf %y : tensor<2xf32> to tensor<2xbf16>
  %out = amp.collector %n1 : !amp.collector<tensor<2xbf16>>
  %a = call @half(%h, %n, %out) : (tensor<2xbf16>, index, !amp.collector<tensor<2xbf16>>) -> tensor<2xbf16>
  %rows = amp.collect %out : !amp.collector<tensor<2xbf16>> -> tensor<?x2xbf16>
  %none = amp.list : !amp.list<tensor<2xbf16>>
  %sum, %list = scf.for %i = %c0 to %n step %c1 iter_args(%s = %h, %l = %none) -> (tensor<2xbf16>, !amp.list<tensor<2xbf16>>) {
    %r = amp.lookup %rows[%i] : tensor<?x2xbf16>, index
    %t = arith.addf %s, %r : tensor<2xbf16>
    %u = arith.subf %t, %f : tensor<2xbf16>
    %l2 = amp.push %u, %l : !amp.list<tensor<2xbf16>>
    scf.yield %t, %l2 : tensor<2xbf16>, !amp.list<tensor<2xbf16>>
  }
  %stack = amp.stack %list : !amp.list<tensor<2xbf16>>
  %p = amp.pool sum %stack : tensor<?x2xbf16>
  %q = arith.extf %p : tensor<2xbf16> to tensor<2xf32>
  %g = arith.truncf %x : tensor<2xf32> to tensor<2xf16>
  %e = tensor.extract_slice %g[%c0] [1] [1] : tensor<2xf16> to tensor<1xf16>
  %e2 = tensor.concat dim(0) %e, %e : (tensor<1xf16>, tensor<1xf16>) -> tensor<2xf16>
  %e3 = arith.extf %e2 : tensor<2xf16> to tensor<2xf32>
  %v = arith.extf %sum : tensor<2xbf16> to tensor<2xf32>
  %w = arith.extf %a : tensor<2xbf16> to tensor<2xf32>
  %0 = arith.addf %q, %v : tensor<2xf32>
  %1 = arith.addf %0, %w : tensor<2xf32>
  %2 = arith.mulf %1, %e3 : tensor<2xf32>
  %target = arith.constant dense<[0.25, -0.5]> : tensor<2xf32>
  %l = amp.loss squared_error %2, %target : tensor<2xf32>, tensor<2xf32> -> f32
  return %l : f32
}
//--- narrow.jsonl
{"n": 0, "k": 1, "f": [0.5, 1]}
{"n": 1, "k": 3, "f": [-0.5, 1]}
{"n": 3, "k": 0, "f": [0.5, 1]}
