// Gradients past dropout: what was set to zero has none. The mask is that of an instance's seed, 0 here.
// RUN: split-file %s %t
// RUN: ampc --check-gradients %t/model.mlir --input %t/in.jsonl --samples 0 | FileCheck %s

// CHECK:      half: 40 checked, {{(1[0-9]|2[0-9]|30)}} not zero
// CHECK-NEXT: keyed: 40 checked, {{(3[0-9]|40)}} not zero
// CHECK-NEXT: never: 40 checked, 40 not zero
// CHECK-NEXT: rows: 40 checked, {{(1[0-9]|2[0-9]|30)}} not zero

//--- model.mlir
amp.param @half : tensor<40xf32> init(normal, 1.0)
amp.param @never : tensor<40xf32> init(normal, 1.0)
amp.param @keyed : tensor<40xf32> init(normal, 1.0)
amp.param @rows : tensor<10x4xf32> init(normal, 1.0)
func.func @dropout(%n: index {amp.name = "n"}) -> (f32 {amp.name = "loss", amp.loss}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %target = arith.constant dense<0.5> : tensor<40xf32>
  %half = amp.get @half : tensor<40xf32>
  %a = amp.dropout %half rate 0.5 : tensor<40xf32>
  %never = amp.get @never : tensor<40xf32>
  %b = amp.dropout %never rate 0.0 : tensor<40xf32>
  // Another mask in each iteration: hardly any element is zero in all of them.
  %keyed = amp.get @keyed : tensor<40xf32>
  %sin = math.sin %keyed : tensor<40xf32>
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%s = %target) -> (tensor<40xf32>) {
    %d = amp.dropout %sin[%i] rate 0.5 : tensor<40xf32>, index
    %t = arith.addf %s, %d : tensor<40xf32>
    scf.yield %t : tensor<40xf32>
  }
  %p = amp.get @rows : tensor<10x4xf32>
  %x = tensor.cast %p : tensor<10x4xf32> to tensor<?x4xf32>
  %y = math.sin %x : tensor<?x4xf32>
  %z = amp.dropout %y rate 0.5 : tensor<?x4xf32>
  %e = amp.pool sum %z : tensor<?x4xf32>
  %quarter = arith.constant dense<0.25> : tensor<4xf32>
  %ab = arith.addf %a, %b : tensor<40xf32>
  %abc = arith.addf %ab, %c : tensor<40xf32>
  %l0 = amp.loss squared_error %abc, %target : tensor<40xf32>, tensor<40xf32> -> f32
  %l1 = amp.loss squared_error %e, %quarter : tensor<4xf32>, tensor<4xf32> -> f32
  %l = arith.addf %l0, %l1 : f32
  return %l : f32
}
//--- in.jsonl
{"n": 6}
