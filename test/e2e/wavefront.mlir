// Iterations overlap (SPEC S4): a two-layer LSTM runs as a wavefront. Both layers are calls of one function, so they are
// activations of one cell. In one sentence of n words there are 2 n of them; step t of layer 2 and step t + 1 of layer 1
// are in one batch, so there are n + 1 batches: the first has step 1 of layer 1 alone, the last step n of layer 2.
// REQUIRES: runtime
// RUN: split-file %s %t
// RUN: ampc %t/model.mlir -o %t/model
// RUN: %t/model run -q --policy depth --input %t/in.jsonl --output %t/out.jsonl --stats %t/depth.json
// RUN: %python %t/rounds.py %t/depth.json | FileCheck %s
// RUN: %t/model run -q --policy agenda --input %t/in.jsonl --output %t/out.jsonl --stats %t/agenda.json
// RUN: %python %t/rounds.py %t/agenda.json | FileCheck %s
// CHECK: 22 activations in 12 batches: 2 of 1, 10 of 2

// And it gives what the interpreter gives, under every policy.
// RUN: ampc --interpret %t/model.mlir --input %t/in.jsonl --output %t/oracle.jsonl
// RUN: %python %S/Inputs/agree.py %t/model %t/in.jsonl %t/oracle.jsonl

//--- model.mlir
amp.param @W : tensor<8x16xf32> init(glorot)
amp.param @b : tensor<16xf32> init(uniform, -0.1, 0.1)

func.func private @step(%x: tensor<4xf32>, %h: tensor<4xf32>, %c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {no_inline} {
  %W = amp.get @W : tensor<8x16xf32>
  %b = amp.get @b : tensor<16xf32>
  %xh = tensor.concat dim(0) %x, %h : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %a = amp.linear %xh, %W, %b : tensor<8xf32>, tensor<8x16xf32>, tensor<16xf32>
  %ai = tensor.extract_slice %a[0] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %af = tensor.extract_slice %a[4] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %ag = tensor.extract_slice %a[8] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %ao = tensor.extract_slice %a[12] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %i = amp.sigmoid %ai : tensor<4xf32>
  %f = amp.sigmoid %af : tensor<4xf32>
  %g = math.tanh %ag : tensor<4xf32>
  %o = amp.sigmoid %ao : tensor<4xf32>
  %fc = arith.mulf %f, %c : tensor<4xf32>
  %ig = arith.mulf %i, %g : tensor<4xf32>
  %c2 = arith.addf %fc, %ig : tensor<4xf32>
  %t = math.tanh %c2 : tensor<4xf32>
  %h2 = arith.mulf %o, %t : tensor<4xf32>
  return %h2, %c2 : tensor<4xf32>, tensor<4xf32>
}

func.func @layers(%x: tensor<?x4xf32> {amp.name = "x"}) -> (tensor<?x4xf32> {amp.name = "h"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %last:4, %hs = amp.scan %t = %c0 to %n carry(%h1 = %zero, %s1 = %zero, %h2 = %zero, %s2 = %zero)
      : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<?x4xf32>) {
    %x_t = amp.lookup %x[%t] : tensor<?x4xf32>, index
    %a, %b = func.call @step(%x_t, %h1, %s1) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %c, %d = func.call @step(%a, %h2, %s2) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    amp.yield %a, %b, %c, %d, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %hs : tensor<?x4xf32>
}

//--- in.jsonl
{"x": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [-1, 0, 0, 1], [0.5, 0, 2, 0], [0, 0.25, 0, 1], [1, 1, 1, 1]]}

//--- rounds.py
import json, sys
stats = json.load(open(sys.argv[1]))
cell, = stats["cells"]
sizes = cell["histogram"]
print(f"{cell['activations']} activations in {cell['batches']} batches: " +
      ", ".join(f"{count} of {size}" for size, count in sizes.items()))
