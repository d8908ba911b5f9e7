// Generated products: which share a pass, what follows them in registers, what is left to the library.
// RUN: split-file %s %t
// RUN: amp-opt %t/gates.mlir --convert-amp-to-amprt | FileCheck %s --check-prefix=GATES
// RUN: amp-opt %t/gates.mlir --convert-amp-to-amprt="lanes=16 registers=32" | FileCheck %s --check-prefix=WIDE
// RUN: amp-opt %t/gates.mlir --convert-amp-to-amprt="lanes=4" | FileCheck %s --check-prefix=LIBRARY
// RUN: amp-opt %t/gates.mlir --convert-amp-to-amprt="gemm=onednn" | FileCheck %s --check-prefix=LIBRARY
// RUN: amp-opt %t/gates.mlir --convert-amp-to-amprt="gemm=codegen lanes=4" | FileCheck %s --check-prefix=NARROW
// RUN: amp-opt %t/raw.mlir --convert-amp-to-amprt | FileCheck %s --check-prefix=RAW
// RUN: amp-opt %t/narrow.mlir --convert-amp-to-amprt | FileCheck %s --check-prefix=COLUMNS
// RUN: amp-opt %t/tail.mlir --convert-amp-to-amprt | FileCheck %s --check-prefix=TAIL
// RUN: amp-opt %t/three.mlir --convert-amp-to-amprt="lanes=16 registers=32" | FileCheck %s --check-prefix=THREE
// RUN: amp-opt %t/few.mlir --convert-amp-to-amprt="lanes=16 registers=32" | FileCheck %s --check-prefix=FEW
// RUN: amp-opt %t/parts.mlir --convert-amp-to-amprt | FileCheck %s --check-prefix=PARTS
// RUN: amp-opt %t/stored.mlir --convert-amp-to-amprt | FileCheck %s --check-prefix=STORED
// RUN: amp-opt %t/deep.mlir --convert-amp-to-amprt | FileCheck %s --check-prefix=DEEP

// The parts of the concatenation are read where they are: the left one meets the forget gate's
// weights in the same pass. Three rows of four sums each are what 16 registers hold.
// GATES-LABEL: func.func private @f.0.compute
// GATES-NOT: amprt.product
// GATES: amprt.panel_data %arg0, @[[LEFT:.*]]
// GATES: amprt.panel_data %arg0, @[[RIGHT:.*]]
// GATES: call @amp.product.3x8.from0
// GATES: call @amp.product.2x8(
// GATES: vector<8xf32>
// GATES: amprt.panel @[[LEFT]] [@F, @U, @U] rows [0, 0, 0] columns [0, 0, 16] transposed [false, false, false] k 16 width 16 lanes 8 unroll 1
// GATES: amprt.panel @[[RIGHT]] [@U, @U] rows [16, 16] columns [0, 16] transposed [false, false] k 16 width 16 lanes 8 unroll 1
// GATES-LABEL: func.func private @amp.product.3x8.from0.4(
// GATES: scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
// GATES-NOT: @amp.product.3x8.from0.5(
// GATES-NOT: amprt.linear

// WIDE: amprt.panel @{{.*}} [@F, @U, @U] {{.*}} lanes 16 unroll 1
// WIDE: func.func private @amp.product.3x16.from0.8(

// LIBRARY-NOT: amprt.panel
// LIBRARY: amprt.product
// LIBRARY: amprt.linear @U.product @U 32 32
// NARROW: amprt.panel @{{.*}} [@F, @U, @U] {{.*}} lanes 4 unroll 1

//--- gates.mlir
amp.param @U : tensor<32x32xf32> init(glorot)
amp.param @F : tensor<16x16xf32> init(glorot)
amp.param @b : tensor<32xf32> init(zeros)
amp.graph @f(%l: tensor<16xf32>, %r: tensor<16xf32>) -> tensor<16xf32> {
  %y = amp.cell "f.0"(%l, %r) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%hl: tensor<16xf32>, %hr: tensor<16xf32>):
    %U = amp.get @U : tensor<32x32xf32>
    %F = amp.get @F : tensor<16x16xf32>
    %b = amp.get @b : tensor<32xf32>
    %both = tensor.concat dim(0) %hl, %hr : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
    %iu = amp.linear %both, %U, %b : tensor<32xf32>, tensor<32x32xf32>, tensor<32xf32>
    %f0 = amp.linear %hl, %F : tensor<16xf32>, tensor<16x16xf32>
    %i0 = tensor.extract_slice %iu[0] [16] [1] : tensor<32xf32> to tensor<16xf32>
    %u0 = tensor.extract_slice %iu[16] [16] [1] : tensor<32xf32> to tensor<16xf32>
    %i = amp.sigmoid %i0 : tensor<16xf32>
    %u = math.tanh %u0 : tensor<16xf32>
    %f = amp.sigmoid %f0 : tensor<16xf32>
    %iu1 = arith.mulf %i, %u : tensor<16xf32>
    %c = arith.addf %iu1, %f : tensor<16xf32>
    amp.yield %c : tensor<16xf32>
  }
  amp.return %y : tensor<16xf32>
}

// A reduction reads the sigmoid from memory, which the products' tile writes; what cannot be computed
// in runs (a transposition) reads the sums.
// RAW-LABEL: func.func private @f.0.compute
// RAW: call @amp.product.2x8.from0
// RAW: math.exp {{.*}} : vector<16xf32>
// RAW-LABEL: func.func private @g.0.compute
// RAW: call @amp.product.2x8.from0
// RAW-NOT: math.exp {{.*}} : vector
// RAW: math.exp {{.*}} : f32

//--- raw.mlir
amp.param @W : tensor<8x16xf32> init(glorot)
amp.graph @f(%x: tensor<?x8xf32>) -> tensor<16xf32> {
  %y = amp.cell "f.0"(%x) : (tensor<?x8xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<?x8xf32>):
    %W = amp.get @W : tensor<8x16xf32>
    %p = amp.linear %a, %W : tensor<?x8xf32>, tensor<8x16xf32>
    %s = amp.sigmoid %p : tensor<?x16xf32>
    %t = amp.pool sum %s : tensor<?x16xf32>
    amp.yield %t : tensor<16xf32>
  }
  amp.return %y : tensor<16xf32>
}
amp.graph private @g(%x: tensor<4x8xf32>) -> tensor<16x4xf32> {
  %y = amp.cell "g.0"(%x) : (tensor<4x8xf32>) -> tensor<16x4xf32> {
  ^bb0(%a: tensor<4x8xf32>):
    %W = amp.get @W : tensor<8x16xf32>
    %p = amp.linear %a, %W : tensor<4x8xf32>, tensor<8x16xf32>
    %e = tensor.empty() : tensor<16x4xf32>
    %t = linalg.transpose ins(%p : tensor<4x16xf32>) outs(%e : tensor<16x4xf32>) permutation = [1, 0]
    %s = amp.sigmoid %t : tensor<16x4xf32>
    amp.yield %s : tensor<16x4xf32>
  }
  amp.return %y : tensor<16x4xf32>
}

// Few columns: shorter vectors, the last group repeats some. Long sums: in parts that the cache holds.
// COLUMNS: amprt.panel @{{.*}} [@W] rows [0] columns [0] transposed [false] k {{[0-9]+}} width 5 lanes 4 unroll 1
// COLUMNS: amprt.panel @{{.*}} [@W] rows [{{[1-9][0-9]*}}] columns [0] transposed [false] k {{[0-9]+}} width 5 lanes 4 unroll 1

//--- narrow.mlir
amp.param @W : tensor<1000x5xf32> init(glorot)
amp.graph @f(%x: tensor<1000xf32>) -> tensor<5xf32> {
  %y = amp.cell "f.0"(%x) : (tensor<1000xf32>) -> tensor<5xf32> {
  ^bb0(%a: tensor<1000xf32>):
    %W = amp.get @W : tensor<1000x5xf32>
    %p = amp.linear %a, %W : tensor<1000xf32>, tensor<1000x5xf32>
    amp.yield %p : tensor<5xf32>
  }
  amp.return %y : tensor<5xf32>
}

// Two columns are left over: those of four gates are one vector, and four rows' element-wise work is done together.
// TAIL-LABEL: func.func private @f.0.compute
// TAIL: amprt.panel_data %arg0, @[[GROUPS:.*]]
// TAIL: amprt.panel_data %arg0, @[[LEFT:.*]]
// TAIL: call @amp.product.4x8.from0.pair(
// TAIL: call @amp.product.1x8.from0(
// TAIL: call @amp.product.4x8.from0(
// TAIL: math.exp {{.*}} : vector<16xf32>
// TAIL: call @amp.product.1x8.from0(
// TAIL: math.exp {{.*}} : vector<8xf32>
// TAIL-DAG: amprt.panel @[[GROUPS]] [@W, @W, @W, @W] rows [0, 0, 0, 0] columns [0, 18, 36, 54] {{.*}} k 16 width 16 lanes 8 unroll 1
// TAIL-DAG: amprt.panel @[[LEFT]] [@W, @W, @W, @W] rows [0, 0, 0, 0] columns [16, 34, 52, 70] {{.*}} k 16 width 2 lanes 2 unroll 1

//--- tail.mlir
amp.param @W : tensor<16x72xf32> init(glorot)
amp.graph @f(%x: tensor<16xf32>) -> tensor<18xf32> {
  %y = amp.cell "f.0"(%x) : (tensor<16xf32>) -> tensor<18xf32> {
  ^bb0(%a: tensor<16xf32>):
    %W = amp.get @W : tensor<16x72xf32>
    %p = amp.linear %a, %W : tensor<16xf32>, tensor<16x72xf32>
    %i = tensor.extract_slice %p[0] [18] [1] : tensor<72xf32> to tensor<18xf32>
    %f = tensor.extract_slice %p[18] [18] [1] : tensor<72xf32> to tensor<18xf32>
    %g = tensor.extract_slice %p[36] [18] [1] : tensor<72xf32> to tensor<18xf32>
    %o = tensor.extract_slice %p[54] [18] [1] : tensor<72xf32> to tensor<18xf32>
    %if = arith.mulf %i, %f : tensor<18xf32>
    %go = arith.mulf %g, %o : tensor<18xf32>
    %s = arith.addf %if, %go : tensor<18xf32>
    %e = math.exp %s : tensor<18xf32>
    amp.yield %e : tensor<18xf32>
  }
  amp.return %y : tensor<18xf32>
}

// Of three gates, the last four columns are twelve elements of a vector.
// THREE: call @amp.product.3x16.from0(
// THREE: call @amp.product.1x12.from0(
// THREE-DAG: amprt.panel @{{.*}} [@W, @W, @W] rows [0, 0, 0] columns [0, 20, 40] {{.*}} k 16 width 16 lanes 16 unroll 1
// THREE-DAG: amprt.panel @{{.*}} [@W, @W, @W] rows [0, 0, 0] columns [16, 36, 56] {{.*}} k 16 width 4 lanes 4 unroll 1

//--- three.mlir
amp.param @W : tensor<16x60xf32> init(glorot)
amp.graph @f(%x: tensor<16xf32>) -> tensor<20xf32> {
  %y = amp.cell "f.0"(%x) : (tensor<16xf32>) -> tensor<20xf32> {
  ^bb0(%a: tensor<16xf32>):
    %W = amp.get @W : tensor<16x60xf32>
    %p = amp.linear %a, %W : tensor<16xf32>, tensor<16x60xf32>
    %i = tensor.extract_slice %p[0] [20] [1] : tensor<60xf32> to tensor<20xf32>
    %f = tensor.extract_slice %p[20] [20] [1] : tensor<60xf32> to tensor<20xf32>
    %g = tensor.extract_slice %p[40] [20] [1] : tensor<60xf32> to tensor<20xf32>
    %if = arith.mulf %i, %f : tensor<20xf32>
    %s = arith.addf %if, %g : tensor<20xf32>
    amp.yield %s : tensor<20xf32>
  }
  amp.return %y : tensor<20xf32>
}

// Of 100 columns, 36 are behind the group of four vectors: three vectors hold them, and repeat 12. Of 124, all four do for 60, so that
// nothing is saved.
// FEW: call @amp.product.4x16.from0(
// FEW: call @amp.product.3x16.from0(
// FEW-DAG: amprt.panel @{{.*}} [@W] rows [0] columns [0] {{.*}} k 16 width 64 lanes 16 unroll 4
// FEW-DAG: amprt.panel @{{.*}} [@W] rows [0] columns [52] {{.*}} k 16 width 48 lanes 16 unroll 3
// FEW-DAG: amprt.panel @{{.*}} [@V] rows [0] columns [0] {{.*}} k 16 width 124 lanes 16 unroll 4

//--- few.mlir
amp.param @W : tensor<16x100xf32> init(glorot)
amp.param @V : tensor<16x124xf32> init(glorot)
amp.graph @f(%x: tensor<16xf32>) -> (tensor<100xf32>, tensor<124xf32>) {
  %y, %z = amp.cell "f.0"(%x) : (tensor<16xf32>) -> (tensor<100xf32>, tensor<124xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %W = amp.get @W : tensor<16x100xf32>
    %V = amp.get @V : tensor<16x124xf32>
    %p = amp.linear %a, %W : tensor<16xf32>, tensor<16x100xf32>
    %q = amp.linear %a, %V : tensor<16xf32>, tensor<16x124xf32>
    amp.yield %p, %q : tensor<100xf32>, tensor<124xf32>
  }
  amp.return %y, %z : tensor<100xf32>, tensor<124xf32>
}

// The second product's other summand waits for it, and shares its pass. Each tile has a form for one
// row alone, which two groups of columns meet, and one for many.
// DEEP-LABEL: func.func private @f.0.compute
// DEEP: call @amp.product.2x8.from0.pair(
// DEEP: math.tanh
// DEEP: call @amp.product.2x8.from0(
// DEEP: math.tanh
// DEEP: call @amp.product.1x8.from0.pair(
// DEEP: call @amp.product.1x8.from0.pair(
// DEEP: arith.addf
// DEEP: call @amp.product.1x8.from0(
// DEEP: call @amp.product.1x8.from0(
// DEEP: arith.addf
// DEEP-NOT: call @amp.product
// DEEP: return

//--- deep.mlir
amp.param @V : tensor<8x16xf32> init(glorot)
amp.param @W : tensor<16x8xf32> init(glorot)
amp.param @X : tensor<8x8xf32> init(glorot)
amp.graph @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = amp.cell "f.0"(%x) : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>):
    %V = amp.get @V : tensor<8x16xf32>
    %W = amp.get @W : tensor<16x8xf32>
    %X = amp.get @X : tensor<8x8xf32>
    %q = amp.linear %a, %X : tensor<8xf32>, tensor<8x8xf32>
    %p = amp.linear %a, %V : tensor<8xf32>, tensor<8x16xf32>
    %h = math.tanh %p : tensor<16xf32>
    %r = amp.linear %h, %W : tensor<16xf32>, tensor<16x8xf32>
    %s = arith.addf %r, %q : tensor<8xf32>
    amp.yield %s : tensor<8xf32>
  }
  amp.return %y : tensor<8xf32>
}

// A result that is twice as wide as the other one is of the same sums: nothing is multiplied twice.
// PARTS-LABEL: func.func private @f.0.compute
// PARTS: amprt.panel_data %arg0, @[[BOTH:.*]]
// PARTS-NOT: amprt.panel_data
// PARTS: amprt.panel @[[BOTH]] [@W, @W] rows [0, 0] columns [0, 16] transposed [false, false] k 8 width 16
// PARTS-NOT: amprt.panel @

//--- parts.mlir
amp.param @W : tensor<8x32xf32> init(glorot)
amp.graph @f(%x: tensor<8xf32>) -> (tensor<32xf32>, tensor<16xf32>) {
  %y:2 = amp.cell "f.0"(%x) : (tensor<8xf32>) -> (tensor<32xf32>, tensor<16xf32>) {
  ^bb0(%a: tensor<8xf32>):
    %W = amp.get @W : tensor<8x32xf32>
    %p = amp.linear %a, %W : tensor<8xf32>, tensor<8x32xf32>
    %s = amp.sigmoid %p : tensor<32xf32>
    %l = tensor.extract_slice %s[0] [16] [1] : tensor<32xf32> to tensor<16xf32>
    %r = tensor.extract_slice %s[16] [16] [1] : tensor<32xf32> to tensor<16xf32>
    %m = arith.mulf %l, %r : tensor<16xf32>
    amp.yield %s, %m : tensor<32xf32>, tensor<16xf32>
  }
  amp.return %y#0, %y#1 : tensor<32xf32>, tensor<16xf32>
}

// A concatenation that is a result as well: products read its parts all the same, with another
// product of one of them.
// STORED-LABEL: func.func private @f.0.compute
// STORED: call @amp.product.3x8.from0
// STORED: amprt.panel @{{.*}} [@F, @U, @U] rows [0, 0, 0]

//--- stored.mlir
amp.param @U : tensor<32x32xf32> init(glorot)
amp.param @F : tensor<16x16xf32> init(glorot)
amp.graph @f(%l: tensor<16xf32>, %r: tensor<16xf32>) -> (tensor<16xf32>, tensor<32xf32>) {
  %y:2 = amp.cell "f.0"(%l, %r) : (tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<32xf32>) {
  ^bb0(%hl: tensor<16xf32>, %hr: tensor<16xf32>):
    %U = amp.get @U : tensor<32x32xf32>
    %F = amp.get @F : tensor<16x16xf32>
    %both = tensor.concat dim(0) %hl, %hr : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
    %iu = amp.linear %both, %U : tensor<32xf32>, tensor<32x32xf32>
    %f = amp.linear %hl, %F : tensor<16xf32>, tensor<16x16xf32>
    %i = tensor.extract_slice %iu[0] [16] [1] : tensor<32xf32> to tensor<16xf32>
    %u = tensor.extract_slice %iu[16] [16] [1] : tensor<32xf32> to tensor<16xf32>
    %iu1 = arith.mulf %i, %u : tensor<16xf32>
    %c = arith.addf %iu1, %f : tensor<16xf32>
    amp.yield %c, %both : tensor<16xf32>, tensor<32xf32>
  }
  amp.return %y#0, %y#1 : tensor<16xf32>, tensor<32xf32>
}
