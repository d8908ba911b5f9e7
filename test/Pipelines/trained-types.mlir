// What a compiled model cannot train, it says.
// RUN: split-file %s %t
// RUN: not ampc --train -c %t/wide.mlir -o %t/wide.o 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not ampc --train -c %t/narrow.mlir -o %t/narrow.o 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: ampc -c %t/wide.mlir -o %t/wide.o

// WIDE: wide.mlir:1:1: error: 'amp.param' op is trained, but compiled models train parameters of f32 only, and it is 'tensor<2x2xf64>'
// WIDE: wide.mlir:4:8: note: its gradient comes from here
// NARROW: narrow.mlir:1:1: error: 'amp.param' op is trained, but compiled models train parameters of f32 only, and it is 'tensor<2xbf16>'

//--- wide.mlir
amp.param @W : tensor<2x2xf64> init(glorot)
func.func @wide(%x: tensor<2xf64> {amp.name = "x"}) -> (tensor<2xf64> {amp.name = "y"}, f64 {amp.name = "loss", amp.loss}) {
  %W = amp.get @W : tensor<2x2xf64>
  %y = amp.linear %x, %W : tensor<2xf64>, tensor<2x2xf64>
  %l = amp.loss squared_error %y, %x : tensor<2xf64>, tensor<2xf64> -> f64
  return %y, %l : tensor<2xf64>, f64
}
//--- narrow.mlir
amp.param @b : tensor<2xbf16> init(normal, 1.0)
func.func @narrow(%x: tensor<2xf32> {amp.name = "x"}) -> (tensor<2xf32> {amp.name = "y"}, f32 {amp.name = "loss", amp.loss}) {
  %b = amp.get @b : tensor<2xbf16>
  %c = arith.extf %b : tensor<2xbf16> to tensor<2xf32>
  %y = arith.mulf %x, %c : tensor<2xf32>
  %l = amp.loss squared_error %y, %x : tensor<2xf32>, tensor<2xf32> -> f32
  return %y, %l : tensor<2xf32>, f32
}
